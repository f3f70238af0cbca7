"""Where a protocol switches: more message sizes, measured in the same run between the two neighbours where
the time seems to jump, until they lie close together."""

from collections.abc import Sequence
from statistics import median

import msgspec

from weir.network.loggp import Samples, fit_of, waiting_from
from weir.network.ranges import PRICE_OF_SUSPICION, Boundary, Fit
from weir.study.load import Study, make_study
from weir.study.schema import ComparisonSection
from weir.units import spell_seconds

NAME, LATE_NAME = "switches", "sends-that-wait"
BETWEEN = 7
"""Sizes a round: each round divides the distance by eight."""
ROUNDS = 3
CLOSE = 1 / 128
"""Neighbours this close are not divided further; nor those within STEP bytes."""
STEP = 8


def sizes_to_measure(used: Samples) -> list[int]:
    """Sizes between neighbours where a PingPong or PingPing may jump; empty where nothing is left to find."""
    fits = [fit_of(used, function, PRICE_OF_SUSPICION) for function in functions_of(used)]
    return sorted(
        {size for fit in fits for one in worth_dividing(fit) for size in between(one.low, one.high)}
    )


def functions_of(used: Samples) -> list[str]:
    """Those whose ranges the model has, and the run measured."""
    return [name for name in ("PingPong", "PingPing") if any(call.function == name for call in used)]


def worth_dividing(fit: Fit) -> list[Boundary]:
    """The jumps whose neighbours are not close yet."""
    return [one for one in fit.boundaries if one.is_jump and not are_close(one.low, one.high)]


def are_close(low: int, high: int) -> bool:
    """Whether there is nothing between two sizes that is worth a measurement."""
    return high - low <= max(STEP, CLOSE * high)


def between(low: int, high: int) -> list[int]:
    """BETWEEN sizes, multiples of STEP, at even distances."""
    steps = [low + (high - low) * part / (BETWEEN + 1) for part in range(1, BETWEEN + 1)]
    return sorted({round(step / STEP) * STEP for step in steps} - {low, high})


def late_sizes_to_measure(used: Samples) -> tuple[list[int], float]:
    """Sizes between those where a send begins to wait for its receiver, and for how long both ranks are to be
    busy, in s."""
    found = waiting_from({call: median(time for _, time in some) for call, some in used.items()})
    if found is None or are_close(*found):
        return [], 0.0
    return between(*found), max(call.late_s for call in used)


def extended(study: Study, functions: Sequence[str], sizes: Sequence[int]) -> Study:
    """The study with these sizes of these functions too."""
    title = "Sizes around the places where the time jumps"
    return _with(study, ComparisonSection(NAME, title, axes={"function": list(functions)}), sizes)


def extended_late(study: Study, sizes: Sequence[int], busy_s: float) -> Study:
    """The study with these sizes of sends to a late receiver too."""
    title = "Sizes around the place where a send begins to wait for its receiver"
    busy = {"pause": spell_seconds(busy_s), "late": spell_seconds(busy_s)}
    return _with(study, ComparisonSection(LATE_NAME, title, fixed={"function": "PRTT", **busy}), sizes)


def _with(study: Study, new: ComparisonSection, sizes: Sequence[int]) -> Study:
    if not sizes:
        return study
    others = [part for part in study.comparisons if part.name != new.name]
    before = [part.axes["bytes"] for part in study.comparisons if part.name == new.name]
    every = [*(before[0] if before else []), *(f"{size}B" for size in sizes)]
    new.axes["bytes"] = list(dict.fromkeys(every))
    file = msgspec.structs.replace(study.file, comparison=[*others, new])
    return make_study(msgspec.to_builtins(file), study.source.file)
