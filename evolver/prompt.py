"""Evidence filled into the prompt templates, within a budget of tokens.

The templates are files (`prompts/*.j2`) that a flow may put its own in place of, one by one. What doesn't fit is left
out item by item, the least important first; an item is never cut.
"""

import math
from dataclasses import dataclass, fields, replace
from importlib import resources
from pathlib import Path

import jinja2
import yaml
from rtl_evolve.rtl.errors import InputError

CHARACTERS_PER_TOKEN = 3.0  # Verilog in the tokenisers of current models: 3 to 3.5; fewer is on the safe side
TEMPLATES = ("system.j2", "improve.j2", "repair.j2")
DIRECTIONS = "directions.yaml"


@dataclass(frozen=True)
class Evidence:
    """What a prompt is made of. Lists hold whole items, the most important first."""

    top: str
    parameters: tuple[tuple[str, str], ...]
    interface: tuple[str, ...]
    objective: str
    files: tuple[tuple[str, str], ...]
    regions: bool
    direction: str
    parent_story: tuple[str, ...] = ()
    parent_figures: str = ""
    front: tuple[str, ...] = ()
    costs: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    inspirations: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    broken: str = ""


# What is left out first when a prompt is too long: (list, how many items of it stay for now), in order.
_SHED = (
    *(("tried", 8), ("inspirations", 1), ("front", 5), ("hints", 4), ("tried", 3), ("failed", 1), ("costs", 8)),
    *(("inspirations", 0), ("hints", 0), ("tried", 0), ("costs", 0), ("front", 0), ("failed", 0), ("parent_story", 0)),
)


class Prompts:
    """The templates, the user's own first; `InputError` when one of those cannot be read."""

    def __init__(self, folder: Path | None = None) -> None:
        shipped = resources.files(__package__).joinpath("prompts")
        texts = {name: shipped.joinpath(name).read_text(encoding="utf-8") for name in (*TEMPLATES, DIRECTIONS)}
        if folder is not None:
            texts.update(_own(folder, tuple(texts)))
        self._environment = jinja2.Environment(
            loader=jinja2.DictLoader(texts),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,  # prompts are plain text
        )
        for name in TEMPLATES:
            _compiled(self._environment, name, folder)
        self.directions = _directions(texts[DIRECTIONS], folder)

    def system(self) -> str:
        """What every question starts with."""
        return self._environment.get_template("system.j2").render().strip()

    def fill(self, kind: str, evidence: Evidence, budget: int) -> str | None:
        """A prompt of at most `budget` tokens; None when not even the least fits."""
        template = self._environment.get_template(f"{kind}.j2")
        text = _render(template, evidence)
        for name, least in _SHED:
            while tokens_of(text) > budget and len(getattr(evidence, name)) > least:
                evidence = _with(evidence, name, getattr(evidence, name)[:-1])
                text = _render(template, evidence)
        return text if tokens_of(text) <= budget else None


def tokens_of(text: str) -> int:
    """How many tokens a text is at most, roughly: the models' own counts differ."""
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)


def _render(template: jinja2.Template, evidence: Evidence) -> str:
    values = {f.name: getattr(evidence, f.name) for f in fields(evidence)}
    try:
        return template.render(values).strip() + "\n"
    except jinja2.TemplateError as error:
        raise InputError(f"the prompt template {template.name} cannot be filled in: {error}") from error


def _with(evidence: Evidence, name: str, items: tuple[str, ...]) -> Evidence:
    return replace(evidence, **{name: items})  # type: ignore[arg-type]


def _own(folder: Path, names: tuple[str, ...]) -> dict[str, str]:
    try:
        there = {path.name: path for path in sorted(folder.iterdir()) if path.suffix in (".j2", ".yaml")}
        unknown = [name for name in there if name not in names]
        if unknown or not there:
            found = f"{unknown[0]} is none of its templates" if unknown else "no template is in it"
            raise InputError(f"{found}; they are {', '.join(names)}", str(folder))
        return {name: path.read_text(encoding="utf-8") for name, path in there.items()}
    except OSError as error:
        raise InputError(f"cannot read the prompts: {error.strerror}", str(folder)) from error
    except UnicodeDecodeError as error:
        raise InputError("a prompt template is not UTF-8 text", str(folder)) from error


def _compiled(environment: jinja2.Environment, name: str, folder: Path | None) -> None:
    try:
        environment.get_template(name)
    except jinja2.TemplateSyntaxError as error:
        raise InputError(
            f"not a Jinja2 template: {error.message}", str((folder or Path()) / name), error.lineno
        ) from error


def _directions(text: str, folder: Path | None) -> tuple[str, ...]:
    place = str((folder or Path()) / DIRECTIONS)
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(f"not YAML: {error}", place) from error
    if not isinstance(found, list) or not found or not all(isinstance(line, str) for line in found):
        raise InputError("must be a list of sentences", place)
    return tuple(found)
