"""Whom ranks waited for."""

import pytest

from made_trace import CallRow
from weir.explain.critical_path.members import members_of
from weir.explain.critical_path.waits import waits_of
from weir.trace.model import Trace

from .made import call, meets, of_rank, of_ranks


def waits(made: Trace) -> list[tuple[int, int, int, int]]:
    found = waits_of(made)
    return list(
        zip(*(one.tolist() for one in (found.rank, found.whom, found.begin, found.until)), strict=True)
    )


def test_all_wait_for_the_last_that_comes_to_a_barrier() -> None:
    made = of_ranks(*([meets("MPI_Barrier", begin, 105)] for begin in (10, 100, 60)))
    assert waits(made) == [(0, 1, 10, 100), (2, 1, 60, 100)]


def test_only_the_root_gives_what_others_wait_for_in_a_broadcast() -> None:
    made = of_ranks(
        [meets("MPI_Bcast", 50, 55, root=0)],
        [meets("MPI_Bcast", 10, 60, root=0)],
        [meets("MPI_Bcast", 90, 95, root=0)],
    )
    assert waits(made) == [(1, 0, 10, 50)], "rank 2 comes late and keeps nobody"


def test_only_the_root_waits_in_a_reduction() -> None:
    made = of_ranks([meets("MPI_Reduce", 10, 12, root=1)], [meets("MPI_Reduce", 5, 40, root=1)])
    assert waits(made) == [(1, 0, 5, 10)]


def test_a_call_that_ended_before_the_other_came_has_not_waited() -> None:
    made = of_ranks([meets("MPI_Bcast", 10, 20, root=1)], [meets("MPI_Bcast", 50, 55, root=1)])
    assert waits(made) == []


def test_ranks_that_did_other_calls_from_then_on_are_not_compared() -> None:
    same = [meets("MPI_Barrier", 0, 11), meets("MPI_Barrier", 20, 31)]
    other = [meets("MPI_Barrier", 10, 11), meets("MPI_Allreduce", 30, 31)]
    assert waits(of_ranks(same, other)) == [(0, 1, 0, 10)]


def test_nothing_is_known_where_several_threads_of_a_rank_meet_others() -> None:
    made = of_ranks([meets("MPI_Barrier", 0, 11)], [meets("MPI_Barrier", 10, 11)])
    made = Trace(**{**vars(made), "lanes": (*made.lanes, of_rank(1, [meets("MPI_Barrier", 1, 2)], 2))})
    assert waits_of(made).meetings == 0


def test_ranks_that_start_together_wait_in_MPI_Init() -> None:
    made = of_ranks([call("MPI_Init", 0, 31, file=0)], [call("MPI_Init", 30, 31, file=0)])
    assert waits(made) == [(0, 1, 0, 30)]


def sends(to: int, begin: int, end: int) -> CallRow:
    return ("MPI_Send", 1, begin, end, to, 8, 8, 0)


def receives(source: int, begin: int, end: int, size: int = 8) -> CallRow:
    return ("MPI_Recv", 1, begin, end, source, 8, size, 0)


def test_a_receiver_waits_for_the_sender_until_it_sends() -> None:
    """A baton goes from rank 0 to 1 to 2."""
    made = of_ranks(
        [sends(1, 100, 101)],
        [receives(0, 0, 102), sends(2, 200, 201)],
        [receives(1, 0, 202)],
    )
    assert waits(made) == [(1, 0, 0, 100), (2, 1, 0, 200)]


@pytest.mark.parametrize(
    "received", [[], [receives(0, 0, 102, 4)], [receives(0, 0, 102), receives(0, 103, 104)]]
)
def test_messages_that_do_not_match_say_nothing(received: list[CallRow]) -> None:
    other = meets("MPI_Barrier", 300, 301)
    assert waits(of_ranks([sends(1, 100, 101), other], [*received, other])) == []


def test_a_message_comes_from_a_rank_of_its_communicator() -> None:
    alone = [call("pwrite", 0, 1)]
    made = of_ranks(alone, [sends(1, 100, 101)], alone, [receives(0, 0, 102)], group="1-3:2")
    assert waits(made) == [(3, 1, 0, 100)]


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("0-3,8", [0, 1, 2, 3, 8]),
        ("0-6:2", [0, 2, 4, 6]),
        ("5", [5]),
        ("", []),
        ("0-99999999", []),
        ("0-x", []),
        ("0-6:0", []),
        ("-1", []),
    ],
)
def test_members_of_a_communicator(text: str, ranks: list[int]) -> None:
    assert members_of(text, 100).tolist() == ranks
