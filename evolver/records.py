"""Our frozen records as JSON and back, exactly: what the database, the evaluation cache and result files store."""

import dataclasses
import json
import types
from enum import Enum
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from rtl_evolve.evolver.evaluation import Evaluation

Record = TypeVar("Record")


def encode(value: Any) -> Any:
    """A record (of records, tuples, mappings, paths, enums and plain values) as JSON-able values."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: encode(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, (tuple, list)):
        return [encode(v) for v in value]
    if isinstance(value, dict):
        return {str(k): encode(v) for k, v in value.items()}
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value


def decode(kind: type[Record], data: Any) -> Record:
    """The record that `encode` made `data` of; `ValueError` when it doesn't fit `kind`."""
    result: Record = _decode(kind, data)
    return result


def _decode(kind: Any, data: Any) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _decode_union(arguments, data)
    if origin is Literal:
        return _expect(data in arguments, kind, data)
    if origin is tuple:
        _expect(isinstance(data, list), kind, data)
        each = arguments[:1] * len(data) if arguments[-1] is Ellipsis else arguments
        return tuple(_decode(k, v) for k, v in zip(each, data, strict=True))
    if origin is not None and issubclass(origin, dict):
        return {k: _decode(arguments[1], v) for k, v in data.items()}
    if dataclasses.is_dataclass(kind):
        _expect(isinstance(data, dict), kind, data)
        hints = get_type_hints(kind)
        _expect(set(data) <= set(hints), kind, data)
        return kind(**{name: _decode(hints[name], value) for name, value in data.items()})  # type: ignore[operator]
    if kind is float:
        return float(_expect(isinstance(data, (int, float)), kind, data))
    if kind is Path or issubclass(kind, Enum):
        return kind(data)
    return _expect(isinstance(data, kind), kind, data)


def _decode_union(kinds: tuple[Any, ...], data: Any) -> Any:
    if data is None and types.NoneType in kinds:
        return None
    for kind in kinds:
        if kind is not types.NoneType:
            try:
                return _decode(kind, data)
            except (ValueError, TypeError):
                continue
    return _expect(False, kinds, data)


def _expect(fits: bool, kind: Any, data: Any) -> Any:
    if not fits:
        raise ValueError(f"{data!r} is no {kind}")
    return data


def dump(evaluation: Evaluation) -> str:
    """One line of JSON; floats keep every bit."""
    return json.dumps(encode(evaluation), separators=(",", ":"))


def load(text: str) -> Evaluation:
    """What `dump` wrote."""
    return decode(Evaluation, json.loads(text))
