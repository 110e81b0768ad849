"""Candidates without a model: the rewrite rules on golden and on its best descendants, and combinations of them.

What to try next is a bandit's choice: rule families and ways of combining are its arms, and an arm's worth is the
scalar it won for the cost of its evaluations.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random

from rtl_evolve.evolver.archive import Arm, Member
from rtl_evolve.evolver.hunks import Genes, genes_of, hunks, merge, texts
from rtl_evolve.evolver.proposers.protocol import Proposal, Request
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import Sources
from rtl_evolve.rtl.rewrites.rule import Rewrite

RewritesOf = Callable[[Sources, Random], Iterator[Rewrite]]

EXPLORE = 0.03  # how much an arm's rarity counts, in scalar won per evaluation
PRIOR_REWARD, PRIOR_COST = 0.02, 1.0  # what an arm is taken to have earned before its first result
STACK, CROSS, DROP = "stack", "cross", "drop"
MOST_REWRITES = 600  # of one parent
ATTEMPTS = 12  # combinations tried out until one is new


class RulesProposer:
    """`rewrites_of` gives a design's rewrites in a fixed order (nothing when it cannot be read) by these `families`."""

    name = "rules"

    def __init__(self, golden: Sources, families: tuple[str, ...], rewrites_of: RewritesOf, seed: int) -> None:
        self._golden, self._families = golden, families
        self._texts = {f.path: f.text for f in golden.files}
        self._rewrites_of, self._seed = rewrites_of, seed
        self._queues: dict[str, _Queue] = {}
        self._known_genes: dict[str, Genes] = {}

    def propose(self, request: Request) -> Proposal | None:
        """The best arm's next candidate; arms that have nothing new are passed over."""
        for arm in sorted((STACK, CROSS, DROP, *self._families), key=lambda arm: -self._worth(arm, request)):
            candidate = self._combine(arm, request) if arm in (STACK, CROSS, DROP) else self._rewrite(arm, request)
            if candidate is not None:
                return Proposal(candidate, arm)
        return None

    def _worth(self, arm: str, request: Request) -> float:
        """Upper confidence bound; a proposal whose result is not in yet counts as tried."""
        earned = request.archive.arms.get(arm, Arm())
        total = sum(a.tries for a in request.archive.arms.values()) + sum(request.pending.values())
        tries = earned.tries + request.pending.get(arm, 0)
        cost = PRIOR_COST + earned.cost + request.pending.get(arm, 0)
        return (PRIOR_REWARD + earned.reward) / cost + EXPLORE * math.sqrt(math.log(total + 2) / (tries + 1))

    # --- rules

    def _queue(self, parent: Candidate) -> "_Queue":
        if parent.id not in self._queues:
            sources = parent.sources(self._golden)
            stream = self._rewrites_of(sources, Random(f"{self._seed}/{parent.id}"))
            self._queues[parent.id] = _Queue(parent, {f.path: f.text for f in sources.files}, stream)
        return self._queues[parent.id]

    def _rewrite(self, family: str, request: Request) -> Candidate | None:
        """A rewrite that was not tried yet: of golden, of the best, or of another good one."""
        archive, rng = request.archive, request.rng
        others = [archive.parent(request.island, rng) for _ in range(2)]
        parents = [archive.golden, archive.best, *others]
        if rng.random() < 0.6:
            parents[:2] = [archive.best, archive.golden]
        for member in dict.fromkeys(parents):
            parent = Candidate(()) if member.position < 0 else request.database.row(member.position).candidate
            if candidate := self._queue(parent).next(family, request, self._golden):
                return candidate
        return None

    # --- combinations

    def _combine(self, arm: str, request: Request) -> Candidate | None:
        ways = {STACK: self._stack, CROSS: self._cross, DROP: self._drop}
        if not request.archive.donors:
            return None
        for _ in range(ATTEMPTS):
            candidate = ways[arm](request)
            if candidate is not None and candidate.files and candidate.id not in request.database:
                return candidate
        return None

    def _stack(self, request: Request) -> Candidate | None:
        """The best so far with one more proven edit, or with all that fit (each left out once in a while)."""
        archive, rng = request.archive, request.rng
        base = archive.best if rng.random() < 0.7 else archive.parent(request.island, rng)
        many = rng.random() < 0.4
        donors = [m for m in archive.donors if m.id != base.id]
        if not many:
            donors = donors[min(int(rng.expovariate(0.15)), len(donors) - 1) :][:1] if donors else []
        genes, used = self._genes(base.id, request), [base]
        for donor in donors:
            merged = None if many and rng.random() < 0.1 else merge(genes, self._genes(donor.id, request))
            if merged is not None and len(merged) > len(genes):
                genes, used = merged, [*used, donor]
        return self._made(genes, used, request) if len(used) > 1 else None

    def _cross(self, request: Request) -> Candidate | None:
        """Two good ones put together; where they conflict, the second one's edits."""
        archive, rng = request.archive, request.rng
        one, island = archive.parent(request.island, rng), rng.randrange(len(archive.islands))
        other = rng.choice(archive.donors) if rng.random() < 0.5 else archive.parent(island, rng)
        genes = merge(self._genes(one.id, request), self._genes(other.id, request), prefer_more=True)
        return self._made(genes, [one, other], request) if genes and one.id != other.id else None

    def _drop(self, request: Request) -> Candidate | None:
        """A good one without one of its genes: some only cost."""
        archive, rng = request.archive, request.rng
        base = archive.best if rng.random() < 0.7 else rng.choice(archive.front)
        genes = self._genes(base.id, request)
        if len(genes) < 2:
            return None
        gone = rng.randrange(len(genes))
        return self._made(genes[:gone] + genes[gone + 1 :], [base], request)

    def _genes(self, candidate_id: str, request: Request) -> Genes:
        """A known candidate's genes, told apart by its ancestry; golden has none."""
        if candidate_id not in self._known_genes:
            row = request.database.find(candidate_id)
            if row is None:
                return ()
            inherited = [gene for parent in row.candidate.parents for gene in self._genes(parent, request)]
            self._known_genes[candidate_id] = genes_of(hunks(self._texts, row.candidate.files), inherited)
        return self._known_genes[candidate_id]

    def _made(self, genes: Genes, parents: list[Member], request: Request) -> Candidate | None:
        files = texts(self._texts, [edit for gene in genes for edit in gene])
        if files is None:
            return None
        made = [m for m in parents if m.position >= 0]
        reasons = [r for m in made for r in request.database.row(m.position).candidate.rationale]
        return Candidate(files, self.name, tuple(dict.fromkeys(reasons)), tuple(m.id for m in made))


class _Queue:
    """One parent's rewrites by family, read from their stream as far as needed."""

    def __init__(self, parent: Candidate, files: dict[str, str], stream: Iterator[Rewrite]) -> None:
        self._parent, self._files = parent, files
        self._by_family: dict[str, list[Rewrite]] = defaultdict(list)
        for _, rewrite in zip(range(MOST_REWRITES), stream, strict=False):
            self._by_family[rewrite.rule.partition(".")[0]].append(rewrite)
        self._at: dict[str, int] = defaultdict(int)

    def next(self, family: str, request: Request, golden: Sources) -> Candidate | None:
        """The next rewrite of a family that makes a text nobody proposed."""
        rewrites = self._by_family.get(family, [])
        originals = {f.path: f.text for f in golden.files}
        while self._at[family] < len(rewrites):
            rewrite = rewrites[self._at[family]]
            self._at[family] += 1
            changed = texts(self._files, rewrite.edits)
            if not changed:
                continue
            whole = {**self._files, **dict(changed)}
            files = tuple((path, text) for path, text in whole.items() if text != originals[path])
            parents = (self._parent.id,) if self._parent.files else ()
            why = f"{rewrite.rule}: {rewrite.why}"
            candidate = Candidate(files, "rules", (*self._parent.rationale, why), parents)
            if files and candidate.id not in request.database:
                return candidate
        return None
