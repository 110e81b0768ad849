"""A pool of local worker processes that survives its workers: killed, stuck or out of memory costs one candidate.

Each worker is warm (it calls `make` once, then handles jobs), has a cap on memory, and dies with us. A job whose
worker died is tried once more, then handed to `failed`. When workers cannot even start, every job fails. Children of a killed worker are ended by its reaper (see
`rtl/process.py`).
"""

import ctypes
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")
_PR_SET_PDEATHSIG = 1
_TRIES = 2
_STILLBORN = 4  # so many workers in a row that died before they were ready mean that none will be


def _die_with(parent: int) -> None:
    """Have the kernel kill us when our parent ends, however it ends (Linux only; elsewhere its pipe closes)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _serve(make: Callable[[], Callable[[Any], Any]], connection: Connection, parent: int, memory_mb: int) -> None:
    """What a worker does: handle one job after another until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with(parent)
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, hard))
    try:
        handle = make()
    except Exception as error:  # noqa: BLE001 - whatever it is goes to the parent, which raises it there
        connection.send(("broken", error))
        return
    connection.send(("ready", None))
    while True:
        try:
            job = connection.recv()
        except EOFError:
            return
        try:
            answer: tuple[str, Any] = ("result", handle(job))
        except MemoryError:
            answer = ("failed", f"it needed more than {memory_mb} MiB of memory")
        except Exception as error:  # noqa: BLE001 - whatever it is goes to the parent, which raises it there
            answer = ("error", error)
        connection.send(answer)


@dataclass
class _Ticket:
    job: Any
    future: "Future[Any]"
    deaths: int = 0


@dataclass
class _Worker:
    process: SpawnProcess
    connection: Connection
    ticket: _Ticket | None = None
    since: float = 0.0
    ready: bool = False


class Pool(Generic[Job, Result]):
    """`make` (picklable) gives each worker its function from job to result; `failed` makes a result of a lost job."""

    def __init__(
        self,
        workers: int,
        make: Callable[[], Callable[[Job], Result]],
        failed: Callable[[Job, str], Result],
        *,
        memory_mb: int = 4096,
        seconds: float = 300.0,
    ) -> None:
        self._make, self._failed = make, failed
        self._memory_mb, self._seconds = memory_mb, seconds
        self._context = multiprocessing.get_context("spawn")
        self._queue: deque[_Ticket] = deque()
        self._lock = threading.Lock()
        self._closing = False
        self._wake_read, self._wake_write = self._context.Pipe(duplex=False)
        self._workers: list[_Worker] = []
        self._stillborn = 0
        self._broken: Exception | None = None
        self._size = workers
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._manage, name="pool", daemon=True)
        self._thread.start()

    @property
    def pids(self) -> list[int]:
        """The worker processes at this moment."""
        self._ready.wait()
        return [w.process.pid for w in self._workers if w.process.pid is not None]

    def submit(self, job: Job, urgent: bool = False) -> "Future[Result]":
        """Queue a job; urgent ones go first. The future can be cancelled until a worker takes the job."""
        ticket = _Ticket(job, Future())
        with self._lock:
            (self._queue.appendleft if urgent else self._queue.append)(ticket)
        self._wake_write.send(None)
        return ticket.future

    def close(self) -> None:
        """End all workers now, with whatever they are doing."""
        self._closing = True
        self._wake_write.send(None)
        self._thread.join()

    def __enter__(self) -> "Pool[Job, Result]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- in the pool's own thread, which alone touches the workers

    def _manage(self) -> None:
        self._workers = [self._start() for _ in range(self._size)]
        self._ready.set()
        while not self._closing:
            if self._broken is not None:
                self._fail_all(self._broken)
            self._hand_out()
            sources: list[Any] = [self._wake_read]
            sources += [s for w in self._workers for s in (w.connection, w.process.sentinel)]
            ready = set(wait(sources, timeout=0.5))
            if self._wake_read in ready:
                self._wake_read.recv()
            for index, worker in enumerate(self._workers):
                if worker.connection in ready:
                    self._receive(index, worker)
                elif worker.process.sentinel in ready:
                    self._replace(index, worker, "its worker was killed")
                elif worker.ticket and time.monotonic() - worker.since > self._seconds:
                    self._replace(index, worker, f"it took more than {self._seconds:.0f} s", tries=1)
        self._end()

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_serve, args=(self._make, theirs, os.getpid(), self._memory_mb), daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _hand_out(self) -> None:
        for index, worker in enumerate(self._workers):
            while worker.ready and worker.ticket is None:
                with self._lock:
                    if not self._queue:
                        return
                    ticket = self._queue.popleft()
                if ticket.deaths == 0 and not ticket.future.set_running_or_notify_cancel():
                    continue
                worker.ticket, worker.since = ticket, time.monotonic()
                try:
                    worker.connection.send(ticket.job)
                except OSError:
                    self._replace(index, worker, "its worker was killed")
                    worker = self._workers[index]

    def _receive(self, index: int, worker: _Worker) -> None:
        try:
            kind, value = worker.connection.recv()
        except (EOFError, OSError):
            self._replace(index, worker, "its worker was killed")
            return
        if kind in ("ready", "broken"):
            worker.ready = kind == "ready"
            self._stillborn = 0
            self._broken = value
            return
        ticket, worker.ticket = worker.ticket, None
        assert ticket is not None
        if kind == "result":
            ticket.future.set_result(value)
        elif kind == "failed":
            ticket.future.set_result(self._failed(ticket.job, value))
        else:
            ticket.future.set_exception(value)

    def _replace(self, index: int, worker: _Worker, why: str, tries: int = _TRIES) -> None:
        worker.process.kill()
        worker.process.join()
        worker.connection.close()
        ticket = worker.ticket
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn >= _STILLBORN and self._broken is None:
                self._broken = RuntimeError("worker processes die while they start")
        if ticket is not None:
            ticket.deaths += 1
            if ticket.deaths < tries:
                with self._lock:
                    self._queue.appendleft(ticket)
            else:
                ticket.future.set_result(self._failed(ticket.job, why))
        self._workers[index] = self._start()

    def _fail_all(self, error: Exception) -> None:
        with self._lock:
            while self._queue:
                ticket = self._queue.popleft()
                if ticket.deaths or ticket.future.set_running_or_notify_cancel():
                    ticket.future.set_exception(error)

    def _end(self) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.connection.close()
        with self._lock:
            for ticket in self._queue:
                ticket.future.cancel()
