"""One step of two machines under an assumption: which states are alike, and pipelines seen as functions of the past.

A register whose value is a function of the last few inputs alone (a pipeline stage) can be replaced by that function:
then where a pipeline has its registers no longer matters. The other states are kept, and assumed to be alike in
classes; the step says what the outputs are and what the kept states become.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rtl_evolve.rtl.aig import TRUE, AigBuilder
from rtl_evolve.verify.problem import Pair, Problem, Word
from rtl_evolve.verify.questions import Question
from rtl_evolve.verify.sequential.product import Product
from rtl_evolve.verify.sequential.timed import TimedCopy

_DEEPEST = 64  # cycles of history


@dataclass(frozen=True)
class Step:
    """`problem` has the outputs' pairs and, for each state that isn't its class's first, its next value against the
    first's. `next_states` are literals of the problem's graph by state; `places` say which states a pair is about;
    `inputs` are the graph's inputs that stand for kept states.
    """

    problem: Problem
    next_states: Mapping[int, int]
    places: Mapping[str, tuple[tuple[int, int], ...]]
    inputs: Mapping[int, int]
    depth: int


def history_depths(product: Product) -> dict[int, int]:
    """States that are functions of past inputs alone, and of how many cycles."""
    bits = product.input_bits
    reads = [0] * (product.aig.inputs + 1)
    states = product.all_states
    for i in range(len(states)):
        reads[bits + 1 + i] = 1 << i
    for a, b in zip(product.aig.fanin0, product.aig.fanin1, strict=True):
        reads.append(reads[a >> 1] | reads[b >> 1])
    needs = [reads[s.next >> 1] for s in states]
    depths: dict[int, int] = {}
    settled = 0
    for depth in range(1, _DEEPEST + 1):
        now = [i for i, need in enumerate(needs) if i not in depths and not need & ~settled]
        if not now:
            break
        depths.update((i, depth) for i in now)
        settled |= sum(1 << i for i in now)
    return depths


def build_step(question: Question, alike: Mapping[int, int], depths: Mapping[int, int], seed: int) -> Step:
    """The step under `alike`: for each kept state the literal of the state it equals, 2 * (state + 1) perhaps
    inverted, or 0 or 1; a class's first state stands for itself. States in `depths` are read as history.

    Raises `TooManyGates`.
    """
    product = question.product
    bits, states = product.input_bits, product.all_states
    firsts = [i for i in range(len(states)) if i not in depths and alike[i] == 2 * (i + 1)]
    firsts.sort(key=lambda i: (state_word(question, i), split_name(states[i].name)[1]))
    depth = max(depths.values(), default=0)
    builder = AigBuilder(len(firsts) + bits * (depth + 1))
    place = {state: builder.input(k) for k, state in enumerate(firsts)}

    def resolve(variable: int, time: int) -> int | tuple[int, int]:
        if variable <= bits:
            return builder.input(len(firsts) + time * bits + variable - 1)
        state = variable - bits - 1
        if state in depths:
            return states[state].next, time + 1
        assert time == 0
        stands = alike[state]
        return stands if stands < 2 else place[(stands >> 1) - 1] ^ (stands & 1)

    copy = TimedCopy(product.aig, builder, resolve)
    allowed = TRUE
    for time in range(depth + 1):
        allowed = builder.and_(allowed, copy.literal(product.constraint, time))
    pairs = [
        Pair(
            p.name,
            tuple(copy.literal(lit, 0) for lit in p.golden),
            tuple(copy.literal(lit, 0) for lit in p.candidate),
            signed=p.signed,
        )
        for p in product.pairs
    ]
    after = {i: copy.literal(s.next, 0) for i, s in enumerate(states) if i not in depths}
    places = _grouped(question, alike, after)
    for name, members in places.items():
        golden = tuple(lit if lit < 2 else after[(lit >> 1) - 1] ^ (lit & 1) for _, lit in members)
        pairs.append(Pair(name, golden, tuple(after[i] for i, _ in members)))
    words = _state_words(question, firsts)
    for time in range(depth + 1):
        shift = 2 * (len(firsts) + time * bits)
        for word in product.inputs:
            words.append(Word(at_time(word.name, time), tuple(lit + shift for lit in word.literals), word.signed))
    problem = Problem(builder.build(), tuple(words), tuple(pairs), allowed, seed=seed)
    return Step(problem, after, places, place, depth)


def at_time(name: str, time: int) -> str:
    """The name of an input word `time` cycles ago."""
    return f"{name}@-{time}" if time else name


def split_name(name: str) -> tuple[str, int]:
    """The word and bit of a state: "u.q[3]" is bit 3 of "u.q"."""
    base, bracket, rest = name.rpartition("[")
    return (base, int(rest[:-1])) if bracket and rest[:-1].isdigit() else (name, 0)


def side_of(question: Question, state: int) -> int:
    """Which side of the product a state is on."""
    for side, states in enumerate(question.product.states):
        if state < len(states):
            return side
        state -= len(states)
    raise IndexError(state)


def _grouped(
    question: Question, alike: Mapping[int, int], after: Mapping[int, int]
) -> dict[str, tuple[tuple[int, int], ...]]:
    """Kept states that follow another, as (state, what it equals), bits of one register in one pair."""
    states = question.product.all_states
    groups: dict[str, list[tuple[int, int, int]]] = {}
    for i in after:
        stands = alike[i]
        if stands == 2 * (i + 1):
            continue
        base, bit = split_name(states[i].name)
        leader = split_name(states[(stands >> 1) - 1].name)[0] if stands > 1 else "constant"
        name = f"next {side_of(question, i)}:{base} as {leader}"
        groups.setdefault(name, []).append((bit, i, stands))
    return {name: tuple((i, stands) for _, i, stands in sorted(members)) for name, members in groups.items()}


def state_word(question: Question, state: int) -> str:
    """The name of the input word that stands for a kept state's register."""
    return f"$state {side_of(question, state)}:{split_name(question.product.all_states[state].name)[0]}"


def _state_words(question: Question, firsts: Sequence[int]) -> list[Word]:
    """Kept states as input words, a register's bits in order; `firsts` is sorted that way."""
    words: dict[str, list[int]] = {}
    for k, state in enumerate(firsts):
        words.setdefault(state_word(question, state), []).append(2 * (k + 1))
    return [Word(name, tuple(bits)) for name, bits in words.items()]
