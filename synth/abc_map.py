"""Mapping by ABC: a canonical gate-level design to library cells, one process a recipe."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rtl_evolve.rtl.aig import FALSE, TRUE, Aig
from rtl_evolve.rtl.process import Finished, Limits, run
from rtl_evolve.rtl.yosys import abc_program
from rtl_evolve.synth.gates import Gates
from rtl_evolve.synth.library import Library
from rtl_evolve.synth.mapped import FIRST_NET, Instance, Mapped, MappedPort, Unusable, assemble


def map_gates(
    gates: Gates, script: str, library: Library, folder: Path, limits: Limits
) -> tuple[Mapped | Unusable, float]:
    """The mapped netlist or why there is none, and the seconds it took. `folder` is private to this call."""
    outputs = _roots(gates)
    seconds = 0.0
    text = ""
    if outputs:
        (folder / "gates.aig").write_bytes(_aiger(gates.aig, outputs))
        (folder / "map.abc").write_text(
            f"read_scl {library.abc_library}\nread_aiger gates.aig\n{script}\nwrite_blif mapped.blif\n"
        )
        finished = run([abc_program(), "-q", "source -x map.abc"], folder, limits)
        seconds = finished.seconds
        if not finished.ok or not (folder / "mapped.blif").is_file():
            return Unusable(_reason(finished)), seconds
        text = (folder / "mapped.blif").read_text()
    return _rebuild(gates, outputs, text, library), seconds


def _reason(finished: Finished) -> str:
    if finished.timed_out:
        return f"ABC reached its time limit ({finished.seconds:.0f} s)"
    if finished.status < 0 or "bad_alloc" in finished.stderr:
        return f"ABC ran out of memory or crashed (status {finished.status})"
    lines = (finished.stdout + "\n" + finished.stderr).splitlines()
    errors = [line.strip() for line in lines if "rror" in line and "aborting" not in line]
    return f"ABC gave no netlist: {errors[-1] if errors else 'it names no error'}"


def _roots(gates: Gates) -> list[int]:
    """The literals to be mapped, each once: what ports and flip-flops need that is no input or constant itself."""
    wanted = [lit for port in gates.ports if port.direction == "output" for lit in port.literals]
    wanted += [lit for flop in gates.flops for _, lit in flop.inputs]
    last_input = 2 * gates.aig.inputs
    return list(dict.fromkeys(lit for lit in wanted if lit > last_input or (lit & 1 and lit != TRUE)))


def _aiger(aig: Aig, outputs: Sequence[int]) -> bytes:
    """Binary AIGER (format of Biere, 2007) with inputs i<variable> and outputs o<place>."""
    ands = len(aig.fanin0)
    parts = [f"aig {aig.inputs + ands} {aig.inputs} 0 {len(outputs)} {ands}\n".encode()]
    parts += [f"{lit}\n".encode() for lit in outputs]
    for place, (a, b) in enumerate(zip(aig.fanin0, aig.fanin1, strict=True)):
        high, low = max(a, b), min(a, b)
        parts += [_delta(2 * (aig.inputs + 1 + place) - high), _delta(high - low)]
    parts += [f"i{place} i{place + 1}\n".encode() for place in range(aig.inputs)]
    parts += [f"o{place} o{place}\n".encode() for place in range(len(outputs))]
    return b"".join(parts)


def _delta(number: int) -> bytes:
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    digits.append(number)
    return bytes(digits)


class _Nets:
    """Net numbers by ABC's signal names; what it only renames (constants, copies) shares a number."""

    def __init__(self) -> None:
        self.alias: dict[str, str] = {}
        self.numbers: dict[str, int] = {"0": 0, "1": 1}

    def of(self, signal: str) -> int:
        while signal in self.alias:
            signal = self.alias[signal]
        return self.numbers.setdefault(signal, len(self.numbers))


_CONSTANTS = {"_const0_": "0", "_const1_": "1"}


def _rebuild(gates: Gates, outputs: Sequence[int], blif: str, library: Library) -> Mapped | Unusable:
    """ABC's netlist and the flip-flops put together again."""
    nets = _Nets()
    found = list(_gates(blif))
    for kind, pins in found:
        if kind in _CONSTANTS:
            nets.alias[next(iter(pins.values()))] = _CONSTANTS[kind]
    unknown = sorted({kind for kind, _ in found} - library.cells.keys() - _CONSTANTS.keys())
    if unknown:
        return Unusable(f"ABC gave cells that are not in the library: {', '.join(unknown)}")
    signal = {FALSE: "0", TRUE: "1"}
    signal |= {2 * variable: f"i{variable}" for variable in range(1, gates.aig.inputs + 1)}
    signal |= {lit: f"o{place}" for place, lit in enumerate(outputs)}
    ports = tuple(
        MappedPort(port.name, port.direction, tuple(nets.of(signal[lit]) for lit in port.literals))
        for port in gates.ports
    )
    instances = []
    for place, flop in enumerate(gates.flops):
        at = {pin: nets.of(signal[lit]) for pin, lit in flop.inputs}
        at |= {pin: nets.of(f"i{variable}") for pin, variable in flop.outputs}
        instances.append(Instance(f"flop{place}", flop.cell, at, flop.src))
    for place, (kind, signals) in enumerate(f for f in found if f[0] not in _CONSTANTS):
        at = {pin: nets.of(name) for pin, name in signals.items()}
        instances.append(Instance(f"gate{place}", library.cells[kind], at))
    return assemble(library, ports, instances, _names(gates, ports, nets))


def _gates(blif: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """(cell, signal by pin) of each `.gate` line; ABC breaks long lines with a backslash."""
    for line in blif.replace("\\\n", "").splitlines():
        if line.startswith(".gate"):
            _, kind, *pins = line.split()
            yield kind, dict(pin.split("=", 1) for pin in pins)
        elif line.startswith((".names", ".subckt", ".latch")):
            raise AssertionError(f"ABC wrote an unmapped node: {line}")


def _names(gates: Gates, ports: Sequence[MappedPort], nets: _Nets) -> tuple[str, ...]:
    """Nets by the port or register bit they carry; an input port's name comes first, an output's last."""
    names = [""] * len(nets.numbers)
    wanted = [(p.name, p.nets) for p in ports if p.direction == "input"]
    for flop in gates.flops:
        state = flop.cell.flop.state if flop.cell.flop else ""
        for pin, variable in flop.outputs:
            if flop.state and flop.cell.pins[pin].function == state:
                names[nets.of(f"i{variable}")] = flop.state
    wanted += [(p.name, p.nets) for p in ports if p.direction == "output"]
    for name, bits in wanted:
        for place, net in enumerate(bits):
            if net >= FIRST_NET and not names[net]:
                names[net] = name if len(bits) == 1 else f"{name}[{place}]"
    return tuple(names)
