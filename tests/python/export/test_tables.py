"""Tables as data: what stands in which column."""

from pathlib import Path
from typing import Any

import pytest

from export.runs import case, sample, write_small_run
from sample_lines import metrics
from weir.errors import WeirError
from weir.export.format import CellType, find_table, table_names
from weir.export.source import Source
from weir.store.run_directory import RunDirectory


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return write_small_run(tmp_path / "RUN")


def rows(run: RunDirectory, name: str) -> list[dict[str, Any]]:
    made = find_table(name)(Source(run))
    names = [column.name for column in made.columns]
    assert len(set(names)) == len(names)
    found = [dict(zip(names, row, strict=True)) for row in made.rows]
    types = {column.name: column.kind.value for column in made.columns}
    for row in found:
        for key, value in row.items():
            assert value is None or isinstance(value, (int, float) if types[key] is float else types[key]), (
                key
            )
    return found


def test_every_table_fits_its_columns(run: RunDirectory) -> None:
    for name in table_names():
        assert rows(run, name), name


def test_a_sample_has_a_row_with_its_case(run: RunDirectory) -> None:
    found = rows(run, "samples")
    assert [row["sample"] for row in found] == list(range(1, 8))
    first = found[0]
    assert (first["run"], first["case"], first["label"]) == ("RUN", "a", "case, a")
    assert (first["comparisons"], first["phase"], first["repetition"]) == ("one; two", "write", 0)
    assert first["option_block_bytes"] == 4096 and first["option_interval_s"] == 0.5
    assert first["option_limit_bytes_per_s"] == 10
    assert first["option_hint"] == "x=1; y=2" and first["option_direct"] is False
    assert first["env_OMPI_MCA_io"] is None
    assert first["latency_write_p50_s"] == 1e-3 and first["latency_write_p99_s"] is None


def test_what_a_read_says_of_caches_steps_hints_and_warnings(run: RunDirectory) -> None:
    last = rows(run, "samples")[-1]
    assert [last[f"cache_{key}"] for key in ("methods", "suspect", "why")] == [
        "drop",
        False,
        "from, the device",
    ]
    assert [last[f"time_open_{key}"] for key in ("min_s", "max_s", "slowest_rank")] == [0.1, None, 1]
    assert (last["hints"], last["hints_not_in_force"]) == ("cb_nodes=1", "foo=2 (ignored)")
    assert (last["verification_words"], last["verification_wrong"]) == (25, 0)
    assert (last["system_read_calls"], last["system_user_s"]) == (4, 0.1)
    assert last["latency_write_p50_s"] is None
    assert last["warnings"] == "odd; busy"


def test_samples_of_another_state_of_the_machine_are_marked_and_cases_count_them(tmp_path: Path) -> None:
    probes = [{"kind": "state", "launch": 1, "handoff_ns": {"max": time}} for time in (40, 41, 42, 250, 251)]
    taken = [sample("a", "write", 100.0, benchmark="aquifer") for _ in probes[1:]]
    described = case("a") | {"benchmark": "aquifer"}
    lines = [described, *(line for pair in zip(probes, [*taken, None], strict=True) for line in pair if line)]
    run = write_small_run(tmp_path / "RUN", lines)
    found = rows(run, "samples")
    assert [row["set_aside"] for row in found] == [False, False, True, True]
    assert (found[2]["handoff_before_ns"], found[2]["handoff_after_ns"]) == (42, 250)
    (of_case,) = rows(run, "cases")
    assert (of_case["samples"], of_case["set_aside"]) == (2, 2)


def test_every_metric_has_a_column_and_so_has_what_a_benchmark_tells_in_single_values(tmp_path: Path) -> None:
    run = write_small_run(
        tmp_path / "RUN",
        [
            sample("x", "write", details={"steps": 4, "bytes": 7, "tree": {"a": 1}, "mixed": 1}),
            sample("x", "run", None, metrics=metrics(elapsed_s=2.0, cell_updates_per_s=9.0)),
            sample("x", "run", details={"steps": None, "mixed": [1]}),
        ],
    )
    made = find_table("samples")(Source(run))
    names = [column.name for column in made.columns]
    assert len(names) == len(set(names)), "the time is a column of every sample"
    assert not {"tree", "mixed"} & set(names)
    write, whole, last = rows(run, "samples")
    assert (write["bandwidth_bytes_per_s"], write["cell_updates_per_s"]) == (100.0, None)
    assert (write["steps"], write["bytes"], write["details_bytes"]) == (4, 200, 7)
    assert (whole["bandwidth_bytes_per_s"], whole["cell_updates_per_s"], whole["steps"]) == (None, 9.0, None)
    assert last["steps"] is None
    assert next(column.kind for column in made.columns if column.name == "steps") is CellType.INTEGER


def test_a_case_has_a_row_for_each_phase_and_a_failed_one_a_row_too(run: RunDirectory) -> None:
    write, read, failed = rows(run, "cases")
    assert (write["phase"], write["samples"], write["median"]) == ("write", 6, 102.5)
    assert (write["low"], write["high"], write["verdict"]) == (100.0, 105.0, "precise")
    assert (write["metric"], write["unit"], write["warnings"]) == ("bandwidth_bytes_per_s", "B/s", "busy")
    assert (read["samples"], read["low"], read["cache_suspect_share"]) == (1, None, 0.0)
    assert (failed["case"], failed["phase"], failed["median"]) == ("b", None, None)
    assert (failed["verdict"], failed["failures"]) == ("failed", "cannot write (full). Free it")
    assert failed["env_OMPI_MCA_io"] == "romio321"


def test_a_histogram_has_a_row_for_each_bin(run: RunDirectory) -> None:
    found = rows(run, "histogram")
    assert len(found) == 6 * 2
    assert [(row["upper_bound_s"], row["requests"]) for row in found[:2]] == [(1e-3, 2), (4e-3, 1)]
    assert found[-1]["sample"] == 6 and found[-1]["operation"] == "write"


def test_the_last_interval_ends_with_the_phase(run: RunDirectory) -> None:
    found = rows(run, "timeline")
    assert [row["bytes"] for row in found] == [50, 100, 50]
    assert found[1]["end_s"] == pytest.approx(0.2)
    assert found[2]["end_s"] == 0.25
    assert found[2]["bandwidth_bytes_per_s"] == pytest.approx(50 / 0.05)


def test_samples_of_a_case_that_no_line_describes_are_not_lost(tmp_path: Path) -> None:
    run = write_small_run(tmp_path / "RUN", [sample("x", "write")])
    (row,) = rows(run, "samples")
    assert (row["case"], row["label"], row["bytes"]) == ("x", None, 200)


def test_options_of_unlike_types_become_text(tmp_path: Path) -> None:
    cases = [
        {"kind": "case", "case": name, "benchmark": "storage", "options": {"odd": value}}
        for name, value in (("a", 1), ("b", "two"), ("c", None))
    ]
    run = write_small_run(tmp_path / "RUN", cases)
    made = find_table("cases")(Source(run))
    assert next(column.kind for column in made.columns if column.name == "option_odd") is CellType.TEXT
    assert [row["option_odd"] for row in rows(run, "cases")] == ["1", "two", None]


def test_an_unknown_table_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        WeirError, match=r"known are cases, histogram, samples, timeline\)\. Did you mean 'samples'"
    ):
        find_table("sample")
