"""A mapped netlist as structural Verilog and its activity as SAIF, so that other tools can check our figures."""

from collections.abc import Iterator

from rtl_evolve.synth.activity import Activity
from rtl_evolve.synth.mapped import FIRST_NET, Mapped, MappedPort


def instance_name(index: int) -> str:
    """The plain name that an instance has in both files (other tools misread Yosys's)."""
    return f"u{index}"


def write_verilog(mapped: Mapped, top: str) -> str:
    """One module of library cells; ports keep their names, nets are n<number>."""
    ports = ", ".join(_identifier(port.name) for port in mapped.ports)
    lines = [f"module {_identifier(top)} ({ports});", *(_declaration(port) for port in mapped.ports)]
    lines += [f"  wire n{net};" for net in range(FIRST_NET, len(mapped.names))]
    lines += _connections(mapped)
    for index, instance in enumerate(mapped.instances):
        pins = ", ".join(f".{pin}({_net(net)})" for pin, net in instance.nets.items())
        lines.append(f"  {instance.cell.name} {instance_name(index)} ({pins});")
    return "\n".join([*lines, "endmodule", ""])


def _identifier(name: str) -> str:
    return name if name.replace("_", "a").isalnum() and not name[0].isdigit() else f"\\{name} "


def _declaration(port: MappedPort) -> str:
    width = f"[{len(port.nets) - 1}:0] " if len(port.nets) > 1 else ""
    return f"  {port.direction} {width}{_identifier(port.name)};"


def _bit(port: MappedPort, place: int) -> str:
    return f"{_identifier(port.name)}[{place}]" if len(port.nets) > 1 else _identifier(port.name)


def _net(net: int) -> str:
    return f"n{net}" if net >= FIRST_NET else f"1'b{net}"


def _connections(mapped: Mapped) -> Iterator[str]:
    for port in mapped.ports:
        for place, net in enumerate(port.nets):
            if port.direction == "input":
                yield f"  assign n{net} = {_bit(port, place)};"
            else:
                yield f"  assign {_bit(port, place)} = {_net(net)};"


def write_saif(mapped: Mapped, activity: Activity, top: str, period_ps: float, cycles: int) -> str:
    """Backward SAIF for an instance `dut` of the module in a test bench `bench`, times in ps.

    Activity stands at the instances' pins, inside the leaf instances, where OpenSTA looks for it.
    """
    duration = round(period_ps * cycles)

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
        lines.append(f"(INSTANCE {instance_name(index)} (NET {pins}))")
    return "\n".join([*lines, ")))", ""])


def _saif_bit(port: MappedPort, place: int) -> str:
    return f"{port.name}\\[{place}\\]" if len(port.nets) > 1 else port.name
