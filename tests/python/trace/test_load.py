"""Traces put together from hand-made streams: clocks, names, ranks."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from made_trace import CallRow, lane, trace
from weir.errors import WeirError
from weir.trace.load import load_trace
from weir.trace.names import Call, File
from weir.trace.stream import HEAD, RECORD

from .synthetic import names_table, stream_head, write_facts


def write_process(
    folder: Path, number: int, rank: int, records: list[tuple[int, ...]], /, **facts: Any
) -> None:
    """A process that began `number` microseconds after the first, whose clock has 2 ticks a nanosecond and
    whose only call is pwrite. Records: begin and end in ticks since its start, offset, length, file."""
    prefix, began = f"{folder}/node-{number}-0", 5000 + 1000 * number
    whole = {"weir_trace": 1, "process": number, "host": "node", "rank": rank, "command": "app -x"}
    times = {"real_ns": 10**18 + 1000 * number, "monotonic_ns": began}
    write_facts(prefix, whole | times | facts)
    names = names_table([(1, 7, 0, "POSIX pwrite write"), (2, 1, 0, f"/data/{number}"), (2, 2, 1, "density")])
    Path(f"{prefix}.names").write_bytes(names)
    start = 1_000_000 * number
    head = stream_head(number, start, began, rate=2)
    rows = np.array([(start + b, start + e, o, n, n, f, 7, 0, 0) for b, e, o, n, f in records], RECORD)
    Path(f"{prefix}.1.records").write_bytes(head + rows.tobytes())


def test_lanes_are_on_one_clock_and_share_names(tmp_path: Path) -> None:
    write_process(tmp_path, 2, 1, [(200, 400, 0, 8, 1)])
    write_process(tmp_path, 1, 0, [(0, 20, 0, 8, 1), (40, 80, 8, 8, 2)], end_real_ns=10**18 + 9000)
    trace = load_trace(tmp_path)
    assert (trace.ranks, trace.processes, trace.command, trace.unended) == (2, 2, "app -x", (1,))
    assert trace.calls[1:] == (Call("POSIX", "pwrite", "write"),)
    names = [(file.name, trace.files[file.parent].name) for file in trace.files[1:]]
    assert names == [("/data/1", ""), ("density", "/data/1"), ("/data/2", ""), ("density", "/data/2")]
    (both,) = trace.batches()
    assert list(both.lane) == [0, 0, 1] and both.lanes == range(2)
    assert list(both.begin_ns) == [0, 20, 1100] and list(both.end_ns) == [10, 40, 1200]
    assert [trace.files[i] for i in both.file[2:]] == [File("/data/2", 0)]
    assert trace.run_ns == 8000


def test_a_rank_that_began_mpi_ends_with_that_process(tmp_path: Path) -> None:
    """Of its helpers, as the first of a pipeline, a signal may end any; the other rank began no MPI."""
    ended = {"end_real_ns": 10**18 + 9000, "end_monotonic_ns": 0}
    write_process(tmp_path, 1, 0, [(0, 20, 0, 8, 1)], ranks=2, **ended)
    write_process(tmp_path, 2, 0, [(0, 20, 0, 8, 1)])
    write_process(tmp_path, 3, 1, [(0, 20, 0, 8, 1)], **ended)
    write_process(tmp_path, 4, 1, [(0, 20, 0, 8, 1)])
    assert load_trace(tmp_path).unended == (1,)
    write_process(tmp_path, 5, 2, [(0, 20, 0, 8, 1)], ranks=2)
    assert load_trace(tmp_path).unended == (1, 2)


def test_a_number_that_processes_of_two_hosts_have_is_not_taken_for_one(tmp_path: Path) -> None:
    """`weir trace` saw process 1 of its own host end, and left process 2 there running."""
    head = {"host": "node", "process": 1, "killed_by": 0, "running": [2], "running_programs": ["daemon"]}
    (tmp_path / "head.json").write_text(json.dumps(head))
    write_process(tmp_path, 1, 0, [(0, 20, 0, 8, 1)])
    write_process(tmp_path, 3, 1, [(0, 20, 0, 8, 1)], process=1, host="other")
    write_process(tmp_path, 4, 2, [(0, 20, 0, 8, 1)], process=2, host="other", end_real_ns=10**18 + 9000)
    trace = load_trace(tmp_path)
    assert trace.unended == (1,)
    assert [(one.program, one.reason) for one in trace.unseen] == [("daemon (process 2)", "running")]


def test_ranks_of_a_node_without_the_recorder_are_missing(tmp_path: Path) -> None:
    """Of two jobs: one of five ranks, and one of three that these started."""
    for number, rank in ((1, 0), (2, 1), (3, 4)):
        write_process(tmp_path, number, rank, [(0, 2, 0, 8, 1)], ranks=5, job=1)
    write_process(tmp_path, 4, 1, [(0, 2, 0, 8, 1)], ranks=3, job=2)
    assert load_trace(tmp_path).missing == (2, 3, 5, 7)


def test_a_later_world_is_counted_on_from_all_ranks_of_the_one_before(tmp_path: Path) -> None:
    """Also from those of a node without the recorder, which are the last ones here."""
    write_process(tmp_path, 1, 0, [(0, 2, 0, 8, 1)], ranks=5, job=1)
    write_process(tmp_path, 2, 0, [(0, 2, 0, 8, 1)], ranks=3, job=2)
    trace = load_trace(tmp_path)
    assert trace.missing == (1, 2, 3, 4, 6, 7)
    assert [lane.rank for lane in trace.lanes] == [0, 5]


def test_no_rank_is_missing_where_nobody_told_how_many_there_are(tmp_path: Path) -> None:
    write_process(tmp_path, 1, 3, [(0, 2, 0, 8, 1)])
    write_process(tmp_path, 2, 0, [(0, 2, 0, 8, 1)], job=7, ranks=1 << 40)
    assert load_trace(tmp_path).missing == ()


def test_communicators_and_marks_are_those_of_the_whole(tmp_path: Path) -> None:
    for number in (1, 2):
        write_process(tmp_path, number, number - 1, [(0, 2, -1, 0, 5)])
        path = tmp_path / f"node-{number}-0.names"
        path.write_bytes(path.read_bytes() + names_table([(3, 5, 0, "0-1"), (4, 6, 0, f"mark{number}")]))
    trace = load_trace(tmp_path)
    assert trace.communicators == ("", "0-1")
    assert [list(lane.communicator(lane.records)) for lane in trace.lanes] == [[1], [1]]
    assert {"mark1", "mark2"} <= {file.name for file in trace.files}


def test_batches_cut_lanes_and_lose_nothing(tmp_path: Path) -> None:
    write_process(tmp_path, 1, 0, [(10 * i, 10 * i + 4, i, 1, 1) for i in range(10)])
    batches = list(load_trace(tmp_path).batches(4))
    assert [len(batch) for batch in batches] == [4, 4, 2]
    assert [int(o) for batch in batches for o in batch.records["offset"]] == list(range(10))


def test_processes_without_ranks_are_counted_unless_others_have_ranks(tmp_path: Path) -> None:
    write_process(tmp_path, 1, -1, [(0, 2, 0, 1, 1)])
    write_process(tmp_path, 2, -1, [(0, 2, 0, 1, 1)])
    assert [lane.rank for lane in load_trace(tmp_path).lanes] == [0, 1]
    write_process(tmp_path, 3, 0, [(0, 2, 0, 1, 1)])
    trace = load_trace(tmp_path)
    assert [lane.process for lane in trace.lanes] == [3]
    assert trace.notes == ("2 processes without a rank are left out (app).",)


def test_processes_are_there_until_they_end_or_call_exec(tmp_path: Path) -> None:
    write_process(tmp_path, 1, -1, [(0, 20, 0, 8, 1)], end_real_ns=10**18 + 9000)
    write_process(tmp_path, 2, -1, [(0, 20, 0, 8, 1)], process=77)
    write_process(tmp_path, 5, -1, [(0, 20, 0, 8, 1)], process=77)
    assert load_trace(tmp_path).run_ns == 8000
    assert load_trace(tmp_path).alive_ns == (9 - 1) * 1000 + (5 - 2) * 1000 + (9 - 5) * 1000


def test_a_call_that_no_name_is_known_of_is_told_apart(tmp_path: Path) -> None:
    write_process(tmp_path, 1, 0, [(0, 2, 0, 1, 1)])
    (tmp_path / "node-1-0.names").write_bytes(b"")
    trace = load_trace(tmp_path)
    (batch,) = trace.batches()
    assert trace.calls[batch.call[0]].interface == "DAMAGED" and list(batch.file) == [0]


def test_another_version_is_refused(tmp_path: Path) -> None:
    write_process(tmp_path, 1, 0, [(0, 2, 0, 1, 1)], weir_trace=2)
    with pytest.raises(WeirError, match="of another version"):
        load_trace(tmp_path)


def test_calls_inside_one_call_are_never_cut_off_it() -> None:
    inside: list[CallRow] = [("pwrite", 1, i, i + 1, i, 1, 1, 1) for i in range(3000)]
    made = trace(lane(0, [*inside, ("MPI_File_write_all", 1, 0, 4000, 0, 3000, 3000, 0), *inside[:1]]))
    assert [len(batch) for batch in made.batches(100)] == [3001, 1]


def test_a_batch_holds_several_short_lanes_or_a_part_of_a_long_one() -> None:
    short: list[CallRow] = [("pwrite", 1, i, i + 1, i, 1, 1, 0) for i in range(3)]
    made = trace(lane(0, short), lane(1, short), lane(2, 4 * short), lane(3, []), lane(4, short))
    lanes = [list(batch.lane) for batch in made.batches(7)]
    assert lanes == [[0, 0, 0, 1, 1, 1], [2] * 7, [2] * 5, [4, 4, 4]]


@pytest.mark.parametrize(
    "facts", [{"rank": None}, {"rank": "x"}, {"host": 7}, {"real_ns": 10**30}, {"lost": "POSIX pwrite"}]
)
def test_facts_of_a_wrong_type_are_unknown(tmp_path: Path, facts: dict[str, Any]) -> None:
    write_process(tmp_path, 1, 0, [(0, 2, 0, 1, 1)], **facts)
    assert load_trace(tmp_path).records == 1


def test_a_number_that_no_name_can_have_takes_no_memory(tmp_path: Path) -> None:
    write_process(tmp_path, 1, 0, [(0, 2, 0, 1, 1)])
    with (tmp_path / "node-1-0.names").open("ab") as file:
        for kind in (2, 3, 4):
            file.write(struct.pack("<4I", kind, 2**32 - 16, 4, 0) + b"far away")
    assert len(load_trace(tmp_path).files) == 3


def test_times_of_clocks_that_were_not_compared_are_called_uncertain(tmp_path: Path) -> None:
    write_process(tmp_path, 1, 0, [(0, 2, 0, 1, 1)])
    path = tmp_path / "node-1-0.1.records"
    data = np.fromfile(path, np.uint8)
    head = data[: HEAD.itemsize].view(HEAD)
    head["end_ticks"], head["end_monotonic_ns"] = head["start_ticks"] + 300, head["start_monotonic_ns"] + 100
    data.tofile(path)
    assert "Times on node are uncertain" in load_trace(tmp_path).notes[0]
