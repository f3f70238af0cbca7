"""Advice for people and for programs."""

from collections.abc import Iterator
from typing import Any

from weir.network.tune.advice import Advice, Trial
from weir.results.words import join_words, times_words
from weir.units import count_words, format_bytes, significant


def advice_words(one: Advice) -> Iterator[str]:
    """What to set and what it gives and costs; or that nothing has won."""
    subject = one.subject
    name = f"{subject.function} on {count_words(subject.ranks, 'rank')}"
    sizes = join_words(format_bytes(size) for size in subject.sizes)
    if not subject.algorithms:
        yield f"{name}: this MPI offers no other algorithm."
    elif not one.trials:
        yield f"{name}: too few rounds to tell; it takes a larger --budget."
    elif one.winner is None:
        tried = count_words(len({trial.algorithm for trial in one.trials}), "other algorithm")
        near = f"; nearest is {_named(one.nearest)}" if one.nearest else ""
        yield f"{name}: none of {tried} is shown to be faster at {sizes}{near}."
    else:
        at = one.of(one.winner, violating=True)
        won = "; ".join(_trial_words(trial) for trial in at if trial.wins)
        yield f"{name}: the algorithm {one.winner.name} wins: {won}."
        if left := [trial for trial in at if not trial.wins]:
            yield f"Not shown to be faster: {'; '.join(map(_trial_words, left))}."
        yield "To choose it, set in the environment of the program:"
        yield "  " + " ".join(f"{key}={value}" for key, value in one.winner.env)
        yield f"That holds for messages of all sizes. {_cost_words(one.of(one.winner, violating=False))}"


def _cost_words(others: list[Trial]) -> str:
    slower = [trial for trial in others if trial.loses]
    faster = [trial for trial in others if trial.wins]
    rest = [trial for trial in others if trial not in (*slower, *faster)]
    said = [
        f"{words}: {'; '.join(map(_trial_words, part))}."
        for words, part in (("It is surely slower", slower), ("Also surely faster", faster))
        if part
    ]
    if rest:
        said.append(f"Not shown to differ at {join_words(format_bytes(one.size) for one in rest)}.")
    return " ".join(said) or "No other size was measured."


def _named(trial: Trial | None) -> str:
    return f"{trial.algorithm.name}, {_trial_words(trial)}" if trial else ""


def _trial_words(trial: Trial) -> str:
    """ "at 1 MiB 2.40 times as fast [1.90, 3.00] (754 µs, now 312 µs, n = 12 rounds)"."""
    found = trial.estimate
    interval = f"[{significant(found.low)}, {significant(found.high)}]"
    times = f"{significant(trial.other_us)} µs instead of {significant(trial.own_us)} µs"
    rounds = f"n = {count_words(found.rounds, 'round')}"
    return f"at {format_bytes(trial.size)} {times_words(found.ratio)} as fast {interval} ({times}, {rounds})"


def advice_data(one: Advice) -> dict[str, Any]:
    """For `--json`."""
    return {
        "function": one.subject.function,
        "ranks": one.subject.ranks,
        "violating_bytes": list(one.subject.sizes),
        "winner": one.winner.name if one.winner else None,
        "env": dict(one.winner.env) if one.winner else None,
        "trials": [
            {
                "algorithm": trial.algorithm.name,
                "bytes": trial.size,
                "violating": trial.violating,
                "own_us": trial.own_us,
                "other_us": trial.other_us,
                "times_as_fast": trial.estimate.ratio,
                "low": trial.estimate.low,
                "high": trial.estimate.high,
                "rounds": trial.estimate.rounds,
            }
            for trial in one.trials
        ],
    }
