import io
import json

import pytest

from weir.launch.ending import causes_in
from weir.launch.stall import Signs, StallLine, Suspect, Waiting, judge

TWO_NODES = {"n1": [0, 1], "n2": [2, 3]}


def sign(kind: str, host: str, **more: object) -> bytes:
    return json.dumps({"schema": 1, "kind": kind, "host": host, **more}, separators=(",", ":")).encode()


def stall(host: str, *suspects: Suspect, waiting: tuple[Waiting, ...] = (), more: int = 0) -> StallLine:
    return StallLine(host, 30.0, 2, list(suspects), len(suspects) + more, list(waiting))


def of(rank: int, state: str, **more: str | list[str]) -> Suspect:
    return Suspect(rank=rank, process=1000 + rank, state=state, **more)  # type: ignore[arg-type]


def waits(call: str, first_rank: int, count: int = 1) -> Waiting:
    return Waiting(call, count, first_rank)


def test_only_progress_is_a_sign_and_only_once() -> None:
    stderr = io.BytesIO(b"talk of progress\n" + sign("stall", "n1", since_s=2) + b"\n")
    signs = Signs(stderr)
    assert not signs.came()
    stderr.write(sign("progress", "n2") + b"\n")
    stderr.seek(-len(sign("progress", "n2")) - 1, io.SEEK_END)
    assert signs.came()
    assert not signs.came()


def test_a_line_may_come_in_parts() -> None:
    class Parts(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(20)

    signs = Signs(Parts(sign("progress", "n1") + b"\n"))
    assert [signs.came() for _ in range(4)] == [False, False, True, False]


def test_the_last_word_of_each_node_counts() -> None:
    said = [
        *(sign("stall", "n1", since_s=2), sign("stall", "n2", since_s=3), sign("progress", "n1")),
        *(
            sign("stall", "n2", since_s=9),
            b'{"kind":"stall","host":',
            b'{"kind":"stall"}',
            b'{"kind":"progress"}',
        ),
    ]
    signs = Signs(io.BytesIO(b"\n".join(said) + b"\n"))
    assert signs.came()
    assert signs.stalls == (StallLine("n2", 9.0),)


def test_signs_are_no_causes() -> None:
    said = [sign("progress", "n1").decode(), "no memory", sign("stall", "n1", since_s=1).decode()]
    assert list(causes_in(said)) == ["no memory"]


def test_the_rank_that_does_not_wait_is_named() -> None:
    found = judge(
        [
            stall("n1", waiting=(waits("MPI_Barrier", 0, 2),)),
            stall(
                "n2",
                of(3, "running", calls=["spin", "main"], phase="write"),
                waiting=(waits("MPI_Barrier", 2),),
            ),
        ],
        TWO_NODES,
    )
    assert (found.rank, found.host) == (3, "n2")
    assert found.reason == (
        "rank 3 on n2, process 1003, computes in spin, called by main (phase write); "
        "3 ranks wait in MPI_Barrier, the first is rank 0"
    )
    assert "WEIR_STALL_LIMIT" in found.suggestion


def test_the_surest_of_several_comes_first() -> None:
    found = judge(
        [stall("n1", of(0, "running")), stall("n2", of(2, "stopped"), of(3, "sleeping"))], TWO_NODES
    )
    assert (found.rank, found.host) == (2, "n2")
    assert found.reason.index("rank 2") < found.reason.index("rank 3") < found.reason.index("rank 0")


def test_a_call_to_the_kernel_that_does_not_return() -> None:
    found = judge([stall("n1", of(1, "uninterruptible", kernel_function="nfs_wait"))], {"n1": [0, 1]})
    assert found.reason == "rank 1 on n1, process 1001, waits in the kernel in nfs_wait"
    assert "storage" in found.suggestion


def test_of_many_the_others_are_counted() -> None:
    found = judge([stall("n1", *(of(rank, "sleeping") for rank in range(6)), more=94)], {"n1": range(200)})
    assert found.reason.endswith("96 more ranks wait for no other rank")


@pytest.mark.parametrize(("ranks", "words", "rank"), [([2], "rank 2", 2), ([2, 3], "2 ranks, 2 to 3", None)])
def test_a_node_of_which_nothing_is_heard_is_named(ranks: list[int], words: str, rank: int | None) -> None:
    found = judge([stall("n1", waiting=(waits("MPI_Barrier", 0, 2),))], {"n1": [0, 1], "n2": ranks})
    assert (
        found.reason
        == f"nothing was heard from n2 ({words}); 2 ranks wait in MPI_Barrier, the first is rank 0"
    )
    assert (found.rank, found.host) == (rank, "n2")


def test_of_many_silent_nodes_the_first_are_named() -> None:
    found = judge([], {f"n{i}": [i] for i in range(1000)})
    assert (
        found.reason
        == "nothing was heard from n0 (rank 0), n1 (rank 1), n2 (rank 2), n3 (rank 3), 996 more nodes"
    )
    assert (found.rank, found.host) == (None, None)


def test_a_node_of_which_nothing_is_heard_comes_before_ranks_that_do_not_wait() -> None:
    found = judge([stall("n1", of(0, "dead"))], {"n1": [0], "n2": [1, 2]})
    assert found.reason == "nothing was heard from n2 (2 ranks, 1 to 2)" and found.host == "n2"
    assert "node is up" in found.suggestion


def test_a_lost_message_shows_the_odd_one() -> None:
    found = judge(
        [
            stall("n1", waiting=(waits("MPI_Recv", 1), waits("MPI_Barrier", 0))),
            stall("n2", waiting=(waits("MPI_Barrier", 2, 2),)),
        ],
        TWO_NODES,
    )
    assert found.reason == (
        "all ranks wait for each other; rank 1 waits in MPI_Recv; "
        "3 ranks wait in MPI_Barrier, the first is rank 0"
    )
    assert found.rank is None


def test_a_state_of_a_later_core_is_shown_as_it_is() -> None:
    found = judge([stall("n1", of(0, "frozen"), of(1, "running"))], {"n1": [0, 1]})
    assert found.rank == 1 and "rank 0 on n1, process 1000, frozen" in found.reason
