"""The budget of tokens and dollars: what was spent, what questions in flight may still cost, and whether it is gone.

It counts replies as they are used, not as they arrive, so that the clock decides nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rtl_evolve.evolver.prices import Price
from rtl_evolve.evolver.questions import Asked

LEAST_ANSWER = 1024  # tokens: a shorter answer is cut off more often than not


@dataclass
class Purse:
    """Limits over all models together; None is no limit. `reached` names the one that ended asking."""

    tokens: int | None = None
    dollars: float | None = None
    reached: str = ""
    spent_tokens: int = 0
    spent_dollars: float = 0.0
    _reserved: dict[tuple[str, int], tuple[int, float]] = field(default_factory=dict)

    def limit(self, name: str) -> float | None:
        """The limit of that name."""
        return {"tokens": self.tokens, "dollars": self.dollars}[name]

    def take_up(self, ended: Mapping[str, float]) -> None:
        """What had ended the asking ends it still, unless its limit was changed."""
        for name, amount in ended.items():
            if self.limit(name) == amount:
                self.reached = name

    def answer_tokens(self, prompt_tokens: int, wanted: int, price: Price | None) -> int:
        """How long an answer may be asked for: 0 when the budget has no room, for now or (`reached`) for good."""
        if self.reached:
            return 0
        room = {"tokens": wanted, "dollars": wanted}
        if self.tokens is not None:
            reserved = sum(tokens for tokens, _ in self._reserved.values())
            room["tokens"] = self.tokens - self.spent_tokens - reserved - prompt_tokens
        if self.dollars is not None and price is not None and price.output:
            reserved_dollars = sum(dollars for _, dollars in self._reserved.values())
            left = self.dollars - self.spent_dollars - reserved_dollars - price.dollars(prompt_tokens, 0)
            room["dollars"] = int(left * 1e6 / price.output)
        tightest = min(room, key=lambda name: room[name])
        if room[tightest] >= wanted:
            return wanted
        if self._reserved:
            return 0  # what is in flight may cost less than it could
        if room[tightest] < LEAST_ANSWER:
            self.reached = tightest
            return 0
        return room[tightest]

    def reserve(self, asked: Asked, price: Price | None) -> None:
        """Set aside what a question can cost at most."""
        answer = asked.question.max_tokens
        dollars = price.dollars(asked.reserved - answer, answer) if price else 0.0
        self._reserved[asked.proposer, asked.number] = (asked.reserved, dollars)

    def pay(self, asked: Asked) -> None:
        """Take what a used reply did cost."""
        self.release(asked)
        if asked.answer is not None:
            self.spent_tokens += asked.answer.input_tokens + asked.answer.output_tokens
            self.spent_dollars += asked.dollars or 0.0

    def release(self, asked: Asked) -> None:
        """Give back what was set aside for a question that will have no reply."""
        self._reserved.pop((asked.proposer, asked.number), None)
