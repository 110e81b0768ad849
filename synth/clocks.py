"""Where clocks go: through buffers and inverters to flip-flops, and with which edge each of these acts."""

from collections.abc import Iterable

from rtl_evolve.synth.arcs import clock_pin
from rtl_evolve.synth.logic import compile_function
from rtl_evolve.synth.mapped import Mapped


def clock_tree(mapped: Mapped, roots: Iterable[int]) -> dict[int, bool]:
    """Every net that a root reaches through cells of one input; True where it is inverted."""
    found = dict.fromkeys(roots, False)
    for index in mapped.order:
        instance = mapped.instances[index]
        if len(instance.cell.inputs) != 1:
            continue
        source = instance.nets.get(instance.cell.inputs[0].name, -1)
        for pin in instance.cell.outputs if source in found else ():
            if pin.name in instance.nets and pin.function is not None:
                turns = compile_function(pin.function).truth_table() == (1, 0)
                found[instance.nets[pin.name]] = found[source] != turns
    return found


def acting_edges(mapped: Mapped) -> dict[int, bool]:
    """For each flip-flop (by instance number) whether it acts on the rising edge of its clock's root.

    A clock that is computed (gated, divided) is its own root. Where all act on the falling edge, that is the edge inputs
    and outputs go by too, and all is as with the rising one.
    """
    inputs = [net for port in mapped.inputs for net in port.nets]
    inverted = clock_tree(mapped, inputs) if mapped.flops else {}
    found = {}
    for index in mapped.flops:
        instance = mapped.instances[index]
        assert instance.cell.flop is not None
        pin, rising = clock_pin(instance.cell.flop.clocked_on)
        found[index] = rising != inverted.get(instance.nets.get(pin, -1), False)
    return found if any(found.values()) else dict.fromkeys(found, True)
