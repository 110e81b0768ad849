"""A mapped netlist as structural Verilog and its activity as SAIF, so that other tools can check our figures."""

from collections.abc import Iterator

from rtl_evolve.synth.activity import Activity
from rtl_evolve.synth.mapped import FIRST_NET, Mapped, MappedPort


def prefix(mapped: Mapped, letter: str) -> str:
    """What nets ("n") or instances ("u") are called before their number: something no port's name begins with."""
    while any(port.name.startswith(letter) for port in mapped.ports):
        letter += "_"
    return letter


def write_verilog(mapped: Mapped, top: str) -> str:
    """One module of library cells; ports keep their names, nets and instances are numbered."""
    wire, unit = prefix(mapped, "n"), prefix(mapped, "u")
    ports = ", ".join(_identifier(port.name) for port in mapped.ports)
    lines = [f"module {_identifier(top)} ({ports});", *(_declaration(port) for port in mapped.ports)]
    lines += [f"  wire {wire}{net};" for net in range(FIRST_NET, len(mapped.names))]
    lines += _connections(mapped, wire)
    for index, instance in enumerate(mapped.instances):
        pins = ", ".join(f".{pin}({_net(wire, net)})" for pin, net in instance.nets.items())
        lines.append(f"  {instance.cell.name} {unit}{index} ({pins});")
    return "\n".join([*lines, "endmodule", ""])


def _identifier(name: str) -> str:
    return name if name.replace("_", "a").isalnum() and not name[0].isdigit() else f"\\{name} "


def _declaration(port: MappedPort) -> str:
    width = f"[{len(port.nets) - 1}:0] " if len(port.nets) > 1 else ""
    return f"  {port.direction} {width}{_identifier(port.name)};"


def _bit(port: MappedPort, place: int) -> str:
    return f"{_identifier(port.name)}[{place}]" if len(port.nets) > 1 else _identifier(port.name)


def _net(wire: str, net: int) -> str:
    return f"{wire}{net}" if net >= FIRST_NET else f"1'b{net}"


def _connections(mapped: Mapped, wire: str) -> Iterator[str]:
    for port in mapped.ports:
        for place, net in enumerate(port.nets):
            if port.direction == "input":
                yield f"  assign {wire}{net} = {_bit(port, place)};"
            else:
                yield f"  assign {_bit(port, place)} = {_net(wire, net)};"


def write_saif(mapped: Mapped, activity: Activity, top: str, period_ps: float, cycles: int) -> str:
    """Backward SAIF for an instance `dut` of the module in a test bench `bench`, times in ps.

    Activity stands at the instances' pins, inside the leaf instances, where OpenSTA looks for it.
    """
    duration = round(period_ps * cycles)
    unit = prefix(mapped, "u")

    def entry(name: str, net: int) -> str:
        high = round(duration * float(activity.duty[net]))
        toggles = round(float(activity.toggles[net]) * cycles)
        return f"({name} (T0 {duration - high}) (T1 {high}) (TX 0) (TC {toggles}) (IG 0))"

    lines = [
        '(SAIFILE (SAIFVERSION "2.0") (DIRECTION "backward") (DESIGN "' + top + '") (DIVIDER / ) (TIMESCALE 1 ps)',
        f"(DURATION {duration}) (INSTANCE bench (INSTANCE dut",
    ]
    names = [(_saif_bit(port, place), net) for port in mapped.inputs for place, net in enumerate(port.nets)]
    lines.append("(NET " + "\n".join(entry(name, net) for name, net in names) + ")")
    for index, instance in enumerate(mapped.instances):
        pins = " ".join(entry(pin, net) for pin, net in instance.nets.items())
        lines.append(f"(INSTANCE {unit}{index} (NET {pins}))")
    return "\n".join([*lines, ")))", ""])


def _saif_bit(port: MappedPort, place: int) -> str:
    return f"{port.name}\\[{place}\\]" if len(port.nets) > 1 else port.name
