"""What a run is told: a flow YAML, or a Verilog file with command line options, as frozen settings."""

import dataclasses
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from rtl_evolve.evolver.objective import MaxDelay, Objective, parse_objective
from rtl_evolve.flows.config_proposers import RULES, ProposerSettings, read_proposers
from rtl_evolve.flows.yaml_nodes import Section, read_yaml
from rtl_evolve.rtl.design import Clock, Reset
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.verify.verdict import Grade

Value = TypeVar("Value")
BUDGETS = ("minutes", "candidates", "tokens", "dollars")  # one of them alone lifts the default limit of time
VERILOG = (".v", ".sv", ".vh", ".svh")


@dataclass(frozen=True)
class DesignSettings:
    """What `rtl.load.load_design` is given."""

    files: tuple[Path, ...]
    top: str | None = None
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    clocks: tuple[Clock, ...] = ()
    reset: Reset | None = None
    assume: tuple[str, ...] = ()
    latency: int = 0
    x_policy: Literal["strict", "dont_care"] = "strict"


@dataclass(frozen=True)
class BenchSettings:
    """The Verilator + cocotb bench; `cocotb_test` is a user's own test module that must pass too."""

    enabled: bool = True
    cycles: int = 2000
    cocotb_test: Path | None = None


@dataclass(frozen=True)
class Settings:
    """Everything that decides a run; `origin` is the flow's or the design's path as the user gave it."""

    origin: str
    design: DesignSettings
    objective: Objective = dataclasses.field(default_factory=Objective)
    library: str = "nangate45"
    dont_use: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ("default",)
    own_recipes: Path | None = None
    clock_ps: tuple[float, ...] = ()
    power_vectors: int = 10_000
    period_ps: float = 10_000.0
    accept: Literal["proven", "bounded", "tested"] = "proven"
    candidates: int | None = None
    minutes: float | None = 5.0
    proposers: tuple[ProposerSettings, ...] = (RULES,)
    seed: int = 1
    workers: int = dataclasses.field(default_factory=lambda: len(os.sched_getaffinity(0)))
    window: int = 12
    islands: int = 4
    proof_seconds: float = 30.0
    evaluation_seconds: float = 300.0
    memory_mb: int = 4096
    bench: BenchSettings = dataclasses.field(default_factory=BenchSettings)
    cache: bool = True
    tokens: int | None = None
    dollars: float | None = None
    prompts: Path | None = None

    @property
    def grades(self) -> tuple[Grade, ...]:
        """The grades that may win."""
        order = (Grade.PROVEN, Grade.BOUNDED, Grade.TESTED)
        return order[: order.index(Grade(self.accept)) + 1]


def for_target(target: Path) -> Settings:
    """Settings for a flow YAML or a Verilog file; `InputError` says what is wrong."""
    if target.suffix in (".yaml", ".yml"):
        return read_flow(target)
    if not target.exists():
        raise InputError(f"no such file: {target}")
    if target.suffix not in VERILOG:
        raise InputError(f"{target}: neither Verilog ({', '.join(VERILOG)}) nor a flow (.yaml)")
    return Settings(str(target), DesignSettings((target,)))


def read_flow(path: Path) -> Settings:
    """A flow YAML; paths in it are relative to its folder."""
    if not path.exists():
        raise InputError(f"no such file: {path} (rtl-evolve init {path} writes one)")
    top = read_yaml(path)
    folder = path.resolve().parent
    design = _design(top.section("design"), folder)
    budget, limits, power = top.section("budget"), top.section("limits"), top.section("power")
    defaults = Settings(str(path), design)
    settings = Settings(
        str(path),
        design,
        _objective(top),
        _library(top, folder) or defaults.library,
        top.texts("dont_use"),
        top.texts("recipes") or defaults.recipes,
        _path(top, "recipe_file", folder),
        _clock_targets(top),
        power.integer("vectors", 100) or defaults.power_vectors,
        power.number("period_ps", 1) or defaults.period_ps,
        top.choice("accept", ("proven", "bounded", "tested")) or defaults.accept,  # type: ignore[arg-type]
        budget.integer("candidates", 1),
        budget.number("minutes", 0.01) if any(map(budget.has, BUDGETS)) else defaults.minutes,
        read_proposers(top, folder) or defaults.proposers,
        _given(top.integer("seed", 0), defaults.seed),
        top.integer("workers", 1, 1024) or defaults.workers,
        top.integer("window", 1, 4096) or defaults.window,
        top.integer("islands", 1, 64) or defaults.islands,
        limits.number("proof_seconds", 0.1) or defaults.proof_seconds,
        limits.number("evaluation_seconds", 1) or defaults.evaluation_seconds,
        limits.integer("memory_mb", 512) or defaults.memory_mb,
        _bench(top.section("bench"), folder),
        _given(top.flag("cache"), defaults.cache),
        budget.integer("tokens", 1),
        budget.number("dollars", 0),
        _path(top, "prompts", folder),
    )
    for section in (budget, limits, power, top):
        section.finish()
    return settings


def _given(value: Value | None, default: Value) -> Value:
    return default if value is None else value


def _path(section: Section, key: str, folder: Path) -> Path | None:
    text = section.text(key)
    if text is None:
        return None
    path = folder / text
    if not path.exists():
        raise section.error(key, f"no such file: {path}")
    return path


def _library(section: Section, folder: Path) -> str | None:
    """A name, or paths (with commas between) relative to the flow."""
    text = section.text("library")
    if text is None or not text.removesuffix(".gz").endswith((".lib", ".liberty")):
        return text
    return ",".join(str(folder / part.strip()) for part in text.split(","))


def _clock_targets(section: Section) -> tuple[float, ...]:
    try:
        return tuple(float(text) for text in section.texts("clock_ps"))
    except ValueError as error:
        raise section.error("clock_ps", f"must be numbers of picoseconds ({error})") from None


def _objective(section: Section) -> Objective:
    text = section.text("max_delay") or "keep"
    max_delay = max_delay_from(text)
    if max_delay is None:
        raise section.error("max_delay", f"must be keep, none or a number of picoseconds, not {text!r}")
    loss = section.number("max_loss_percent", 0)
    try:
        return parse_objective(section.text("objective") or "area", max_delay, 0.02 if loss is None else loss / 100)
    except ValueError as error:
        raise section.error("objective", str(error)) from None


def max_delay_from(text: str) -> MaxDelay | None:
    """keep, none or picoseconds; None when it is none of them."""
    if text in ("keep", "none"):
        return "keep" if text == "keep" else "none"
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 < number < float("inf") else None


def _bench(section: Section, folder: Path) -> BenchSettings:
    defaults = BenchSettings()
    bench = BenchSettings(
        _given(section.flag("enabled"), defaults.enabled),
        section.integer("cycles", 1) or defaults.cycles,
        _path(section, "cocotb_test", folder),
    )
    section.finish()
    return bench


def _design(section: Section, folder: Path) -> DesignSettings:
    patterns = section.texts("files")
    if not patterns:
        raise section.error("files", "missing; it lists the Verilog files")
    design = DesignSettings(
        tuple(path for pattern in patterns for path in _files(section, pattern, folder)),
        section.text("top"),
        tuple(folder / text for text in section.texts("include_dirs")),
        section.pairs("defines"),
        section.pairs("parameters"),
        tuple(_clock(entry) for entry in section.sections("clocks")),
        _reset(section),
        section.texts("assume"),
        section.integer("latency", 0, 64) or 0,
        section.choice("x_policy", ("strict", "dont_care")) or "strict",  # type: ignore[arg-type]
    )
    section.finish()
    return design


def _files(section: Section, pattern: str, folder: Path) -> list[Path]:
    if any(sign in pattern for sign in "*?["):
        found = sorted(folder.glob(pattern))
        if not found:
            raise section.error("files", f"nothing matches {pattern} in {folder}")
        return found
    path = folder / pattern
    if not path.is_file():
        raise section.error("files", f"no such file: {path}")
    return [path]


def _clock(entry: Section | str) -> Clock:
    if isinstance(entry, str):
        return Clock(entry, "rising")
    name = entry.text("name")
    if name is None:
        raise entry.error("name", "missing; a clock is a name, or a mapping with name and edge")
    edge: Literal["rising", "falling", "both"] = entry.choice("edge", ("rising", "falling", "both")) or "rising"  # type: ignore[assignment]
    entry.finish()
    return Clock(name, edge)


def _reset(section: Section) -> Reset | None:
    if not section.has("reset"):
        return None
    entry = section.section("reset")
    name = entry.text("name")
    if name is None:
        raise entry.error("name", "missing; a reset has name, active (0 or 1) and asynchronous (true or false)")
    reset = Reset(name, _given(entry.integer("active", 0, 1), 1), _given(entry.flag("asynchronous"), False))
    entry.finish()
    return reset
