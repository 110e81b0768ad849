"""The same figures by OpenSTA, for those who have it as `sta` on PATH: a second opinion, never needed.

Its own propagation of activity is far off, so it is given ours for every driver, and for pins tied to a constant, which
it takes to be toggling inputs otherwise. Wire load models are taken out of the library: we count no wires either.
"""

import gzip
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rtl_evolve.rtl.errors import ToolFailed, ToolMissing
from rtl_evolve.rtl.process import Limits, find_tool, run, workspace
from rtl_evolve.synth.activity import Activity
from rtl_evolve.synth.mapped import FIRST_NET, Mapped
from rtl_evolve.synth.measurement import Power
from rtl_evolve.synth.verilog import prefix, write_verilog

_SCRIPT = Path(__file__).with_name("opensta.tcl")


@dataclass(frozen=True)
class OpenStaFigures:
    """The worst path in ps and the power in uW."""

    delay_ps: float
    power: Power


def opensta_figures(
    mapped: Mapped, activity: Activity, period_ps: float, clocks: tuple[str, ...], limits: Limits | None = None
) -> OpenStaFigures:
    """Run OpenSTA; ToolMissing when there is no `sta` or an old one, ToolFailed when it says something else than the figures."""
    program = find_tool("sta")
    with workspace() as folder:
        for place, path in enumerate(mapped.library.files):
            _plain_library(Path(path), folder / f"cells{place}.lib")
        (folder / "netlist.v").write_text(write_verilog(mapped, "dut"))
        at = f" [get_ports {{{' '.join(clocks)}}}]" if clocks else ""
        (folder / "clock.tcl").write_text(f"create_clock -name clk -period {_time(mapped, period_ps)}{at}\n")
        (folder / "activity.tcl").write_text("\n".join(_activity_lines(mapped, activity, period_ps, clocks)) + "\n")
        shutil.copy(_SCRIPT, folder / "figures.tcl")
        finished = run([program, "-no_splash", "-exit", "figures.tcl"], folder, limits)
    if "not a known keyword" in finished.stdout + finished.stderr:
        raise ToolMissing(f"{program} is too old to take activities: put a current OpenSTA (3.0 or later) on PATH")
    slack = re.search(r"worst slack(?: max)?\s+(-?[\d.]+)", finished.stdout)
    total = re.search(r"^Total\s+(\S+)\s+(\S+)\s+(\S+)", finished.stdout, re.MULTILINE)
    if slack is None or total is None or "not found" in finished.stdout + finished.stderr:
        log = finished.stdout + finished.stderr
        raise ToolFailed("OpenSTA gave no figures for the netlist", command=finished.command, log=log)
    internal, switching, leakage = (float(part) * 1e6 for part in total.groups())
    slack_ps = float(slack[1]) * _unit_ps(mapped)
    return OpenStaFigures(period_ps - slack_ps, Power(switching, internal, leakage))


def _plain_library(source: Path, target: Path) -> None:
    data = source.read_bytes()
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    target.write_bytes(re.sub(rb"default_wire_load\s*:[^;\n]*;?", b"", data))


def _unit_ps(mapped: Mapped) -> float:
    """OpenSTA takes and gives times in the library's unit."""
    text = dict(mapped.library.units)["time"]
    match = re.fullmatch(r"\s*([\d.]*)\s*([fpn])s\s*", text)
    assert match is not None
    return float(match[1] or 1) * {"f": 1e-3, "p": 1.0, "n": 1e3}[match[2]]


def _time(mapped: Mapped, ps: float) -> str:
    return f"{ps / _unit_ps(mapped):.9g}"


def _activity_lines(mapped: Mapped, activity: Activity, period_ps: float, clocks: tuple[str, ...]) -> Iterator[str]:
    period = period_ps / _unit_ps(mapped)
    unit = prefix(mapped, "u")

    def values(net: int) -> str:
        return f"-density {activity.toggles[net] / period:.9g} -duty {activity.duty[net]:.9g}"

    for port in mapped.inputs:
        for place, net in enumerate(port.nets if port.name not in clocks else ()):
            name = f"{port.name}[{place}]" if len(port.nets) > 1 else port.name
            yield f"set_power_activity -input_ports [get_ports {{{name}}}] {values(net)}"
    for net, (index, pin) in mapped.driver.items():
        yield f"set_power_activity -pins [get_pins {unit}{index}/{pin}] {values(net)}"
    for index, instance in enumerate(mapped.instances):
        for pin, net in instance.nets.items():
            if net < FIRST_NET:
                yield f"set_power_activity -pins [get_pins {unit}{index}/{pin}] -density 0 -duty {net}"
