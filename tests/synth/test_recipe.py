"""Recipes from data files, ours and a user's."""

from pathlib import Path

import pytest
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.synth.recipe import load_recipes


def test_ours() -> None:
    recipes = load_recipes()
    assert {"quick", "stock", "booth", "tree-prefix", "area", "speed"} <= set(recipes.recipes)
    assert [r.name for r in recipes.choose(["screen"])] == ["quick"]
    assert [r.name for r in recipes.choose(["area", "quick", "area"])] == ["area", "quick"]
    assert len(recipes.choose(["all"])) == len(recipes.recipes)
    assert recipes.recipes["speed"].clocked
    assert not recipes.recipes["area"].clocked


def test_a_users_own(tmp_path: Path) -> None:
    (tmp_path / "tiny.abc").write_text("strash; map\n")
    path = tmp_path / "own.yaml"
    path.write_text("recipes:\n  tiny: {front: booth, map: tiny}\nsets:\n  mine: [tiny, stock]\n")
    recipes = load_recipes(path)
    tiny, stock = recipes.choose(["mine"])
    assert tiny.map_script == "strash; map\n"
    assert "-booth" in tiny.front_script
    assert stock == load_recipes().recipes["stock"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("recipes: [", r"own\.yaml:1: this is not YAML"),
        ("- 1", r"own\.yaml: a recipes file has the key `recipes` with recipes by name"),
        ("recipes: {a: {front: booth}}", r"own\.yaml: recipe `a` has the keys `front` and `map`"),
        (
            "recipes: {a: {front: booth, map: none}}",
            r"own\.yaml: recipe `a`: there is no script none\.abc beside this file",
        ),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        load_recipes(path)


def test_unknown_names() -> None:
    with pytest.raises(
        InputError, match=r"there is no recipe `fast`: choose from screen, default, all, quick, stock, "
    ):
        load_recipes().choose(["fast"])
    with pytest.raises(InputError, match="cannot read the recipes: No such file"):
        load_recipes(Path("/nowhere/own.yaml"))
