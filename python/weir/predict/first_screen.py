"""What a person sees first of a forecast: bandwidths, the time in I/O calls, how far off it is, and is to be
expected."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from weir.analyse.metric import Metric
from weir.answers.answer import Answer, Caveat, Certainty, Changes, Ratio
from weir.answers.quantities import certainty_of, quantity_of_estimate
from weir.answers.screen import Screen, chosen_rows
from weir.answers.tables import ACTIONS, CAVEATS, TITLES, declare
from weir.mimic.imitation import Imitation
from weir.mimic.words import CLOSE, FAIR, format_left
from weir.predict.calls import Calls
from weir.predict.expected_error import Expected
from weir.predict.forecast import Row
from weir.units import count_words, format_seconds

BANDWIDTH = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
TIME = Metric("in_calls_s", "s", "time in I/O calls", False)
ALL, IN_CALLS, PHASES = 3.0, 2.0, 1.0
"""Weights: sums before phases."""

declare(TITLES, {"forecast-error": "Forecast, {subject}"})
declare(
    ACTIONS,
    {
        "program-takes": "the program takes {least} to {most}",
        "cannot-express": "not expressed: {causes}",
        "preset-differs": "the preset makes otherwise: {causes}",
        "all-expressed": "off, though the parameters say all of it",
    },
)
declare(
    CAVEATS,
    {
        "expected-error": "expected error {low} to {high} of the time in calls ({programs})",
        "unknown-error": "expected error of the time in calls not known",
        "unlike": "the benchmark's requests are alike only to {alike} of 1",
        "random-sizes": "random sizes have no imitation: this is a guess",
    },
)


@dataclass(frozen=True)
class Forecast:
    """All that was forecast; `expected`: None where no error is known, `preset`: where one was taken."""

    pattern: str
    backend: str
    ranks: int
    imitation: Imitation
    rows: Sequence[Row]
    calls: Calls | None
    expected: Expected | None
    preset: str | None


def first_screen(found: Forecast) -> Screen:
    """That of a forecast; pure."""
    rows, others = chosen_rows([_as_alike(one, found.imitation) for one in _answers(found)])
    place = (
        f"forecast of {PurePath(found.pattern).name} through {found.backend}",
        count_words(found.ranks, "rank"),
    )
    caveats = tuple(one for one in _caveats(found) if one.count)
    return Screen(place, rows, others, caveats, (), "nothing was forecast")


def _as_alike(answer: Answer, imitation: Imitation) -> Answer:
    """No forecast is surer than its imitation is like the program; what was measured is not less sure."""
    if answer.question == "forecast-error" or answer.certainty is Certainty.OPEN or not _is_unlike(imitation):
        return answer
    most = Certainty.OPEN if imitation.fidelity.overall <= FAIR else Certainty.WITHIN
    return replace(answer, certainty=most)


def _is_unlike(imitation: Imitation) -> bool:
    return imitation.fidelity.overall < CLOSE


def _answers(found: Forecast) -> Iterator[Answer]:
    several = {direction for direction, count in _phases(found.rows).items() if count > 1}
    summed: set[str] = set()
    for row in found.rows:
        if row.phase and row.direction not in several:
            continue  # its sum says the same
        title = f"{row.phase}, {row.direction}" if row.phase else f"All {row.direction}s"
        if not row.phase and row.direction in summed:
            title += f", {row.state}"  # of those in one state, below that of all
        summed |= set() if row.phase else {row.direction}
        weight = PHASES if row.phase else ALL
        value = quantity_of_estimate(BANDWIDTH, row.bandwidth)
        certainty = certainty_of(value)
        action = "more-samples" if certainty is Certainty.OPEN else ""
        yield Answer("quantity", (title,), value, certainty, action, weight=weight, setting=row.state)
        if row.error:
            yield _error(row, title, weight, found.preset)
    if found.calls:
        yield _in_calls(found.calls, found.expected)


def _phases(rows: Sequence[Row]) -> Counter[str]:
    return Counter(row.direction for row in rows if row.phase)


def _in_calls(calls: Calls, expected: Expected | None) -> Answer:
    """With the time that the program takes, by the expected error."""
    value, words = quantity_of_estimate(TIME, calls.all), {}
    if expected:
        ends = (calls.all.median / (1 + error) for error in (expected.high, expected.low))
        words = dict(zip(("least", "most"), map(format_seconds, ends), strict=True))
    action = "program-takes" if expected else ""
    return Answer(
        "quantity", ("Time in I/O calls",), value, certainty_of(value), action, words, weight=IN_CALLS
    )


def _error(row: Row, title: str, weight: float, preset: str | None) -> Answer:
    """The forecast over what was measured."""
    assert row.error
    ratio = row.error.ratio
    value = Ratio(ratio.median, ratio.low, ratio.high, ratio.count, "as measured")
    certainty = certainty_of(quantity_of_estimate(BANDWIDTH, ratio))
    action = ""
    if row.error.is_off:
        action = ("preset-differs" if preset else "cannot-express") if row.causes else "all-expressed"
    words = {"causes": "; ".join(row.causes)}
    return Answer("forecast-error", (title,), value, certainty, action, words, weight=weight)


def _caveats(found: Forecast) -> Iterator[Caveat]:
    none = sum(row.time.low is None for row in found.rows)
    yield Caveat("few", none, len(found.rows), Changes.VERDICT)
    yield Caveat("inexact-pattern", len(found.imitation.pattern.inexact), 1, Changes.VERDICT)
    yield Caveat("random-sizes", int(found.imitation.has_random_sizes), 1, Changes.VERDICT)
    alike = {"alike": format_left(found.imitation.fidelity.overall)}
    unlike = _is_unlike(found.imitation) and not found.imitation.has_random_sizes
    yield Caveat("unlike", int(unlike), 1, Changes.VERDICT, alike)
    if found.calls and found.expected:
        ends = {"low": _percent(found.expected.low), "high": _percent(found.expected.high)}
        programs = count_words(found.expected.workloads, "program")
        yield Caveat("expected-error", 1, 1, Changes.VERDICT, {**ends, "programs": programs})
    elif found.calls:
        yield Caveat("unknown-error", 1, 1, Changes.VERDICT)


def _percent(share: float) -> str:
    return f"{100 * share:+.0f} %"
