"""What can go wrong for a reason the user can act on; only the command line catches these.

A bad *candidate* is never one of these: it is a value (a rejection or a verdict).
"""

from dataclasses import dataclass


@dataclass
class WorkbenchError(Exception):
    """One sentence that names what is wrong and what to do; `exit_status` is the command's."""

    message: str
    exit_status = 1

    def __str__(self) -> str:
        return self.message


@dataclass
class InputError(WorkbenchError):
    """The user's input is wrong: a file, a line and a key when they are known."""

    file: str | None = None
    line: int | None = None
    exit_status = 2

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        return f"{place}: {self.message}" if place else self.message


@dataclass
class ToolMissing(WorkbenchError):
    """An outside program or package is not installed; the message says how to install it."""

    exit_status = 4


@dataclass
class ToolFailed(WorkbenchError):
    """An outside program failed in a way that is not the candidate's fault."""

    command: tuple[str, ...] = ()
    log: str = ""
    exit_status = 4
