"""How large, how many and how long the jobs of a study are."""

from dataclasses import replace
from pathlib import Path

import pytest

from weir.batch.base import Size
from weir.core.schema import Schema
from weir.errors import ExitCode, WeirError
from weir.jobs.ask import SPARE_S, Share, Wishes, name_of, request_of, share_of, size_of, sizes_of
from weir.measure.plan import Plan, only_on
from weir.site.load import JobDefaults
from weir.study.case import Case
from weir.study.load import parse_study

BUDGET_S = 3000.0
WHOLE_S = SPARE_S + 1.1 * BUDGET_S


def case(ranks: int, threads: int = 1, **placement: int) -> Case:
    return Case("c", "b", ranks, {}, {"threads": threads}, placement=dict(placement))


@pytest.mark.parametrize(
    ("wishes", "longest_s", "share"),
    [
        (Wishes(), None, Share(1, WHOLE_S, BUDGET_S)),
        (Wishes(), 7200.0, Share(1, WHOLE_S, BUDGET_S)),
        (Wishes(), SPARE_S + 1100.0, Share(3, SPARE_S + 1100.0, 1000.0)),
        (Wishes(time_s=SPARE_S + 1111.0), None, Share(3, SPARE_S + 1111.0, 1010.0)),
        (Wishes(jobs=2), None, Share(2, 1920.0, 1680.0 / 1.1)),
        (Wishes(jobs=2, time_s=SPARE_S + 550.0), None, Share(2, SPARE_S + 550.0, 500.0)),
        (Wishes(time_s=1e6), None, Share(1, 1e6, BUDGET_S)),
    ],
)
def test_as_few_jobs_as_the_time_of_one_allows(wishes: Wishes, longest_s: float | None, share: Share) -> None:
    found = share_of(BUDGET_S, wishes, longest_s)
    assert found.jobs == share.jobs
    assert (found.time_s, found.budget_s) == pytest.approx((share.time_s, share.budget_s))


def test_a_job_that_only_begins_and_ends_is_refused() -> None:
    with pytest.raises(WeirError, match="too short"):
        share_of(BUDGET_S, Wishes(time_s=SPARE_S), None)


def test_thousands_of_jobs_are_refused() -> None:
    with pytest.raises(WeirError, match="jobs"):
        share_of(1e6, Wishes(time_s=SPARE_S + 100), None)


@pytest.mark.parametrize(
    ("cases", "size"),
    [
        ([case(2), case(8)], Size(8)),
        ([case(2, nodes=2, ranks_per_node=1), case(8, nodes=1, ranks_per_node=8)], Size(8, 2, 8)),
        ([case(4, nodes=4, ranks_per_node=1), case(6)], Size(6, 4)),
        ([case(2, threads=4)], Size(2, threads=4)),
        ([case(8), case(2, threads=4)], Size(8, threads=4)),  # wherever a rank is, its threads have room
        (
            [case(8, nodes=1, ranks_per_node=8), case(2, threads=4, nodes=1, ranks_per_node=2)],
            Size(8, 1, 8),
        ),
        (
            [case(8, nodes=2, ranks_per_node=4), case(6, threads=2, nodes=2, ranks_per_node=3)],
            Size(8, 2, 4, threads=2),
        ),
    ],
)
def test_a_job_has_room_for_its_largest_case(cases: list[Case], size: Size) -> None:
    assert size_of(cases) == size


def test_named_nodes_each_have_room_for_all_ranks_of_a_case() -> None:
    assert size_of([case(3)], ("n1", "n2")) == Size(3, 2, 3, hosts=("n1", "n2"))


def test_runs_of_one_name_in_two_places_have_jobs_of_two_names() -> None:
    one, other = name_of(Path("/a/run of mine")), name_of(Path("/b/run of mine"))
    assert one != other and one.startswith("weir-run-of-mine-")


def plan(cases: list[Case]) -> Plan:
    return Plan(parse_study('[study]\nname = "s"\n', "s.toml"), Schema("1"), cases, {}, Path())


def test_each_number_of_nodes_has_its_cases_and_their_share_of_the_time() -> None:
    one, two, other = case(1), case(2, nodes=2, ranks_per_node=1), case(4, nodes=2, ranks_per_node=2)
    found = sizes_of(plan([two, one, other, case(8, nodes=8, ranks_per_node=1)]))
    assert [(count, len(part.cases), share) for count, part, share in found] == [
        (0, 1, 0.25),
        (2, 2, 0.5),
        (8, 1, 0.25),
    ]
    assert found[1][1].cases == [two, other]


def test_a_number_of_nodes_that_no_case_has_selects_nothing() -> None:
    with pytest.raises(WeirError, match="no case of 3 nodes") as told:
        only_on(plan([case(2, nodes=2, ranks_per_node=1)]), 3)
    assert told.value.exit_code == ExitCode.NOTHING_SELECTED
    assert only_on(plan([case(2)]), None).cases == [case(2)]


@pytest.mark.parametrize("threads", [(3, 1), (1, 3)])
def test_a_job_has_processors_for_the_case_with_most_threads(threads: tuple[int, int]) -> None:
    assert size_of([case(2, each, nodes=1, ranks_per_node=2) for each in threads]).threads == 3


SPREADING = """
[study]
name = "s"
[[comparison]]
name = "across"
[[comparison]]
name = "within"
nodes_from = 2
"""


@pytest.mark.parametrize(("job_nodes", "nodes"), [(1, None), (4, 4)])
def test_a_job_has_the_nodes_that_were_asked_for(job_nodes: int, nodes: int | None) -> None:
    study = parse_study(SPREADING, "s.toml").in_job_of(job_nodes)
    whole = Plan(study, Schema("1"), [replace(case(2), comparisons=("across",))], {}, Path())
    asked = request_of(whole, Path("/run"), JobDefaults(), Wishes(), Share(1, 600.0, 300.0))
    assert asked.size == Size(2, nodes)


def test_a_job_of_cases_that_only_several_nodes_have_has_several() -> None:
    within = replace(case(2, nodes=1, ranks_per_node=2), comparisons=("within",))
    study = parse_study(SPREADING, "s.toml").in_job_of(4)
    part = Plan(study, Schema("1"), [within], {}, Path())
    asked = request_of(part, Path("/run"), JobDefaults(), Wishes(), Share(1, 600.0, 300.0))
    assert asked.size == Size(2, 2, 2)
