"""What stands out in logs made so that it does, and not in others: by rule, of what Darshan counts."""

import pytest

from weir.explain.remark import Remark, remarks_on
from weir.trace.importers._darshan.log import Counted, Log, Stripes

from .made_log import FILE, counted, joined, log, tables

MIB = 2**20
RUN_S = 10.0


def remarks(source: Log) -> list[Remark]:
    return list(remarks_on(tables(source)))


def the_one(source: Log) -> Remark:
    (remark,) = remarks(source)
    return remark


def posix(counters: dict[str, int], seconds: dict[str, float], **where: int) -> Counted:
    """All counters that the rules ask for, 0 where they are not given."""
    counts = dict.fromkeys(
        ("OPENS", "READS", "WRITES", "BYTES_READ", "BYTES_WRITTEN", "CONSEC_READS", "CONSEC_WRITES"), 0
    )
    counts |= dict.fromkeys(("SEQ_READS", "SEQ_WRITES", "FILE_NOT_ALIGNED", "RW_SWITCHES"), 0)
    counts |= dict.fromkeys(("SIZE_WRITE_0_100", "SIZE_WRITE_1M_4M", "SLOWEST_RANK_BYTES"), 0)
    counts |= {"FILE_ALIGNMENT": MIB, "SLOWEST_RANK": 0, "FASTEST_RANK": 1, "FASTEST_RANK_BYTES": 0}
    times = dict.fromkeys(("READ_TIME", "WRITE_TIME", "META_TIME"), 0.0)
    times |= dict.fromkeys(("SLOWEST_RANK_TIME", "FASTEST_RANK_TIME"), 0.0)
    return counted("POSIX", counts | counters, times | seconds, **where)


def mpi_io(counters: dict[str, int], seconds: dict[str, float]) -> Counted:
    counts = dict.fromkeys(("INDEP_OPENS", "COLL_OPENS", "INDEP_WRITES", "COLL_WRITES"), 0)
    counts |= dict.fromkeys(("BYTES_READ", "BYTES_WRITTEN"), 0)
    times = dict.fromkeys(("READ_TIME", "WRITE_TIME", "META_TIME"), 0.0)
    return counted("MPIIO", counts | counters, times | seconds)


def own_files(seconds: list[float], size: int = 256 * MIB) -> Counted:
    """Each rank writes a file of its own, in so many seconds."""
    write = {"OPENS": 1, "WRITES": 256, "BYTES_WRITTEN": size, "SEQ_WRITES": 255, "SIZE_WRITE_1M_4M": 256}
    return joined(
        *(
            posix(write, {"WRITE_TIME": took}, id=FILE + number, rank=number)
            for number, took in enumerate(seconds)
        )
    )


def stripes(targets: list[int]) -> list[Stripes]:
    return [Stripes(FILE + number, MIB, 1, [target]) for number, target in enumerate(targets)]


EVEN = [2.0, 2.5, 2.2, 2.9]
ONE_SLOW = [2.0, 9.0, 2.2, 2.9]


def test_even_ranks_on_even_targets_get_no_remark() -> None:
    assert not remarks(log({"POSIX": own_files(EVEN)}, run_s=RUN_S, stripes=stripes([4, 5, 6, 7])))


def test_a_rank_that_takes_longer_than_the_others_is_named() -> None:
    remark = the_one(log({"POSIX": own_files(ONE_SLOW)}, run_s=RUN_S))
    assert remark.text.startswith(
        "Rank 1 spends 9.00 s in POSIX calls and moves 256 MiB; the mean of the other 3 ranks is 2.37 s and "
        "256 MiB, the fastest (rank 0) takes 2.00 s"
    )
    assert "It moves no more than the others" in remark.advice
    assert remark.seconds == pytest.approx(9 - 7.1 / 3)


def test_a_rank_with_more_work_is_told_apart() -> None:
    more = joined(own_files(ONE_SLOW), posix({"WRITES": 1, "BYTES_WRITTEN": 1024 * MIB}, {}, rank=1, id=5))
    assert "It has more to move" in the_one(log({"POSIX": more}, run_s=RUN_S)).advice


def test_a_rank_that_is_slow_for_a_moment_of_the_run_is_not() -> None:
    assert not remarks(log({"POSIX": own_files([one / 100 for one in ONE_SLOW])}, run_s=RUN_S))


def test_the_targets_of_slow_files_are_named() -> None:
    source = log({"POSIX": own_files(ONE_SLOW)}, run_s=RUN_S, stripes=stripes([4, 5, 6, 7]))
    (remark,) = (one for one in remarks(source) if "OST" in one.text)
    assert remark.text.startswith(
        "The files on 1 of 4 OSTs are slow: OST 5 (1 file, 28.4 MiB/s per rank, up to 9.00 s). On the median"
    )
    assert remark.seconds == pytest.approx(9 - 2.55)


def test_files_on_several_targets_tell_none_apart() -> None:
    both = [Stripes(FILE + number, MIB, 2, [number, 9]) for number in range(4)]
    assert all("OST" not in one.text for one in remarks(log({"POSIX": own_files(ONE_SLOW)}, stripes=both)))


SHARED = {"WRITES": 2000, "BYTES_WRITTEN": 4000 * MIB, "SEQ_WRITES": 1999, "SIZE_WRITE_1M_4M": 2000}
TOOK = {"WRITE_TIME": 12.0, "SLOWEST_RANK_TIME": 3.2, "FASTEST_RANK_TIME": 2.9}


def test_misaligned_writes_of_a_shared_file() -> None:
    source = log({"POSIX": posix(SHARED | {"FILE_NOT_ALIGNED": 1999}, TOOK)}, run_s=RUN_S)
    remark = the_one(source)
    assert remark.text.startswith(
        "99.95 % of 2,000 POSIX reads and writes in out.h5, which 4 ranks share, do not "
        "begin at a multiple of 1 MiB"
    )
    assert remark.seconds == pytest.approx(0.9995 * 12 / 4)
    assert "H5Pset_alignment" in remark.advice


@pytest.mark.parametrize(
    ("counters", "said"),
    [
        ({"WRITES": 2000, "BYTES_WRITTEN": 8 * MIB}, "to change a part of them"),
        ({"READS": 2000, "BYTES_READ": 8 * MIB}, "for a part of them"),
    ],
)
def test_misaligned_requests_of_one_rank(counters: dict[str, int], said: str) -> None:
    times = {"WRITE_TIME" if "WRITES" in counters else "READ_TIME": 8.0}
    source = log({"POSIX": posix(counters | {"FILE_NOT_ALIGNED": 1999}, times, rank=0)}, ranks=1, run_s=RUN_S)
    (remark,) = (one for one in remarks(source) if "begin at a multiple of 1 MiB" in one.text)
    assert remark.why == f"The system reads whole blocks {said}."


@pytest.mark.parametrize(
    "counters",
    [SHARED, SHARED | {"FILE_NOT_ALIGNED": 199}, SHARED | {"FILE_NOT_ALIGNED": 2000, "FILE_ALIGNMENT": -1}],
    ids=["aligned", "few", "alignment unknown"],
)
def test_other_writes_of_a_shared_file_get_no_remark(counters: dict[str, int]) -> None:
    assert not remarks(log({"POSIX": posix(counters, TOOK)}, run_s=RUN_S))


def test_small_and_random_requests() -> None:
    small = {"WRITES": 5000, "BYTES_WRITTEN": 500_000, "SIZE_WRITE_0_100": 5000, "SEQ_WRITES": 1996}
    said = " ".join(one.text for one in remarks(log({"POSIX": posix(small, TOOK)}, run_s=RUN_S)))
    assert "100 % of 5,000 POSIX writes are of 32 KiB or less" in said
    # Of 3,004 that are not sequential, 4 may be the ranks' first ones.
    assert "60 % of 5,000 POSIX writes begin before the end of the previous one (100 B on average)" in said
    assert not remarks(log({"POSIX": posix(small, {"WRITE_TIME": 0.01})}, run_s=RUN_S)), "0.1 % of the run"


def test_one_rank_that_moves_the_data_of_all() -> None:
    all_of_it = {"SLOWEST_RANK": 3, "SLOWEST_RANK_BYTES": 4000 * MIB}
    time = {"WRITE_TIME": 5.0, "SLOWEST_RANK_TIME": 5.0}
    around = mpi_io({"COLL_WRITES": 400, "BYTES_WRITTEN": 4000 * MIB}, {"WRITE_TIME": 24.0})
    source = log({"POSIX": posix(SHARED | all_of_it, time), "MPI-IO": around}, run_s=RUN_S)
    one = next(remark for remark in remarks(source) if remark.text.startswith("Rank 3 moves"))
    assert one.text.startswith(
        "Rank 3 moves 100 % of 3.91 GiB in out.h5, which 4 ranks share, in 5.00 s of POSIX"
    )
    assert one.seconds == pytest.approx(24 / 4), "so long each rank is in MPI-IO"


def library(mpi_s: float, posix_s: float) -> Log:
    around = mpi_io({"COLL_WRITES": 400, "BYTES_WRITTEN": 4000 * MIB}, {"WRITE_TIME": mpi_s})
    return log({"POSIX": posix(SHARED, {"WRITE_TIME": posix_s}), "MPI-IO": around}, run_s=RUN_S)


def test_time_in_mpi_io_that_is_not_in_the_system() -> None:
    remark = the_one(library(mpi_s=30.0, posix_s=6.0))
    assert remark.text == (
        "MPI-IO takes 30.0 s to read and write out.h5, over all ranks; all POSIX calls on that file take "
        "6.00 s: 80 % are spent in MPI-IO itself."
    )
    assert remark.seconds == pytest.approx(24 / 4)
    assert not remarks(library(mpi_s=30.0, posix_s=29.0))


def test_independent_small_pieces_of_a_shared_file() -> None:
    def source(**counters: int) -> Log:
        written = {"INDEP_WRITES": 5000, "BYTES_WRITTEN": 5000 * 1024} | counters
        return log({"MPI-IO": mpi_io(written, {"WRITE_TIME": 20.0})}, run_s=RUN_S)

    remark = the_one(source(COLL_WRITES=64))
    assert remark.text.startswith(
        "Only 64 of 5,064 writes through MPI-IO are collective, and 1 file is shared by ranks in small "
        "pieces: "
        "out.h5 by 4 ranks, 5,064 writes of 1011 B on average"
    )
    assert not remarks(source(COLL_WRITES=6000)), "most are collective"
    assert not remarks(source(BYTES_WRITTEN=5000 * 2 * MIB)), "large pieces need no joining"


def test_reading_in_order_to_write() -> None:
    around = mpi_io({"COLL_WRITES": 50, "BYTES_WRITTEN": 10 * MIB}, {"WRITE_TIME": 20.0})
    sieved = {"READS": 60, "BYTES_READ": 30 * MIB, "WRITES": 60, "BYTES_WRITTEN": 40 * MIB}
    inside = posix(sieved, {"READ_TIME": 2.0, "WRITE_TIME": 17.0})
    remark = the_one(log({"POSIX": inside, "MPI-IO": around}, run_s=RUN_S))
    assert remark.text.startswith(
        "In out.h5, MPI-IO was asked to read 0 B and the system read 30 MiB; it was asked to write 10 MiB "
        "and "
        "the system wrote 40 MiB: 20.0 s over all ranks"
    )


def opens(seconds: float) -> Log:
    file = counted("H5F", {"OPENS": 4}, {"META_TIME": seconds})
    data = counted(
        "H5D",
        {"OPENS": 4, "WRITES": 4, "BYTES_WRITTEN": 64},
        {"READ_TIME": 0.0, "WRITE_TIME": 4.0},
        id=9,
        file=FILE,
    )
    return log({"H5F": file, "H5D": data}, run_s=RUN_S)


def test_opens_that_take_longer_than_the_writes() -> None:
    remark = the_one(opens(16.0))
    assert remark.text == (
        "Opens, closes, seeks, stats and syncs take 80 % of the time in I/O calls: 16.0 s over all ranks, "
        "for 8 "
        "opens of 1 file. out.h5 takes it: 16.0 s in HDF5 calls, with 8 opens by 4 ranks."
    )
    assert remark.seconds == pytest.approx(4.0)
    assert not remarks(opens(0.1))


def test_a_call_that_waits_for_something_else_is_no_server_of_names() -> None:
    pipes = [posix({"OPENS": 1}, {"META_TIME": 90.0}, id=FILE + number, rank=0) for number in range(3)]
    remark = the_one(log({"POSIX": joined(*pipes)}, ranks=1, run_s=100.0))
    assert "the other end of a pipe" in remark.why and "several threads" in remark.text
    assert remark.seconds == 100.0, "no more than the run"


def test_remarks_stand_by_the_time_that_they_may_explain() -> None:
    source = log({"POSIX": own_files(ONE_SLOW)}, run_s=RUN_S, stripes=stripes([1, 2, 3, 4]))
    seconds = [one.seconds or 0 for one in remarks(source)]
    assert seconds == sorted(seconds, reverse=True) and len(seconds) == 2
