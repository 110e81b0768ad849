import pytest
from rtl_evolve.rtl.design import Parameter, Port
from rtl_evolve.rtl.interface import Unsupported, interface_differences, ports_of
from rtl_evolve.rtl.slang import SlangPort, SlangTop

A = SlangPort("port", "a", "input", 8)
Y = SlangPort("port", "y", "output", 1, signed=True)


def top(*ports, parameters=()):
    return SlangTop("top", ports, parameters, ())


def test_ports_in_order():
    assert ports_of(top(Y, A)) == (Port("y", "output", 1, True), Port("a", "input", 8, False))


@pytest.mark.parametrize("port", [SlangPort("port", "z", "inout", 1), SlangPort("an interface port", "z")])
def test_ports_we_cannot_take(port):
    with pytest.raises(Unsupported, match="port z of top is"):
        ports_of(top(A, port))
    assert "port z of top is" in interface_differences(top(A), top(A, port))[0]


@pytest.mark.parametrize(
    ("candidate", "reasons"),
    [
        (top(A, Y), ()),
        (top(A), ("output y missing",)),
        (top(A, Y, SlangPort("port", "b", "input", 1)), ("input b is new, golden has no such port",)),
        (top(A, SlangPort("port", "y", "output", 2, True)), ("y is 2 bits, was 1",)),
        (top(SlangPort("port", "a", "input", 1), Y), ("a is 1 bit, was 8",)),
        (top(SlangPort("port", "a", "input", 8, True), Y), ("a is signed, was unsigned",)),
        (top(SlangPort("port", "a", "output", 8), Y), ("a is an output, was an input",)),
        (top(SlangPort("port", "a", "input", 8, default="1"), Y), ("default value of port a changed",)),
        (top(Y, A), ("ports reordered to y, a: instantiation by position would connect other signals",)),
    ],
)
def test_port_differences(candidate, reasons):
    assert interface_differences(top(A, Y), candidate) == reasons


P, Q = Parameter("P", "1", "2"), Parameter("Q", "3", "3")


@pytest.mark.parametrize(
    ("parameters", "reasons"),
    [
        ((P, Q), ()),
        ((P,), ("parameter Q missing",)),
        ((P, Q, Parameter("R", "1", "1")), ("parameter R is new, golden has none of that name",)),
        ((Parameter("P", "4", "2"), Q), ("default of parameter P is 4, was 1",)),
        ((Parameter("P", "1", "5"), Q), ("parameter P is 5, was 2",)),
        ((Q, P), ("parameters reordered to Q, P: overrides by position would set other ones",)),
    ],
)
def test_parameter_differences(parameters, reasons):
    assert interface_differences(top(A, parameters=(P, Q)), top(A, parameters=parameters)) == reasons
