"""The top's interface: from slang's view of it to our records, and what two interfaces differ in."""

from collections.abc import Sequence

from rtl_evolve.rtl.design import Parameter, Port
from rtl_evolve.rtl.slang import SlangTop


class Unsupported(ValueError):
    """The interface holds something we cannot take; the text says what, in one line."""


def ports_of(top: SlangTop) -> tuple[Port, ...]:
    """The ports in order. Raises `Unsupported` for inout, interface and other ports we cannot take."""
    ports = []
    for port in top.ports:
        if port.kind != "port":
            raise Unsupported(f"port {port.name or '(unnamed)'} of {top.name} is {port.kind}, which is not supported")
        if port.direction == "input":
            ports.append(Port(port.name, "input", port.width, port.signed))
        elif port.direction == "output":
            ports.append(Port(port.name, "output", port.width, port.signed))
        else:
            raise Unsupported(
                f"port {port.name} of {top.name} is {port.direction}; only inputs and outputs are supported"
            )
    return tuple(ports)


def interface_differences(golden: SlangTop, candidate: SlangTop) -> tuple[str, ...]:
    """What the candidate's interface changes, one line each; empty when a user cannot tell them apart."""
    try:
        ours, theirs = ports_of(golden), ports_of(candidate)
    except Unsupported as error:
        return (str(error),)
    reasons = [*_port_differences(ours, theirs), *_parameter_differences(golden.parameters, candidate.parameters)]
    defaults = {p.name: p.default for p in golden.ports}
    for port in candidate.ports:
        if port.name in defaults and defaults[port.name].split() != port.default.split():
            reasons.append(f"default value of port {port.name} changed")
    return tuple(reasons)


def _port_differences(golden: Sequence[Port], candidate: Sequence[Port]) -> list[str]:
    theirs = {p.name: p for p in candidate}
    ours = {p.name: p for p in golden}
    reasons = [f"{p.direction} {p.name} missing" for p in golden if p.name not in theirs]
    reasons += [f"{p.direction} {p.name} is new, golden has no such port" for p in candidate if p.name not in ours]
    for name in (p.name for p in golden if p.name in theirs):
        old, new = ours[name], theirs[name]
        if old.direction != new.direction:
            reasons.append(f"{name} is an {new.direction}, was an {old.direction}")
        if old.width != new.width:
            reasons.append(f"{name} is {_bits(new.width)}, was {old.width}")
        if old.signed != new.signed:
            reasons.append(f"{name} is {_sign(new.signed)}, was {_sign(old.signed)}")
    order = [p.name for p in golden], [p.name for p in candidate]
    if order[0] != order[1] and sorted(order[0]) == sorted(order[1]):
        reasons.append(
            f"ports reordered to {', '.join(order[1])}: instantiation by position would connect other signals"
        )
    return reasons


def _parameter_differences(golden: Sequence[Parameter], candidate: Sequence[Parameter]) -> list[str]:
    theirs = {p.name: p for p in candidate}
    ours = {p.name: p for p in golden}
    reasons = [f"parameter {p.name} missing" for p in golden if p.name not in theirs]
    reasons += [f"parameter {p.name} is new, golden has none of that name" for p in candidate if p.name not in ours]
    for name in (p.name for p in golden if p.name in theirs):
        old, new = ours[name], theirs[name]
        if old.default != new.default:
            reasons.append(f"default of parameter {name} is {new.default}, was {old.default}")
        elif old.value != new.value:
            reasons.append(f"parameter {name} is {new.value}, was {old.value}")
    order = [p.name for p in golden], [p.name for p in candidate]
    if order[0] != order[1] and sorted(order[0]) == sorted(order[1]):
        reasons.append(f"parameters reordered to {', '.join(order[1])}: overrides by position would set other ones")
    return reasons


def _bits(width: int) -> str:
    return f"{width} bit{'' if width == 1 else 's'}"


def _sign(signed: bool) -> str:
    return "signed" if signed else "unsigned"
