"""In which calls a rank's I/O time goes, here and as printed; and its figure."""

from typing import Any

import pytest

from cloud_rows import account, run_row, runs
from cloud_runs import LARGE, SMALL
from rows import found, row
from weir.answers.answer import Certainty, Quantity, Ratio
from weir.figures.operation_colours import colour
from weir.figures.render import still
from weir.io_account.questions.io_time import io_cases, io_times, judge_io_time
from weir.questions.question import draw
from weir.results.printed import Printed

NAMES = ["128 x 128 x 64 cells, 8 ranks", "256 x 256 x 128 cells, 64 ranks"]
COLUMNS = ("operation", "count", "total_s", "average_s")


def sp(*rows: tuple[Any, ...]) -> Printed:
    return Printed("IBM SP", "table 1", "calls", COLUMNS, rows)


SP = sp(("open", 200, 31.35, 1.0), ("communication", 5608, 83.39, 3.0))
SEEKING = sp(("open", 200, 31.35, 3.9), ("seek", 1225, 0.05, 0.1))
OTHER_TABLE = Printed("IBM SP", "table 2", "requests", ("operation", "24B"), (("read", 1),))


def test_times_are_averages_a_rank() -> None:
    here, sp = io_times(account(SMALL), (SP, OTHER_TABLE))
    assert here.by_operation == pytest.approx(
        {"open": 0.1, "close": 0.01, "read": 0.05, "write": 0.2, "communication": 0.3, "sync": 0.03}
    )
    assert here.total_s == pytest.approx(0.69)
    assert here.longest == "communication"
    assert (sp.machine, sp.total_s, sp.share("communication")) == ("IBM SP", 4.0, 0.75)
    assert sp.share("write") == 0.0


def test_the_answer_is_what_takes_most_and_the_numbers_are_of_each_machine() -> None:
    finding = found(judge_io_time, [run_row(runs(SMALL, write=24.0), SP)])
    (answer,) = finding.answers
    share = Ratio(pytest.approx(3.0 / 3.49), None, None, 7, "of the I/O time", "%")
    assert (answer.subject, answer.value) == (("writing",), share)
    assert finding.certainty is None, "it shows numbers and decides nothing"
    numbers = {one.subject[1:]: one for one in finding.numbers}
    assert {one.subject[0] for one in finding.numbers} == {NAMES[0]}
    here, sp = (numbers[machine, "all"] for machine in ("here", "IBM SP"))
    assert isinstance(here.value, Quantity) and isinstance(sp.value, Quantity)
    assert (here.value.median, here.value.n, here.remark) == (pytest.approx(3.49), 7, "")
    assert (sp.value.median, sp.value.n, sp.remark) == (4.0, 1, "printed")
    assert [one for machine, one in numbers if machine == "IBM SP"] == ["all", "open", "communication"]
    waits = numbers["IBM SP", "communication"]
    assert (waits.value, waits.remark) == (Ratio(0.75, None, None, 1, unit="%"), "3.00 s")
    assert numbers["IBM SP", "open"].value == Ratio(0.25, None, None, 1, unit="%")


def test_few_runs_leave_it_open() -> None:
    (answer,) = found(judge_io_time, [run_row(runs(SMALL, 5))]).answers
    assert (answer.certainty, answer.action) == (Certainty.OPEN, "more-samples")


def test_what_a_run_computes_has_its_interval() -> None:
    finding = found(judge_io_time, [run_row(runs(SMALL))])
    time, rate = (one.value for one in finding.numbers[-2:])
    assert isinstance(time, Quantity) and isinstance(rate, Quantity)
    assert [one.subject[2] for one in finding.numbers[-2:]] == ["computing", "updates of cells"]
    assert (time.median, time.low, time.high, time.n) == (8.0, 8.0, 8.0, 7)
    assert (rate.median, rate.metric.unit, rate.n) == (2621440.0, "1/s", 7)


def test_several_cases_are_told_apart() -> None:
    finding = found(judge_io_time, [run_row(runs(SMALL)), run_row(runs(LARGE))])
    assert [answer.subject[0] for answer in finding.answers] == NAMES
    assert {answer.certainty for answer in finding.answers} == {Certainty.WITHIN}
    assert list(dict.fromkeys(number.subject[0] for number in finding.numbers)) == NAMES
    alike = [run_row(runs(SMALL), backend=backend) for backend in ("posix", "hdf5")]
    assert [case.name for case in io_cases(alike)] == [f"{NAMES[0]}, posix", f"{NAMES[0]}, hdf5"]


def test_calls_that_cannot_be_seen_take_no_part() -> None:
    """Through other back-ends than the two-phase library nobody sees seeks and messages."""
    samples = runs(SMALL)
    for sample in samples:
        calls = sample.details["io"]["calls"]
        calls["seek"] = {"count": None, "total_s": None}
        calls["communication"] = {"count": None, "total_s": None, "waiting_s": None}
    seen = run_row(samples)
    (here,) = io_cases([seen])[0].times
    assert sorted(here.by_operation) == ["close", "open", "read", "sync", "write"]
    (answer,) = found(judge_io_time, [seen]).answers
    assert answer.subject == ("writing",)


def test_without_a_run_there_is_nothing_to_say() -> None:
    assert judge_io_time([row("write", 1000)], {}) is None
    nothing = dict.fromkeys(("open", "close", "communication"), 0.0) | {"read": 1e-9, "write": 1e-9}
    assert judge_io_time([run_row(runs(SMALL, **nothing))], {}) is not None


def test_only_tables_of_calls_are_times() -> None:
    requests = Printed("Paragon", "table 5", "requests", COLUMNS, (("read", 10, 20.0, 2.0),))
    assert [times.machine for times in io_times(account(SMALL), (requests, SP))] == ["here", "IBM SP"]


def test_the_shares_of_every_machine_add_up_to_the_whole() -> None:
    drawing = draw("io-time", [run_row(runs(SMALL), SEEKING)], {})
    assert drawing is not None
    (panel,) = drawing.panels
    values: list[dict[str, Any]] = panel.spec["data"]["values"]
    machines = {value["machine"] for value in values}
    assert machines == {"here, 690 ms", "IBM SP, 4.00 s"}
    for machine in machines:
        shares = [value["share"] for value in values if value["machine"] == machine]
        assert sum(shares) == pytest.approx(1.0, abs=1e-4)


def test_operations_come_in_the_order_of_the_paper_and_only_if_they_take_time() -> None:
    with_seeks, without = (draw("io-time", [run_row(runs(SMALL), *more)], {}) for more in ((SEEKING,), ()))
    assert with_seeks and without
    shown = with_seeks.panels[0].spec["encoding"]["color"]["legend"]["values"]
    assert shown == ["open", "close", "read", "write", "seek", "communication", "sync"]
    assert "seek" not in without.panels[0].spec["encoding"]["color"]["legend"]["values"]


def test_an_operation_has_its_colour_in_every_report() -> None:
    for more in ((SEEKING,), ()):
        drawing = draw("io-time", [run_row(runs(SMALL), *more)], {})
        assert drawing is not None
        svg = still(drawing)
        for operation in ("open", "sync"):
            assert f'fill="{colour(operation)}"' in svg


def test_a_panel_a_case() -> None:
    drawing = draw("io-time", [run_row(runs(SMALL)), run_row(runs(LARGE))], {})
    assert drawing is not None and [panel.title for panel in drawing.panels] == NAMES


def test_other_benchmarks_have_no_such_figure() -> None:
    assert draw("io-time", [row("write", 1000)], {}) is None
