"""What is tried where guidelines are violated, and what is advised: only what has won."""

from dataclasses import replace

import pytest

from network_rows import network_row
from weir.analyse.simultaneous import RatioEstimate
from weir.answers.answer import Certainty, Choice, Ratio
from weir.answers.words import action_of
from weir.core.option import Option
from weir.core.schema import Benchmark
from weir.network.guidelines.judge import judge_rows
from weir.network.tune.advice import Advice, Trial, advise
from weir.network.tune.algorithms import Algorithm
from weir.network.tune.first_screen import first_screen
from weir.network.tune.trial import Subject, subjects_of, trial_study
from weir.network.tune.words import advice_numbers, settings
from weir.results.row import Row

KIB = 1024
ALGORITHMS = [
    Algorithm("allreduce", name, (("FORCE", "1"), ("ALGORITHM", str(number))))
    for number, name in enumerate(("linear", "ring", "tree"), 1)
]
BENCHMARK = Benchmark(
    "network",
    options=[
        Option("function", "choice", default="PingPong", choices=["Allreduce", "Bcast"]),
        Option("bytes", "bytes", default=8),
        Option("imb", "choice", default="2021", choices=["2.3", "2021"]),
        Option("active", "integer", default=0),
    ],
)
JITTER = (1.0, 1.03, 0.97, 1.02, 0.98, 1.01, 0.99, 1.0)
OWN = {KIB: 2.0, 16 * KIB: 50.0, 64 * KIB: 400.0}


def violating() -> list[Row]:
    """Allreduce is slower than Reduce + Bcast at 64 KiB alone."""
    rows = []
    for size, time in OWN.items():
        rows.append(network_row("Allreduce", size, [time * one for one in JITTER]))
        rows += [
            network_row(name, size, [size / KIB * 1.5 * one for one in reversed(JITTER)])
            for name in ("Reduce", "Bcast")
        ]
    return [replace(row, env={"HAD": "yes"}) for row in rows]


def subject() -> Subject:
    (found,) = subjects_of(judge_rows(violating()), violating(), ALGORITHMS)
    return found


def tried(*times: float, other: float = 1.0) -> list[Row]:
    """Rows of the trial: as many times as fast as the own choice at 64 KiB, and `other` at the rest."""
    rows = []
    for env, times_as_fast in zip(subject().environments, (1.0, *times), strict=True):
        for size, own in OWN.items():
            gain = times_as_fast if size == 64 * KIB else 1 if times_as_fast == 1 else other
            shift = list(JITTER) if times_as_fast == 1 else JITTER[::-1]
            made = network_row("Allreduce", size, [own / gain * one for one in shift])
            rows.append(replace(made, env=env))
    return rows


def advice(*times: float, other: float = 1.0) -> Advice:
    (found,) = advise([subject()], tried(*times, other=other))
    return found


def numbers(one: Advice) -> dict[tuple[str, ...], tuple[float, str]]:
    """Of each algorithm and size how many times as fast it is, and what stands first beside it."""
    found = {number.subject: number for number in advice_numbers(one)}
    assert {subject[0] for subject in found} == {"Allreduce, 4 ranks"}
    return {
        subject[1:]: (number.value.times if isinstance(number.value, Ratio) else 0, number.remark)
        for subject, number in found.items()
    }


def test_the_sizes_of_violations_are_tried_and_the_others_beside_them() -> None:
    found = subject()
    assert (found.function, found.ranks, found.sizes, found.others) == (
        "Allreduce",
        4,
        (64 * KIB,),
        (KIB, 16 * KIB),
    )


def test_the_study_has_the_own_choice_and_each_algorithm_in_turns() -> None:
    study = trial_study([subject()], BENCHMARK, "tune", 60.0)
    sizes = [comparison.axes["bytes"] for comparison in study.comparisons]
    assert sorted(sizes) == [["16KiB"], ["1KiB"], ["64KiB"]], "a short budget measures some sizes whole"
    for comparison in study.comparisons:
        assert comparison.fixed == {"ranks": 4, "function": "Allreduce"}
        assert comparison.axes["env"][0] == {"HAD": "yes"}
        assert comparison.axes["env"][2] == {"HAD": "yes", "FORCE": "1", "ALGORITHM": "2"}
    assert study.file.study.budget == "1m"


def test_what_wins_is_advised_with_its_environment_and_its_cost_elsewhere() -> None:
    found = advice(0.5, 3.0, 2.0, other=0.5)
    assert found.winner == ALGORITHMS[1]
    told = numbers(found)
    assert list(told)[:3] == [("ring", "1 KiB"), ("ring", "16 KiB"), ("ring", "64 KiB")]
    for size, times, sure in (("64 KiB", 3.0, "surely faster: "), ("1 KiB", 0.5, "surely slower: ")):
        assert told["ring", size][0] == pytest.approx(times, rel=0.1) and told["ring", size][1].startswith(
            sure
        )
    assert settings(found) == "ring: FORCE=1 ALGORITHM=2"


def test_nothing_is_advised_that_has_not_won() -> None:
    found = advice(0.5, 1.0, 1.02)
    assert found.winner is None
    assert len(numbers(found)) == 9 and settings(found) == ""
    assert not any(remark.startswith("surely faster") for _, remark in numbers(found).values())


def test_the_first_screen_has_the_algorithm_and_how_to_set_it() -> None:
    screen = first_screen("RUN", [advice(0.5, 3.0, 2.0, other=0.5)])
    (row,) = screen.rows
    assert row.subject == ("Allreduce", "4 ranks", "64 KiB") and row.certainty is Certainty.SURE
    assert isinstance(row.value, Choice) and (row.value.best, row.value.differs) == ("ring", True)
    assert row.value.ratio.times == pytest.approx(3.0, rel=0.1)
    assert action_of(row) == "ring: set FORCE=1 ALGORITHM=2"
    (slower,) = screen.caveats
    assert (slower.code, slower.count, slower.of) == ("slower-elsewhere", 2, 2)


def test_the_first_screen_is_open_where_nothing_has_won() -> None:
    (row,) = first_screen("RUN", [advice(0.5, 1.0, 1.02)]).rows
    assert row.certainty is Certainty.OPEN and action_of(row) == "none of 3 others is surely faster"
    assert isinstance(row.value, Choice) and not row.value.differs
    (row,) = first_screen("RUN", [replace(advice(0.5, 1.0, 1.02), trials=())]).rows
    assert (row.value, row.action) == (None, "larger-budget")
    assert first_screen("RUN", []).verdict.endswith("there is nothing to try")


def test_too_few_rounds_advise_nothing() -> None:
    few = [replace(row, samples=row.samples[:5], records=row.records[:5]) for row in tried(0.5, 3.0, 2.0)]
    (found,) = advise([subject()], few)
    assert (found.winner, found.trials) == (None, ())
    assert numbers(found) == {("other algorithms", ""): (0, "too few rounds: use a larger --budget")}


def test_a_function_without_other_algorithms_is_told() -> None:
    (found,) = subjects_of(judge_rows(violating()), violating(), [])
    (one,) = advise([found], [])
    assert numbers(one) == {("other algorithms", ""): (0, "this MPI offers no other")}


@pytest.mark.parametrize(
    ("ratio", "low", "wins"), [(1.5, 1.2, True), (1.5, 0.9, False), (1.01, 1.005, False)]
)
def test_only_what_is_surely_faster_and_by_enough_wins(ratio: float, low: float, wins: bool) -> None:
    estimate = RatioEstimate(ratio, low, 2 * ratio, 8)
    trial = Trial(
        algorithm=Algorithm("allreduce", "ring", ()),
        size=8,
        violating=True,
        own_us=2.0,
        other_us=1.0,
        estimate=estimate,
    )
    assert trial.wins is wins
