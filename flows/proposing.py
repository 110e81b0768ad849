"""From settings to the proposers of a run: the rules, models behind their endpoints, a recorded run."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from rtl_evolve.evolver.database import ProgramDatabase
from rtl_evolve.evolver.evidence import Brief
from rtl_evolve.evolver.models.gemini import KEYS, Gemini
from rtl_evolve.evolver.models.model import Model, Patience
from rtl_evolve.evolver.models.openai import KEY, OpenAI
from rtl_evolve.evolver.prices import Price, listed_price
from rtl_evolve.evolver.prompt import Prompts
from rtl_evolve.evolver.proposers.ensemble import Ensemble
from rtl_evolve.evolver.proposers.language import LanguageProposer, Manner, Material
from rtl_evolve.evolver.proposers.language_desk import Desk
from rtl_evolve.evolver.proposers.protocol import Proposer
from rtl_evolve.evolver.proposers.replay import ReplayProposer
from rtl_evolve.evolver.proposers.rules import RulesProposer
from rtl_evolve.evolver.purse import Purse
from rtl_evolve.evolver.questions import QuestionBook
from rtl_evolve.flows.config import Settings
from rtl_evolve.flows.config_proposers import ProposerSettings
from rtl_evolve.flows.guidance import LineCosts, library_hints
from rtl_evolve.rtl.design import Design, Sources
from rtl_evolve.rtl.elaborate import Unelaborated, elaborate
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.regions import find_regions
from rtl_evolve.rtl.rewrites.registry import FAMILIES, propose_all
from rtl_evolve.rtl.rewrites.rule import Rewrite
from rtl_evolve.rtl.rewrites.view import View
from rtl_evolve.synth.measure import MeasureSettings

MODELS = ("gemini", "openai")
LAST_WORDS_SECONDS = 60.0  # how long the end of a run waits for replies in flight: they are paid for
PATIENCE = Patience(attempts=6)


@dataclass(frozen=True)
class Team:
    """The proposer of a run, and what became of its models: `ended` names a budget of theirs that was reached."""

    proposer: Proposer
    ended: Callable[[], str]
    problems: Callable[[], tuple[str, ...]]


def check_proposers(settings: Settings) -> None:
    """Raise `InputError` for what can be known to be wrong before anything is run."""
    models = [p for p in settings.proposers if p.kind in MODELS]
    if settings.prompts is not None or models:
        Prompts(settings.prompts)
    for proposer in models:
        if settings.dollars is not None and _price(proposer) is None:
            name = f"{proposer.kind}/{proposer.model}"
            raise InputError(f"a budget of dollars needs the price of {name}: give it in the flow as price: [IN, OUT]")
    for proposer in settings.proposers:
        if proposer.run is not None:
            ProgramDatabase.open(proposer.run / "run.sqlite").close()
    if [p.kind for p in settings.proposers].count("replay") and len(settings.proposers) > 1:
        raise InputError("replay repeats a whole run: it goes with no other proposer")


@contextmanager
def team_of(
    settings: Settings, design: Design, screening: MeasureSettings, folder: Path, tell: Callable[[str], None]
) -> Iterator[Team]:
    """The run's proposers, with questions in flight until the end; `screening` is how prompts tell what lines cost."""
    rules = RulesProposer(design.sources, tuple(f.name for f in FAMILIES), _Rewrites(design), settings.seed)
    models = [p for p in settings.proposers if p.kind in MODELS]
    replayed = next((p.run for p in settings.proposers if p.run is not None), None)
    if replayed is not None:
        recorded = ProgramDatabase.open(replayed / "run.sqlite")
        with closing(recorded):
            yield Team(ReplayProposer(recorded), str, tuple)
    elif not models:
        yield Team(rules, str, tuple)
    else:
        hints = library_hints(settings.library, settings.dont_use)
        brief = Brief(design, settings.objective, hints)
        material = Material(Prompts(settings.prompts), brief, LineCosts(design, screening))
        book = QuestionBook(folder / "run.sqlite")
        ensemble = _ensemble(settings, material, rules, book, tell)
        try:
            yield Team(ensemble, lambda: ensemble.ended, lambda: ensemble.problems)
            ensemble.close(LAST_WORDS_SECONDS)
        finally:
            book.close()


def _ensemble(
    settings: Settings, material: Material, rules: RulesProposer, book: QuestionBook, tell: Callable[[str], None]
) -> Ensemble:
    purse = Purse(settings.tokens, settings.dollars)
    asking = partial(_language, settings=settings, book=book, purse=purse, material=material)
    names: list[str] = []
    models: list[tuple[LanguageProposer, float]] = []
    for proposer in settings.proposers:
        if proposer.kind in MODELS:
            model = model_of(proposer)
            names.append(model.name)
            again = names.count(model.name)
            name = model.name if again == 1 else f"{model.name}#{again}"
            models.append((asking(proposer, model, name), proposer.share))
    others = [(rules, proposer.share) for proposer in settings.proposers if proposer.kind == "rules"]
    return Ensemble(tuple(models), tuple(others), purse, tell)


def _language(
    proposer: ProposerSettings,
    model: Model,
    name: str,
    *,
    settings: Settings,
    book: QuestionBook,
    purse: Purse,
    material: Material,
) -> LanguageProposer:
    secrets = (*KEYS, KEY, *([proposer.key_variable] if proposer.key_variable else []))
    price = _price(proposer)
    manner = Manner(
        proposer.in_flight, proposer.prompt_tokens, proposer.answer_tokens, proposer.temperature, settings.seed
    )
    return LanguageProposer(name, Desk(model, price, book, secrets), price, book, purse, material, manner)


def model_of(proposer: ProposerSettings) -> Model:
    """The model behind its endpoint; nothing is asked yet."""
    if proposer.kind == "gemini":
        return Gemini(
            proposer.model,
            proposer.base_url,
            proposer.vertex_project,
            proposer.vertex_location,
            proposer.thinking_tokens,
            proposer.timeout_seconds,
            PATIENCE,
        )
    return OpenAI(proposer.model, proposer.base_url, proposer.key_variable or KEY, proposer.timeout_seconds, PATIENCE)


def model_values(folder: Path) -> dict[str, Any]:
    """What each model was asked and took so far, as JSON shows it."""
    book = QuestionBook(folder / "run.sqlite")
    try:
        return {name: {**asdict(spent), "tokens": spent.tokens} for name, spent in book.spent().items()}
    finally:
        book.close()


def _price(proposer: ProposerSettings) -> Price | None:
    if proposer.price is not None:
        return Price(*proposer.price)
    listed = listed_price(f"{proposer.kind}/{proposer.model}")
    elsewhere = proposer.base_url or (proposer.kind == "openai" and os.environ.get("OPENAI_BASE_URL"))
    return None if elsewhere else listed


@dataclass(frozen=True)
class _Rewrites:
    """The rules' proposals for any descendant of golden."""

    design: Design

    def __call__(self, sources: Sources, rng: Random) -> Iterator[Rewrite]:
        elaboration = elaborate(sources)
        if isinstance(elaboration, Unelaborated):
            return iter(())
        regions = find_regions(sources.files)
        return propose_all(View.of(sources, elaboration, reset=self.design.reset, regions=regions), rng)
