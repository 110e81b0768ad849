"""Finding a cell library by name or path, read once and cached by the content of its files."""

import gzip
import hashlib
import os
import pickle
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml
from rtl_evolve.rtl.errors import InputError, ToolFailed
from rtl_evolve.rtl.process import run, workspace
from rtl_evolve.rtl.yosys import abc_program
from rtl_evolve.synth.cache import cache_folder, put
from rtl_evolve.synth.liberty import read_liberty
from rtl_evolve.synth.liberty_write import flop_liberty
from rtl_evolve.synth.library import Library

DEFAULT_LIBRARY = "nangate45"

# part of every cache key: raise it when what is cached changes its meaning
_CACHE_VERSION = 1


@dataclass(frozen=True)
class KnownLibrary:
    """A library that has a name; `path` is None where it isn't installed, and `remedy` says how to get it."""

    name: str
    path: str | None
    process: str
    licence: str
    source: str
    remedy: str


@lru_cache(maxsize=1)
def _catalogue() -> dict[str, Any]:
    text = Path(__file__).with_name("libraries.yaml").read_text()
    return dict(yaml.safe_load(text))


def known_libraries() -> tuple[KnownLibrary, ...]:
    """The named libraries, installed or not."""
    return tuple(
        KnownLibrary(name, _installed(entry), *(entry[k] for k in ("process", "licence", "source", "remedy")))
        for name, entry in _catalogue()["named"].items()
    )


def _installed(entry: dict[str, str]) -> str | None:
    if "path" in entry:
        return entry["path"] if Path(entry["path"]).is_file() else None
    try:
        files = metadata.files(entry["package"]) or []
    except metadata.PackageNotFoundError:
        return None
    found = [str(file.locate()) for file in files if str(file) == entry["file"]]
    return found[0] if found and Path(found[0]).is_file() else None


def find_library(name_or_path: str = DEFAULT_LIBRARY, dont_use: Sequence[str] = ()) -> Library:
    """A library by name (`known_libraries`), by path of a `.lib` or `.lib.gz`, or several paths with commas between.

    `dont_use` are more cell name patterns (`*` and `?`) that synthesis keeps away from. Raises InputError when there
    is no such library or it can't be used.
    """
    known = {library.name: library for library in known_libraries()}
    if name_or_path in known:
        library = known[name_or_path]
        if library.path is None:
            raise InputError(f"library {library.name} is not installed: {library.remedy}")
        paths: tuple[str, ...] = (library.path,)
        name = library.name
    else:
        paths, name = tuple(part.strip() for part in name_or_path.split(",")), ""
        for path in paths:
            if not Path(path).is_file():
                names = ", ".join(known)
                raise InputError(f"there is no library `{path}`: give a .lib or .lib.gz file, or one of {names}")
    return _load(paths, name, tuple(dont_use), tuple(_stamp(path) for path in paths))


def _stamp(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=16)
def _load(paths: tuple[str, ...], name: str, dont_use: tuple[str, ...], stamps: tuple[tuple[int, int], ...]) -> Library:
    """`stamps` are in the key only: a file that changed on disk is read anew."""
    contents = tuple((path, _read(path)) for path in paths)
    patterns = (*_catalogue()["dont_use"], *dont_use)
    digest = _digest(name, patterns, contents)
    folder = cache_folder("libraries") / digest
    library = _cached(folder / "library.pickle")
    if library is None:
        library = read_liberty([(path, data.decode(errors="replace")) for path, data in contents], name, digest)
        library = _prepare(library, patterns, contents, folder)
    # the same content may lie elsewhere today than when it was cached
    return replace(library, files=paths, abc_library=str(folder / "cells.scl"), flop_library=str(folder / "flops.lib"))


def _digest(name: str, patterns: tuple[str, ...], contents: tuple[tuple[str, bytes], ...]) -> str:
    digest = hashlib.sha256(repr((_CACHE_VERSION, metadata.version("pyosys"), name, patterns)).encode())
    for _, data in contents:
        digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()


def _read(path: str) -> bytes:
    """A file's bytes, unpacked when they are gzip whatever the name says."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the library: {error.strerror}", file=path) from error
    if not data.startswith(b"\x1f\x8b"):
        if path.endswith(".gz"):
            raise InputError("the library is no gzip file though its name ends in .gz", file=path)
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"the library's gzip data is damaged: {error}", file=path) from error


def _cached(path: Path) -> Library | None:
    """What `_prepare` left, when it is whole: the first 32 bytes are the hash of the rest."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(data[32:]).digest() != data[:32]:
        return None
    if not (path.with_name("cells.scl").is_file() and path.with_name("flops.lib").is_file()):
        return None
    library = pickle.loads(data[32:])
    return library if isinstance(library, Library) else None


def _prepare(
    library: Library, patterns: tuple[str, ...], contents: tuple[tuple[str, bytes], ...], folder: Path
) -> Library:
    """Add what ABC and Yosys need and put everything into the cache folder, the pickle last."""
    unwanted = tuple(
        name for name, cell in library.cells.items() if cell.dont_use or any(fnmatchcase(name, p) for p in patterns)
    )
    library = replace(library, dont_use=unwanted)
    folder.mkdir(exist_ok=True)
    with workspace() as work:
        for place, (_, data) in enumerate(contents):
            (work / f"{place}.lib").write_bytes(data)
        _write_scl(work, len(contents), unwanted)
        (work / "flops.lib").write_text(flop_liberty(library))
        payload = pickle.dumps(library, protocol=5)
        (work / "library.pickle").write_bytes(hashlib.sha256(payload).digest() + payload)
        for name in ("cells.scl", "flops.lib", "library.pickle"):
            put(work / name, folder / name)
    return library


def _write_scl(work: Path, files: int, unwanted: tuple[str, ...]) -> None:
    """ABC's own binary form, which it loads four times faster than Liberty."""
    avoid = " ".join(f"-X {name}" for name in unwanted)
    reads = "; ".join(f"read_lib {'-m ' if place else ''}-w {avoid} {place}.lib" for place in range(files))
    finished = run([abc_program(), "-c", f"{reads}; write_scl cells.scl"], work)
    if not finished.ok:
        raise ToolFailed("ABC could not read the cell library", command=finished.command, log=finished.stdout)
    if not (work / "cells.scl").is_file():
        said = finished.stderr.strip().splitlines() or ["nothing"]
        raise InputError(f"the library is no good for mapping: ABC says `{said[0]}`")
