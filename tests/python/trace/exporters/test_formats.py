"""Traces in other programs' formats, read back: every call and byte is there."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from weir.errors import WeirError
from weir.trace.exporter import exporter_names, find_exporter
from weir.trace.load import load_trace
from weir.trace.model import Trace

from ..programs import weir
from ..synthetic import COMMUNICATOR, SEND, rows_of_rank, write_trace

WRITES = 20


@pytest.fixture
def trace(tmp_path: Path) -> Trace:
    return load_trace(write_trace(tmp_path / "T", {rank: rows_of_rank(rank, WRITES) for rank in (0, 3)}))


def exported(trace: Trace, name: str) -> bytes:
    out = io.BytesIO()
    find_exporter(name).write(trace, out)
    return out.getvalue()


def csv_rows(trace: Trace) -> list[dict[str, str]]:
    text = exported(trace, "csv").decode("utf-8", "surrogateescape")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def calls(trace: Trace) -> Iterator[tuple[str, str, int]]:
    """What the trace holds, one by one and from its records: rank, call, begin in ns."""
    for lane in trace.lanes:
        for record in lane.records:
            name = trace.calls[lane.call_index[record["call"]]].name
            yield str(lane.rank), name, int(record["begin_ticks"]) - int(lane.clock.ticks) + lane.clock.ns


def test_csv_has_a_row_for_each_call(trace: Trace) -> None:
    rows = csv_rows(trace)
    assert len(rows) == trace.records == 2 * (2 * WRITES + 3)
    told = [(row["rank"], row["call"], int(row["begin_ns"])) for row in rows]
    assert told == list(calls(trace))
    moved = sum(int(row["moved_bytes"] or 0) for row in rows if row["interface"] == "POSIX")
    assert moved == 2 * (WRITES + 1) * 4096


def test_csv_tells_datasets_errors_and_what_is_unknown(trace: Trace) -> None:
    opened, inner, outer, *_, read, closed = csv_rows(trace)[: 2 * WRITES + 3]
    assert (opened["offset_bytes"], opened["length_bytes"], opened["moved_bytes"]) == ("", "", "")
    assert opened["file"] == r"/data/out-0, it's\xff" and opened["dataset"] == ""
    assert (inner["level"], inner["collective"]) == ("1", "false")
    assert (outer["level"], outer["collective"], outer["dataset"]) == ("0", "true", "density")
    assert outer["file"] == opened["file"]
    assert (read["length_bytes"], read["moved_bytes"], read["error"]) == ("8192", "4096", "")
    assert (closed["moved_bytes"], closed["error"]) == ("", "9")


def test_parquet_holds_the_same_as_csv_and_a_row_group_for_each_batch(trace: Trace, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    path = tmp_path / "calls.parquet"
    path.write_bytes(exported(trace, "parquet"))
    assert parquet.ParquetFile(path).num_row_groups == len(list(trace.batches()))
    table = parquet.read_table(path).to_pylist()
    assert list(table[0]) == list(csv_rows(trace)[0])
    for row, text in zip(table, csv_rows(trace), strict=True):
        for name, cell in row.items():
            shown = "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)
            assert shown.replace("\ufffd", r"\xff") == text[name], name


def test_perfetto_has_every_call_on_its_rank_and_nests(trace: Trace) -> None:
    events = json.loads(exported(trace, "perfetto"))["traceEvents"]
    complete = [event for event in events if event["ph"] == "X"]
    assert len(complete) == trace.records
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert names[0] == "rank 0 (node)" and names[3] == "rank 3 (node)"
    posix = [event for event in complete if event["cat"].startswith("POSIX")]
    assert sum(event["args"].get("moved_bytes", 0) for event in posix) == 2 * (WRITES + 1) * 4096
    outer = [event for event in complete if event["name"] == "H5Dwrite"]
    inner = [event for event in complete if event["name"] == "pwrite"]
    for around, inside in zip(outer, inner, strict=True):
        assert around["pid"] == inside["pid"] and around["tid"] == inside["tid"]
        assert around["ts"] <= inside["ts"]
        assert inside["ts"] + inside["dur"] <= around["ts"] + around["dur"] + 1e-6


def test_the_outer_of_two_calls_that_begin_at_once_comes_first(tmp_path: Path) -> None:
    rows = [(100, 200, 0, 8, 8, 1, 2, 1, 0), (100, 300, -1, 8, 8, 2, 4, 0, 0)]
    events = json.loads(exported(load_trace(write_trace(tmp_path / "T", {0: rows})), "perfetto"))
    assert [e["name"] for e in events["traceEvents"] if e["ph"] == "X"] == ["H5Dwrite", "pwrite"]


def test_messages_have_a_peer_and_no_offset(tmp_path: Path) -> None:
    rows = [(100, 200, 2, 64, 64, COMMUNICATOR, SEND, 0, 0), (300, 400, 0, 8, 8, 1, 2, 0, 0)]
    trace = load_trace(write_trace(tmp_path / "T", {0: rows}))
    sent, wrote = csv_rows(trace)
    names = ("communicator", "peer_rank", "offset_bytes")
    assert [sent[name] for name in (*names, "file")] == ["0-3,8", "2", "", ""]
    assert [wrote[name] for name in names] == ["", "", "0"]
    events = json.loads(exported(trace, "perfetto"))["traceEvents"]
    (args,) = [event["args"] for event in events if event["name"] == "MPI_Send"]
    assert args == {"communicator": "0-3,8", "length_bytes": 64, "peer_rank": 2}


def test_perfetto_counters_add_up_to_the_bytes_moved(trace: Trace) -> None:
    events = json.loads(exported(trace, "perfetto"))["traceEvents"]
    for name, wanted in (("POSIX write", WRITES * 4096), ("POSIX read", 4096), ("HDF5 write", WRITES * 4096)):
        points = [
            (e["ts"], e["args"]["MB/s"]) for e in events if e["ph"] == "C" and e["name"].startswith(name)
        ]
        times, rates = np.array([(0.0, 0.0), *points]).T
        # A rate holds until the next point; megabytes a second times microseconds are bytes.
        assert np.sum(rates[:-1] * np.diff(times)) == pytest.approx(2 * wanted, rel=1e-2)


def test_a_format_that_does_not_exist_is_refused_with_those_that_do() -> None:
    assert exporter_names() == ["csv", "parquet", "perfetto"]
    with pytest.raises(WeirError, match="Use one of: csv, parquet, perfetto"):
        find_exporter("otf2")


def test_the_verb_tells_a_trace_from_a_run(trace: Trace, tmp_path: Path) -> None:
    export = ("export", trace.name, "--format")
    done = weir(*export, "perfetto", "--out", tmp_path / "x.json", "--json", status=0)
    assert json.loads(done.stdout)["rows"] == trace.records
    assert "Use one of: csv, parquet, perfetto" in weir(*export, "openmetrics", status=2).stderr
    assert "one table, of calls" in weir(*export, "csv", "--table", "cases", status=2).stderr
