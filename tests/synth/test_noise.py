"""The noise band of a small design, and of one where there is nothing to be lucky with."""

from collections.abc import Callable

from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.synth.activity import Workload
from rtl_evolve.synth.measure import MeasureSettings
from rtl_evolve.synth.noise import NoiseBand, noise_band

Elaborate = Callable[[str], Elaboration]


def test_a_band(elaborated: Elaborate) -> None:
    elaboration = elaborated("module top(input [5:0] a, b, output [11:0] y); assign y = a * b; endmodule")
    settings = MeasureSettings(recipes=("stock",), workload=Workload(300))
    band = noise_band(elaboration, settings, samples=3)
    assert band == noise_band(elaboration, settings, samples=3)
    assert 0 < band.spread["area"] < 0.1
    assert 0 < band.spread["delay"] < 0.2
    assert 0 < band.spread["power"] < 0.2


def test_wires_have_none(elaborated: Elaborate) -> None:
    elaboration = elaborated("module top(input a, output y); assign y = a; endmodule")
    band = noise_band(elaboration, MeasureSettings(recipes=("stock",)), samples=2)
    assert set(band.spread.values()) == {0.0}


def test_a_gain_must_leave_the_band() -> None:
    band = NoiseBand(3, {"area": 0.02})
    assert band.survives("area", 0.03)
    assert not band.survives("area", 0.02)
