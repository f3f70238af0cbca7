"""Which parts of the machine's study are measured, and in which shares of the time."""

import pytest

from weir.errors import WeirError
from weir.evaluation.selection import Selection, read_selection, selected
from weir.questions.asked import check_asked
from weir.study.load import Study, find_study, load_study, parse_study, render_study
from weir.study.parts import shares_of


@pytest.fixture(scope="module")
def machine() -> Study:
    return load_study(find_study("machine"))


def parts_asked(study: Study) -> set[str]:
    return {one.part for one in study.comparisons if not one.optional}


def test_the_whole_machine_is_four_parts(machine: Study) -> None:
    study = selected(machine, Selection())
    assert parts_asked(study) == {"memory", "compute", "network", "storage"}
    assert study.budget_s == machine.budget_s == 540
    assert sum(shares_of(study.file).values()) == pytest.approx(1)


def test_only_some_parts_take_their_time_alone(machine: Study) -> None:
    study = selected(machine, read_selection("memory, network", [], full=False))
    assert parts_asked(study) == {"memory", "network"}
    assert study.budget_s == pytest.approx(540 * 0.35)
    assert parse_study(render_study(study), "again").budget_s == study.budget_s
    shares = shares_of(study.file)
    assert shares["memory"] / shares["network"] == pytest.approx(0.15 / 0.2)


def test_a_share_leaves_the_rest_to_others_in_proportion(machine: Study) -> None:
    shares = shares_of(selected(machine, read_selection(None, ["storage=50%"], full=False)).file)
    assert shares["storage"] == pytest.approx(0.5)
    assert sum(shares.values()) == pytest.approx(1, abs=1e-5)
    assert shares["compute"] / shares["memory"] == pytest.approx(2, rel=1e-4)


def test_the_storage_alone_has_a_study_of_its_own() -> None:
    assert Selection(("storage",)).study == "quick"
    assert Selection(("storage",), full=True).study == Selection(("storage", "memory")).study == "machine"
    quick = load_study(find_study("quick"))
    assert selected(quick, Selection(("storage",))) is quick


def test_in_full_each_paper_is_a_part_with_its_own_time(machine: Study) -> None:
    study = check_asked(selected(machine, Selection(full=True)))
    papers = {name: load_study(find_study(name)) for name in ("hpcc", "imb")}
    assert study.budget_s == 540 + sum(paper.budget_s for paper in papers.values())
    for name, paper in papers.items():
        own = [one for one in study.comparisons if one.part == name]
        assert [one.name for one in own] == [one.name for one in paper.comparisons]
        assert all(one.fixed.keys() | one.axes.keys() >= paper.file.fixed.keys() for one in own)
        assert all(one.if_crowded == "leave out" for one in own)
        assert shares_of(study.file)[name] == pytest.approx(paper.budget_s / study.budget_s, rel=1e-4)
    assert parse_study(render_study(study), "again").file == study.file


@pytest.mark.parametrize("share", [25, 20])
def test_shares_of_all_parts_are_in_proportion(machine: Study, share: int) -> None:
    asked = [f"{name}={share}%" for name in shares_of(machine.file)]
    shares = shares_of(selected(machine, read_selection(None, asked, full=False)).file)
    assert len(asked) == 4 and set(shares.values()) == {0.25}


@pytest.mark.parametrize(
    ("only", "shares", "said"),
    [
        ("memry", [], "there is no part 'memry'"),
        ("", [], "there is no part ''"),
        (None, ["storage"], "has no ="),
        (None, ["storage=half"], "'half' is not a share"),
        (None, ["storage=10%", "storage=20%"], "has one share"),
        (None, ["store=10%"], "there is no part 'store'"),
        (None, ["storage=100%"], "leaves nothing for memory, compute, network"),
        (None, ["storage=0%"], "cannot be"),
        ("memory", ["memory=120%"], "cannot be"),
        ("memory,network", ["storage=20%"], "--only leaves it out"),
    ],
)
def test_what_cannot_be_is_refused(machine: Study, only: str | None, shares: list[str], said: str) -> None:
    with pytest.raises(WeirError, match=said):
        selected(machine, read_selection(only, shares, full=False))


def test_a_study_without_parts_shares_no_time() -> None:
    with pytest.raises(WeirError, match="no part of study 'quick'"):
        selected(load_study(find_study("quick")), read_selection("storage", ["storage=50%"], full=False))
