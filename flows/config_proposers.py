"""Where candidates come from, as a flow or the command line says it."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from rtl_evolve.flows.yaml_nodes import Section
from rtl_evolve.rtl.errors import InputError

Value = TypeVar("Value")
PROPOSERS = ("rules", "gemini", "openai", "replay")
Kind = Literal["rules", "gemini", "openai", "replay"]
DEFAULT_MODEL = "gemini-2.5-flash"


@dataclass(frozen=True)
class ProposerSettings:
    """One proposer; what concerns models is ignored for `rules`, and `run` is the folder that `replay` repeats.

    `price` is in dollars per million tokens of input and output; None takes the listed one. `share` weighs it against
    the others. Keys are never here: they stay in the environment (`key_variable` names where).
    """

    kind: Kind
    model: str = ""
    base_url: str | None = None
    key_variable: str | None = None
    share: float = 1.0
    in_flight: int = 4
    prompt_tokens: int = 24_000
    answer_tokens: int = 8192
    temperature: float = 0.8
    timeout_seconds: float = 300.0
    thinking_tokens: int | None = None
    vertex_project: str | None = None
    vertex_location: str = "global"
    price: tuple[float, float] | None = None
    run: Path | None = None


RULES = ProposerSettings("rules")


def read_proposers(top: Section, folder: Path) -> tuple[ProposerSettings, ...]:
    """The key `proposers`: names, or mappings of one name to its settings."""
    return tuple(_proposer(entry, folder, top) for entry in top.sections("proposers"))


def _proposer(entry: Section | str, folder: Path, top: Section) -> ProposerSettings:
    if isinstance(entry, str):
        word: Kind = top.allowed("proposers", entry, PROPOSERS)  # type: ignore[assignment]
        return ProposerSettings(word, DEFAULT_MODEL if word == "gemini" else "")
    named = next((name for name in PROPOSERS if entry.has(name)), None)
    if named is None:
        entry.finish()
        raise top.error("proposers", f"a mapping must name one of {', '.join(PROPOSERS)}")
    kind: Kind = named  # type: ignore[assignment]
    said = entry.section(kind)
    entry.finish()
    plain = ProposerSettings(kind)
    run = said.text("run")
    settings = ProposerSettings(
        plain.kind,
        said.text("model") or (DEFAULT_MODEL if kind == "gemini" else ""),
        said.text("base_url"),
        said.text("key_variable"),
        _or(said.number("share", 0), plain.share),
        _or(said.integer("in_flight", 1, 64), plain.in_flight),
        _or(said.integer("prompt_tokens", 1000), plain.prompt_tokens),
        _or(said.integer("answer_tokens", 256), plain.answer_tokens),
        _or(said.number("temperature", 0, 2), plain.temperature),
        _or(said.number("timeout_seconds", 1), plain.timeout_seconds),
        said.integer("thinking_tokens", 0),
        said.text("vertex_project"),
        said.text("vertex_location") or plain.vertex_location,
        _price(said),
        folder / run if run is not None else None,
    )
    said.finish()
    if wrong := _wrong_url(settings.base_url):
        raise said.error("base_url", wrong)
    return settings


def from_options(
    flow: tuple[ProposerSettings, ...],
    kinds: list[str] | None,
    model: str | None,
    base_url: str | None,
    run: Path | None,
) -> tuple[ProposerSettings, ...]:
    """The flow's proposers with the command line's on top: those it names, with its model, endpoint and record."""
    chosen = flow
    if kinds is not None:
        said = {settings.kind: settings for settings in reversed(flow)}
        chosen = tuple(said.get(k) or ProposerSettings(k) for k in dict.fromkeys(kinds))  # type: ignore[arg-type, call-overload]
    if run is not None and kinds is None:
        chosen = (ProposerSettings("replay"),)
    asked = [settings for settings in chosen if settings.kind in ("gemini", "openai")]
    if (model or base_url) and len(asked) != 1:
        raise InputError("--model and --base-url go with one --proposer gemini or openai; say several in a flow")
    changed = []
    for settings in chosen:
        if settings in asked:
            name = model or settings.model or (DEFAULT_MODEL if settings.kind == "gemini" else "")
            settings = replace(settings, model=name, base_url=base_url or settings.base_url)
        if settings.kind == "replay":
            settings = replace(settings, run=run or settings.run)
        changed.append(checked(settings))
    return tuple(changed)


def _or(value: Value | None, default: Value) -> Value:
    return default if value is None else value


def _price(said: Section) -> tuple[float, float] | None:
    texts = said.texts("price")
    if not texts:
        return None
    try:
        prices = tuple(float(text) for text in texts)
    except ValueError:
        prices = ()
    if len(prices) != 2 or min(prices) < 0:
        raise said.error("price", "must be two numbers: dollars per million tokens of input and of output")
    return (prices[0], prices[1])


def checked(settings: ProposerSettings) -> ProposerSettings:
    """The settings; `InputError` when something is missing, or a secret is where it would be stored."""
    if settings.kind == "openai" and not settings.model:
        raise InputError("the proposer openai needs a model: --model NAME, or {openai: {model: NAME}} in the flow")
    if settings.kind == "replay" and settings.run is None:
        raise InputError("the proposer replay needs a recorded run: --replay DIR, or {replay: {run: DIR}} in the flow")
    if wrong := _wrong_url(settings.base_url):
        raise InputError(f"the base URL {wrong}")
    return settings


def _wrong_url(url: str | None) -> str:
    """What is wrong with a base URL, which is stored with the run; empty: nothing."""
    if url is None:
        return ""
    parts = urlsplit(url)
    if parts.username or parts.password or parts.query:
        return "must hold no user, password or query: a key belongs in the environment"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return f"must start with http:// or https://, not {url!r}"
    return ""
