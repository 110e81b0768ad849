"""Several proposers taking turns: each one's share grows with what its candidates have won for their cost."""

from collections.abc import Callable

from rtl_evolve.evolver.archive import Arm
from rtl_evolve.evolver.proposers.language import LanguageProposer
from rtl_evolve.evolver.proposers.protocol import Proposal, Proposer, Request
from rtl_evolve.evolver.purse import Purse

PRIOR_REWARD, PRIOR_COST = 0.1, 5.0  # what each is taken to have earned before its first result
FRUITLESS_COST = 0.5  # of a reply that came to no evaluation: it was paid for
LEAST_SHARE = 0.15  # of the turns, for each whose weight isn't 0


class Ensemble:
    """`others` (the rules) go on when models fail or are given up. `tell` is told so, a line each.

    `ended` says why the models ended the search: a budget, or "model" when all failed and there is no other.
    """

    name = "ensemble"

    def __init__(
        self,
        models: tuple[tuple[LanguageProposer, float], ...],
        others: tuple[tuple[Proposer, float], ...],
        purse: Purse,
        tell: Callable[[str], None],
    ) -> None:
        self._models, self._others, self._purse, self._tell = models, others, purse, tell
        self._told: set[str] = set()

    @property
    def ended(self) -> str:
        if self._purse.reached and not self._waiting():
            return self._purse.reached
        return "model" if not self._others and all(m.failure for m, _ in self._models) else ""

    @property
    def problems(self) -> tuple[str, ...]:
        """Why models were given up, a line each."""
        return tuple(m.failure for m, _ in self._models if m.failure)

    def propose(self, request: Request) -> Proposal | None:
        """One turn: a proposer drawn by its share; the next one when it has nothing new."""
        for model, _ in self._models:
            model.prepare(request)
        members = [*self._models, *self._others]
        while members and not self.ended:
            chosen = self._draw(members, request)
            proposal = chosen.propose(request)
            if proposal is not None:
                return proposal
            if request.pause():
                return None
            members = [member for member in members if member[0] is not chosen]
            self._complain()
        self._complain()
        return None

    def _waiting(self) -> int:
        return sum(model.waiting for model, _ in self._models)

    def _draw(self, members: list[tuple[Proposer, float]], request: Request) -> Proposer:
        """By share; what is in flight comes first when there is no room for more than that."""
        ready = [m for m in members if not isinstance(m[0], LanguageProposer) or m[0].waiting]
        in_flight = [m for m in ready if isinstance(m[0], LanguageProposer)]
        if in_flight and (self._purse.reached or (request.left is not None and request.left <= self._waiting())):
            ready = in_flight
        ready = ready or members
        worth = [weight * self._worth(member, request) for member, weight in ready]
        least = LEAST_SHARE * sum(worth)
        shares = [max(w, least) if weight else 0.0 for w, (_, weight) in zip(worth, ready, strict=True)]
        if not any(shares):
            return ready[0][0]
        chosen: Proposer = request.rng.choices([member for member, _ in ready], shares)[0]
        return chosen

    def _worth(self, member: Proposer, request: Request) -> float:
        """Scalar won per cost, over all arms of one proposer; an arm that no model owns is the others'."""
        names = [model.name for model, _ in self._models]
        reward, cost, evaluated = PRIOR_REWARD, PRIOR_COST, 0
        for name in {*request.archive.arms, *request.pending}:
            owner = next((n for n in names if name == n or name.startswith(f"{n} ")), "")
            if owner == (member.name if isinstance(member, LanguageProposer) else ""):
                arm = request.archive.arms.get(name, Arm())
                reward, cost = reward + arm.reward, cost + arm.cost
                evaluated += arm.tries + request.pending.get(name, 0)
        if isinstance(member, LanguageProposer):
            cost += FRUITLESS_COST * max(0, member.used - evaluated)
        return reward / cost

    def _complain(self) -> None:
        for model, _ in self._models:
            if model.failure and model.name not in self._told:
                self._told.add(model.name)
                rest = [m.name for m, _ in self._models if not m.failure] + [o.name for o, _ in self._others]
                after = f"going on with {', '.join(rest)}" if rest else "no other proposer is left"
                self._tell(f"{model.failure}; {after}")

    def close(self, seconds: float) -> None:
        """Store replies that are on their way."""
        for model, _ in self._models:
            model.close(0.0 if model.failure else seconds)
