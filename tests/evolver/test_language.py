"""Searches with a scripted model: what they find, what they pay, and that neither the clock nor a kill changes it."""

import hashlib
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from rtl_evolve.evolver.archive import Archive
from rtl_evolve.evolver.database import ProgramDatabase
from rtl_evolve.evolver.evaluation import Evaluation
from rtl_evolve.evolver.evidence import Brief
from rtl_evolve.evolver.loop import Hands, Search, Task, search
from rtl_evolve.evolver.models.model import Answer, Fault, ModelError, Question
from rtl_evolve.evolver.objective import Objective
from rtl_evolve.evolver.prices import Price
from rtl_evolve.evolver.prompt import Prompts
from rtl_evolve.evolver.proposers.ensemble import Ensemble
from rtl_evolve.evolver.proposers.language import LanguageProposer, Manner, Material, idea_of
from rtl_evolve.evolver.proposers.language_desk import Desk
from rtl_evolve.evolver.proposers.protocol import Proposal, Proposer, Request
from rtl_evolve.evolver.proposers.replay import ReplayProposer
from rtl_evolve.evolver.purse import Purse
from rtl_evolve.evolver.questions import QuestionBook
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Design, Port, SourceFile, Sources
from rtl_evolve.synth.measurement import Measurement, Power
from rtl_evolve.verify.verdict import Counterexample, Cycle, Grade, Verdict

GOLDEN = Sources((SourceFile("a.v", "module a(output y);\n  assign y = 60;\n  // end\nendmodule\n"),), "a")
DESIGN = Design(Path(), GOLDEN, (Port("y", "output", 1),))
BEST = 40  # below it nothing is equivalent
GAMING = 13  # the gate refuses it
PRICE = Price(1.0, 10.0)


def measured(area: float) -> tuple[Measurement, ...]:
    return (Measurement("lib", "recipe", None, area, 60.0, Power(1.0, 1.0, 1.0), 1, 0),)


BASELINE = Evaluation("golden", Verdict(Grade.PROVEN), measured(60), "60", screening=measured(60))


def value_of(candidate: Candidate) -> int:
    return int(candidate.files[0][1].split("y = ")[1].split(";")[0])


def evaluate(task: Task) -> Evaluation:
    value, me = value_of(task.candidate), task.candidate.id
    structure = task.candidate.files[0][1].split("= ")[1].splitlines()[0]
    if structure in task.known:
        return Evaluation(me, Verdict(Grade.REJECTED), structure=structure, duplicate_of=task.known[structure])
    if value == GAMING:
        return Evaluation(me, Verdict(Grade.REJECTED, "gate", reasons=("a.v:2: the text is a game",)))
    if value < BEST:
        cycle = Cycle((), (("y", "1'h1"),), (("y", "1'h0"),))
        return Evaluation(me, Verdict(Grade.DIFFERENT, counterexample=Counterexample((cycle,))), structure=structure)
    return Evaluation(me, Verdict(Grade.PROVEN), measured(value), structure, screening=measured(value))


def block(old: str, new: str) -> str:
    return f"IDEA: {new.strip()} is less\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def scripted(question: Question) -> str:
    """Good, wrong, gaming, malformed and idle replies, decided by the question alone."""
    digest = hashlib.sha256(f"{question.prompt}/{question.seed}".encode()).hexdigest()
    rng = random.Random(digest)
    code = question.prompt.split("```verilog\n")[1].split("```")[0]
    line = code.splitlines()[1]
    number = int(line.split("= ")[1].split(";")[0])
    good = block(line, f"  assign y = {max(BEST, number - rng.choice((5, 8, 20)))}; wire w{digest[:4]};")
    wrong = block(line, f"  assign y = {rng.choice((20, 30))}; wire w{digest[:4]};")
    game = block(line, f"  assign y = {GAMING}; wire w{digest[:4]};")
    no_use = [
        "",
        "I would think about it.",
        block("  not there", "  x"),
        good[:-10],
        "```verilog\nmodule b; endmodule\n```",
    ]
    return rng.choices([good, wrong, game, rng.choice(no_use)], (5, 2, 1, 3))[0]


class Model:
    """Counts what it is asked; `delays` in seconds are drawn by the clock's own generator, so they never repeat."""

    name = "fake/m"

    def __init__(self, reply: Callable[[Question], str] = scripted, delay: float = 0.0) -> None:
        self.reply, self.delay = reply, delay
        self.asked: list[Question] = []
        self._lock = threading.Lock()
        self._rng = random.Random()

    def ask(self, question: Question) -> Answer:
        with self._lock:
            self.asked.append(question)
            pause = self._rng.random() * self.delay
        time.sleep(pause)
        text = self.reply(question)
        return Answer(text, self.name, len(question.prompt) // 4, 50, "stop", pause)


class Rules:
    """Stands for the rules: takes 1 off the best so far, once each."""

    name = "rules"

    def propose(self, request: Request) -> Proposal | None:
        parent = request.archive.parent(request.island, request.rng)
        value = 60 if parent.position < 0 else value_of(request.database.row(parent.position).candidate)
        text = GOLDEN.files[0].text.replace("60", f"{value - 1}")
        made = Candidate((("a.v", text),), "rules", (), (parent.id,))
        return None if made.id in request.database else Proposal(made, "minus")


class Killed(Exception):
    """Stands for kill -9."""


class Run:
    """One search in one folder, to be killed and resumed."""

    def __init__(self, folder: Path, candidates: int | None = 40, rules: bool = False, **budget: float) -> None:
        self.path = folder / "run.sqlite"
        self.candidates, self.rules, self.budget = candidates, rules, budget
        self.told: list[str] = []
        self.manner = Manner(in_flight=3)
        self.stop: Callable[[], str] = str
        self.window = 6
        self.evaluation_seconds = 0.0

    def team(self, model: Model, book: QuestionBook) -> Ensemble:
        purse = Purse(**self.budget)  # type: ignore[arg-type]
        material = Material(Prompts(), Brief(DESIGN, Objective(), ("a full adder is 4.5 um2",)), lambda _: ())
        desk = Desk(model, PRICE, book, ("FAKE_KEY",))
        language = LanguageProposer(model.name, desk, PRICE, book, purse, material, self.manner)
        others: tuple[tuple[Proposer, float], ...] = ((Rules(), 1.0),) if self.rules else ()
        return Ensemble(((language, 1.0),), others, purse, self.told.append)

    def go(self, model: Model, proposer: Proposer | None = None) -> str:
        database = ProgramDatabase.open(self.path) if self.path.exists() else ProgramDatabase.create(self.path)
        settings = Search(
            *(GOLDEN, BASELINE, Objective(), ("recipe",)), seed=3, candidates=self.candidates, window=self.window
        )

        def slowly(task: Task) -> Evaluation:
            time.sleep(self.evaluation_seconds)
            return evaluate(task)

        def confirm(_: Candidate, evaluation: Evaluation) -> "Future[Evaluation]":
            done: Future[Evaluation] = Future()
            done.set_result(evaluation)
            return done

        book = QuestionBook(self.path)
        with closing(database), closing(book), ThreadPoolExecutor(2) as pool:
            hands = Hands(lambda task: pool.submit(slowly, task), confirm, self.stop, lambda *_: None)
            team = self.team(model, book)
            ended = search(settings, proposer or team, hands, database)
            team.close(5.0)
            self.problems = team.problems
            return team.ended if ended == "exhausted" and team.ended else ended

    def story(self) -> list[object]:
        with closing(ProgramDatabase.open(self.path)) as database:
            rows = [
                (r.position, r.candidate, r.arm, r.outcome, r.note, r.context.seen, r.evaluation)
                for r in database.rows()
            ]
            return [rows, database.get("state"), database.counts()]

    def archive(self) -> Archive:
        with closing(ProgramDatabase.open(self.path)) as database:
            return Archive.restore(database.get("state"))

    def counts(self) -> dict[str, int]:
        with closing(ProgramDatabase.open(self.path)) as database:
            return database.counts()

    def questions(self) -> list[tuple[object, ...]]:
        with closing(QuestionBook(self.path)) as book:
            return [
                (q.number, q.asked_at, q.kind, q.parent, q.repairs, q.question, q.answer and q.answer.text, q.used_at)
                for q in book.all(Model.name)
            ]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def test_it_ends_with_the_best_good_edit_and_nothing_wrong(run: Run) -> None:
    model = Model()
    assert run.go(model) == "candidates"
    archive, counts = run.archive(), run.counts()
    assert archive.best.figures.area_um2 == pytest.approx(BEST / 60)
    with closing(ProgramDatabase.open(run.path)) as database:
        grades = {database.row(m.position).outcome for m in archive.front}
    assert grades == {"proven"}
    assert min(counts[k] for k in ("proven", "different", "rejected", "unusable_reply")) > 0
    assert counts["proposed"] == sum(v for k, v in counts.items() if k not in ("proposed", "pending"))
    used = [q for q in run.questions() if q[-1] is not None]
    assert len(used) == counts["proposed"] and len(model.asked) == len(run.questions())
    assert [q[-1] for q in used] == list(range(len(used)))
    assert all(q[-2] is not None for q in run.questions()), "what was in flight at the end is stored"


def test_unusable_replies_say_why(run: Run) -> None:
    run.candidates = 80
    run.go(Model())
    with closing(ProgramDatabase.open(run.path)) as database:
        notes = " ".join(row.note for row in database.rows("unusable_reply"))
        assert {row.candidate.proposer for row in database.rows("unusable_reply")} == {Model.name}
    for said in ("is empty", "no Verilog module", "is not in the text", "has no end", "only b"):
        assert said in notes


def test_neither_the_models_speed_nor_a_replay_changes_the_run(tmp_path: Path) -> None:
    runs = [Run(tmp_path / name, rules=True) for name in ("quick", "slow", "again")]
    for each in runs:
        each.path.parent.mkdir()
    quick, slow, again = runs
    slow.evaluation_seconds = 0.003
    quick.go(Model())
    slow.go(Model(delay=0.02))
    assert quick.story() == slow.story()
    assert quick.questions() == slow.questions()
    with closing(ProgramDatabase.open(quick.path)) as recorded:
        silent = Model(reply=lambda _: pytest.fail("replay asked a model"))
        again.go(silent, ReplayProposer(recorded))
    assert again.story() == quick.story() and silent.asked == []


@pytest.mark.parametrize("seed", range(6))
def test_killed_at_random_moments_it_pays_no_reply_twice(tmp_path: Path, seed: int) -> None:
    whole, killed = Run(tmp_path / "whole", rules=True), Run(tmp_path / "killed", rules=True)
    for each in (whole, killed):
        each.path.parent.mkdir()
    whole.go(Model())
    rng = random.Random(seed)
    paid: Counter[int] = Counter()

    def dying(budget: list[int]) -> str:
        budget[0] -= 1
        if budget[0] < 0:
            raise Killed
        return ""

    for _ in range(5):
        budget = [rng.randrange(1, 60)]
        killed.stop = lambda budget=budget: dying(budget)
        stored = {q[0] for q in killed.questions() if q[-2] is not None} if killed.path.exists() else set()
        seeds = {q[5].seed: q[0] for q in killed.questions()} if killed.path.exists() else {}  # type: ignore[attr-defined]
        model = Model(delay=0.01)
        with suppress(Killed):
            killed.go(model)
        asked_again = {seeds[q.seed] for q in model.asked if q.seed in seeds}
        assert not asked_again & stored
        paid.update(q[0] for q in killed.questions() if q[-2] is not None and q[0] not in stored)
    killed.stop = str
    killed.go(Model())
    assert killed.story() == whole.story()
    assert killed.questions() == whole.questions()
    assert all(times == 1 for times in paid.values())


@pytest.mark.parametrize(("name", "limit"), [("tokens", 20_000), ("dollars", 0.03)])
def test_a_budget_is_kept_and_named(run: Run, name: str, limit: float) -> None:
    run.candidates = None
    run.budget = {name: limit}
    assert run.go(Model()) == name
    with closing(QuestionBook(run.path)) as book:
        spent = book.spent()[Model.name]
        assert all(q.used_at is not None for q in book.all(Model.name)), "replies in flight are used"
    taken = spent.tokens if name == "tokens" else spent.dollars
    assert taken is not None and 0.5 * limit < taken <= limit
    asked = spent.questions
    run.go(Model())
    with closing(QuestionBook(run.path)) as book:
        assert book.spent()[Model.name].questions == asked
    run.budget = {name: 2 * limit}
    run.go(Model())
    with closing(QuestionBook(run.path)) as book:
        assert book.spent()[Model.name].questions > asked


def broken(fault: Fault) -> Model:
    def reply(_: Question) -> str:
        raise ModelError(f"fake/m: it is broken ({fault.value})", fault)

    return Model(reply)


@pytest.mark.parametrize("fault", [f for f in Fault if f is not Fault.REQUEST])
def test_rules_go_on_without_a_broken_model(run: Run, fault: Fault) -> None:
    run.rules, run.candidates = True, 12
    assert run.go(broken(fault)) in ("candidates", "exhausted")
    assert run.told == [f"fake/m: it is broken ({fault.value}); going on with rules"]
    assert run.archive().best.scalar < 1 and run.counts()["unusable_reply"] == 0
    run.go(Model())
    assert run.questions()[0][-2] is not None, "resumed with a model that works, it is asked again"


def test_a_broken_model_alone_ends_the_run(run: Run) -> None:
    assert run.go(broken(Fault.KEY)) == "model"
    assert run.problems == ("fake/m: it is broken (key)",)
    assert run.told == ["fake/m: it is broken (key); no other proposer is left"]
    assert run.go(Model()) == "candidates" and run.archive().best.scalar < 1


def test_refused_requests_are_counted_and_three_in_a_row_are_enough(run: Run) -> None:
    model = broken(Fault.REQUEST)
    assert run.go(model) == "model"
    assert run.counts()["unusable_reply"] == 3 and "3 times in a row" in run.problems[0]


def test_a_key_sent_back_is_not_stored(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_KEY", "very-secret-key")

    def leaking(question: Question) -> str:
        if question.seed and question.seed % 3 == 0:
            raise ModelError("bad request for very-secret-key", Fault.REQUEST)
        return "your key is very-secret-key\n" + scripted(question)

    run.go(Model(leaking))
    for path in run.path.parent.iterdir():
        assert b"very-secret-key" not in path.read_bytes()
    assert "[FAKE_KEY]" in str(run.questions())


def test_repairs_quote_the_diagnostic(run: Run) -> None:
    model = Model()
    run.go(model)
    repairs = [q.prompt for q in model.asked if "A rewrite of it that failed" in q.prompt]
    assert repairs
    text = "\n".join(repairs)
    assert "the text is a game" in text or "the original gives y=1'h1, the rewrite y=1'h0" in text
    about = [q[4] for q in run.questions() if q[2] == "repair"]
    assert len(about) == len(set(about)), "nothing is repaired twice"
    assert f"{Model.name} repair" in run.archive().arms


def test_prompts_carry_what_was_found(run: Run) -> None:
    model = Model()
    run.go(model)
    later = "\n".join(q.prompt for q in model.asked[-15:])
    for said in (
        "-> proven equivalent",
        "area 0.",
        "a full adder is 4.5 um2",
        "output y: 1 bit",
        "a.v:2: the text is a",
    ):
        assert said in later


def test_waiting_for_a_slow_model_ends_when_the_run_is_stopped(run: Run) -> None:
    began = time.monotonic()
    hurry = threading.Event()

    def reply(question: Question) -> str:
        hurry.wait(20)
        return scripted(question)

    def stop() -> str:
        if time.monotonic() - began < 0.5:
            return ""
        hurry.set()
        return "minutes"

    run.stop = stop
    assert run.go(Model(reply)) == "minutes" and time.monotonic() - began < 10
    assert run.counts()["proposed"] == 0
    assert all(q[-2] is not None for q in run.questions()), "what was in flight is stored, for a resume"
    paid = len(run.questions())
    run.stop = str
    model = Model()
    run.go(model)
    assert len(model.asked) == len(run.questions()) - paid


def test_no_more_is_asked_than_candidates_are_left(run: Run) -> None:
    run.candidates = 2
    run.manner = replace(run.manner, in_flight=8)
    model = Model(lambda q: block("  assign y = 60;", f"  assign y = {40 + (q.seed or 0) % 20}; wire w{q.seed};"))
    run.go(model)
    assert len(model.asked) == 2


@pytest.mark.slow
def test_workers_are_busy_while_the_model_thinks(run: Run) -> None:
    """A model of 0.8 s latency, evaluations of 0.4 s, two workers."""
    run.manner, run.window, run.evaluation_seconds = Manner(in_flight=8), 24, 0.4

    def reply(question: Question) -> str:
        time.sleep(0.8)
        line = question.prompt.split("```verilog\n")[1].splitlines()[1]
        return block(line, f"  assign y = {41 + (question.seed or 0) % 18}; wire w{question.seed};")

    began = time.monotonic()
    run.go(Model(reply))
    busy = run.counts()["proposed"] * 0.4 / 2
    assert busy / (time.monotonic() - began) > 0.85


@pytest.mark.parametrize(
    ("reply", "idea"),
    [
        ("IDEA: share it\nmore", "share it"),
        ("Sure!\n**Idea:** share *it*", "share *it"),
        ("```verilog\nmodule x;\n```", "module x;"),
        ("", "no reason given"),
    ],
)
def test_the_idea_of_a_reply(reply: str, idea: str) -> None:
    assert idea_of(reply) == idea


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("ask"):
            thread.join(5)
