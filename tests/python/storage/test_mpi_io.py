"""Two implementations of MPI-IO, and what their counts explain."""

from rows import found, row
from weir.analyse.detail import Counts, Detail
from weir.answers.answer import Certainty, Choice, Ratio
from weir.results.row import Row
from weir.storage.questions.mpi_io import judge_mpi_io

MIB = float(1 << 20)
COUNTS = Counts(
    calls=128.0, requests=128.0, request_bytes=128 * MIB, ranks=2.0, switches=100.0, cpu_s=0.1, processes=4
)


def pair(ompio: Counts | None, romio: Counts | None = COUNTS) -> list[Row]:
    each = (("ompio", 100, ompio), ("romio", 1000, romio))
    return [row("read", v, mpi_io=io, detail=Detail(counts=c), collective=True) for io, v, c in each]


def behind(rows: list[Row]) -> dict[str, tuple[float, str]]:
    """What OMPIO did more of: how many times ROMIO's, and both."""
    finding = found(judge_mpi_io, rows)
    (said,) = finding.answers
    assert isinstance(said.value, Choice)
    assert (said.value.best, said.value.other, said.value.ratio.times) == ("ROMIO", "OMPIO", 10.0)
    ratio, *counted = finding.numbers
    assert ratio.subject == ("OMPIO", "ROMIO", "read")
    assert all(one.subject[:2] == ("OMPIO", "ROMIO") for one in counted)
    return {
        one.subject[2].removeprefix("read, "): (one.value.times, one.remark)
        for one in counted
        if isinstance(one.value, Ratio)
    }


def counts(**changes: float) -> Counts:
    return Counts(**{**COUNTS.__dict__, **changes})


def test_more_requests_by_fewer_ranks_are_told_with_their_numbers() -> None:
    assert behind(pair(counts(requests=1024.0, ranks=1.0))) == {
        "requests of the system": (8.0, "1,024 against 128"),
        "active ranks": (0.5, "1 against 2"),
        "requests of a rank for each call": (16.0, "32.0 against 2.00"),
    }


def test_waiting_and_computing_are_counted_too() -> None:
    assert behind(pair(counts(switches=9000.0, cpu_s=1.0))) == {
        "context switches": (90.0, "9,000 against 100"),
        "processor time": (10.0, "1.00 s against 100 ms"),
    }


def test_counts_that_explain_nothing_are_not_made_to() -> None:
    assert behind(pair(COUNTS)) == {} and behind(pair(None)) == {}


def test_no_difference_is_not_explained() -> None:
    more = Detail(counts=counts(requests=1024.0))
    rows = [row("read", 1000, mpi_io="ompio", detail=more), row("read", 1010, mpi_io="romio")]
    finding = found(judge_mpi_io, rows)
    assert (finding.certainty, finding.answers[0].action) == (Certainty.SURE, "either")
    assert len(finding.numbers) == 1
    assert judge_mpi_io(rows[:1], {}) is None


def test_counts_that_are_nearly_the_same_explain_nothing() -> None:
    near = counts(requests=128 * 1.2, request_bytes=128 * MIB * 1.2, switches=120.0, cpu_s=0.12)
    assert behind(pair(near)) == {}
    assert behind(pair(counts(requests=128 * 1.3)))["requests of the system"][0] == 1.3
