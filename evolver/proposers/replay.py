"""A recorded run as a proposer: the same candidates at the same positions, without a model or a rule."""

from rtl_evolve.evolver.database import ProgramDatabase
from rtl_evolve.evolver.proposers.protocol import Proposal, Request


class ReplayProposer:
    """Proposes what the recorded run proposed, when as many results are in as were in then.

    With the recorded run's design, settings and seed, the same run comes of it; None where the record ends.
    """

    name = "replay"

    def __init__(self, recorded: ProgramDatabase) -> None:
        self._recorded = recorded
        self._size = recorded.size

    def propose(self, request: Request) -> Proposal | None:
        """The recorded proposal at this position."""
        if request.position >= self._size:
            return None
        row = self._recorded.row(request.position)
        if request.archive.applied < row.context.seen:
            return None
        if row.outcome == "unusable_reply":
            return Proposal(None, row.arm, row.note, row.candidate.proposer)
        return Proposal(row.candidate, row.arm)
