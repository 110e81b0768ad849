"""What the gate says about each kind of fact that a candidate brings in: one line, with the remedy."""

from rtl_evolve.rtl.gate_facts import Fact

TOOL_MACROS = frozenset(
    "SYNTHESIS YOSYS VERILATOR FORMAL SIMULATION SIM ICARUS IVERILOG __ICARUS__ SYNOPSYS VCS XCELIUM INCA MODEL_TECH"
    " QUESTA RIVIERA ALDEC XILINX VIVADO XILINX_SIMULATOR ALTERA QUARTUS SLANG __slang__ COCOTB SV_COV_START"
    " TARGET_SYNTHESIS ASIC FPGA DC COMPILER_DIRECTIVES __FILE__ __LINE__ NDEBUG DEBUG VERBOSE RVFI COVERAGE".split()
)

_REASONS = {
    "pragma": "comment pragma {!r}: tools that read it see another circuit; remove it",
    "directive": "directive {}: a candidate may not add it",
    "condition": "depends on the tool macro {}: golden doesn't test it, so each tool could see another circuit",
    "define": "defines {}, which golden defines or tests already, or which tools define",
    "macro": "macro {} is not defined in the design",
    "attribute": "attribute {}: a candidate may not add it (only memory and multiplier style)",
    "system": "{} has side effects, looks at x, or is not synthesizable",
    "escaped": "escaped name {}: it is not a plain name (cells that start with $ are the synthesiser's, not Verilog)",
    "x": "x literal {}: write a defined value; golden has no such x",
    "z": "z literal {}: no tri-state; use a multiplexer",
    "case equality": "{} compares x and z, which a circuit cannot: use {short}",
    "delay": "delay {}: it has no meaning in a circuit; remove it",
    "paste": "macro text pasting {} can hide what is written",
    "unterminated": "{} is never closed",
    "formal": "formal statement {!r}: a candidate may not assume, assert or cover",
    "keyword": "{} is not accepted in a candidate: {why}",
}
_KEYWORDS = {
    "casex": "x in the selector would match anything; use casez or case",
    "unique": "it makes uncovered cases x; use a plain statement with a default",
    "unique0": "it makes overlapping cases x; use a plain statement with a default",
    "priority": "it makes uncovered cases x; use a plain statement with a default",
    "defparam": "set parameters where the module is instantiated",
    "bind": "it changes a module from outside",
    "real": "only integers have a circuit",
    "always_latch": "it makes latches",
}


def reason_of(fact: Fact) -> str:
    """The line for one fact, without its place."""
    why = _KEYWORDS.get(fact.text, "it has no circuit of its own, or tools disagree about it")
    text = fact.text if len(fact.text) <= 80 else fact.text[:77] + "..."
    return _REASONS[fact.kind].format(text, short=fact.text[:-1], why=why)
