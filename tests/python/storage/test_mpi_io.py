"""Two implementations of MPI-IO, and what their counts explain."""

from rows import found, row
from weir.analyse.detail import Counts, Detail
from weir.results.row import Row
from weir.storage.questions.mpi_io import judge_mpi_io

MIB = float(1 << 20)
COUNTS = Counts(
    calls=128.0, requests=128.0, request_bytes=128 * MIB, ranks=2.0, switches=100.0, cpu_s=0.1, processes=4
)


def pair(ompio: Counts | None, romio: Counts | None = COUNTS) -> list[Row]:
    each = (("ompio", 100, ompio), ("romio", 1000, romio))
    return [row("read", v, mpi_io=io, detail=Detail(counts=c), collective=True) for io, v, c in each]


def sentences(rows: list[Row]) -> tuple[str, ...]:
    finding = found(judge_mpi_io, rows)
    assert finding.title == "ROMIO reads 10.0 times as fast as OMPIO at 1 MiB transfers"
    assert finding.details[0].startswith("OMPIO against ROMIO: read at 1 MiB transfers 0.10 times")
    return finding.sentences


def counts(**changes: float) -> Counts:
    return Counts(**{**COUNTS.__dict__, **changes})


def test_more_requests_by_fewer_ranks_are_said_with_their_numbers() -> None:
    (said,) = sentences(pair(counts(requests=1024.0, ranks=1.0)))
    assert said == (
        "Read at 1 MiB transfers: OMPIO takes 10.0 times as long as ROMIO. It made 8.00 times the requests "
        "(1,024 of 128 KiB against 128 of 1 MiB), read through 1 rank instead of 2 and took 16.0 times the "
        "rounds (requests of an active rank for each collective call: 32.0 against 2.00)."
    )


def test_waiting_is_the_cause_only_where_the_storage_was_asked_for_the_same() -> None:
    (said,) = sentences(pair(counts(switches=9000.0, cpu_s=1.0)))
    assert (
        "switched between ranks on a core 90.0 times as often (context switches: 9,000 against 100)" in said
    )
    assert said.endswith(
        "the difference lies in what the ranks compute, and in how long they wait for each other."
    )
    (both,) = sentences(pair(counts(switches=9000.0, requests=1024.0)))
    assert "asked the same of the storage" not in both


def test_counts_that_explain_nothing_are_not_made_to() -> None:
    assert "the counts do not explain it" in sentences(pair(COUNTS))[0]
    assert "the cause is unknown" in sentences(pair(None))[0]


def test_no_difference_is_not_explained() -> None:
    rows = [row("read", 1000, mpi_io="ompio"), row("read", 1010, mpi_io="romio")]
    finding = found(judge_mpi_io, rows)
    assert finding.title == "ROMIO and OMPIO: equal within 10 %"
    assert len(finding.sentences) == 1
    assert judge_mpi_io(rows[:1], {}) is None


def test_counts_that_are_nearly_the_same_explain_nothing() -> None:
    near = counts(requests=128 * 1.2, request_bytes=128 * MIB * 1.2, switches=120.0, cpu_s=0.12)
    assert "the counts do not explain it" in sentences(pair(near))[0]
    assert "1.30 times the requests" in sentences(pair(counts(requests=128 * 1.3)))[0]
