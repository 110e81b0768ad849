"""Ports that have no word-level view do not take it away from the others, nor end a proof."""

from pathlib import Path

from rtl_evolve.rtl.design import Design, Port, SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.verify.problem import ProofLimits
from rtl_evolve.verify.prove import prove
from rtl_evolve.verify.verdict import Grade

TABLE = """
module look (input [3:0] a, input [31:0] b, output reg [2:0] ones, output [31:0] sum);
    always @*
        case (a)
            4'h0: ones = 3'd0;
            4'h1, 4'h2, 4'h4, 4'h8: ones = 3'd1;
            4'h7, 4'hb, 4'hd, 4'he: ones = 3'd3;
            4'hf: ones = 3'd4;
            default: ones = 3'd2;
        endcase
    assign sum = b + {28'd0, a};
endmodule
"""
ADDED = """
module look (input [3:0] a, input [31:0] b, output reg [2:0] ones, output [31:0] sum);
    always @* ones = {2'd0, a[0]} + {2'd0, a[1]} + {2'd0, a[2]} + {2'd0, a[3]};
    assign sum = {28'd0, a} + b;
endmodule
"""


def elaboration(text: str) -> Elaboration:
    result = elaborate(Sources((SourceFile("look.v", text),), "look"))
    assert isinstance(result, Elaboration)
    return result


def test_a_table_becomes_a_memory_and_is_still_proven(tmp_path: Path) -> None:
    golden = elaboration(TABLE)
    assert any(cell.type.startswith("$mem") for cell in golden.netlist.cells), "what this test is about"
    inputs = (Port("a", "input", 4), Port("b", "input", 32))
    ports = (*inputs, Port("ones", "output", 3), Port("sum", "output", 32))
    design = Design(tmp_path, golden.sources, ports)
    assert prove(golden, elaboration(ADDED), design, ProofLimits(seconds=20)).grade is Grade.PROVEN
    wrong = elaboration(ADDED.replace("{2'd0, a[3]}", "{2'd0, a[2]}"))
    assert prove(golden, wrong, design, ProofLimits(seconds=20)).grade is Grade.DIFFERENT
