"""Advice for people and for programs."""

from collections.abc import Iterator
from typing import Any

from weir.answers.answer import Number, Ratio
from weir.network.tune.advice import Advice, Trial
from weir.units import count_words, format_bytes, significant

CONDITIONS = (
    "All intervals hold together with 95 %. An algorithm is set in the environment of a program, and holds "
    "for its messages of all sizes."
)


def advice_numbers(one: Advice) -> Iterator[Number]:
    """Each algorithm that was tried, the winner first, and at which size; or why none was."""
    subject = one.subject
    name = f"{subject.function}, {count_words(subject.ranks, 'rank')}"
    if not one.trials:
        none = "too few rounds: use a larger --budget" if subject.algorithms else "this MPI offers no other"
        yield Number((name, "other algorithms", ""), None, none)
    for trial in sorted(one.trials, key=lambda each: (each.algorithm != one.winner, each.size)):
        found = trial.estimate
        value = Ratio(found.ratio, found.low, found.high, found.rounds, unit="times as fast")
        yield Number((name, trial.algorithm.name, format_bytes(trial.size)), value, _remark(trial))


def _remark(trial: Trial) -> str:
    times = f"{significant(trial.other_us)} µs against {significant(trial.own_us)} µs"
    sure = "surely faster: " if trial.wins else "surely slower: " if trial.loses else ""
    return f"{sure}{times}"


def settings(one: Advice) -> str:
    """How the winner is chosen in a shell: "ring: FORCE=1 ALGORITHM=2"; empty where none won."""
    if one.winner is None:
        return ""
    return f"{one.winner.name}: " + " ".join(f"{key}={value}" for key, value in one.winner.env)


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
