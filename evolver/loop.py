"""The search: propose, evaluate elsewhere, take results in strictly in the order they were proposed.

A proposal is decided from the results taken in so far and `Random(seed/position)`; at most `window` evaluations are
outstanding, and the next result is taken in only when the window is full or nothing new can be proposed. So how many
workers there are, and in which order they finish, changes nothing but the time it takes.
"""

from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from random import Random

from rtl_evolve.evolver.archive import Archive, Member
from rtl_evolve.evolver.database import Context, ProgramDatabase, Row, outcome_of
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.normal import normal_hash
from rtl_evolve.evolver.objective import Figures, Objective, Score, raw_figures, score
from rtl_evolve.evolver.proposers.protocol import Proposer, Request
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Sources
from rtl_evolve.verify.verdict import Grade

# What a result costs the arm that proposed it, in evaluations: fixed figures, not seconds, so that a slow machine
# decides as a fast one does. An undecided proof has run into its time limit.
COST = {"duplicate": 0.1, "rejected": 0.1, "different": 0.2, "tested": 0.4, "undecided": 8.0}
PATIENCE = 20  # duplicates and unusable replies in a row after which proposing waits for the next result
UNBARRED = 0.1  # of the candidates go on without gaining anything by themselves: another edit may build on them
POLL_SECONDS = 0.2  # how often a wait looks whether it should stop


@dataclass(frozen=True)
class Task:
    """One candidate to evaluate, with the context of its proposal as values.

    `known` maps structures to the candidate that has each; `bar` holds the screening figures of the front: a
    candidate that is no better than one of them in any figure is not worth a proof.
    """

    candidate: Candidate
    known: dict[str, str]
    bar: tuple[Figures, ...]


@dataclass(frozen=True)
class Search:
    """What stays fixed during a search; `accept` are the grades that may win, `candidates` limits evaluations.

    `screened_by` names the recipes of the first, quick measuring, which alone the bar is made of.
    """

    golden: Sources
    baseline: Evaluation
    objective: Objective
    screened_by: tuple[str, ...]
    seed: int = 1
    candidates: int | None = None
    window: int = 12
    islands: int = 4
    accept: tuple[Grade, ...] = (Grade.PROVEN,)

    def new_archive(self) -> Archive:
        """The state before the first proposal."""
        return Archive.new(self.baseline.candidate_id, self.islands, self.screened(self.baseline))

    def score(self, evaluation: Evaluation) -> Score | None:
        """Against golden measured the same way: by all recipes where that was done, else by the search's few."""
        if evaluation.measurements:
            return score(evaluation.measurements, self.baseline.measurements, self.objective)
        return score(evaluation.screening, self.baseline.screening, self.objective)

    def screened(self, evaluation: Evaluation) -> Figures | None:
        """The figures of the first, quick measuring."""
        return raw_figures(tuple(m for m in evaluation.screening if m.recipe in self.screened_by))


@dataclass(frozen=True)
class Hands:
    """What the search is handed to act with.

    `submit` starts an evaluation somewhere; `confirm` starts the bench on a candidate that would enter the front and
    gives its evaluation back as that leaves it; `stopped` says why to propose nothing more (empty: go on), and
    `halted` whether to leave even what is being worked on; `progress` is told of each result taken in.
    """

    submit: Callable[[Task], "Future[Evaluation]"]
    confirm: Callable[[Candidate, Evaluation], "Future[Evaluation]"]
    stopped: Callable[[], str]
    progress: Callable[[Row, Evaluation, Archive], None]
    halted: Callable[[], bool] = lambda: True


@dataclass
class _Pending:
    row: Row
    future: "Future[Evaluation]"
    stored: bool = False


def search(settings: Search, proposer: Proposer, hands: Hands, database: ProgramDatabase) -> str:
    """Run (or go on) until a budget is spent, `stopped` says so, or nothing is left to propose: which of them."""
    run = _Run(settings, proposer, hands, database)
    run.resume()
    while True:
        while not run.spent() and not hands.stopped() and len(run.pending) < settings.window and run.propose():
            run.store()
        if reason := hands.stopped():
            run.drain()
            return reason
        if not run.pending:
            return "candidates" if run.spent() else "exhausted"
        run.settle()


class _Run:
    """The moving parts of one search."""

    def __init__(self, settings: Search, proposer: Proposer, hands: Hands, database: ProgramDatabase) -> None:
        self.settings, self.proposer, self.hands, self.database = settings, proposer, hands, database
        state = database.get("state")
        self.archive = Archive.restore(state) if state else settings.new_archive()
        self.golden_normal = normal_hash(Candidate(()), settings.golden)
        self.known: dict[str, str] = {}
        self.known_until = -1
        self.pending: deque[_Pending] = deque()
        self.submitted = self.archive.results
        self.fruitless = database.fruitless(self.archive.applied)
        self.draining = False

    def resume(self) -> None:
        """Take up what was proposed but not taken in: finished ones from the database, the others anew."""
        for row in self.database.unapplied(self.archive.applied):
            self.submitted += 1
            if row.evaluation is None:
                self.pending.append(_Pending(row, self.hands.submit(self.task(row))))
            else:
                done: Future[Evaluation] = Future()
                done.set_result(row.evaluation)
                self.pending.append(_Pending(row, done, stored=True))

    def task(self, row: Row) -> Task:
        """What a worker is given; `known` as it was when the candidate was proposed."""
        seen = row.context.seen
        if seen < self.known_until:
            return Task(row.candidate, dict(self.database.structures(-1, seen)), row.context.bar)
        self.known.update(self.database.structures(self.known_until, seen))
        self.known_until = seen
        return Task(row.candidate, dict(self.known), row.context.bar)

    def spent(self) -> bool:
        """Whether the budget of candidates is spent."""
        return self.settings.candidates is not None and self.submitted >= self.settings.candidates

    def propose(self) -> bool:
        """Make one proposal and submit it unless it is a duplicate; False when there is nothing new for now."""
        if self.fruitless >= PATIENCE:
            return False
        position = self.database.size
        island = position % self.settings.islands
        rng = Random(f"{self.settings.seed}/{position}")
        waiting = Counter(p.row.arm for p in self.pending)
        left = None if self.settings.candidates is None else self.settings.candidates - self.submitted
        proposal = self.proposer.propose(
            Request(position, island, rng, self.archive, self.database, waiting, left, self.pause)
        )
        if proposal is None:
            return False
        daring = Random(f"{self.settings.seed}/{position}/bar").random() < UNBARRED
        context = Context(self.archive.applied, () if daring else tuple(self.archive.bar))
        candidate = proposal.candidate or Candidate((), proposal.proposer or self.proposer.name)
        normal = normal_hash(candidate, self.settings.golden) if proposal.candidate else ""
        outcome, note = self._known_text(normal) if proposal.candidate else ("unusable_reply", proposal.problem)
        row = Row(position, candidate, proposal.arm, island, outcome, note, context)
        self.database.add(row, normal)
        self.fruitless += 1
        if outcome is None:
            self.fruitless = 0
            self.submitted += 1
            self.pending.append(_Pending(row, self.hands.submit(self.task(row))))
        return True

    def _known_text(self, normal: str) -> tuple[str | None, str]:
        twin = "golden" if normal == self.golden_normal else self.database.same_text(normal)
        return ("duplicate", f"same text as {twin}") if twin else (None, "")

    def pause(self) -> bool:
        """What a proposer calls while it waits: keeps the books, and says whether to give up."""
        self.store()
        return bool(self.hands.stopped())

    def store(self) -> None:
        """Write down what has finished, in whatever order."""
        for pending in self.pending:
            if not pending.stored and pending.future.done() and not pending.future.cancelled():
                evaluation = pending.future.result()
                found = self.settings.score(evaluation)
                self.database.finish(pending.row.position, evaluation, found.scalar if found else None)
                pending.stored = True

    def settle(self) -> None:
        """Wait for the oldest result and take it in; returns early when the search is to stop."""
        oldest = self.pending[0]
        while not oldest.stored:
            if self._give_up():
                return
            wait([p.future for p in self.pending if not p.stored], POLL_SECONDS, "FIRST_COMPLETED")
            self.store()
        self._take(oldest)

    def _take(self, pending: _Pending) -> None:
        row, evaluation = pending.row, pending.future.result()
        member = self._member(row, evaluation)
        confirmed = None
        if member is not None and self.archive.enters_front(member) and not row.confirmed:
            confirmed = self._await(self.hands.confirm(row.candidate, evaluation))
            if confirmed is None:
                return
            evaluation = confirmed
            member = self._member(row, evaluation)
        outcome = outcome_of(evaluation)
        self.archive.take(row, member, self.settings.screened(evaluation), COST.get(outcome, 1.0))
        found = self.settings.score(evaluation)
        self.database.apply(self.archive.state(), row.position, confirmed, found.scalar if found else None)
        self.pending.popleft()
        self.fruitless = 0
        self.hands.progress(row, evaluation, self.archive)

    def _await(self, future: "Future[Evaluation]") -> Evaluation | None:
        while not future.done():
            if self._give_up():
                future.cancel()
                return None
            wait([future], POLL_SECONDS)
            self.store()
        return future.result()

    def _member(self, row: Row, evaluation: Evaluation) -> Member | None:
        """The result as something to build on; None when its grade or its measurements don't allow it."""
        found = self.settings.score(evaluation)
        if evaluation.verdict.grade not in self.settings.accept or evaluation.duplicate_of or found is None:
            return None
        above = [s for s in map(self.database.scalar, row.candidate.parents) if s is not None]
        step = min(above, default=1.0) - found.scalar
        return Member(row.position, row.candidate.id, found.ratios, found.scalar, found.feasible, step)

    def _give_up(self) -> bool:
        return self.hands.halted() if self.draining else bool(self.hands.stopped())

    def drain(self) -> None:
        """Drop what has not started, and take in what has, in order, as far as there is time."""
        self.draining = True
        for pending in self.pending:
            pending.future.cancel()
        self.store()
        while self.pending and not self.pending[0].future.cancelled() and not self.hands.halted():
            self.settle()
