"""The sequential integer units, cycle by cycle, against Python's integers."""

import random
from collections.abc import Callable, Sequence

Step = Callable[[str, Sequence[dict[str, list[int]]]], list[dict[str, list[int]]]]

LANES = 200
ON, OFF = [1] * LANES, [0] * LANES


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) & 1 else value


def stimulus(seed: int, cycles: int, **widths: int) -> list[dict[str, list[int]]]:
    """Random words on every port, a fifth of them all ones or all zeros, after one cycle of reset."""
    rng = random.Random(seed)

    def word(width: int) -> int:
        return rng.choice((0, (1 << width) - 1)) if rng.randrange(5) == 0 else rng.getrandbits(width)

    drawn = [{p: [word(w) for _ in range(LANES)] for p, w in widths.items()} for _ in range(cycles)]
    for k, vectors in enumerate(drawn):
        vectors["rst"] = ON if k == 0 else [int(rng.randrange(40) == 0) for _ in range(LANES)]
    return drawn


def test_mac8x8_20(step_unit: Step) -> None:
    cycles = stimulus(1, 60, en=1, load=1, sub=1, a=8, b=8)
    seen = step_unit("mac8x8_20", cycles)
    acc = [0] * LANES
    for k, now in enumerate(cycles):
        assert k == 0 or seen[k]["acc"] == acc
        for i in range(LANES):
            product = now["a"][i] * now["b"][i]
            if now["rst"][i]:
                acc[i] = 0
            elif now["en"][i] and now["load"][i]:
                acc[i] = product
            elif now["en"][i]:
                acc[i] = (acc[i] - product if now["sub"][i] else acc[i] + product) % (1 << 20)


def test_fir8_const(step_unit: Step) -> None:
    coefficients = (-3, 7, 29, 95, 95, 29, 7, -3)
    cycles = stimulus(2, 80, en=1, x=8)
    seen = step_unit("fir8_const", cycles)
    taps, y = [[0] * 8 for _ in range(LANES)], [0] * LANES
    for k, now in enumerate(cycles):
        assert k == 0 or [signed(v, 17) for v in seen[k]["y"]] == y
        for i in range(LANES):
            if now["rst"][i]:
                taps[i], y[i] = [0] * 8, 0
            elif now["en"][i]:
                y[i] = sum(c * t for c, t in zip(coefficients, taps[i], strict=True))
                taps[i] = [signed(now["x"][i], 8), *taps[i][:-1]]


def test_div16by8_result_and_latency(step_unit: Step) -> None:
    rng = random.Random(3)
    divisors = [rng.choice((0, 1, 2, 255, rng.getrandbits(8), rng.getrandbits(8))) for _ in range(LANES)]
    dividends = [rng.choice((0, 0xFFFF, rng.getrandbits(16), rng.getrandbits(16))) for _ in range(LANES)]
    noise = [rng.getrandbits(16) for _ in range(LANES)]
    # operands are held only in the cycle of start; a second start while busy must not disturb
    held = {"dividend": dividends, "divisor": divisors}
    later = {"dividend": noise, "divisor": [v & 0xFF for v in noise]}
    start = {"rst": OFF, "start": ON}
    cycles = [{"rst": ON, "start": ON, **later}, {**start, **held}, *({**start, **later} for _ in range(16))]
    cycles += [{"rst": OFF, "start": OFF, **later}] * 3
    seen = step_unit("div16by8", cycles)
    assert set(seen[1]["busy"]) == {0} and set(seen[1]["done"]) == {0}
    for k in range(2, 18):
        assert set(seen[k]["busy"]) == {1} and set(seen[k]["done"]) == {0}
    assert set(seen[18]["busy"]) == {0} and set(seen[18]["done"]) == {1} and set(seen[19]["done"]) == {0}
    for after in (18, 20):
        for n, d, q, r in zip(dividends, divisors, seen[after]["quotient"], seen[after]["remainder"], strict=True):
            assert (q, r) == (divmod(n, d) if d else (0xFFFF, n & 0xFF)), f"{n} / {d}"


def test_div16by8_against_its_own_algorithm(step_unit: Step) -> None:
    """Restarts and resets at any moment, with partial results visible, as the header promises."""
    cycles = stimulus(4, 120, start=1, dividend=16, divisor=8)
    seen = step_unit("div16by8", cycles)
    state = [(0, 0, 0, 0, 0)] * LANES  # cycles left, done, bits of the dividend taken so far, dividend, divisor
    for k, now in enumerate(cycles):
        for i in range(LANES):
            left, done, taken, dividend, divisor = state[i]
            if k:
                prefix = dividend >> (16 - taken)
                quotient, remainder = divmod(prefix, divisor) if divisor else ((1 << taken) - 1, prefix & 0xFF)
                got = tuple(seen[k][p][i] for p in ("busy", "done", "quotient", "remainder"))
                assert got == (int(left > 0), done, quotient, remainder)
            if now["rst"][i]:
                state[i] = (0, 0, 0, 0, 0)
            elif left:
                state[i] = (left - 1, int(left == 1), taken + 1, dividend, divisor)
            elif now["start"][i]:
                state[i] = (16, 0, 0, now["dividend"][i], now["divisor"][i])
            else:
                state[i] = (0, 0, taken, dividend, divisor)


def test_sat_add16(step_unit: Step) -> None:
    cycles = stimulus(5, 60, en=1, sub=1, a=16, b=16)
    seen = step_unit("sat_add16", cycles)
    y = [(0, 0)] * LANES
    for k, now in enumerate(cycles):
        assert k == 0 or list(zip((signed(v, 16) for v in seen[k]["y"]), seen[k]["saturated"], strict=True)) == y
        for i in range(LANES):
            a, b = signed(now["a"][i], 16), signed(now["b"][i], 16)
            exact = a - b if now["sub"][i] else a + b
            clamped = max(-(1 << 15), min((1 << 15) - 1, exact))
            if now["rst"][i]:
                y[i] = (0, 0)
            elif now["en"][i]:
                y[i] = (clamped, int(clamped != exact))


def test_sort4x8(step_unit: Step) -> None:
    cycles = stimulus(6, 60, en=1, x=32)
    for now in cycles[::3]:
        now["x"] = [v & 0x03030303 for v in now["x"]]
    seen = step_unit("sort4x8", cycles)
    y = [bytes(4)] * LANES
    for k, now in enumerate(cycles):
        assert k == 0 or [v.to_bytes(4, "little") for v in seen[k]["y"]] == y
        for i in range(LANES):
            if now["rst"][i]:
                y[i] = bytes(4)
            elif now["en"][i]:
                y[i] = bytes(sorted(now["x"][i].to_bytes(4, "little")))
