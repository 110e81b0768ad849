import pytest
from rtl_evolve.rtl.gate_scope import unproven_changes
from rtl_evolve.rtl.slang import Reading

UNITS = {
    "core": "module core ; mul m ( ) ; share s ( ) ; endmodule",
    "mul": "module mul ; part p ( ) ; share s ( ) ; endmodule",
    "part": "module part ; endmodule",
    "share": "module share ; endmodule",
    "dead": "module dead ; endmodule",
    "": "function f ( ) ; endfunction",
}


def changes(top, **changed):
    after = {**UNITS, **changed}
    units = tuple((n, t) for n, t in after.items() if t)
    return list(unproven_changes(Reading(units=tuple(UNITS.items())), Reading(units=units), top))


@pytest.mark.parametrize(
    ("top", "changed", "reason"),
    [
        ("mul", {"mul": "module mul ; endmodule"}, None),
        ("mul", {"part": "module part ; wire w ; endmodule"}, None),
        ("mul", {"part": ""}, None),
        ("mul", {"share": "module share ; wire w ; endmodule"}, "share is used outside mul: no proof covers"),
        ("mul", {"core": "module core ; endmodule"}, "core is used outside mul"),
        ("mul", {"dead": ""}, "dead is used outside mul"),
        ("mul", {"new": "module new ; endmodule"}, None),
        ("mul", {"": "function g ( ) ; endfunction"}, "a declaration outside modules"),
        ("core", {"share": "module share ; wire w ; endmodule"}, None),
        ("core", {"dead": "module dead ; wire w ; endmodule"}, "dead is used outside core"),
    ],
)
def test_only_what_the_top_alone_uses_may_change(top, changed, reason):
    found = changes(top, **changed)
    assert len(found) == (reason is not None) and (reason or "") in "".join(found)


def test_a_design_that_is_all_below_its_top_may_change_anywhere():
    units = (("top", "module top ; p u ( ) ; endmodule"), ("p", "module p ; endmodule"), ("", "wire w ;"))
    other = (("top", "module top ; wire q ; endmodule"), ("", ""))
    assert list(unproven_changes(Reading(units=units), Reading(units=other), "top")) == []
