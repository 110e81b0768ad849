"""A Liberty file's meaning, in the record's units."""

import numpy as np
import pytest
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.synth.liberty import read_liberty
from rtl_evolve.synth.library import Library


def at(library: Library, table: int, first: float, second: float) -> float:
    return float(library.tables.at(np.array([table]), np.array([first]), np.array([second]))[0])


def test_head(small: Library) -> None:
    assert small.name == "small"
    assert small.corner == "typical, 2 V, 25 C"
    assert small.voltage_v == 2.0
    assert dict(small.units) == {"time": "1ns", "capacitance": "1pf", "leakage": "1pW", "voltage": "1V"}
    assert [cell.name for cell in small.flops] == ["DFF", "DFFR"]


def test_capacitances_are_in_femtofarads(small: Library) -> None:
    pin = small.cells["INV"].pins["A"]
    assert (pin.rise_ff, pin.fall_ff) == (2.0, 1.0)
    pin = small.cells["NAND2"].pins["B"]
    assert (pin.rise_ff, pin.fall_ff) == (1.0, 1.0)


def test_tables_are_in_picoseconds_with_the_slew_first(small: Library) -> None:
    (arc,) = small.cells["INV"].pins["Y"].arcs
    assert (arc.related, arc.sense, arc.when) == ("A", "negative_unate", "")
    # slew 100 ps, load 10 fF and halves of them
    assert at(small, arc.rise_delay, 100, 0) == pytest.approx(30)
    assert at(small, arc.rise_delay, 0, 10) == pytest.approx(110)
    assert at(small, arc.rise_delay, 50, 5) == pytest.approx(70)
    assert at(small, arc.fall_slew, 0, 5) == pytest.approx(40)


def test_sense_follows_from_the_function_when_it_is_not_given(small: Library) -> None:
    assert {arc.sense for arc in small.cells["NAND2"].pins["Y"].arcs} == {"negative_unate"}
    assert {arc.sense for arc in small.cells["XOR2"].pins["Y"].arcs} == {"non_unate"}
    assert [arc.related for arc in small.cells["XOR2"].pins["Y"].arcs] == ["A", "B"]


def test_energies_are_in_femtojoules(small: Library) -> None:
    (energy,) = small.cells["INV"].pins["Y"].energies
    assert energy.related == "A"
    # 0.001 pF V^2 is 1 fJ
    assert at(small, energy.rise, 0, 0) == pytest.approx(1.0)
    assert at(small, energy.fall, 50, 0) == pytest.approx(3.5)


def test_leakage_is_in_nanowatts(small: Library) -> None:
    assert small.cells["INV"].leakage_nw == pytest.approx(0.003)
    leakages = small.cells["NAND2"].leakages
    assert [leak.when for leak in leakages] == ["A & B", "!(A B)"]
    assert [leak.nw for leak in leakages] == pytest.approx([0.008, 0.004])


def test_flip_flop(small: Library) -> None:
    cell = small.cells["DFFR"]
    assert cell.flop is not None
    assert (cell.flop.clocked_on, cell.flop.next_state, cell.flop.clear, cell.flop.preset) == ("CK", "D", "!RN", None)
    # the asynchronous reset's arc is left out
    assert [arc.related for arc in cell.pins["Q"].arcs] == ["CK"]
    (setup,) = small.cells["DFF"].pins["D"].setups
    assert (setup.related, setup.rising) == ("CK", True)
    # clock slew 0, data slew 100 ps
    assert at(small, setup.rise, 0, 100) == pytest.approx(30)


def test_several_files_are_one_library(small_text: str) -> None:
    other = small_text.replace("cell (", "cell (Z_").replace('library ("small")', 'library ("more")')
    merged = read_liberty([("a.lib", small_text), ("b.lib", other)])
    assert merged.name == "small"
    assert set(merged.cells) == {
        prefix + name for prefix in ("", "Z_") for name in ("INV", "NAND2", "XOR2", "BUF", "DFF", "DFFR")
    }
    assert merged.files == ("a.lib", "b.lib")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'time_unit : "1ns"',
            'time_unit : "1parsec"',
            "small.lib: cannot make sense of library small: unit `1parsec` is not understood",
        ),
        (
            'index_1 ("0.0, 0.01");\n    index_2 ("0.0, 0.1");\n  }\n  lu_table_template (constraint)',
            'index_1 ("0.0");\n    index_2 ("0.0, 0.1");\n  }\n  lu_table_template (constraint)',
            "small.lib: cannot make sense of library small: table cell_rise (load_first) has 4 values where its axes want 2",
        ),
        ('"A & B"; value', '"A &"; value', "the function `A &` of the cell library ends too early"),
        (
            "timing_sense : negative_unate",
            "timing_sense : crosswise",
            "small.lib: cannot make sense of library small: timing_sense `crosswise` is not understood",
        ),
        (
            "area : 1.5",
            "area : big",
            "small.lib: cannot make sense of library small: could not convert string to float: 'big'",
        ),
    ],
)
def test_nonsense_has_one_clear_line(small_text: str, old: str, new: str, message: str) -> None:
    assert old in small_text
    with pytest.raises(InputError) as caught:
        read_liberty([("small.lib", small_text.replace(old, new))])
    assert str(caught.value) == message


def test_libraries_without_what_is_needed(small_text: str) -> None:
    with pytest.raises(InputError, match=r"holds no cell"):
        read_liberty([("l", 'library ("l") { nom_voltage : 1; }')])
    bare = small_text.replace("cell_rise", "ccs_rise").replace("cell_fall", "ccs_fall")
    with pytest.raises(InputError, match=r"no NLDM delay table \(cell_rise, cell_fall\)"):
        read_liberty([("l", bare)])
