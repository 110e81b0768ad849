"""Candidates from a language model: asked ahead of need, with evidence, and used in the order they were asked.

Up to `in_flight` questions are out while candidates are evaluated. What is asked depends on the results taken in when
it is asked, and a reply is used when its turn comes, waited for if it must be: so how fast a model is changes nothing
but the time a run takes. Every question and reply is in the run's file, and a resumed run pays for none twice.
"""

import re
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import dataclass
from random import Random

from rtl_evolve.evolver.archive import Arm
from rtl_evolve.evolver.evidence import Brief, Standing, improve_evidence, repair_evidence
from rtl_evolve.evolver.models.model import ModelError, Question
from rtl_evolve.evolver.prices import Price
from rtl_evolve.evolver.prompt import Evidence, Prompts, tokens_of
from rtl_evolve.evolver.proposers.language_desk import Desk
from rtl_evolve.evolver.proposers.protocol import Proposal, Request
from rtl_evolve.evolver.purse import Purse
from rtl_evolve.evolver.questions import Asked, QuestionBook
from rtl_evolve.evolver.replies import Unusable, read_reply
from rtl_evolve.rtl.candidate import Candidate

IMPROVE, REPAIR = "improve", "repair"
REPAIRED = ("unusable_reply", "rejected", "different")  # outcomes that a second question may put right
POLL_SECONDS = 0.2
PRIOR_COST = 3.0  # evaluations for which a repair is taken to win what an improvement does
LEAST_SHARE, MOST_SHARE = 0.1, 0.6  # of questions that are repairs, while there is something to repair
REFUSALS = 3  # requests refused in a row after which the model is given up
LONGEST_IDEA = 200  # characters
_IDEA = re.compile(r"^\W*IDEA\W*:\W*(.+)$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class Manner:
    """How a model is asked. `prompt_tokens` bounds a prompt, `answer_tokens` an answer (thinking included)."""

    in_flight: int = 4
    prompt_tokens: int = 24_000
    answer_tokens: int = 8192
    temperature: float = 0.8
    seed: int = 1


@dataclass(frozen=True)
class Material:
    """What questions are made from; `costs_of` says in lines what a candidate's source lines cost."""

    prompts: Prompts
    brief: Brief
    costs_of: Callable[[Candidate], tuple[str, ...]]


class LanguageProposer:
    """`failure` says why the model is given up (empty: it is not); then nothing more comes."""

    def __init__(
        self,
        name: str,
        desk: Desk,
        price: Price | None,
        book: QuestionBook,
        purse: Purse,
        material: Material,
        manner: Manner,
    ) -> None:
        self.name, self.failure = name, ""
        self._desk, self._price, self._book, self._purse = desk, price, book, purse
        self._material, self._manner = material, manner
        self._used: dict[int, Asked] = {}  # by position
        self._repaired: set[int] = set()
        self._next: int | None = None
        self._refused = 0

    # --- asking

    def prepare(self, request: Request) -> None:
        """Ask until enough is in flight; called at each position, whoever's turn it is."""
        if self._next is None:
            self._restore(request.position)
        room = self._manner.in_flight if request.left is None else min(self._manner.in_flight, request.left)
        while not self.failure and not self._purse.reached and len(self._desk) < room:
            if not self._ask(request):
                return

    @property
    def waiting(self) -> int:
        """How many questions are in flight or replied to and not used."""
        return 0 if self.failure else len(self._desk)

    @property
    def used(self) -> int:
        """How many replies were used."""
        return len(self._used)

    def _restore(self, position: int) -> None:
        """Take up an earlier run: replies used before `position` are paid, the others are yet to be used."""
        self._next = 0
        self._purse.take_up(self._book.ended())
        for asked in self._book.all(self.name):
            self._next = asked.number + 1
            if asked.repairs is not None:
                self._repaired.add(asked.repairs)
            if asked.used_at is not None and asked.used_at < position:
                self._used[asked.used_at] = asked
                self._purse.pay(asked)
            else:
                self._purse.reserve(asked, self._price)
                self._desk.send(asked)

    def _ask(self, request: Request) -> bool:
        assert self._next is not None, "restored before the first question"
        rng = Random(f"{self._manner.seed}/{self.name}/{self._next}")
        drafted = self._repair(request, rng) or self._improve(request, rng)
        if drafted is None:
            return False
        kind, parent, repairs, prompt = drafted
        system = self._material.prompts.system()
        size = tokens_of(system) + tokens_of(prompt)
        answer = self._purse.answer_tokens(size, self._manner.answer_tokens, self._price)
        if not answer:
            if self._purse.reached:
                self._book.end(self._purse.reached, self._purse.limit(self._purse.reached) or 0.0)
            return False
        question = Question(system, prompt, answer, self._manner.temperature, rng.getrandbits(31))
        asked = Asked(self.name, self._next, request.position, kind, parent, repairs, size + answer, question)
        self._next += 1
        if repairs is not None:
            self._repaired.add(repairs)
        self._book.ask(asked)
        self._purse.reserve(asked, self._price)
        self._desk.send(asked)
        return True

    def _fill(self, kind: str, evidence: Evidence) -> str | None:
        budget = self._manner.prompt_tokens - tokens_of(self._material.prompts.system())
        return self._material.prompts.fill(kind, evidence, budget)

    def _improve(self, request: Request, rng: Random) -> tuple[str, int, None, str] | None:
        standing = Standing(request.archive, request.database)
        parent = request.archive.parent(request.island, rng)
        direction = rng.choice(self._material.prompts.directions)
        costs = self._material.costs_of(standing.candidate(parent.position))
        evidence = improve_evidence(self._material.brief, standing, parent, costs, direction, rng)
        prompt = self._fill(IMPROVE, evidence)
        if prompt is None:
            self.failure = f"the unit alone takes more than the {self._manner.prompt_tokens} tokens of a prompt: raise prompt_tokens"
            return None
        return IMPROVE, parent.position, None, prompt

    def _repair(self, request: Request, rng: Random) -> tuple[str, int, int, str] | None:
        """A question about the last failed reply that nobody asked about, as often as such questions have paid."""
        arms = request.archive.arms
        if rng.random() >= _repair_share(arms.get(f"{self.name} {REPAIR}", Arm()), arms.get(self.name, Arm())):
            return None
        standing = Standing(request.archive, request.database)
        for row in standing.recent():
            asked = self._used.get(row.position)
            if asked is None or row.outcome not in REPAIRED or asked.kind == REPAIR or row.position in self._repaired:
                continue
            reply = asked.answer.text if row.evaluation is None and asked.answer else None
            if reply is not None and not reply.strip():
                continue
            parent = standing.candidate(asked.parent)
            prompt = self._fill(REPAIR, repair_evidence(self._material.brief, standing, row, parent, reply))
            return None if prompt is None else (REPAIR, asked.parent, row.position, prompt)
        return None

    # --- using replies

    def propose(self, request: Request) -> Proposal | None:
        """What the oldest question's reply makes, waited for; None when there is no question, or no waiting for it."""
        if not self.waiting:
            return None
        future = self._desk.oldest()
        while not future.done():
            wait([future], POLL_SECONDS)
            if not future.done() and request.pause():
                return None
        try:
            asked = future.result()
        except ModelError as error:
            self._give_up(error.message)
            return None
        self._desk.take()
        self._book.use(asked, request.position)
        self._purse.pay(asked)
        self._used[request.position] = asked
        self._count_refusals(asked)
        return self._read(asked, Standing(request.archive, request.database))

    def _count_refusals(self, asked: Asked) -> None:
        finish = asked.answer.finish if asked.answer else ""
        self._refused = self._refused + 1 if finish.startswith("refused") else 0
        if self._refused >= REFUSALS:
            self._give_up(f"{finish.removeprefix('refused: ')} ({REFUSALS} times in a row)")

    def _give_up(self, why: str) -> None:
        self.failure = why
        for asked in self._desk:
            self._purse.release(asked)

    def _read(self, asked: Asked, standing: Standing) -> Proposal:
        assert asked.answer is not None, "it has been replied to"
        arm = self.name if asked.kind == IMPROVE else f"{self.name} {REPAIR}"
        parent = standing.candidate(asked.parent)
        files = self._material.brief.files_of(parent)
        answer = asked.answer
        found = read_reply(answer.text, files) if answer.text.strip() else Unusable("the reply is empty")
        if isinstance(found, Unusable):
            return Proposal(None, arm, f"{found.reason}{_why_cut(answer.finish)}", self.name)
        golden = {f.path: f.text for f in self._material.brief.design.sources.files}
        whole = {**files, **dict(found.files)}
        changed = tuple((path, text) for path, text in whole.items() if text != golden.get(path))
        parents = (parent.id,) if parent.files else ()
        return Proposal(Candidate(changed, self.name, (*parent.rationale, idea_of(answer.text)), parents), arm)

    def close(self, seconds: float) -> None:
        """Store replies that are on their way."""
        self._desk.close(seconds)


def idea_of(reply: str) -> str:
    """What a reply says it does: its IDEA line, else its first line of prose."""
    found = _IDEA.search(reply)
    lines = (line.strip() for line in reply.splitlines())
    idea = found[1].strip() if found else next((line for line in lines if line[:1].isalpha() and " " in line), "")
    idea = idea.strip("*_ ") or "no reason given"
    return idea if len(idea) <= LONGEST_IDEA else f"{idea[: LONGEST_IDEA - 3]}..."


def _why_cut(finish: str) -> str:
    if finish == "stop":
        return ""
    known = {"length": "it was cut off at its limit of tokens", "safety": "the model's safety filter stopped it"}
    return f" ({known.get(finish, finish)})"


def _repair_share(repair: Arm, improve: Arm) -> float:
    """Which part of the questions should be repairs, by what each kind has won for its cost."""
    usual = improve.reward / improve.cost if improve.reward else 0.01
    worth = (usual * PRIOR_COST + repair.reward) / (PRIOR_COST + repair.cost)
    return min(MOST_SHARE, max(LEAST_SHARE, worth / (worth + usual)))
