import pytest
from rtl_evolve.rtl.gate_facts import WORDS, facts
from rtl_evolve.rtl.gate_reasons import reason_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("assign y = a + b;", []),
        ("// synthesis tools share this adder", [("pragma", "synthesis tools share this adder")]),
        ("// the synthesis tool shares this adder", []),
        ("// Synopsys  full_case", [("pragma", "Synopsys full_case")]),
        ("(* keep, ram_style = f(1, 2), dont_touch *) wire w;", [("attribute", "keep"), ("attribute", "dont_touch")]),
        ("`ifndef A_H\n`define A_H 3\n`endif", [("condition", "A_H"), ("define", "A_H")]),
        ('`include  "a.vh" // why', [("directive", '`include "a.vh"')]),
        ("`default_nettype none\n`timescale 1ns/1ps", []),
        ("`SUM(a)", [("macro", "SUM")]),
        ("$signed(a) + $clog2(3) + $random", [("system", "$random")]),
        (r"\a  + \a+ + b", [("escaped", r"\a+")]),
        ("4'b1x + 4 'sh X + 'x + 4'bz + 3", [("x", "4'b1x"), ("x", "4'shX"), ("x", "'x")]),
        ("a === b !== c == d", [("case equality", "==="), ("case equality", "!==")]),
        ("#5 a = b; assign #(1) c = d; and #(2) g(x, y);", [("delay", "#5"), ("delay", "#("), ("delay", "#(")]),
        ("m #(3) u(); module n #(parameter W = 1) (); `M #(3) v();", [("macro", "M")]),
        ("assert (a) ; b;", [("formal", "assert ( a ) ;")]),
        ('import "DPI-C" function int f();', [("keyword", 'import "DPI-C"')]),
        ("import p::*;", []),
        ("casex (a)", [("keyword", "casex")]),
        ("a\u200bb", [("character", "U+200B")]),
    ],
)
def test_facts(text, found):
    assert [(f.kind, f.text) for f in facts(text)] == found


def test_an_attribute_says_what_it_is_on():
    (fact,) = facts("(* blackbox *) module fast(input a);")
    assert reason_of(fact).startswith("attribute blackbox on module fast:")


def test_every_word_of_the_list_has_its_reason():
    assert len(WORDS["keywords"]) > 80
    for word, why in WORDS["keywords"].items():
        (fact,) = facts(f"{word} w")
        assert isinstance(why, str) and why in reason_of(fact)
