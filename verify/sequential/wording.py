"""The word-level view of questions over registers: a register's next value, and its value some cycles on, as terms."""

from collections.abc import Callable, Mapping, Sequence

from rtl_evolve.rtl.netlist import Cell, Netlist
from rtl_evolve.verify.attach import attach
from rtl_evolve.verify.problem import Problem
from rtl_evolve.verify.questions import Question
from rtl_evolve.verify.sequential.step import Step, at_time, side_of, state_word
from rtl_evolve.verify.sequential.unroll import START, Unrolled
from rtl_evolve.verify.terms import Part, TermBuilder
from rtl_evolve.verify.words import NoTerms, WordReader, parameter, register_names

Stored = Callable[[int, int], Part | None]  # (state, time): what it is known to be, None: its next value a cycle before


def step_words(problem: Problem, question: Question, alike: Mapping[int, int], step: Step) -> Problem:
    """Terms for a step's outputs and next states; the problem as it is where there is no word-level view."""
    first = {w.name: w for w in step.problem.inputs}
    where = {lit >> 1: (w.name, i) for w in step.problem.inputs for i, lit in enumerate(w.literals)}
    builder = TermBuilder()

    def stored(state: int, time: int) -> Part | None:
        if state not in step.next_states:
            return None
        stands = alike[state]
        if stands < 2:
            return Part(builder.const(stands, 1), 0)
        word = first[state_word(question, (stands >> 1) - 1)]
        name, index = where[step.inputs[(stands >> 1) - 1] >> 1]
        return Part(builder.input(name, len(word.literals)), index, inverted=bool(stands & 1))

    def side_terms(sides: Sequence[_Side]) -> tuple[dict[str, int], dict[str, int]]:
        golden, candidate = sides[0].outputs(), sides[1].outputs()
        for name, members in step.places.items():
            golden[name] = builder.join([_next(builder, question, sides, stands) for _, stands in members])
            candidate[name] = builder.join([_next(builder, question, sides, 2 * (i + 1)) for i, _ in members])
        return golden, candidate

    return _with_terms(problem, question, builder, at_time, stored, side_terms)


def unrolled_words(
    problem: Problem, question: Question, unrolled: Unrolled, places: Mapping[str, tuple[tuple[int, int], ...]]
) -> Problem:
    """Terms for the outputs, and for the states in `places`, of an unrolled cycle."""
    builder = TermBuilder()
    cycle = unrolled.cycle

    def stored(state: int, time: int) -> Part | None:
        if time < cycle:
            return None
        start = question.start[state]
        if start < 2:
            return Part(builder.const(start, 1), 0)
        return Part(builder.input(START, question.unknowns), (start >> 1) - 1, inverted=bool(start & 1))

    def side_terms(sides: Sequence[_Side]) -> tuple[dict[str, int], dict[str, int]]:
        if not places:
            return sides[0].outputs(), sides[1].outputs()
        golden, candidate = {}, {}
        for name, members in places.items():
            golden[name] = builder.join([_now(builder, question, sides, stands) for _, stands in members])
            candidate[name] = builder.join([_now(builder, question, sides, 2 * (i + 1)) for i, _ in members])
        return golden, candidate

    return _with_terms(problem, question, builder, lambda n, t: f"{n}@{cycle - t}", stored, side_terms)


def _with_terms(
    problem: Problem,
    question: Question,
    builder: TermBuilder,
    input_name: Callable[[str, int], str],
    stored: Stored,
    side_terms: Callable[[Sequence["_Side"]], tuple[dict[str, int], dict[str, int]]],
) -> Problem:
    if question.netlists is None or question.assumptions:
        return problem
    widths = {w.name: len(w.literals) for w in problem.inputs}

    def port(name: str, index: int, time: int) -> Part:
        word = input_name(name, time)
        return Part(builder.input(word, widths[word]), index)

    offset = 0
    sides = []
    try:
        for netlist, states in zip(question.netlists, question.product.states, strict=True):
            numbers = {s.name: offset + i for i, s in enumerate(states)}
            sides.append(_Side(netlist, builder, port, stored, numbers))
            offset += len(states)
        golden, candidate = side_terms(sides)
    except NoTerms:
        return problem
    return attach(problem, builder, golden, candidate, ())


def _next(builder: TermBuilder, question: Question, sides: Sequence["_Side"], literal: int) -> Part:
    if literal < 2:
        return Part(builder.const(literal, 1), 0)
    state = (literal >> 1) - 1
    part = sides[side_of(question, state)].next_value(state)
    return Part(part.term, part.low, 1, part.inverted ^ bool(literal & 1))


def _now(builder: TermBuilder, question: Question, sides: Sequence["_Side"], literal: int) -> Part:
    if literal < 2:
        return Part(builder.const(literal, 1), 0)
    state = (literal >> 1) - 1
    part = sides[side_of(question, state)].value(state)
    return Part(part.term, part.low, 1, part.inverted ^ bool(literal & 1))


class _Side:
    """One netlist read at several times (counted back from now), its registers being stored parts or next values."""

    def __init__(
        self,
        netlist: Netlist,
        builder: TermBuilder,
        port: Callable[[str, int, int], Part],
        stored: Stored,
        numbers: Mapping[str, int],
    ) -> None:
        self._b, self._stored = builder, stored
        self._reader = WordReader(netlist, builder, port, lambda _, bit, time: self._visible(bit, time))
        self._state = {bit: numbers.get(name, -1) for bit, name in register_names(netlist).items()}
        self._bit = {state: bit for bit, state in self._state.items()}
        self._seen: dict[tuple[str, int], list[Part]] = {}
        self._after: dict[tuple[str, int], int] = {}

    def outputs(self) -> dict[str, int]:
        return {p.name: self._reader.word(p.bits) for p in self._reader.netlist.ports if p.direction == "output"}

    def next_value(self, state: int) -> Part:
        cell, index = self._register(state)
        return Part(self._next(cell, 0), index)

    def value(self, state: int) -> Part:
        cell, index = self._register(state)
        return self._state_part(cell, index, 0)

    def _register(self, state: int) -> tuple[Cell, int]:
        if state not in self._bit:
            raise NoTerms("a register without a name in the word-level netlist")
        return self._reader.registers[self._bit[state]]

    def _state_part(self, cell: Cell, index: int, time: int) -> Part:
        """A register bit as it was stored, before any asynchronous load acts."""
        bit = cell.ports["Q"][index]
        state = self._state.get(bit, -1) if isinstance(bit, int) else -1
        if state < 0:
            raise NoTerms("a register without a name in the bit-level model")
        known = self._stored(state, time)
        return known if known is not None else Part(self._next(cell, time + 1), index)

    def _visible(self, bit: int, time: int) -> Part:
        cell, index = self._reader.registers[bit]
        key = (cell.name, time)
        if key not in self._seen:
            parts = [self._state_part(cell, i, time) for i in range(len(cell.ports["Q"]))]
            load = self._load(cell, time)
            if load is not None:
                term = self._b.op("ite", len(parts), load[0], load[1], self._b.join(parts))
                parts = [Part(term, i) for i in range(len(parts))]
            self._seen[key] = parts
        return self._seen[key][index]

    def _load(self, cell: Cell, time: int) -> tuple[int, int] | None:
        """The condition and value of an asynchronous load."""
        if "ARST" in cell.ports:
            value = self._b.const(parameter(cell, "ARST_VALUE"), len(cell.ports["Q"]))
            return self._control(cell, "ARST", time), value
        if "ALOAD" in cell.ports:
            return self._control(cell, "ALOAD", time), self._reader.word(cell.ports["AD"], time)
        return None

    def _control(self, cell: Cell, port: str, time: int) -> int:
        term = self._reader.word(cell.ports[port], time)
        return term if parameter(cell, f"{port}_POLARITY") else self._b.op("not", 1, term)

    def _next(self, cell: Cell, time: int) -> int:
        """What a register stores at the end of a cycle."""
        key = (cell.name, time)
        if key in self._after:
            return self._after[key]
        b, width = self._b, len(cell.ports["Q"])
        value = self._reader.word(cell.ports["D"], time)
        now = self._reader.word(cell.ports["Q"], time) if "EN" in cell.ports or "SRST" in cell.ports else 0
        reset = b.const(parameter(cell, "SRST_VALUE"), width) if "SRST" in cell.ports else 0
        inner = "EN" if cell.type != "$sdffce" else "SRST"
        for port in (inner, "SRST" if inner == "EN" else "EN"):
            if port in cell.ports:
                control = self._control(cell, port, time)
                pair = (value, now) if port == "EN" else (reset, value)
                value = b.op("ite", width, control, *pair)
        load = self._load(cell, time)
        if load is not None:
            value = b.op("ite", width, *load, value)
        self._after[key] = value
        return value
