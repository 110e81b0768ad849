"""Proposers as the command line and a flow together say them."""

from pathlib import Path

import pytest
from rtl_evolve.flows.config_proposers import DEFAULT_MODEL, RULES, ProposerSettings, from_options
from rtl_evolve.rtl.errors import InputError

LOCAL = ProposerSettings("openai", "local", "http://localhost:1/v1", in_flight=2)


def test_the_flow_counts_where_the_command_line_says_nothing() -> None:
    assert from_options((RULES, LOCAL), None, None, None, None) == (RULES, LOCAL)


def test_proposers_named_on_the_command_line_keep_what_the_flow_says_of_them() -> None:
    assert from_options((RULES, LOCAL), ["openai"], None, None, None) == (LOCAL,)
    assert from_options((RULES,), ["gemini", "rules", "gemini"], None, None, None) == (
        ProposerSettings("gemini", DEFAULT_MODEL),
        RULES,
    )


def test_model_and_endpoint_are_those_of_the_command_line() -> None:
    (found,) = from_options((LOCAL,), None, "other", "https://host/v1", None)
    assert (found.model, found.base_url, found.in_flight) == ("other", "https://host/v1", 2)


def test_a_recorded_run() -> None:
    replay = ProposerSettings("replay", run=Path("out"))
    assert from_options((RULES,), None, None, None, Path("out")) == (replay,)
    assert from_options((RULES,), ["replay"], None, None, Path("out")) == (replay,)


@pytest.mark.parametrize(
    ("kinds", "model", "url", "message"),
    [
        (["openai"], None, None, "the proposer openai needs a model: --model NAME"),
        (["replay"], None, None, "the proposer replay needs a recorded run: --replay DIR"),
        (["rules"], "m", None, "--model and --base-url go with one --proposer"),
        (["openai", "gemini"], "m", None, "--model and --base-url go with one --proposer"),
        (["openai"], "m", "http://host/v1?key=abc", "must hold no user, password or query"),
        (["openai"], "m", "localhost:8000", "must start with http://"),
    ],
)
def test_what_cannot_be(kinds: list[str], model: str | None, url: str | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        from_options((RULES,), kinds, model, url, None)
    assert message in str(caught.value) and "abc" not in str(caught.value)
