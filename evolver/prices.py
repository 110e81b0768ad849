"""What a model's tokens cost."""

from dataclasses import dataclass
from importlib import resources

import yaml


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float

    def dollars(self, input_tokens: int, output_tokens: int) -> float:
        """The price of one request."""
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


def listed_price(model: str) -> Price | None:
    """The price in `prices.yaml` of a model by its name ("gemini/gemini-2.5-flash"); None when it isn't listed."""
    table = yaml.safe_load(resources.files(__package__).joinpath("prices.yaml").read_text())
    return Price(*map(float, table[model])) if model in table else None
