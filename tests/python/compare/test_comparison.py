"""Comparisons of made-up runs: what matches, and what a person is told."""

import json
from pathlib import Path

import pytest

from synthetic_run import GIB, World
from weir.answers.answer import Ratio, Verdicts
from weir.compare.comparison import Compared, Comparison, Rules, compare
from weir.compare.first_screen import first_screen
from weir.compare.rows import sorted_rows
from weir.compare.sides import in_turns, side_of
from weir.compare.standings import Verdict

from .runs import Line, change_info, change_lines, run

HALF = World(seed=4, write_bytes_per_s=0.75 * GIB)


def compared(reference: Path, side: Path, rules: Rules | None = None) -> Compared:
    return compare([side_of(reference), side_of(side)], rules or Rules()).compared[0]


def verdicts(found: Compared, phase: str) -> set[Verdict]:
    """Of rows that are not of caches, which have a rate of their own."""
    return {
        one.verdict
        for one in found.standings
        if one.row.phase == phase and one.row.honest and (one.row.options.get("transfer") or 0) >= 1 << 16
    }


def test_a_run_of_half_the_rate_is_worse_where_it_is(tmp_path: Path) -> None:
    found = compared(run(tmp_path / "a"), run(tmp_path / "b", HALF))
    assert verdicts(found, "write") == {Verdict.WORSE}
    assert verdicts(found, "read") == {Verdict.OPEN}
    ratios = [one.apart.ratio for one in found.standings if one.verdict is Verdict.WORSE and one.apart]
    assert min(ratios) == pytest.approx(0.5, rel=0.05)


def test_the_other_way_round_it_is_better(tmp_path: Path) -> None:
    found = compared(run(tmp_path / "a", HALF), run(tmp_path / "b"))
    assert verdicts(found, "write") == {Verdict.BETTER} and found.verdict is Verdict.BETTER


def test_repeated_runs_show_what_runs_differ_by(tmp_path: Path) -> None:
    """A tenth less, which single runs cannot tell."""
    slow = World(seed=9, write_bytes_per_s=1.35 * GIB)
    for number in range(4):
        run(tmp_path / "before" / str(number), World(seed=10 + number), day=number + 1)
    single = compared(tmp_path / "before" / "0", run(tmp_path / "slow", slow))
    assert verdicts(single, "write") == {Verdict.OPEN}
    several = compared(tmp_path / "before", tmp_path / "slow")
    assert Verdict.WORSE in verdicts(several, "write") <= {Verdict.WORSE, Verdict.OPEN, Verdict.SAME}
    assert Verdict.SAME in verdicts(several, "read") <= {Verdict.SAME, Verdict.OPEN}
    assert not several.single_runs


def test_runs_made_in_turns_are_known_as_that(tmp_path: Path) -> None:
    for number in range(3):
        run(tmp_path / "a" / str(number), World(seed=number), day=2 * number + 1)
        run(tmp_path / "b" / str(number), World(seed=20 + number), day=2 * number + 2)
    one, other = side_of(tmp_path / "a"), side_of(tmp_path / "b")
    assert in_turns(one, other) and compare([one, other], Rules()).compared[0].turns
    change_info(tmp_path / "b" / "0", created_at="2026-11-28T08:00:00Z")
    assert not in_turns(one, side_of(tmp_path / "b"))


def _larger(line: Line) -> Line:
    """Another transfer size in the cases of one comparison."""
    if line["kind"] == "case" and "layout" in " ".join(line["comparisons"]):
        line["options"]["transfer"] *= 2
    return line


def test_other_parameters_are_named_row_by_row(tmp_path: Path) -> None:
    run(tmp_path / "a"), run(tmp_path / "b")
    change_lines(tmp_path / "b", _larger)
    found = compared(tmp_path / "a", tmp_path / "b")
    other = [one for one in found.standings if one.verdict is Verdict.OTHER]
    assert other and all(len(one.pair.differs) == 1 for one in other)
    mine, yours = other[0].pair.differs[0]
    assert mine and yours and mine != yours
    caveats = {one.code: one for one in first_screen(compare_two(tmp_path)).caveats}
    assert caveats["other-parameters"].count == len(other)


def compare_two(folder: Path) -> Comparison:
    return compare([side_of(folder / "a"), side_of(folder / "b")], Rules())


def test_reads_of_a_cache_are_not_compared_with_reads_of_none(tmp_path: Path) -> None:
    run(tmp_path / "a"), run(tmp_path / "b")

    def cached(line: Line) -> Line:
        if line["kind"] == "sample" and line["phase"] == "read":
            line["cache"] = {"methods": ["drop"], "suspect": True}
        return line

    change_lines(tmp_path / "b", cached)
    found = compared(tmp_path / "a", tmp_path / "b")
    reads = {one.verdict for one in found.standings if one.pair.other.suspect is False}
    assert reads == {Verdict.OTHER}


def test_where_files_lie_and_how_often_makes_no_other_parameter(tmp_path: Path) -> None:
    run(tmp_path / "a"), run(tmp_path / "b")

    def moved(line: Line) -> Line:
        if line["kind"] == "case":
            line["options"] |= {"dir": "/other", "repetitions": 7}
        return line

    change_lines(tmp_path / "b", moved)
    found = compared(tmp_path / "a", tmp_path / "b")
    assert found.counts[Verdict.OTHER] == 0 and not found.matched.only_one and not found.matched.only_other


def test_rows_of_one_side_alone_are_counted(tmp_path: Path) -> None:
    run(tmp_path / "a", World(without=frozenset({"mpiio"}))), run(tmp_path / "b")
    found = compared(tmp_path / "a", tmp_path / "b")
    assert {one.options["backend"] for one in found.matched.only_one} == {"mpiio"}
    assert not found.matched.only_other


def test_of_an_interrupted_run_what_is_there_is_compared(tmp_path: Path) -> None:
    run(tmp_path / "a"), run(tmp_path / "b")
    ends = 0

    def cut(line: Line) -> Line | None:
        """Within a case: it has samples, and no end."""
        nonlocal ends
        ends += line["kind"] == "finished"
        return line if ends < 8 else None

    change_lines(tmp_path / "b", cut)
    found = compare([side_of(tmp_path / "a"), side_of(tmp_path / "b")], Rules())
    assert 0 < len(found.compared[0].standings) < len(found.compared[0].reference.rows[0])
    caveats = {one.code for one in first_screen(found).caveats}
    assert {"row-alone", "not-over"} <= caveats


def test_the_first_screen_counts_groups_and_names_the_worst(tmp_path: Path) -> None:
    found = compare([side_of(run(tmp_path / "a")), side_of(run(tmp_path / "half", HALF))], Rules())
    screen = first_screen(found)
    assert screen.verdict == "half against a · writes worse · reads undecided"
    writes, reads, *rows = screen.rows
    assert isinstance(writes.value, Verdicts) and writes.subject == ("Writes",) and writes.value.worse > 15
    assert isinstance(reads.value, Verdicts) and not reads.value.worse
    assert rows and all(isinstance(one.value, Ratio) and one.action == "worse" for one in rows)
    times = [one.value.times for one in rows if isinstance(one.value, Ratio)]
    assert times == sorted(times)
    assert [one.code for one in screen.open_caveats] == ["one-run-each", "cached-rows"]


def test_of_three_sides_two_are_compared_with_the_first(tmp_path: Path) -> None:
    sides = [
        side_of(run(tmp_path / name, world)) for name, world in (("a", World()), ("b", HALF), ("c", HALF))
    ]
    found = compare(sides, Rules())
    assert [one.names for one in found.compared] == [("a", "b"), ("a", "c")]
    assert first_screen(found).verdict == "b, c against a · b worse · c worse"
    assert found.verdict is Verdict.WORSE


def test_sides_of_one_name_are_told_apart(tmp_path: Path) -> None:
    run(tmp_path / "x" / "r"), run(tmp_path / "y" / "r")
    found = compare([side_of(tmp_path / "x" / "r"), side_of(tmp_path / "y" / "r")], Rules())
    assert found.compared[0].names == ("x/r", "y/r")


def test_rows_are_sorted_by_what_one_looks_for(tmp_path: Path) -> None:
    found = compared(run(tmp_path / "a"), run(tmp_path / "b", HALF))
    order = [one.verdict for one in sorted_rows(found)]
    assert order == sorted(order, key=[Verdict.WORSE, Verdict.BETTER, Verdict.OPEN, Verdict.SAME].index)


def test_facts_of_the_machine_that_differ_are_shown(tmp_path: Path) -> None:
    run(tmp_path / "a"), run(tmp_path / "b")
    card = json.loads((tmp_path / "b" / "run.json").read_text())["machine"]
    card["host"]["kernel"] = "7.7.7"
    change_info(tmp_path / "b", machine=card)
    screen = first_screen(compare_two(tmp_path))
    assert any("7.7.7" in one.value and "→" in one.value for one in screen.machine)
    told = next(one for one in screen.caveats if one.code == "other-machine")
    assert told.count == 1 and "→ " in told.words["fact"] and told.words["more"] == ""
