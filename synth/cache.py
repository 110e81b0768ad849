"""The user's cache folder, for what is costly to make and can be made again."""

import os
from pathlib import Path

from rtl_evolve.rtl.errors import InputError
from rtl_evolve.rtl.user_cache import user_cache


def cache_folder(name: str) -> Path:
    """`$XDG_CACHE_HOME/rtl-evolve/NAME` (else under ~/.cache); InputError when it can't be made."""
    folder = user_cache() / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write the cache folder {folder}: {error.strerror} (set XDG_CACHE_HOME)") from error
    return folder


def put(source: Path, target: Path) -> None:
    """Copy a file into the cache at once, so that another process never sees half of it."""
    fresh = target.with_name(f"{target.name}.{os.getpid()}-{os.urandom(4).hex()}")
    fresh.write_bytes(source.read_bytes())
    fresh.replace(target)
