"""Imitations as patterns: weir-core takes them, and they stay within what was written."""

from pathlib import Path

import pytest

from end_to_end.patterns import Json, closing, opening, phase
from end_to_end.patterns import pattern as small
from weir.core.client import Core, find_core
from weir.mimic.carrier import carrier
from weir.mimic.derive import derive
from weir.mimic.presets import presets
from weir.pattern import Memory, Open, Pattern, steps_of
from weir.replay.prepare import write_pattern
from weir.workloads import workloads

from .made import cmb, listed, nest, of_steps, repeat, typed


def accepted(pattern: Pattern, folder: Path) -> Pattern:
    """The pattern as weir-core has it, which refuses what cannot be carried out."""
    path = folder / "p.json"
    write_pattern(pattern, path)
    return Core(find_core()).prepare(path, ranks=None, gaps=True)


def bytes_of(pattern: Pattern, verb: str) -> int:
    """Of the plain sequential accesses outside of repeats."""
    total = 0
    for one in pattern.phases:
        for step in steps_of(one.steps):
            if step.access and step.access.verb == verb and step.access.extent:
                pieces = 1
                for level in step.access.extent.levels:
                    pieces *= level.count
                total += pieces * step.access.extent.length * step.access.ranks.count
    return total


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("preset", [None, "shan-2007"])
def test_a_loop_of_matrices_is_carried_out(alone: bool, preset: str | None, tmp_path: Path) -> None:
    change = presets.find(preset) if preset else None
    made = carrier(derive(cmb(4, alone=alone), change))
    assert accepted(made, tmp_path).phases == made.phases


@pytest.mark.parametrize("name", ["chombo", "gtc"])
def test_workloads_are_carried_out(name: str, tmp_path: Path) -> None:
    made = carrier(derive(workloads.find(name)(3, 7)))
    assert accepted(made, tmp_path).phases == made.phases


def test_gaps_and_messages_are_gone_and_bytes_are_not(tmp_path: Path) -> None:
    lists = [[0, 800, 5000, 800, 20000, 800], [900, 800, 7000, 800, 30000, 800]]
    between: list[Json] = [{"seek": {"file": 0, "to": 0}}, {"broadcast": {"bytes": 24, "root": 0}}]
    made = carrier(derive(of_steps(*between, listed(lists), *between, ranks=2)))
    steps = list(steps_of(made.phases[0].steps))
    assert not any(step.seek or step.broadcast for step in steps)
    assert bytes_of(made, "write") == 6 * 800
    accepted(made, tmp_path)


def written_and_read(read: Json) -> Pattern:
    phases = (
        phase("write", opening("create"), nest(ranks=2, length=4096, rank_levels=[(2, 4096)]), closing()),
        phase("read", opening("read"), read, closing()),
    )
    return typed(small(*phases, ranks=2))


def ends(pattern: Pattern) -> int:
    """One past the last byte that the read reaches."""
    (step,) = [step for step in steps_of(pattern.phases[1].steps) if step.access]
    assert step.access
    extent = step.access.extent
    assert extent
    reach = sum(
        (level.count - 1) * level.stride for level in [*extent.levels, *(step.access.rank_levels or [])]
    )
    return extent.start + reach + extent.length


@pytest.mark.parametrize(
    "read",
    [
        nest("read", ranks=2, length=4096, rank_levels=[(2, 4096)]),
        nest("read", ranks=1, length=512, start=8192 - 512),
        listed([[0, 4096, 4096, 4096], [0, 4096, 4096, 4096]], "read"),
        listed([[4096, 4096, 0, 4096, 4096, 4096, 0, 4096]] * 2, "read"),
    ],
    ids=["the same", "its end", "twice", "to and fro"],
)
def test_reads_lie_within_what_was_written(read: Json, tmp_path: Path) -> None:
    made = carrier(derive(written_and_read(read)))
    assert ends(made) <= 2 * 4096
    accepted(made, tmp_path)


def test_a_check_of_what_may_not_be_written_is_a_read() -> None:
    there = nest("check", ranks=2, length=4096, rank_levels=[(2, 4096)])
    verbs = [
        step.access.verb
        for read in (there, listed([[0, 4096, 4096, 4096], [0, 2048]], "check"))
        for step in steps_of(carrier(derive(written_and_read(read))).phases[1].steps)
        if step.access
    ]
    assert verbs == ["check", "read"]


def test_backward_turns_stay_in_the_file(tmp_path: Path) -> None:
    back = nest(ranks=2, length=64, rank_levels=[(2, 64)], start=9 * 128, advance=[-128])
    made = carrier(derive(of_steps(repeat(10, back), ranks=2)))
    accepted(made, tmp_path)


def test_ranks_that_open_one_after_another_open_together(tmp_path: Path) -> None:
    def by(rank: int, mode: str) -> Json:
        return {"open": {"file": 0, "mode": mode, "ranks": {"first": rank, "count": 1, "step": 1}}}

    header, data = nest(ranks=1, length=24), nest(ranks=2, length=64, rank_levels=[(2, 64)], start=24)
    write = phase("write", by(0, "create"), {"barrier": {}}, header, by(1, "update"), data, closing())
    made = carrier(derive(typed(small(write, ranks=2))))
    assert [step.open for step in made.phases[0].steps if step.open] == [Open(file=0, mode="create")]
    accepted(made, tmp_path)


def test_a_rank_that_opens_again_while_others_have_the_file_opens_alone(tmp_path: Path) -> None:
    """As IOR does, whose first rank looks for the file before all open it."""

    def of(what: str, rank: int, **more: str) -> Json:
        return {what: {"file": 0, "ranks": {"first": rank, "count": 1, "step": 1}, **more}}

    steps = [
        of("open", 0, mode="read"),
        of("open", 1, mode="read"),
        of("close", 0),
        of("open", 0, mode="read"),
    ]
    data = nest("read", ranks=2, length=64, rank_levels=[(2, 64)])
    write = phase("write", opening("create"), nest(ranks=2, length=64, rank_levels=[(2, 64)]), closing())
    read = phase("read", *steps, data, of("close", 1), of("close", 0))
    made = carrier(derive(typed(small(write, read, ranks=2))))
    assert len([step.open for step in made.phases[1].steps if step.open]) == 3
    accepted(made, tmp_path)


def test_the_memory_that_data_lie_in_is_the_patterns() -> None:
    write = phase("write", opening("create"), nest(ranks=2, length=64, rank_levels=[(2, 64)]), closing())
    pattern = typed({**small(write, ranks=2), "memory": {"bytes": 4096, "in_page": 16}})
    assert carrier(derive(pattern)).memory == Memory(bytes=4096, in_page=16)
