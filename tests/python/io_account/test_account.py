"""What whole runs say of their calls, put together."""

import pytest

from cloud_rows import account, records
from cloud_runs import LARGE, SMALL, run_sample, transfer_sample
from weir.io_account.account import io_account


@pytest.mark.parametrize(
    ("shape", "counts", "paper"),
    [
        (SMALL, [200, 200, 49, 536, 1225, 3368, 4], 5608),
        (LARGE, [448, 448, 385, 1030, 3235, 42304, 1], 109888),
    ],
)
def test_counts_are_those_of_every_run(shape: dict[str, object], counts: list[int], paper: int) -> None:
    found = account(shape)
    assert [operation.count for operation in found.operations.values()] == counts
    assert found.communication_of_the_paper == paper
    assert found.runs == 7


def test_times_are_medians_over_the_runs_and_averages_over_the_ranks() -> None:
    runs = [run_sample("c", SMALL, repetition=at, open=8.0 * (at + 1)) for at in range(7)]
    found = io_account(records(*runs))
    assert found is not None
    total, average = found.operations["open"].total, found.operations["open"].average(found.ranks)
    assert total is not None and (total.median, total.low, total.high) == (32.0, 8.0, 56.0)
    assert average is not None and (average.median, average.low, average.high) == (4.0, 1.0, 7.0)


def test_a_single_run_has_no_interval_and_a_seek_no_time() -> None:
    found = account(SMALL, count=1)
    total = found.operations["open"].total
    assert total is not None and total.low is None
    assert found.operations["seek"].total is None


def test_the_waiting_within_communication_is_kept_apart() -> None:
    found = account(SMALL, communication=2.0)
    waiting = found.operations["communication"].waiting
    assert waiting is not None and waiting.median == 1.5
    assert found.operations["open"].waiting is None


def test_a_count_that_differs_from_run_to_run_is_not_made_up() -> None:
    odd = run_sample("c", SMALL)
    odd["details"]["io"]["calls"]["read"]["count"] = 50
    odd["details"]["io"]["read_sizes"] = [[24, 2], [524288, 48]]
    found = io_account(records(run_sample("c", SMALL), odd))
    assert found is not None
    assert found.operations["read"].count is None
    assert found.transfers["read"].sizes == ()
    assert found.operations["open"].count == 200


def test_the_printed_bandwidth_is_the_data_over_the_average_time() -> None:
    """Tables 1 and 2 of the paper: 4.001 s of reads and 52.67 s of writes make 48.00 and 31.59 MB/s."""
    found = account(SMALL, count=1, read=4.001, write=52.67)
    read, write = (found.transfers[name].bandwidth_of_the_paper for name in ("read", "write"))
    assert read is not None and write is not None
    assert round(read.median / 2**20, 1) == 48.0
    assert round(write.median / 2**20, 2) == 31.59


def test_the_bandwidth_is_by_the_slowest_rank_however_short_its_calls_are() -> None:
    """Ranks that take turns: each reads for 0.05 s, and the restart takes 0.8 s."""
    read = account(SMALL, count=1, read=0.4, restart=0.8).transfers["read"]
    assert read.bandwidth is not None and read.bandwidth.median == read.bytes / 0.8
    assert read.bandwidth_of_the_paper is not None
    assert read.bandwidth_of_the_paper.median == read.bytes / 0.05


def test_older_runs_have_no_bandwidth_by_the_slowest_rank() -> None:
    old = run_sample("c", SMALL)
    for name in ("read_elapsed_s", "write_elapsed_s"):
        del old["details"]["io"][name]
    found = io_account(records(old))
    assert found is not None
    assert found.transfers["read"].bandwidth is None
    assert found.transfers["read"].bandwidth_of_the_paper is not None


def test_other_benchmarks_have_no_account() -> None:
    assert io_account(records(transfer_sample("c", SMALL, "write", elapsed_s=1.0))) is None
    assert io_account([]) is None
