"""The rules proposer: a bandit over families and combinations, nothing tried twice, the same again after a resume."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from rtl_evolve.evolver.archive import Archive, Member
from rtl_evolve.evolver.database import ProgramDatabase, Row
from rtl_evolve.evolver.objective import Figures
from rtl_evolve.evolver.proposers.protocol import Proposal, Request
from rtl_evolve.evolver.proposers.rules import CROSS, DROP, STACK, RulesProposer
from rtl_evolve.rtl.candidate import Candidate
from rtl_evolve.rtl.design import SourceFile, Sources
from rtl_evolve.rtl.edit import Edit
from rtl_evolve.rtl.rewrites.rule import Rewrite

GOLDEN = Sources((SourceFile("a.v", "x = 0;\ny = 0;\nz = 0;\n"),), "a")


def rewrites_of(sources: Sources, rng: Random) -> Iterator[Rewrite]:
    """Each 0 may become 1 (family one) or 2 (family two); a 1 may become 3 (family three)."""
    text = sources.files[0].text
    for old, new, family in (("0", "1", "one"), ("0", "2", "two"), ("1", "3", "three")):
        for at in [i for i, c in enumerate(text) if c == old]:
            yield Rewrite(f"{family}.rule", (Edit("a.v", at, at + 1, new),), f"{old} to {new} at {at}")


class World:
    """A database and an archive, where a proposal's worth is made up by the test."""

    def __init__(self, path: Path) -> None:
        self.database = ProgramDatabase.create(path)
        self.archive = Archive.new("golden", 2, Figures(1, 1, 1))
        self.proposer = self.fresh()

    def fresh(self) -> RulesProposer:
        return RulesProposer(GOLDEN, ("one", "two", "three"), rewrites_of, 7)

    def request(self) -> Request:
        position = self.database.size
        return Request(position, position % 2, Random(f"7/{position}"), self.archive, self.database, {})

    def propose(self) -> Proposal | None:
        proposal = self.proposer.propose(self.request())
        if proposal is not None:
            assert proposal.candidate is not None and proposal.candidate.id not in self.database
            self.add(proposal.candidate, proposal.arm)
        return proposal

    def add(self, candidate: Candidate, arm: str, won: float = 0.0) -> Row:
        row = Row(self.database.size, candidate, arm, 0, None)
        self.database.add(row, candidate.id)
        scalar = self.archive.best.scalar - won
        member = Member(row.position, candidate.id, Figures(scalar, 1, 1), scalar, True, won) if won else None
        self.archive.take(row, member, None, 1.0)
        return row


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "run.sqlite")


def edited(*values: str) -> Candidate:
    return Candidate((("a.v", "x = {};\ny = {};\nz = {};\n".format(*values)),), "rules", (f"made {values}",))


def test_every_rewrite_of_golden_once_and_then_nothing(world: World) -> None:
    texts = []
    while proposal := world.propose():
        assert proposal.candidate is not None
        texts.append(proposal.candidate.files[0][1])
    assert len(texts) == len(set(texts)) == 6


def test_the_first_proposals_differ_in_family(world: World) -> None:
    arms = [p.arm for p in (world.propose(), world.propose()) if p]
    assert set(arms) == {"one", "two"}


def test_the_family_that_wins_is_asked_again(world: World) -> None:
    world.add(edited("2", "0", "0"), "two", won=0.3)
    world.add(edited("1", "0", "0"), "one")
    arms = [p.arm for _ in range(3) if (p := world.propose())]
    assert arms.count("two") >= 2


def test_descendants_are_rewritten_with_their_ancestors_named(world: World) -> None:
    world.add(edited("1", "0", "0"), "one", won=0.2)
    found = [p.candidate for _ in range(40) if (p := world.propose()) and p.arm == "three"]
    assert found and all(c is not None and c.parents == (edited("1", "0", "0").id,) for c in found)
    assert found[0] is not None and len(found[0].rationale) == 2


def test_proven_edits_are_stacked(world: World) -> None:
    for values in (("1", "0", "0"), ("0", "2", "0"), ("0", "0", "2")):
        world.add(edited(*values), "one", won=0.1)
    stacked = [p.candidate for _ in range(40) if (p := world.propose()) and p.arm == STACK and p.candidate]
    whole = next(c for c in stacked if c.files[0][1] == "x = 1;\ny = 2;\nz = 2;\n")
    assert len(whole.parents) == 3 and len(whole.rationale) == 3


def test_conflicts_are_crossed_and_genes_dropped_whole(world: World) -> None:
    """The best has genes x=1 and y=2, another x=2 with z=2 in one: only a cross gives 2 2 2, only a drop 0 2 0."""
    world.proposer = RulesProposer(GOLDEN, (), rewrites_of, 7)
    world.add(edited("2", "0", "2"), "two", won=0.05)
    first = world.add(edited("1", "0", "0"), "one", won=0.1)
    world.add(replace(edited("1", "2", "0"), parents=(first.candidate.id,)), "two", won=0.2)
    made = {
        p.candidate.files[0][1].replace("\n", ""): p.arm for _ in range(40) if (p := world.propose()) and p.candidate
    }
    assert made == {"x = 2;y = 2;z = 2;": CROSS, "x = 0;y = 2;z = 0;": DROP}


def test_a_fresh_proposer_goes_on_as_the_old_one_would_have(tmp_path: Path) -> None:
    stories = []
    for renewed in (False, True):
        world = World(tmp_path / f"{renewed}.sqlite")
        story = []
        for step in range(30):
            if renewed and step % 4 == 0:
                world.proposer = world.fresh()
            proposal = world.propose()
            story.append(proposal)
            if proposal and proposal.candidate and step % 3 == 0:
                row = world.database.row(world.database.size - 1)
                member = Member(row.position, row.candidate.id, Figures(0.9, 1, 1), 0.9 - step / 100, True, 0.05)
                world.archive.take(row, member, None, 1.0)
        stories.append(story)
    assert stories[0] == stories[1]
