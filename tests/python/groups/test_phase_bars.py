"""Runs by phase: stacked bars, the best groups, and what cannot be told."""

import re
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from grouped_samples import case, rows_of
from rows import row
from weir.analyse.statistics import estimate_median
from weir.answers.answer import Answer, Certainty, Choice, Quantity, Ratio
from weir.figures.figure import Finding
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


def choice(answer: Answer) -> Choice:
    assert isinstance(answer.value, Choice)
    return answer.value


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
    (answer,) = finding.answers
    assert (answer.subject, answer.certainty, answer.words) == ((), Certainty.SURE, {"best": "groups of 4"})
    assert (answer.action, answer.open_cases, finding.certainty) == ("choose", frozenset(), Certainty.SURE)
    gain = choice(answer)
    assert (gain.best, gain.other, gain.differs) == ("groups of 4", "no groups", True)
    assert gain.ratio.times == pytest.approx(7.5 / 4.5, rel=0.03) and gain.ratio.n == 12
    assert gain.ratio.low and gain.ratio.high and 1.6 < gain.ratio.low < gain.ratio.high < 1.8
    numbers = {one.subject: one.value for one in finding.numbers}
    assert numbers["groups of 4", "no groups", "total"] == replace(gain.ratio, unit="times as fast")
    for part, times in (("initialisation", 2.1 / 0.9), ("write", 3.4 / 1.6)):
        found = numbers["groups of 4", "no groups", part]
        assert isinstance(found, Ratio) and found.times == pytest.approx(times, rel=0.03) and found.n == 12
    for name in ("no groups", "groups of 4"):
        total = numbers[name, "", "total"]
        assert isinstance(total, Quantity) and total.low and total.n == 12


def test_overlapping_totals_cannot_be_told_apart() -> None:
    rows = rows_of(grouped("1", "2", ranks=1), noise=0.3)
    (answer,) = judged(rows).answers
    assert (answer.value, answer.certainty, answer.action) == (None, Certainty.OPEN, "more-samples")
    assert answer.open_cases == {row.case for row in rows}


def test_too_few_samples_cannot_tell_and_have_no_interval() -> None:
    rows = rows_of(grouped(*SIZES), count=3)
    finding = judged(rows)
    (answer,) = finding.answers
    assert (answer.value, answer.certainty) == (None, Certainty.OPEN)
    gain = next(one.value for one in finding.numbers if one.subject == ("groups of 4", "no groups", "total"))
    assert isinstance(gain, Ratio) and (gain.low, gain.high, gain.n) == (None, None, 3)
    (panel,) = phase_bars(rows, {})
    assert all(one["low"] is None and one["short"].endswith("(n = 3)") for one in wholes(panel.spec))


def test_pairs_tell_cases_apart_whose_intervals_overlap() -> None:
    without, groups = rows_of(grouped("1", "4"))
    drifting = [
        with_total(one, [total * (1 + n) for n, total in enumerate(one.samples)]) for one in (without, groups)
    ]
    finding = judged(drifting)
    assert (finding.certainty, choice(finding.answers[0]).best) == (Certainty.SURE, "groups of 4")
    totals = {one.subject[0]: one.value for one in finding.numbers if one.subject[1:] == ("", "total")}
    slow, fast = totals["no groups"], totals["groups of 4"]
    assert isinstance(slow, Quantity) and isinstance(fast, Quantity)
    assert slow.low is not None and fast.high is not None and slow.low < fast.high


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
        ([10.0] * 4 + [20.0] * 8, [9.0] * 4 + [19.0] * 3 + [5.0] * 5, "groups of 4"),
    ],
    ids=["slower", "faster"],
)
def test_pairs_count_where_medians_say_something_else(
    default: list[float], grouped_s: list[float], best: str
) -> None:
    """Groups have the smaller median both times: 15 and 9 s against 20 s."""
    without, groups = rows_of(grouped("1", "4"))
    finding = judged([with_total(without, default), with_total(groups, grouped_s)])
    totals = [one.value for one in finding.numbers if one.subject[1:] == ("", "total")]
    assert [one.median for one in totals if isinstance(one, Quantity)] == [
        20,
        {"no groups": 15, "groups of 4": 9}[best],
    ]
    found = choice(finding.answers[0])
    assert (found.best, found.ratio.n) == (best, 12)
    # The quotient of the medians would be that of groups, 20 s over theirs.
    pairs = sorted(one / other for one, other in zip(default, grouped_s, strict=True))
    middle = (pairs[5] + pairs[6]) / 2
    assert found.ratio.times == pytest.approx(max(middle, 1 / middle))


def test_no_groups_may_be_the_best() -> None:
    sizes = ("4", "1")
    rows = rows_of(
        case(name, read_group=size, write_group=size) for name, size in zip("ab", sizes, strict=True)
    )
    made = [
        replace(one, options={"read_group": size, "write_group": size})
        for one, size in zip(rows, reversed(sizes), strict=True)
    ]
    (answer,) = judged(made).answers
    found = choice(answer)
    assert (found.best, found.other, found.differs) == ("no groups", "groups of 4", True)
    assert (answer.certainty, answer.words) == (Certainty.SURE, {"best": "no groups"})
    assert 1.6 < found.ratio.times < 1.8 and found.ratio.low and found.ratio.low > 1.6


def test_groups_that_are_not_surely_slower_are_named() -> None:
    options = [{"group_by": kind} for kind in ("count", "node")]
    rows = rows_of([one for more in options for one in grouped("1", "4", **more)])
    finding = judged(rows)
    (answer,) = finding.answers
    assert answer.certainty is Certainty.WITHIN and choice(answer).differs
    assert answer.open_cases == {row.case for row in rows if row.options["read_group"] == "4"}
    best = choice(answer).best
    (lead,) = [
        one for one in finding.numbers if one.subject[0] == best and one.subject[1].startswith("groups of 4")
    ]
    assert lead.subject[2] == "total" and lead.remark == "equal within 10 %"


def test_an_automatic_size_is_told_with_what_was_chosen() -> None:
    (panel,) = phase_bars(rows_of([*grouped("1", "auto"), case(read_group="1", write_group="auto")]), {})
    assert list(bars(panel.spec)) == ["no groups", "groups of 2|(auto)", "read 1|write 2|(auto)"]


def test_with_the_analytic_model_no_total_is_compared() -> None:
    finding = judged(rows_of(grouped(*SIZES, model="analytic")))
    (answer,) = finding.answers
    assert answer.subject == ("initialisation and write",) and choice(answer).best == "groups of 4"
    gained = {one.subject[2] for one in finding.numbers if one.subject[1]}
    assert gained == {"initialisation and write", "initialisation", "write"}
    totals = [one.remark for one in finding.numbers if one.subject[2] == "total"]
    assert totals == ["solve only waits"] * 3


def test_a_total_weighs_more_than_a_part() -> None:
    both = [one for model in ("analytic", "flow") for one in grouped(*SIZES, model=model)]
    finding = judged(rows_of(both))
    part, total = finding.answers
    assert (part.subject[0], total.subject) == ("initialisation and write", ("computed flow",))
    assert total.weight > part.weight and choice(total).ratio.times < choice(part).ratio.times


def test_medians_that_exceed_the_total_are_said_to() -> None:
    rows = rows_of(grouped("1", "4"), rest=-0.1)
    (panel,) = phase_bars(rows, {})
    assert all(REST not in parts for parts in bars(panel.spec).values())
    left = [one for one in judged(rows).numbers if one.subject[2] == REST]
    assert len(left) == 2 and all(one.value is None for one in left)
    for one in left:
        share = re.fullmatch("parts exceed total by ([0-9.]+) %", one.remark)
        assert share and float(share[1]) == pytest.approx(10, abs=0.5)


def test_without_groups_it_says_what_takes_most() -> None:
    finding = judged(rows_of([case(files="one")]))
    (answer,) = finding.answers
    assert answer.subject == ("write",) and finding.certainty is None
    assert answer.certainty is Certainty.WITHIN
    (few,) = judged(rows_of([case(files="one")], count=3)).answers
    assert (few.certainty, few.action) == (Certainty.OPEN, "more-samples")
    share = answer.value
    assert isinstance(share, Ratio) and (share.unit, share.n) == ("%", 12)
    assert share.times == pytest.approx(3.4 / 7.9, abs=0.01)


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
