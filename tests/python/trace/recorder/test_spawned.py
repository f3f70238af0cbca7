"""Processes that MPI_Comm_spawn starts have ranks of their own, and are not their parents."""

from pathlib import Path

import pytest

from weir.trace.load import load_trace, renumbered

from ..programs import RECORDER, Record


def test_processes_that_are_spawned_are_counted_on(run_c: Record, tmp_path: Path) -> None:
    env = {"LD_PRELOAD": str(RECORDER), "WEIR_TRACE": str(tmp_path / "trace")}
    program = """
        MPI_Comm parent, children;
        MPI_Comm_get_parent(&parent);
        char name[40];
        snprintf(name, sizeof name, "%s-%d", parent == MPI_COMM_NULL ? "parent" : "child", rank);
        int fd = open(name, O_CREAT | O_WRONLY, 0644);
        if (write(fd, data, 10) != 10) return 1;
        if (parent == MPI_COMM_NULL)
            MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                           MPI_ERRCODES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        """
    run_c(program, env=env)
    trace = load_trace(tmp_path / "trace")
    assert trace.ranks == 4
    wrote = {}
    for lane in trace.lanes:
        for index in set(lane.file_index[lane.records["file"].clip(0, len(lane.file_index) - 1)].tolist()):
            name = Path(trace.files[index].name).name
            if name.startswith(("parent-", "child-")):
                wrote[name] = lane.rank
    assert wrote == {"parent-0": 0, "parent-1": 1, "child-0": 2, "child-1": 3}
    assert {"0-1", "2-3"} <= set(trace.communicators)
    assert any("2 worlds of MPI" in note and "from 2 on" in note for note in trace.notes)


@pytest.mark.parametrize(
    ("ranks", "first", "expected"),
    [("0-3,8", 4, "4-7,12"), ("0-6:2", 10, "10-16:2"), ("0-3,8", 0, "0-3,8"), ("1,5...", 2, "3,7...")],
)
def test_ranks_of_communicators_are_counted_on(ranks: str, first: int, expected: str) -> None:
    assert renumbered(ranks, first) == expected
