"""The one module that starts outside programs: private folder, own process group, limits, nothing left behind.

Programs that read candidates are given untrusted input. Each runs in a folder of its own (TMPDIR too), in its own
process group, under limits on time, memory, file size and number of processes; the whole group dies with it. A
companion process (`reaper.py`) cleans up when we ourselves are killed.
"""

import atexit
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rtl_evolve.rtl.errors import ToolMissing

_REMEDY = {
    "g++": "install a C++ compiler (Debian: apt-get install g++)",
    "make": "install make (Debian: apt-get install make)",
    "perl": "install perl (Debian: apt-get install perl)",
    "git": "install git (Debian: apt-get install git)",
}


@dataclass(frozen=True)
class Limits:
    """What one program may use: wall-clock seconds, MiB of address space per process, MiB per file, processes."""

    seconds: float = 60.0
    memory_mb: int = 4096
    file_mb: int = 512
    processes: int = 4096


@dataclass(frozen=True)
class Finished:
    """How a program ended; `status` is negative for a signal, as in `subprocess`."""

    command: tuple[str, ...]
    status: int
    stdout: str
    stderr: str
    seconds: float
    timed_out: bool

    @property
    def ok(self) -> bool:
        return self.status == 0 and not self.timed_out

    def paste(self) -> str:
        """The command as a line to paste into a shell."""
        return shlex.join(self.command)


class _Reaper:
    """Our line to the companion process; started with the first private folder, anew after a fork."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[str] | None = None
        self.owner = 0

    def tell(self, line: str) -> None:
        with self.lock:
            if self.process is None or self.owner != os.getpid():
                script = Path(__file__).with_name("reaper.py")
                self.process = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(script)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    start_new_session=True,
                    cwd="/",
                )
                self.owner = os.getpid()
            assert self.process.stdin is not None
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def close(self) -> None:
        with self.lock:
            if self.process is not None and self.owner == os.getpid():
                assert self.process.stdin is not None
                self.process.stdin.close()
                self.process.wait()
            self.process = None


_reaper = _Reaper()
atexit.register(_reaper.close)


@contextmanager
def workspace() -> Iterator[Path]:
    """A private folder, removed at the end with every process still working in it, even if we are killed."""
    folder = Path(tempfile.gettempdir()).resolve() / f"rtl-evolve-{os.getpid()}-{os.urandom(6).hex()}"
    _reaper.tell(f"+ {folder}")
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _reaper.tell(f"- {folder}")


class Running:
    """A program that was started; always `wait` for it or `kill` it."""

    def __init__(self, command: tuple[str, ...], process: subprocess.Popen[bytes], seconds: float, logs: Path) -> None:
        self.command = command
        self._process = process
        self._limit = seconds
        self._logs = logs
        self._started = time.monotonic()
        self._finished: Finished | None = None

    def poll(self) -> Finished | None:
        """How it ended, or None while it runs; ends it when its time is up."""
        if self._finished is None:
            over = time.monotonic() - self._started > self._limit
            if self._process.poll() is not None or over:
                self._end(timed_out=over and self._process.returncode is None)
        return self._finished

    def wait(self) -> Finished:
        """Wait for the end, at most until its time is up."""
        if self._finished is None:
            left = self._limit - (time.monotonic() - self._started)
            try:
                self._process.wait(max(left, 0.0))
                self._end(timed_out=False)
            except subprocess.TimeoutExpired:
                self._end(timed_out=True)
            except BaseException:
                self._end(timed_out=False)
                raise
        assert self._finished is not None
        return self._finished

    def kill(self) -> Finished:
        """End it now, with its whole group."""
        if self._finished is None:
            self._end(timed_out=False)
        assert self._finished is not None
        return self._finished

    def _end(self, *, timed_out: bool) -> None:
        kill_group(self._process.pid)
        status = self._process.wait()
        out, err = (_read(self._logs.with_suffix(s)) for s in (".out", ".err"))
        seconds = time.monotonic() - self._started
        self._finished = Finished(self.command, status, out, err, seconds, timed_out)


def _read(path: Path) -> str:
    """A log's text, its middle left out when it is longer than 4 MiB."""
    with path.open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size <= 4 << 20:
            return stream.read().decode(errors="replace")
        head = stream.read(2 << 20)
        stream.seek(-(2 << 20), os.SEEK_END)
        return (head + b"\n[...]\n" + stream.read()).decode(errors="replace")


def kill_group(pid: int) -> None:
    """Kill the process group that `pid` leads; quiet when it is already gone."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _apply(limits: Limits, pid: int) -> None:
    """Set the limits from outside, right after the start: code between fork and exec is unsafe beside threads."""
    cap = {
        resource.RLIMIT_AS: limits.memory_mb << 20,
        resource.RLIMIT_FSIZE: limits.file_mb << 20,
        resource.RLIMIT_NPROC: limits.processes,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: int(limits.seconds * 4) + 10,
    }
    for kind, value in cap.items():
        hard = resource.getrlimit(kind)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.prlimit(pid, kind, (bound, bound))
        except ProcessLookupError:
            return


def start(
    command: Sequence[str],
    folder: Path,
    limits: Limits | None = None,
    stdin: str = "",
    env: Mapping[str, str] | None = None,
) -> Running:
    """Start `command` in `folder` (from `workspace`) under `limits`; `env` is added to ours.

    Raises `ToolMissing` when the program doesn't exist.
    """
    limits = limits or Limits()
    logs = folder / f".log-{os.urandom(4).hex()}"
    feed = logs.with_suffix(".in")
    feed.write_text(stdin)
    environment = {**os.environ, "TMPDIR": str(folder), **(env or {})}
    try:
        with (
            feed.open("rb") as src,
            logs.with_suffix(".out").open("wb") as out,
            logs.with_suffix(".err").open("wb") as err,
        ):
            process = subprocess.Popen(
                list(command),
                cwd=folder,
                stdin=src,
                stdout=out,
                stderr=err,
                env=environment,
                start_new_session=True,
            )
    except FileNotFoundError as error:
        raise ToolMissing(f"cannot start {command[0]}: {error.strerror}") from error
    _apply(limits, process.pid)
    return Running(tuple(command), process, limits.seconds, logs)


def run(
    command: Sequence[str],
    folder: Path,
    limits: Limits | None = None,
    stdin: str = "",
    env: Mapping[str, str] | None = None,
) -> Finished:
    """Start `command` and wait for it; see `start`."""
    return start(command, folder, limits, stdin, env).wait()


def find_tool(name: str) -> str:
    """The path of a program on PATH; `ToolMissing` with how to install it otherwise."""
    path = shutil.which(name)
    if path is None:
        raise ToolMissing(f"{name} is not on PATH: {_REMEDY.get(name, f'install {name}')}")
    return path
