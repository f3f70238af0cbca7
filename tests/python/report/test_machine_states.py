"""What is told of a machine that changed its state while it was measured."""

from collections.abc import Iterator, Sequence

import pytest

from rows import KNOWN_WORDS
from samples import sample
from weir.report.machine_states import judged_again, states_data, states_words
from weir.results.pairing import compare
from weir.results.summary import RunSummary, summarise
from weir.store.records import (
    AnyRecord,
    CaseRecord,
    FinishedRecord,
    HandOff,
    LaunchRecord,
    NodePlace,
    StateRecord,
)

CASES = [CaseRecord(case=name, benchmark="storage", ranks=2, options={"layout": "shared"}) for name in "ab"]
FAST, SLOW = 42.0, 250.0


def run(
    *launches: tuple[str, Sequence[float]],
    slow: float = 40.0,
    stored: str = "",
    times: Sequence[str] = (),
    hosts: Sequence[str] = ("n1", "n1"),
    of_latency: bool = False,
) -> RunSummary:
    """Of launches on `hosts` with a case each, and the probes around its samples, taken at `times`; those of
    the case `stored` are of storage. With `of_latency` their numbers are latencies in place of bandwidths."""
    clock = iter(times)

    def records() -> Iterator[AnyRecord]:
        yield from CASES
        for number, (case, probes) in enumerate(launches):
            yield LaunchRecord(launch=number, nodes=[NodePlace(host=hosts[number])])
            for at, time in enumerate(probes):
                if at:
                    speed = 100.0 if time == FAST else slow
                    yield sample(
                        case,
                        launch=number,
                        round=at,
                        **({"latency_us": 1 / speed} if of_latency else {"bandwidth_bytes_per_s": speed}),
                        elapsed_s=1 / speed,
                        benchmark="storage" if case == stored else "other",
                    )
                yield StateRecord(
                    probed_at=next(clock, None), handoff_ns=HandOff(time, time, 1), cpus=[0, 1], launch=number
                )
        yield FinishedRecord(case="b", verdict="inconclusive", why="")

    return summarise(records(), KNOWN_WORDS)


def test_rows_hold_samples_of_one_state_and_say_how_many_are_set_aside() -> None:
    summary = run(("a", [FAST] * 8 + [SLOW] * 4), ("b", [FAST] * 7))
    a, b = summary.rows
    assert (a.n, a.set_aside, a.low, a.high) == (7, 4, 100.0, 100.0)
    assert (b.n, b.set_aside) == (6, 0)


def test_both_times_and_the_difference_between_the_states_are_told_once() -> None:
    summary = run(("a", [FAST] * 8 + [SLOW] * 7), ("b", [FAST] * 7))
    (said,) = states_words(summary)
    assert said == (
        "The machine changed its state: a cache line passed from CPU 0 to CPU 1 in 42.0 ns or 250 ns. "
        "One after the other the states were 42.0 ns (8 probes), 250 ns (7 probes) and 42.0 ns (7 probes); "
        "at the last probe it was back in the state of 42.0 ns. "
        "All results are of the state of 42.0 ns, that of most samples; 7 of 20 samples are set aside: "
        "6 of the state of 250 ns, 1 in which it changed or may have. With 250 ns, of 1 result with 6 "
        "samples or more in both states, 1 surely differs: write, 2 ranks, shared file, 0.40 times "
        "[0.40, 0.40] (n = 6, 7)."
    )
    data = states_data(summary)
    assert (data["samples"], data["set_aside"]) == (20, 7)
    assert [(one["handoff_ns"], one["samples"], one["main"]) for one in data["states"]] == [
        (FAST, 13, True),
        (SLOW, 6, False),
    ]
    (difference,) = data["differences"]
    assert (difference["case"], difference["times_as_fast"], difference["samples"]) == ("a", 0.4, 6)


def test_of_times_the_state_with_the_longer_ones_is_the_slower() -> None:
    (said,) = states_words(run(("a", [FAST] * 8 + [SLOW] * 7), of_latency=True))
    assert said.endswith(", 0.40 times as fast [0.40, 0.40] (n = 6, 7).")


def test_what_is_set_aside_is_counted_for_each_host() -> None:
    launches = ("a", [FAST] * 8 + [SLOW] * 4), ("b", [FAST] * 9 + [SLOW] * 6)
    said = states_words(run(*launches, hosts=("n1", "n2")))
    assert len(said) == 2
    for words, host, aside in zip(said, ("n1", "n2"), (4, 6), strict=True):
        assert f"changed its state on {host}: " in words
        assert f"; {aside} of 25 samples are set aside: {aside - 1} of the state of 250 ns, 1 in " in words


def test_too_few_samples_in_a_state_are_not_compared() -> None:
    (said,) = states_words(run(("a", [FAST] * 8 + [SLOW] * 6), ("b", [FAST] * 7)))
    assert "With 250 ns" not in said and "6 of 19 samples are set aside" in said
    assert said.endswith(
        "Whether results differ with 250 ns is not known: none has 6 samples or more in both."
    )


def test_a_case_of_another_state_alone_has_no_number_and_says_why() -> None:
    summary = run(("a", [FAST] * 8), ("b", [SLOW] * 5))
    assert [row.case for row in summary.rows] == ["a"]
    (b,) = (row for row in summary.all_rows if row.case == "b")
    assert (b.median, b.set_aside, b.verdict_why) == (
        None,
        4,
        "the machine was in another state during all of its samples",
    )
    assert summary.unmeasured == []


def test_results_of_storage_are_of_all_states_and_that_is_told() -> None:
    summary = run(("a", [FAST] * 8 + [SLOW] * 7), slow=100.0, stored="a")
    assert [(row.n, row.set_aside) for row in summary.rows] == [(14, 0)]
    (said,) = states_words(summary)
    assert said.endswith(
        "Of results of storage, samples of all states count, since none surely differs between them: 7 of "
        "14 samples are of others than the state of 42.0 ns, that of most samples. With 250 ns, of 1 result "
        "with 6 samples or more in both states, none surely differs."
    )
    assert (states_data(summary)["mixed"], states_data(summary)["set_aside"]) == (7, 0)


def test_a_machine_that_changed_during_every_sample_has_no_state_of_most_samples() -> None:
    (said,) = states_words(run(("a", [FAST, SLOW] * 3), slow=100.0, stored="a"))
    assert "5 of 5 samples are of others than the state of 42.0 ns, the fastest that was seen." in said


def test_results_of_storage_beside_others() -> None:
    summary = run(("a", [FAST] * 8 + [SLOW] * 7), ("b", [FAST] * 8 + [SLOW] * 7), slow=100.0, stored="a")
    (said,) = states_words(summary)
    assert (
        "Results are of the state of 42.0 ns, that of most samples, but for those of storage that do not "
        "surely differ between states, in which 7 samples of others count; 7 of 28 samples are set aside: 6 "
        "of the state of 250 ns, 1 in which it changed or may have."
    ) in said


def test_a_single_slow_probe_is_no_second_state() -> None:
    (said,) = states_words(run(("a", [FAST] * 8 + [SLOW] + [FAST] * 8)))
    assert "in 42.0 ns, and for a moment in another time." in said
    assert (
        "1 of 17 probes showed another time; at the last probe it was back in the state of 42.0 ns." in said
    )
    assert "2 of 16 samples are set aside: 2 in which it changed or may have." in said


def of_minutes(count: int) -> list[str]:
    return [f"2026-11-27T14:{minute:02}:00.123Z" for minute in range(count)]


@pytest.mark.parametrize(
    ("probes", "says"),
    [
        (
            [FAST] * 6 + [SLOW] * 3 + [FAST] * 2,
            "One after the other the states were 42.0 ns (6 probes, 14:00:00 to 14:05:00 UTC), 250 ns "
            "(3 probes, 14:06:00 to 14:08:00 UTC) and 42.0 ns (2 probes, 14:09:00 to 14:10:00 UTC); at the "
            "last probe it was back in the state of 42.0 ns.",
        ),
        (
            [FAST] * 6 + [SLOW] * 3,
            "250 ns (3 probes, 14:06:00 to 14:08:00 UTC); at the last probe it was in that of 250 ns, "
            "and had not come back to that of 42.0 ns.",
        ),
        (
            [FAST] * 4 + [120.0] + [FAST] * 4 + [SLOW] * 3,
            "42.0 ns (8 probes, 14:00:00 to 14:08:00 UTC) and 250 ns (3 probes, 14:09:00 to 14:11:00 UTC)",
        ),
        ([SLOW] * 3 + [FAST] * 6, "; at the last probe it was in the state of 42.0 ns."),
        (
            ([FAST] * 5 + [SLOW] * 2) * 3,
            "It changed 5 times: 6 of 21 probes showed another state than 42.0 ns, at most 2 in a row "
            "(14:05:00 to 14:20:00 UTC); at the last probe it was in that of 250 ns, and had not "
            "come back to that of 42.0 ns.",
        ),
        (
            [FAST, FAST, 120.0, *[FAST] * 3, *[SLOW] * 2, *([FAST] * 5 + [SLOW] * 2) * 2],
            "It changed 5 times: 6 of 21 probes showed another state than 42.0 ns, at most 2 in a row",
        ),
        (
            ([FAST] * 5 + [SLOW] * 2) * 2 + [FAST],
            "It changed 4 times: 4 of 15 probes showed another state than 42.0 ns, at most 2 in a row "
            "(14:05:00 to 14:13:00 UTC); at the last probe it was back in the state of 42.0 ns.",
        ),
        (
            [FAST] * 8 + [SLOW] + [FAST] * 8,
            "1 of 17 probes showed another time (14:08:00 UTC); at the last probe it was back in the "
            "state of 42.0 ns.",
        ),
        (
            [FAST] * 8 + [SLOW],
            "1 of 9 probes showed another time (14:08:00 UTC); at the last probe it was in another, and "
            "had not come back to that of 42.0 ns.",
        ),
    ],
    ids=[
        "back",
        "not back",
        "unclear",
        "first",
        "often",
        "often, unclear",
        "often, back",
        "a moment",
        "in the end",
    ],
)
def test_when_it_was_in_which_state_and_whether_it_came_back(probes: list[float], says: str) -> None:
    (said,) = states_words(run(("a", probes), times=of_minutes(len(probes))))
    assert says in said


def test_times_of_several_days_have_their_days() -> None:
    probes = [FAST] * 6 + [SLOW] * 3
    times = [f"2026-11-{20 + number}T14:00:00Z" for number in range(len(probes))]
    (said,) = states_words(run(("a", probes), times=times))
    assert "250 ns (3 probes, 2026-11-26 14:00:00 to 2026-11-28 14:00:00 UTC)" in said


def test_the_stretches_are_there_for_programs() -> None:
    summary = run(("a", [FAST] * 6 + [SLOW] * 3), times=of_minutes(9))
    stretches = [(one["handoff_ns"], one["probes"]) for one in states_data(summary)["stretches"]]
    assert stretches == [(FAST, 6), (SLOW, 3)]
    (_, last) = states_data(summary)["stretches"]
    assert (last["first_at"][11:16], last["last_at"][11:16], last["cpus"]) == ("14:06", "14:08", [0, 1])


CARD = {"code": "states", "problem": "the machine changes its state", "why": "a host", "advice": "set aside"}


def test_what_was_seen_before_the_run_is_taken_back_where_the_run_shows_one_state() -> None:
    steady = judged_again(CARD, run(("a", [FAST] * 8)))
    assert steady == {
        "code": "states",
        "problem": "before the run, the machine changes its state",
        "why": "during the run it did not: 8 probes around its cases showed 42.0 ns",
        "advice": "read its results as those of that state",
    }
    assert judged_again(CARD, run(("a", [FAST] * 6 + [SLOW] * 3))) is None, "the run itself tells of it"
    assert judged_again(CARD, summarise(CASES)) == CARD, "nobody looked again"
    other = CARD | {"code": "busy"}
    assert judged_again(other, run(("a", [FAST] * 8))) == other


def test_of_one_state_nothing_is_said() -> None:
    assert states_words(run(("a", [FAST] * 8))) == []
    assert states_words(summarise([*CASES, sample(bandwidth_bytes_per_s=1.0)])) == []


def test_pairs_are_of_one_state() -> None:
    """Neighbours of a round are no pair where one was measured in another state."""
    fast = [FAST] * 8
    a, b = run(("a", [*fast, *[SLOW] * 8]), ("b", [*fast, *[SLOW] * 4, *[FAST] * 4])).rows
    ratio = compare(a, b)
    assert ratio is not None
    assert (ratio.ratio, ratio.pairs, b.n) == (1.0, 7, 10)
