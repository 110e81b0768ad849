"""Synthesis recipes, read from data files: ours in `recipes/`, and any a user adds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from rtl_evolve.rtl.errors import InputError

_OURS = Path(__file__).with_name("recipes") / "recipes.yaml"


@dataclass(frozen=True)
class Recipe:
    """`front_script` are Yosys commands from word level to gates, `map_script` ABC commands from gates to cells."""

    name: str
    front_script: str
    map_script: str

    @property
    def clocked(self) -> bool:
        """Whether a clock target changes anything."""
        return "{D}" in self.map_script


@dataclass(frozen=True)
class Recipes:
    """Recipes by name, and names for groups of them."""

    recipes: Mapping[str, Recipe]
    sets: Mapping[str, tuple[str, ...]]

    def choose(self, names: Sequence[str]) -> tuple[Recipe, ...]:
        """Recipes by name or by the name of a set, each once, in order; InputError for an unknown name."""
        chosen: dict[str, Recipe] = {}
        for name in names:
            for member in self.sets.get(name, (name,)):
                if member not in self.recipes:
                    known = ", ".join((*self.sets, *self.recipes))
                    raise InputError(f"there is no recipe `{name}`: choose from {known}")
                chosen[member] = self.recipes[member]
        return tuple(chosen.values())


@lru_cache(maxsize=8)
def load_recipes(own: Path | None = None) -> Recipes:
    """Our recipes and those of a user's YAML file, which may use our scripts, and whose own lie beside it.

    Raises InputError for a file that is missing or malformed.
    """
    recipes, sets = _read(_OURS, ())
    if own is not None:
        more, more_sets = _read(own, (_OURS.parent,))
        recipes, sets = recipes | more, sets | more_sets
    return Recipes(recipes, {**sets, "all": tuple(recipes)})


def _read(path: Path, further: tuple[Path, ...]) -> tuple[dict[str, Recipe], dict[str, tuple[str, ...]]]:
    try:
        data = yaml.safe_load(path.read_text())
    except OSError as error:
        raise InputError(f"cannot read the recipes: {error.strerror}", file=str(path)) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise InputError("this is not YAML", file=str(path), line=mark.line + 1 if mark else None) from error
    if not isinstance(data, dict) or not isinstance(data.get("recipes"), dict):
        raise InputError("a recipes file has the key `recipes` with recipes by name", file=str(path))
    folders = (path.parent, *further)
    recipes = {name: _recipe(str(name), entry, path, folders) for name, entry in data["recipes"].items()}
    sets = {str(name): tuple(map(str, members)) for name, members in (data.get("sets") or {}).items()}
    return recipes, sets


def _recipe(name: str, entry: Any, path: Path, folders: tuple[Path, ...]) -> Recipe:
    if not isinstance(entry, dict) or set(entry) != {"front", "map"}:
        raise InputError(f"recipe `{name}` has the keys `front` and `map`", file=str(path))
    return Recipe(
        name,
        front_script=_script(f"{entry['front']}.ys", name, path, folders),
        map_script=_script(f"{entry['map']}.abc", name, path, folders),
    )


def _script(file: str, recipe: str, path: Path, folders: tuple[Path, ...]) -> str:
    for folder in folders:
        if (folder / file).is_file():
            return (folder / file).read_text()
    raise InputError(f"recipe `{recipe}`: there is no script {file} beside this file", file=str(path))
