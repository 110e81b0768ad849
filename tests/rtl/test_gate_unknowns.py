"""The gate and the proofs see exactly the x that the language has: bit by bit, input by input."""

import random
from collections.abc import Callable

import pytest
from rtl_evolve.rtl.design import SourceFile, Sources
from rtl_evolve.rtl.elaborate import Elaboration, elaborate
from rtl_evolve.rtl.model import Model

X = None
VECTORS = 512
ROUNDS = 40  # of other values for the undefined bits


def bit(value: int, index: int) -> int | None:
    return value >> index & 1


TABLE: dict[str, Callable[[int, int, int], int | None]] = {
    "assign y = a[b[2:0] +: 4];": lambda a, b, j: 0 if j > 3 else X if (b & 7) + j > 7 else bit(a, (b & 7) + j),
    "wire [15:0] w = {a, b}; assign y = w[a[3:0] +: 8];": lambda a, b, j: (
        X if (a & 15) + j > 15 else bit(a << 8 | b, (a & 15) + j)
    ),
    "wire [6:0] v = a[6:0]; assign y = v[b];": lambda a, b, j: 0 if j else X if b > 6 else bit(a, b),
    "reg [7:0] r; always @* begin r = 0; r[b[3:0] +: 2] = 2'b11; end assign y = r;": lambda a, b, j: int(
        j in (b & 15, (b & 15) + 1)
    ),
    "wire [7:0] t [0:2]; assign t[0] = a, t[1] = ~a, t[2] = b; assign y = t[b[1:0]];": lambda a, b, j: (
        X if b & 3 == 3 else bit((a, ~a, b)[b & 3], j)
    ),
    "reg [7:0] t [0:4]; initial begin t[0] = 3; t[1] = 77; t[4] = 200; end assign y = t[b[2:0]];": lambda a, b, j: (
        X if b & 7 not in (0, 1, 4) else bit({0: 3, 1: 77, 4: 200}[b & 7], j)
    ),
    "assign y = a / b;": lambda a, b, j: X if b == 0 else bit(a // b, j),
    "assign y = a % b[3:0];": lambda a, b, j: X if b & 15 == 0 else bit(a % (b & 15), j),
    "assign y = (b == 0) ? 8'd7 : a / b;": lambda a, b, j: bit(7 if b == 0 else a // b, j),
    "assign y = a + 8'b0000_00x0;": lambda a, b, j: X,
    "assign y = a & {4'bx, 4'hf};": lambda a, b, j: bit(a, j) if j < 4 or not bit(a, j) else X,
    "reg [7:0] r; always @* case (b[1:0]) 0: r = a; 1: r = b; 2: r = ~a; default: r = 'x; endcase assign y = r;": (
        lambda a, b, j: X if b & 3 == 3 else bit((a, b, ~a)[b & 3], j)
    ),
    "function [7:0] f(input [7:0] p); if (p[0]) f = p; endfunction assign y = f(a);": (
        lambda a, b, j: bit(a, j) if a & 1 else X
    ),
    "wire [7:0] t; assign t[3:0] = a[3:0]; assign y = t;": lambda a, b, j: bit(a, j) if j < 4 else X,
}


@pytest.mark.parametrize("body", TABLE)
def test_every_x_of_the_language_and_no_other(body):
    text = f"module top(input [7:0] a, b, output [7:0] y); {body} endmodule\n"
    elaboration = elaborate(Sources((SourceFile("a.v", text),), "top"))
    assert isinstance(elaboration, Elaboration), elaboration
    model, rng = elaboration.model, random.Random(1)
    pairs = [(rng.randrange(256), vector % 256) for vector in range(VECTORS)]
    always_one, always_zero = [-1] * 8, [-1] * 8
    for _ in range(ROUNDS):
        for index, word in enumerate(outputs(model, pairs, rng)):
            always_one[index] &= word
            always_zero[index] &= ~word
    for index in range(8):
        for vector, (a, b) in enumerate(pairs):
            seen = 1 if bit(always_one[index], vector) else 0 if bit(always_zero[index], vector) else X
            right = TABLE[body](a, b, index)
            assert seen == right, (a, b, index)


def outputs(model: Model, pairs: list[tuple[int, int]], rng: random.Random) -> list[int]:
    """Values of y's bits, one vector a bit, with random values for undefined bits."""
    patterns = []
    for name, index in model.inputs:
        column = [bit(pair["ab".index(name)], index) for pair in pairs]
        patterns.append(sum(value << vector for vector, value in enumerate(column)))
    patterns += [rng.getrandbits(VECTORS) for _ in range(model.aig.inputs - len(patterns))]
    values = model.aig.simulate(patterns, VECTORS)
    everywhere = (1 << VECTORS) - 1
    return [values[lit >> 1] ^ (everywhere if lit & 1 else 0) for _, _, lit in sorted(model.outputs)]
