"""What synthesis and analysis say a netlist costs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Power:
    """Microwatts at the stated activity and clock."""

    switching_uw: float
    internal_uw: float
    leakage_uw: float

    @property
    def total_uw(self) -> float:
        return self.switching_uw + self.internal_uw + self.leakage_uw


@dataclass(frozen=True)
class Measurement:
    """One mapped netlist: `clock_ps` is the synthesis target (None: none), `delay_ps` the worst path found."""

    library: str
    recipe: str
    clock_ps: float | None
    area_um2: float
    delay_ps: float
    power: Power | None
    cells: int
    sequential_cells: int
    seconds: float = 0.0
