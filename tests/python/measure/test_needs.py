from dataclasses import replace
from pathlib import Path

import pytest

from fakes.launching import MockLauncher
from weir.core.schema import Description, Schema, Totals
from weir.errors import WeirError
from weir.measure.plan import (
    Needs,
    Plan,
    check_needs,
    free_disk,
    free_files,
    free_memory,
    needs_of,
    without_what_is_too_large,
)
from weir.measure.study_run import check_before
from weir.study.load import parse_study

from .simulation import make_case

DESCRIBED = {
    "a": Description("a", totals=Totals(bytes_on_disk=100, memory_bytes_per_rank=10)),
    "b": Description("b", totals=Totals(bytes_on_disk=300, memory_bytes_per_rank=1)),
}
CASES = [make_case("a", 4), make_case("b", 2)]


def test_the_greatest_case_counts_and_kept_files_add_up(tmp_path: Path) -> None:
    fleeting = needs_of(CASES, DESCRIBED, tmp_path, keep=False)
    kept = needs_of(CASES, DESCRIBED, tmp_path, keep=True)
    assert (fleeting.disk_bytes, fleeting.memory_bytes) == (300, 40)
    assert kept.disk_bytes == 400


@pytest.mark.parametrize(
    ("needs", "message"),
    [
        (Needs(2048, 1, 1024, 10), "not enough free space .*needs 2 KiB, and 1 KiB are free"),
        (Needs(1, 2048, 10, 1024), "not enough free memory"),
        (Needs(1, 1, 10, 10, 41, 40), "not enough free inodes .*needs 41, and 40 are free"),
    ],
)
def test_what_does_not_suffice_is_refused(tmp_path: Path, needs: Needs, message: str) -> None:
    with pytest.raises(WeirError, match=message):
        check_needs(needs, tmp_path)


def test_what_is_unknown_is_not_held_against_anyone(tmp_path: Path) -> None:
    check_needs(Needs(None, None, 1, 1), tmp_path)
    check_needs(Needs(1, 1, None, None), tmp_path)
    check_needs(Needs(1, 1, 1, 1, 10, None), tmp_path)


def test_the_machine_is_asked_and_may_not_answer(tmp_path: Path) -> None:
    assert (free_disk(tmp_path) or 0) > 0
    assert free_disk(tmp_path / "none") is None
    assert free_files(tmp_path) != 0
    assert free_files(tmp_path / "none") is None
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9 kB\nMemAvailable:    7 kB\n")
    assert free_memory(meminfo) == 7168
    assert free_memory(tmp_path / "none") is None


def plan_of(folder: Path, *, leaving: bool, only_large: bool = False) -> Plan:
    """A small case and one for which no memory suffices, of two comparisons."""
    more = 'if_too_large = "leave out"\n' if leaving else ""
    study = parse_study(
        f'[study]\nname = "s"\n[[comparison]]\nname = "a"\n[[comparison]]\nname = "b"\n{more}', "s.toml"
    )
    small, large = replace(make_case("a"), comparisons=("a",)), replace(make_case("b", 8), comparisons=("b",))
    described = {
        "a": Description("a", totals=Totals(memory_bytes_per_rank=1)),
        "b": Description("b", totals=Totals(memory_bytes_per_rank=1 << 60)),
    }
    return Plan(study, Schema("0"), [large] if only_large else [small, large], described, folder)


def test_what_does_not_fit_is_left_out_where_the_study_asks_for_that(tmp_path: Path) -> None:
    found = without_what_is_too_large(plan_of(tmp_path, leaving=True), keep=False)
    assert [case.id for case in found.cases] == ["a"]
    assert [item.comparisons for item in found.left_out] == [("b",)]
    assert found.left_out[0].why.startswith("there is not enough free memory: it needs ")
    assert without_what_is_too_large(plan_of(tmp_path, leaving=False), keep=False).left_out == ()


def test_a_case_that_another_comparison_needs_is_not_left_out(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, leaving=True)
    shared = replace(plan, cases=[replace(plan.cases[1], comparisons=("a", "b"))])
    assert without_what_is_too_large(shared, keep=False).left_out == ()


def test_if_nothing_fits_the_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match=r"nothing of study 's' can be measured here .*free memory"):
        without_what_is_too_large(plan_of(tmp_path, leaving=True, only_large=True), keep=False)


def test_a_case_without_files_that_does_not_fit_into_memory_is_refused(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, leaving=False, only_large=True)
    plan = replace(plan, cases=[replace(case, options={}) for case in plan.cases])
    with pytest.raises(WeirError, match=r"not enough free memory .*the largest case needs"):
        check_before(plan, MockLauncher(lambda *_: ()), keep=False)
