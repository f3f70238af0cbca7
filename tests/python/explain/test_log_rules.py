"""What stands out in logs made so that it does, and not in others: by rule, of what Darshan counts."""

import pytest

from weir.answers.answer import Answer
from weir.explain.rule import answers_on
from weir.trace.importers._darshan.log import Counted, Log, Stripes

from .answers import evidence_of, seconds_of
from .made_log import FILE, counted, joined, log, tables

MIB = 2**20
RUN_S = 10.0


def found(source: Log) -> list[Answer]:
    return answers_on(tables(source))


def the_one(source: Log) -> Answer:
    (answer,) = found(source)
    return answer


def of(question: str, source: Log) -> Answer:
    (answer,) = (one for one in found(source) if one.question == question)
    return answer


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


def test_of_even_ranks_on_even_targets_nothing_stands_out() -> None:
    assert not found(log({"POSIX": own_files(EVEN)}, run_s=RUN_S, stripes=stripes([4, 5, 6, 7])))


def test_a_rank_that_takes_longer_than_the_others_is_named() -> None:
    answer = the_one(log({"POSIX": own_files(ONE_SLOW)}, run_s=RUN_S))
    assert (answer.question, answer.subject, answer.action) == ("slow_ranks", ("rank 1",), "find-slow-part")
    assert evidence_of(answer) == {
        "its POSIX calls": 9.0,
        "mean of the others": pytest.approx(7.1 / 3),
        "its data": 256 * MIB,
        "mean data of the others": 256 * MIB,
        "the fastest, rank 0": 2.0,
        "other ranks": 3,
    }
    assert seconds_of(answer) == pytest.approx(9 - 7.1 / 3)


def test_a_rank_with_more_work_is_told_apart() -> None:
    more = joined(own_files(ONE_SLOW), posix({"WRITES": 1, "BYTES_WRITTEN": 1024 * MIB}, {}, rank=1, id=5))
    assert the_one(log({"POSIX": more}, run_s=RUN_S)).action == "spread-data"


def test_a_rank_that_is_slow_for_a_moment_of_the_run_is_not() -> None:
    assert not found(log({"POSIX": own_files([one / 100 for one in ONE_SLOW])}, run_s=RUN_S))


def test_the_targets_of_slow_files_are_named() -> None:
    source = log({"POSIX": own_files(ONE_SLOW)}, run_s=RUN_S, stripes=stripes([4, 5, 6, 7]))
    answer = of("storage_targets", source)
    assert answer.subject == ("OST 5",)
    assert evidence_of(answer) == {
        "slow targets": 1,
        "of targets": 4,
        "files on OST 5": 1,
        "a rank on OST 5": pytest.approx(256 * MIB / 9),
        "longest file on OST 5": 9.0,
        "a rank on the median OST": pytest.approx(256 * MIB / 2.55, rel=1e-3),
    }
    assert seconds_of(answer) == pytest.approx(9 - 2.55)


def test_files_on_several_targets_tell_none_apart() -> None:
    both = [Stripes(FILE + number, MIB, 2, [number, 9]) for number in range(4)]
    answers = found(log({"POSIX": own_files(ONE_SLOW)}, stripes=both))
    assert [one.question for one in answers] == ["slow_ranks"]


SHARED = {"WRITES": 2000, "BYTES_WRITTEN": 4000 * MIB, "SEQ_WRITES": 1999, "SIZE_WRITE_1M_4M": 2000}
TOOK = {"WRITE_TIME": 12.0, "SLOWEST_RANK_TIME": 3.2, "FASTEST_RANK_TIME": 2.9}


def test_misaligned_writes_of_a_shared_file() -> None:
    source = log({"POSIX": posix(SHARED | {"FILE_NOT_ALIGNED": 1999}, TOOK)}, run_s=RUN_S)
    answer = the_one(source)
    assert (answer.question, answer.subject, answer.action) == ("misaligned", ("out.h5",), "align-shared")
    assert evidence_of(answer) == {
        "reads and writes": 2000,
        "misaligned": 0.9995,
        "stripe or block": MIB,
        "mean request": 2 * MIB,
        "ranks that use the file": 4,
        "reads and writes over all ranks": 12.0,
    }
    assert seconds_of(answer) == pytest.approx(0.9995 * 12 / 4)


@pytest.mark.parametrize(
    ("counters", "action"),
    [
        ({"WRITES": 2000, "BYTES_WRITTEN": 8 * MIB}, "align-written"),
        ({"READS": 2000, "BYTES_READ": 8 * MIB}, "align-read"),
    ],
)
def test_misaligned_requests_of_one_rank(counters: dict[str, int], action: str) -> None:
    times = {"WRITE_TIME" if "WRITES" in counters else "READ_TIME": 8.0}
    source = log({"POSIX": posix(counters | {"FILE_NOT_ALIGNED": 1999}, times, rank=0)}, ranks=1, run_s=RUN_S)
    assert of("misaligned", source).action == action


@pytest.mark.parametrize(
    "counters",
    [SHARED, SHARED | {"FILE_NOT_ALIGNED": 199}, SHARED | {"FILE_NOT_ALIGNED": 2000, "FILE_ALIGNMENT": -1}],
    ids=["aligned", "few", "alignment unknown"],
)
def test_of_other_writes_of_a_shared_file_nothing_stands_out(counters: dict[str, int]) -> None:
    assert not found(log({"POSIX": posix(counters, TOOK)}, run_s=RUN_S))


def test_small_and_random_requests() -> None:
    small = {"WRITES": 5000, "BYTES_WRITTEN": 500_000, "SIZE_WRITE_0_100": 5000, "SEQ_WRITES": 1996}
    source = log({"POSIX": posix(small, TOOK)}, run_s=RUN_S)
    known = evidence_of(of("small_requests", source))
    assert (known["writes"], known["of 32 KiB or less"]) == (5000, 1)
    known = evidence_of(of("random_access", source))
    assert (known["writes"], known["mean write"]) == (5000, 100)
    # Of 3,004 that are not sequential, 4 may be the ranks' first ones.
    assert known["before the end of the previous"] == pytest.approx(0.6)
    assert not found(log({"POSIX": posix(small, {"WRITE_TIME": 0.01})}, run_s=RUN_S)), "0.1 % of the run"


def test_one_rank_that_moves_the_data_of_all() -> None:
    all_of_it = {"SLOWEST_RANK": 3, "SLOWEST_RANK_BYTES": 4000 * MIB}
    time = {"WRITE_TIME": 5.0, "SLOWEST_RANK_TIME": 5.0}
    around = mpi_io({"COLL_WRITES": 400, "BYTES_WRITTEN": 4000 * MIB}, {"WRITE_TIME": 24.0})
    source = log({"POSIX": posix(SHARED | all_of_it, time), "MPI-IO": around}, run_s=RUN_S)
    answer = of("few_writers", source)
    assert answer.subject == ("rank 3", "out.h5")
    assert evidence_of(answer) == {
        "its share of the data": 1,
        "data of all ranks": 4000 * MIB,
        "its POSIX calls": 5.0,
        "ranks that share the file": 4,
    }
    assert seconds_of(answer) == pytest.approx(24 / 4), "so long each rank is in MPI-IO"


def library(mpi_s: float, posix_s: float) -> Log:
    around = mpi_io({"COLL_WRITES": 400, "BYTES_WRITTEN": 4000 * MIB}, {"WRITE_TIME": mpi_s})
    return log({"POSIX": posix(SHARED, {"WRITE_TIME": posix_s}), "MPI-IO": around}, run_s=RUN_S)


def test_time_in_mpi_io_that_is_not_in_the_system() -> None:
    answer = the_one(library(mpi_s=30.0, posix_s=6.0))
    assert (answer.subject, answer.action) == (("MPI-IO", "out.h5"), "tune-mpi-io")
    assert evidence_of(answer) == {
        "its reads and writes over all ranks": 30.0,
        "POSIX calls on that file": 6.0,
        "in the library itself": pytest.approx(0.8),
    }
    assert seconds_of(answer) == pytest.approx(24 / 4)
    assert not found(library(mpi_s=30.0, posix_s=29.0))


def test_independent_small_pieces_of_a_shared_file() -> None:
    def source(**counters: int) -> Log:
        written = {"INDEP_WRITES": 5000, "BYTES_WRITTEN": 5000 * 1024} | counters
        return log({"MPI-IO": mpi_io(written, {"WRITE_TIME": 20.0})}, run_s=RUN_S)

    answer = the_one(source(COLL_WRITES=64))
    assert (answer.question, answer.subject) == ("independent", ("writes", "out.h5"))
    assert evidence_of(answer) == {
        "writes through MPI-IO": 5064,
        "collective": 64,
        "independent": pytest.approx(5000 / 5064),
        "files shared in small pieces": 1,
        "ranks that share it": 4,
        "writes of out.h5": 5064,
        "mean write of out.h5": 1011,
        "writes over all ranks": 20.0,
    }
    assert not found(source(COLL_WRITES=6000)), "most are collective"
    assert not found(source(BYTES_WRITTEN=5000 * 2 * MIB)), "large pieces need no joining"


def test_reading_in_order_to_write() -> None:
    around = mpi_io({"COLL_WRITES": 50, "BYTES_WRITTEN": 10 * MIB}, {"WRITE_TIME": 20.0})
    sieved = {"READS": 60, "BYTES_READ": 30 * MIB, "WRITES": 60, "BYTES_WRITTEN": 40 * MIB}
    inside = posix(sieved, {"READ_TIME": 2.0, "WRITE_TIME": 17.0})
    answer = the_one(log({"POSIX": inside, "MPI-IO": around}, run_s=RUN_S))
    assert (answer.question, answer.subject) == ("read_modify_write", ("MPI-IO", "out.h5"))
    assert evidence_of(answer) == {
        "asked to read": 0,
        "read by the system": 30 * MIB,
        "asked to write": 10 * MIB,
        "write by the system": 40 * MIB,
        "its reads and writes over all ranks": 20.0,
    }


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
    answer = the_one(opens(16.0))
    assert (answer.question, answer.subject, answer.action) == ("metadata", ("out.h5",), "open-fewer")
    assert evidence_of(answer) == {
        "share of time in I/O calls": pytest.approx(0.8),
        "all of them over all ranks": 16.0,
        "opens": 8,
        "files": 1,
        "HDF5 calls on out.h5": 16.0,
        "opens of out.h5": 8,
        "ranks that use out.h5": 4,
    }
    assert seconds_of(answer) == pytest.approx(4.0)
    assert not found(opens(0.1))


def test_a_call_that_waits_for_something_else_is_no_server_of_names() -> None:
    pipes = [posix({"OPENS": 1}, {"META_TIME": 90.0}, id=FILE + number, rank=0) for number in range(3)]
    answer = the_one(log({"POSIX": joined(*pipes)}, ranks=1, run_s=100.0))
    assert answer.action == "find-wait" and "at a time" in evidence_of(answer)
    assert seconds_of(answer) == 100.0, "no more than the run"


def test_answers_stand_by_the_time_that_they_may_explain() -> None:
    source = log({"POSIX": own_files(ONE_SLOW)}, run_s=RUN_S, stripes=stripes([1, 2, 3, 4]))
    seconds = [seconds_of(one) for one in found(source)]
    assert seconds == sorted(seconds, reverse=True) and len(seconds) == 2
