"""Golden and a candidate made ready to compare: one model of time, two machines, a start, and what is asked where x is.

Everything that judges a candidate on the elaborated netlists (simulation, replay, proof) works from this.
"""

from dataclasses import dataclass, replace

from rtl_evolve.rtl.aig import TRUE, Aig, AigBuilder
from rtl_evolve.rtl.design import Design
from rtl_evolve.rtl.elaborate import Elaboration
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.verify.assume import constrain
from rtl_evolve.verify.problem import Word
from rtl_evolve.verify.queries import Queries
from rtl_evolve.verify.sequential.delay import delayed, held_inactive
from rtl_evolve.verify.sequential.machine import TICK, Clocking, Machine, build_machine, choose_clocking
from rtl_evolve.verify.sequential.start import Start, find_start

_CONTRACT_CONFLICTS = 1_000_000


@dataclass(frozen=True)
class Comparison:
    """`words` are the input ports (and `$tick`) in the order of both machines' input bits.

    `golden_x` and `candidate_x`: whether anything that can be seen depends on undefined bits. `contract` is a graph
    over the input bits whose literal `allowed` is true where the assumptions hold.
    """

    golden: Elaboration
    candidate: Elaboration
    design: Design
    clocking: Clocking
    machines: tuple[Machine, Machine]
    start: Start
    words: tuple[Word, ...]
    contract: Aig
    allowed: int
    golden_x: bool
    candidate_x: bool

    @property
    def sequential(self) -> bool:
        return any(m.states for m in self.machines)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What any answer rests on, said plainly."""
        notes = list(self.start.assumptions) if self.sequential else []
        notes += [f"only inputs with {text}" for text in self.design.assumptions]
        if self.design.latency:
            notes.append(f"the candidate is {self.design.latency} cycles later than golden, without a reset meanwhile")
        if self.golden_x and self.design.x_policy == "dont_care":
            notes.append("not compared where golden is x")
        elif self.golden_x:
            notes.append("where golden is x, the candidate must give what golden's elaboration gives")
        return tuple(notes)


def compare(golden: Elaboration, candidate: Elaboration, design: Design) -> Comparison:
    """Prepare a comparison; `UnfaithfulClocks` when a side's clocks have no step function, `InputError` for a bad
    contract."""
    clocking = choose_clocking([golden.model, candidate.model])
    inputs = (*golden.model.inputs, *((TICK,) if clocking.ticks else ()))
    first, second = (build_machine(e.model, clocking, inputs) for e in (golden, candidate))
    if design.latency:
        first = delayed(first, design.latency)
    start = find_start(first, second, design)
    if design.latency:
        first, second = (held_inactive(m, design.reset) for m in (first, second))
    words = input_words(first, design)
    builder = AigBuilder(len(inputs))
    allowed = constrain(builder, {w.name: w for w in words}, design.assumptions)
    contract = builder.build()
    _refuse_empty(contract, allowed, design)
    return Comparison(
        golden,
        candidate,
        design,
        clocking,
        (first, second),
        start,
        words,
        contract,
        allowed,
        shows_x(first),
        shows_x(second),
    )


def _refuse_empty(contract: Aig, allowed: int, design: Design) -> None:
    """A contract no input meets would make anything equal to anything: that is an `InputError`."""
    if allowed == TRUE:
        return
    queries = Queries(contract.inputs, list(zip(contract.fanin0, contract.fanin1, strict=True)))
    empty = queries.satisfiable([allowed], _CONTRACT_CONFLICTS) is False
    queries.close()
    if empty:
        raise InputError(f"the contract excludes every input: {' and '.join(design.assumptions)}")


def input_words(machine: Machine, design: Design) -> tuple[Word, ...]:
    """The machine's input bits as words, with the ports' signs."""
    signed = {p.name: p.signed for p in design.ports}
    words: dict[str, Word] = {}
    for index, (name, _) in enumerate(machine.inputs):
        word = words.get(name, Word(name, (), signed.get(name, False)))
        words[name] = replace(word, literals=(*word.literals, 2 * (index + 1)))
    return tuple(words.values())


def shows_x(machine: Machine) -> bool:
    """Whether an output or a next state depends on an undefined bit, by structure."""
    first = machine.aig.inputs - machine.undefined + 1
    if not machine.undefined:
        return False
    touched = [first <= v for v in range(machine.aig.inputs + 1)]
    for a, b in zip(machine.aig.fanin0, machine.aig.fanin1, strict=True):
        touched.append(touched[a >> 1] or touched[b >> 1])
    roots = [lit for _, _, lit in machine.outputs] + [s.next for s in machine.states]
    return any(touched[lit >> 1] for lit in roots)
