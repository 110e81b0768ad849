"""Sequential proof: each pair of `pairs/` has its verdict, and says how it starts."""

import pytest
from rtl_evolve.verify.problem import ProofLimits
from rtl_evolve.verify.prove import prove
from rtl_evolve.verify.verdict import Grade

LIMITS = ProofLimits(seconds=120)


@pytest.mark.parametrize(
    ("golden", "candidate", "grade", "says"),
    [
        ("mac_golden", "mac_fused", Grade.PROVEN, "starts after 1 cycle of rst = 1"),
        ("async_golden", "async_gated", Grade.PROVEN, "starts after 1 cycle of rst_n = 0"),
        ("async_golden", "async_synchronous", Grade.DIFFERENT, "no asynchronous reset"),
        ("fsm_golden", "fsm_onehot", Grade.PROVEN, "starts after 1 cycle of rst = 1"),
        (
            "enable_golden",
            "enable_renamed",
            Grade.PROVEN,
            "without reset or initial value (p, q, y) start with the same",
        ),
        ("latency_golden", "latency_one", Grade.DIFFERENT, "the candidate is 1 cycle late"),
    ],
)
def test_pairs(elaborated, design, golden, candidate, grade, says):
    verdict = prove(elaborated(golden), elaborated(candidate), design(golden), LIMITS)
    assert verdict.grade is grade, verdict
    note = verdict.counterexample.note if verdict.counterexample else ""
    assert says in " ".join([*verdict.reasons, *verdict.assumptions, note])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("golden", "candidate", "grade"),
    [
        ("pipe_golden", "pipe_retimed", Grade.PROVEN),
        ("pipe_golden", "pipe_rare", Grade.DIFFERENT),
        ("valid_golden", "valid_retimed", Grade.PROVEN),
        ("divider_golden", "divider_packed", Grade.PROVEN),
    ],
)
def test_costly_pairs(elaborated, design, golden, candidate, grade):
    verdict = prove(elaborated(golden), elaborated(candidate), design(golden), LIMITS)
    assert verdict.grade is grade, verdict


def test_declared_latency(elaborated, design):
    golden = design("latency_golden", latency=1)
    late = prove(elaborated("latency_golden"), elaborated("latency_one"), golden, LIMITS)
    assert late.grade is Grade.PROVEN, late
    assert "1 cycles later" in " ".join(late.assumptions)
    same = prove(elaborated("latency_golden"), elaborated("latency_golden"), golden, LIMITS)
    assert same.grade is Grade.DIFFERENT


def test_a_bomb_that_ticks_for_long_is_never_proven(elaborated, design):
    verdict = prove(
        elaborated("bomb_golden"), elaborated("bomb_ticking"), design("bomb_golden"), ProofLimits(seconds=3)
    )
    assert verdict.grade in (Grade.UNDECIDED, Grade.BOUNDED, Grade.DIFFERENT)
    if verdict.grade is Grade.BOUNDED:
        assert "no difference within" in verdict.reasons[0]
