"""Folders of files that are made once and kept in the user's cache: whole or not at all, whoever else makes them."""

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rtl_evolve.rtl.user_cache import user_cache

_PARTIAL = ".new-"


def bench_cache() -> Path:
    """Where the bench keeps what it can make again."""
    return user_cache() / "bench"


def stored(folder: Path, scratch: Path, most: int, make: Callable[[Path], None]) -> Path:
    """`folder`, which `make` fills when it doesn't exist yet; the oldest beside it go when there are more than `most`.

    A folder that cannot be kept (no permission, full disk) is used from `scratch`, a private folder of the caller's.
    """
    with _locked(folder.parent) as locked:
        if locked and folder.is_dir():
            os.utime(folder)
            return folder
        fresh = scratch / folder.name
        fresh.mkdir()
        make(fresh)
        return folder if locked and _keep(fresh, folder, most) else fresh


def _keep(fresh: Path, folder: Path, most: int) -> bool:
    """Copy beside the place and rename, so that a folder of that name is always whole; only under the lock."""
    partial = folder.with_name(f"{_PARTIAL}{folder.name}")
    try:
        for left in folder.parent.glob(f"{_PARTIAL}*"):
            shutil.rmtree(left, ignore_errors=True)
        shutil.copytree(fresh, partial)
        partial.rename(folder)
    except OSError:
        shutil.rmtree(partial, ignore_errors=True)
        return False
    kept = sorted((f for f in folder.parent.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime)
    for old in kept[: max(len(kept) - most, 0)]:
        if time.time() - old.stat().st_mtime > 600:  # nobody is using it any more
            shutil.rmtree(old, ignore_errors=True)
    return True


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """One process at a time; the lock goes with the process that holds it. False when the folder cannot be written."""
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            stream = stack.enter_context((folder / ".lock").open("w"))
            fcntl.flock(stream, fcntl.LOCK_EX)
        except OSError:
            stream = None
        yield stream is not None
