"""What pairs of runs say. Nothing is run."""

import pytest

from weir.answers.tables import ACTIONS, TITLES
from weir.boost.comparison import NOTHING_TAKEN, VERDICTS, Pair, Trial, compare
from weir.boost.launches import Launch
from weir.errors import ExitCode


def trial(io_s: float, whole_s: float = 10, taken: int = 8) -> Trial:
    """Of one launch."""
    launch = Launch(1, 4, {"taken": taken, "small": 4}, pieces=100, requests=5, taken_s=io_s)
    return Trial(whole_s, (launch,))


def pairs(*times: tuple[float, float], taken: int = 8) -> list[Pair]:
    """Of seconds without and boosted."""
    return [Pair(trial(without, taken=0), trial(boosted, taken=taken)) for without, boosted in times]


@pytest.mark.parametrize(
    ("times", "taken", "verdict", "code"),
    [
        ([(2.0, 1.0)] * 6, 8, "2.0 times as fast in I/O [2.0, 2.0]", ExitCode.FINE),
        ([(1.0, 2.0)] * 6, 8, "slower: 0.50 times as fast in I/O [0.50, 0.50]", ExitCode.THRESHOLD),
        ([(1.0, 1.01)] * 6, 8, "no gain: 0.99 times as fast in I/O [0.99, 0.99]", ExitCode.FINE),
        (
            [(2.0, 1.0), (1.0, 2.0)] * 3,
            8,
            "no gain shown: 1.2 times as fast in I/O [0.50, 2.0]",
            ExitCode.INCONCLUSIVE,
        ),
        (
            [(2.0, 1.0)] * 5,
            8,
            "no gain shown: 2.0 times as fast in I/O (no interval)",
            ExitCode.INCONCLUSIVE,
        ),
        ([(2.0, 1.0)] * 6, 0, NOTHING_TAKEN, ExitCode.FINE),
        ([(1.0, 2.0)] * 6, 0, "slower: 0.50 times as fast in I/O [0.50, 0.50]", ExitCode.THRESHOLD),
    ],
    ids=["faster", "slower", "alike", "open", "few", "nothing taken", "nothing taken, and slower"],
)
def test_the_verdict_is_that_of_neighbours_in_io(
    times: list[tuple[float, float]], taken: int, verdict: str, code: ExitCode
) -> None:
    found = compare(pairs(*times, taken=taken))
    assert (found.verdict, found.exit_code) == (verdict, code)


def test_drift_does_not_hide_a_gain() -> None:
    found = compare(pairs(*((2.0 * 3**at, 1.0 * 3**at) for at in range(6))))
    assert found.io.ratio is not None
    assert (found.io.ratio.low, found.io.ratio.high) == (2, 2)


def test_launches_of_one_run_add_up() -> None:
    launch = Launch(1, 2, {"taken": 1}, pieces=3, requests=2, taken_s=1, left_s=2, around_s=4)
    both = Trial(20, (launch, launch))
    assert (both.io_s, both.taken, both.pieces, both.requests) == (14, 2, 6, 4)


def test_a_verdict_has_at_most_twelve_words() -> None:
    filled = (one.format(times="0.50", ends=" (no interval)") for one in VERDICTS.values())
    assert all(len(one.split()) <= 12 for one in filled)
    assert {"boosted-io", "boosted-run"} <= TITLES.keys()
    assert {"boost", "boost-not"} <= ACTIONS.keys()
