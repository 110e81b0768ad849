"""Where this program keeps what it can make again."""

import os
from pathlib import Path


def user_cache() -> Path:
    """`$XDG_CACHE_HOME/rtl-evolve`, else `~/.cache/rtl-evolve`; it may not exist yet."""
    base = os.environ.get("XDG_CACHE_HOME")
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache"
    return root / "rtl-evolve"
