"""A bar a machine, divided into its operations."""

from typing import Any

import pytest

from cloud_rows import run_row, runs
from cloud_runs import LARGE, SMALL
from rows import row
from weir.analyse.io_account import OPERATIONS
from weir.figures._theme import DARK_SERIES, LIGHT_SERIES
from weir.figures.io_time import io_time
from weir.findings.printed import Printed

COLUMNS = ("operation", "count", "total_s", "average_s")
SP = Printed("IBM SP", "table 1", "calls", COLUMNS, (("open", 200, 31.35, 3.9), ("seek", 1225, 0.05, 0.1)))


def test_the_shares_of_every_machine_add_up_to_the_whole() -> None:
    drawing = io_time([run_row(runs(SMALL), SP)], {})
    assert drawing is not None
    (panel,) = drawing.panels
    values: list[dict[str, Any]] = panel.spec["data"]["values"]
    machines = {value["machine"] for value in values}
    assert machines == {"here, 690 ms", "IBM SP, 4.00 s"}
    for machine in machines:
        assert sum(value["share"] for value in values if value["machine"] == machine) == pytest.approx(
            1.0, abs=1e-4
        )


def test_operations_come_in_the_order_of_the_paper_and_only_if_they_take_time() -> None:
    with_seeks, without = (io_time([run_row(runs(SMALL), *more)], {}) for more in ((SP,), ()))
    assert with_seeks and without
    domain = with_seeks.panels[0].spec["encoding"]["color"]["scale"]["domain"]
    assert domain == ["open", "close", "read", "write", "seek", "communication", "sync"]
    assert "seek" not in without.panels[0].spec["encoding"]["color"]["scale"]["domain"]


def test_each_operation_has_a_colour_of_its_own() -> None:
    for colours in (LIGHT_SERIES, DARK_SERIES):
        assert len(set(colours)) >= len(OPERATIONS)


def test_a_panel_a_case() -> None:
    drawing = io_time([run_row(runs(SMALL)), run_row(runs(LARGE))], {})
    assert drawing is not None
    assert [panel.title for panel in drawing.panels] == [
        "128 x 128 x 64 cells, 8 ranks",
        "256 x 256 x 128 cells, 64 ranks",
    ]


def test_other_benchmarks_have_no_such_figure() -> None:
    assert io_time([row("write", 1000)], {}) is None
