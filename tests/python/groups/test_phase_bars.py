"""Runs by phase: stacked bars, the best groups, and what cannot be told."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from grouped_samples import case, rows_of
from rows import row
from weir.analyse.statistics import estimate_median
from weir.figures.figure import Finding, State
from weir.figures.stacked_bars import REST
from weir.groups.questions.phase_bars import judge_phase_bars, phase_bars
from weir.questions.question import draw
from weir.results.row import Row

SIZES = ("1", "2", "4")


def grouped(*sizes: str, ranks: int = 4, **options: Any) -> list[dict[str, Any]]:
    return [case(read_group=size, write_group=size, ranks=ranks, **options) for size in sizes]


def judged(rows: list[Row]) -> Finding:
    finding = judge_phase_bars(rows, {})
    assert finding is not None
    return finding


def bars(spec: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The seconds of each part, by the label of its bar."""
    found: dict[str, dict[str, float]] = {}
    for value in spec["data"]["values"]:
        found.setdefault(value["label"], {})[value["part"]] = value["seconds"]
    return found


def wholes(spec: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = spec["layer"][1]["data"]["values"]
    return found


def test_parts_and_what_they_leave_add_up_to_the_total() -> None:
    rows = rows_of(grouped(*SIZES))
    (panel,) = phase_bars(rows, {})
    found = bars(panel.spec)
    assert list(found) == ["no groups", "groups of 2", "groups of 4"]
    for one, parts in zip(rows, found.values(), strict=True):
        assert list(parts) == ["initialisation", "solve", "write", REST]
        assert sum(parts.values()) == pytest.approx(one.median, rel=1e-4)
    assert [(one["low"], one["high"]) for one in wholes(panel.spec)] == [(one.low, one.high) for one in rows]


def test_a_panel_a_number_of_ranks_on_one_scale() -> None:
    rows = rows_of([*grouped(*SIZES), *grouped(*SIZES, ranks=8)])
    panels = phase_bars(rows, {})
    assert [panel.title for panel in panels] == ["4 ranks", "8 ranks"]
    domains = [panel.spec["layer"][0]["encoding"]["y"]["scale"]["domain"] for panel in panels]
    assert domains[0] == domains[1] and domains[0][1] >= max(one.high or 0 for one in rows)


def test_the_best_groups_with_the_reason() -> None:
    finding = judged(rows_of(grouped(*SIZES)))
    (said,) = finding.sentences
    assert said.startswith("Best here: groups of 4 ranks, because it gains most of 3 cases measured, in its ")
    assert " total: against no groups 1." in said and "(n = 12 pairs); median " in said
    assert ", with no groups " in said
    assert "initialisation 2." in said and "write 2." in said and "(n = 12 pairs)" in said
    assert finding.title.startswith("The run is quickest with groups of 4 ranks, 1.")
    assert finding.state is State.ANSWERED
    assert "12 samples a case" in finding.conditions


def test_overlapping_totals_cannot_be_told_apart() -> None:
    rows = rows_of(grouped("1", "2", ranks=1), noise=0.3)
    finding = judged(rows)
    (said,) = finding.sentences
    assert said.startswith("It cannot be told which groups are best here: ") and "tell them apart" not in said
    assert finding.title == "It cannot be told whether groups of ranks make the run quicker"
    assert finding.state is State.OPEN and finding.open_cases >= {rows[0].case}


def test_too_few_samples_cannot_tell_and_have_no_interval() -> None:
    rows = rows_of(grouped(*SIZES), count=3)
    finding = judged(rows)
    assert "cannot be told" in finding.title and "no interval" in finding.sentences[0]
    assert "3 samples a case; below 6 there is no interval." in finding.conditions
    (panel,) = phase_bars(rows, {})
    assert all(one["low"] is None and one["short"].endswith("(n = 3)") for one in wholes(panel.spec))


def test_overlapping_intervals_are_said_to_where_pairs_tell_the_cases_apart() -> None:
    without, groups = rows_of(grouped("1", "4"))
    drifting = [
        with_total(one, [total * (1 + n) for n, total in enumerate(one.samples)]) for one in (without, groups)
    ]
    (said,) = judged(drifting).sentences
    assert said.startswith("Best here: groups of 4 ranks")
    assert "their intervals overlap, but pairs of samples taken in turns tell them apart" in said


def with_total(one: Row, totals: list[float]) -> Row:
    """The row with other totals."""
    records = [
        structs.replace(
            record, metrics=[structs.replace(record.metrics[0], value=total), *record.metrics[1:]]
        )
        for record, total in zip(one.records, totals, strict=True)
    ]
    estimate = estimate_median(totals)
    assert estimate is not None
    metrics = (replace(one.metrics[0], estimate=estimate), *one.metrics[1:])
    return replace(one, records=tuple(records), metrics=metrics)


@pytest.mark.parametrize(
    ("default", "grouped_s", "best"),
    [
        ([10.0] * 4 + [20.0] * 8, [11.0] * 4 + [21.0] * 3 + [15.0] * 5, "no groups"),
        ([10.0] * 4 + [20.0] * 8, [9.0] * 4 + [19.0] * 3 + [5.0] * 5, "groups of 4 ranks"),
    ],
    ids=["slower", "faster"],
)
def test_pairs_count_where_medians_say_something_else(
    default: list[float], grouped_s: list[float], best: str
) -> None:
    """Groups have the smaller median both times: 15 and 9 s against 20 s."""
    without, groups = rows_of(grouped("1", "4"))
    said = judged([with_total(without, default), with_total(groups, grouped_s)]).sentences[0]
    assert said.startswith(f"Best here: {best}, because ")
    assert ("a gain is the median of pairs of samples" in said) == (best != "no groups")


def test_no_groups_may_be_the_best() -> None:
    sizes = ("4", "1")
    rows = rows_of(
        case(name, read_group=size, write_group=size) for name, size in zip("ab", sizes, strict=True)
    )
    made = [
        replace(one, options={"read_group": size, "write_group": size})
        for one, size in zip(rows, reversed(sizes), strict=True)
    ]
    finding = judged(made)
    assert finding.sentences[0].startswith(
        "Best here: no groups, because the only other case does not gain in its total: the nearest, groups "
    )
    assert finding.title == "The run is quickest without groups of ranks"


def test_groups_that_are_not_surely_slower_are_named() -> None:
    options = [{"group_by": kind} for kind in ("count", "node")]
    rows = rows_of([one for more in options for one in grouped("1", "4", **more)])
    (said,) = judged(rows).sentences
    assert "; not surely slower is groups of 4, ranks grouped by" in said


def test_an_automatic_size_is_told_with_what_was_chosen() -> None:
    (panel,) = phase_bars(rows_of([*grouped("1", "auto"), case(read_group="1", write_group="auto")]), {})
    assert list(bars(panel.spec)) == ["no groups", "groups of 2|(auto)", "read 1|write 2|(auto)"]


def test_with_the_analytic_model_no_total_is_compared() -> None:
    finding = judged(rows_of(grouped(*SIZES, model="analytic")))
    (said,) = finding.sentences
    assert (
        "because it gains most of 3 cases measured, in its initialisation and write (not of the total: "
        in said
    )
    assert "(not of the total: its solve time is a fixed waiting time, not a computation)" in said
    assert "solve 1." not in said and "solve 0." not in said
    assert finding.title.startswith("Initialisation and write are quickest with groups of 4 ranks")
    assert "With the analytic model no total is compared" in finding.conditions


def test_the_title_is_that_of_a_total_where_there_is_one() -> None:
    both = [one for model in ("analytic", "flow") for one in grouped(*SIZES, model=model)]
    finding = judged(rows_of(both))
    assert finding.title.startswith("The run is quickest with groups of 4 ranks")
    assert finding.title.endswith(", with computed flow") and len(finding.sentences) == 2


def test_medians_that_exceed_the_total_are_said_to() -> None:
    rows = rows_of(grouped("1", "4"), rest=-0.1)
    (panel,) = phase_bars(rows, {})
    assert all(REST not in parts for parts in bars(panel.spec).values())
    assert "In 2 of 2 cases the medians of the parts add up to more than that of the total" in (
        judged(rows).conditions
    )


def test_without_groups_it_says_what_takes_most() -> None:
    finding = judged(rows_of([case(files="one")]))
    assert finding.title.startswith("Write takes most of a run, ")
    assert finding.asked == ()


def test_other_runs_have_no_such_figure() -> None:
    assert draw("phase-bars", [row("write", 1000)], {}) is None


def test_a_panel_a_comparison_where_there_are_several() -> None:
    rows = rows_of(grouped(*SIZES))
    rows = [
        replace(rows[0], comparisons=("one", "other")),
        *(replace(r, comparisons=("one",)) for r in rows[1:]),
    ]
    panels = phase_bars(rows, {})
    assert [panel.title for panel in panels] == ["One", "Other"]
    assert [len(bars(panel.spec)) for panel in panels] == [3, 1]
