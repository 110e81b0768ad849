import pytest
from rtl_evolve.rtl.design import SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.gate_netlist import (
    listed,
    source_place,
    tristates,
    undriven,
    unsupported,
    words,
    x_names,
    x_places,
)


def design(text) -> Elaboration:
    result = elaborate(Sources((SourceFile("a.v", text),), "top"))
    assert isinstance(result, Elaboration), result
    return result


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("module top(input a, output y); assign y = ~a; endmodule", ()),
        (
            "module top(input [3:0] a, output [3:0] y); wire [3:0] c; assign c = y + a; assign y = c ^ 4'd3; endmodule",
            ("combinational loop through c, y",),
        ),
        (
            "module top(input e, a, output reg y); always @* if (e) y = a; endmodule",
            ("y is level-sensitive (a latch), which is not supported",),
        ),
        ("module top(input e, a, output y); bufif1(y, a, e); endmodule", ("y is driven by tri-state buffers",)),
        (
            "(* blackbox *) module bb(output y); endmodule module top(output y); bb u(y); endmodule",
            ("module bb has no contents (a black box)",),
        ),
    ],
)
def test_unsupported(text, reasons):
    assert unsupported(design(text)) == reasons


def test_a_latch_in_an_instance_has_its_whole_name():
    text = (
        "module l(input e, d, output reg q); always @* if (e) q = d; endmodule\n"
        "module top(input e, d, output y); wire t; l u(e, d, t); assign y = ~t; endmodule"
    )
    assert unsupported(design(text)) == ("t is level-sensitive (a latch), which is not supported",)


def test_undriven_signals():
    text = "module top(input a, output y, z); wire t, unread; assign y = t & a; endmodule"
    assert undriven(design(text).netlist) == ("z", "t")


def test_where_x_comes_in():
    text = "module top(input [2:0] a, output y, z); assign y = (a == 3) ? 1'bx : a[0]; assign z = 1'bx; endmodule"
    netlist = design(text).netlist
    assert x_places(netlist) == ("output z", "a.v:1:52")
    assert x_names(netlist) == ("z",)


def test_tri_state_signals():
    text = "module top(input [1:0] a, output y); wire t; assign t = a[0] ? a[1] : 1'bz; assign y = ~t; endmodule"
    assert tristates(design(text).netlist) == ("t",)


def test_names_in_messages():
    assert words(["y[3]", "y[0]", "u.t", "u.t[1]"]) == ("y", "u.t")
    assert listed("abcdef") == "a, b, c, d and 2 more"
    assert source_place("a.v:1.52-1.60|b.v:3") == "a.v:1:52"
    assert source_place("a.v:7") == "a.v:7"
    assert source_place("") == ""
