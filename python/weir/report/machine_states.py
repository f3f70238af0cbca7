"""The states that the machine was in while it was measured: what results are of, what is set aside, and how
much the states differ."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from weir.analyse.machine_state import Place, Seen, State
from weir.analyse.statistics import FEWEST_SAMPLES
from weir.results.pairing import Ratio, quotient_interval, times_with_interval
from weir.results.row import median_of
from weir.results.summary import RunSummary
from weir.results.words import phase_words, setting_words
from weir.units import count_words, significant


def states_words(summary: RunSummary) -> list[str]:
    """What a reader must know of them: a paragraph for each place where samples are set aside."""
    places = dict.fromkeys(one.place for one in summary.states.seen)
    return [said for place in places if (said := _of_place(summary, place, named=len(places) > 1))]


def _of_place(summary: RunSummary, place: Place, *, named: bool) -> str:
    states = summary.states
    main, *others = (one for one in states.seen if one.place == place)
    aside = [tag for _, tag in states.aside if tag.place == place]
    if not aside:
        return ""
    here = f" on {', '.join(place.hosts)}" if named and place.hosts else ""
    times = [_ns(one.state) for one in (main, *others)]
    apart = sum(tag.state is None for tag in aside)
    parts = [f"{one.samples} of the state of {_ns(one.state)}" for one in others if one.samples]
    if apart:
        parts.append(f"{apart} in which it changed or may have")
    seen = " or ".join(times) if others else f"{times[0]}, and for a moment in another time"
    sentences = [
        f"The machine changed its state{here}: a cache line passed from {_cores(place)} in {seen}.",
        f"All results are of the state of {times[0]}, that of most samples; "
        f"{len(aside)} of {count_words(states.samples, 'sample')} are set aside: {', '.join(parts)}.",
        *(_difference(summary, one) for one in others),
    ]
    return " ".join(filter(None, sentences))


def _cores(place: Place) -> str:
    return f"CPU {place.cpus[0]} to CPU {place.cpus[1]}" if len(place.cpus) == 2 else "core to core"


def _ns(state: State) -> str:
    return f"{significant(state.handoff_ns)} ns"


def _difference(summary: RunSummary, other: Seen) -> str:
    """How much faster or slower results are in another state, where both have an interval."""
    ratios = [ratio for state, ratio in _ratios(summary) if state == other.state]
    if not ratios:
        return ""
    results = f"{count_words(len(ratios), 'result')} with {FEWEST_SAMPLES} samples or more in both states"
    differing = [ratio for ratio in ratios if ratio.differs]
    if not differing:
        return f"With {_ns(other.state)}, of {results}, none surely differs."
    most = min(differing, key=lambda ratio: min(ratio.ratio, 1 / ratio.ratio))
    name = ", ".join(filter(None, [phase_words(most.one), setting_words(most.one)]))
    told = "1 surely differs" if len(differing) == 1 else f"{len(differing)} surely differ, most of all one"
    return f"With {_ns(other.state)}, of {results}, {told}: {name}, {times_with_interval(most)}."


def _ratios(summary: RunSummary) -> Iterator[tuple[State, Ratio]]:
    """How many times as fast results are in a state as they are in the main one."""
    rows = {(row.case, row.phase): row for row in summary.rows}
    for state, other in summary.states.rows:
        main = rows.get((other.case, other.phase))
        if main is None or main.low is None or main.metric != other.metric or main.metric.is_size:
            continue
        top, bottom = (other, main) if main.metric.greater_is_better else (main, other)
        if median_of(top) and median_of(bottom):
            ratio = median_of(top) / median_of(bottom)
            yield state, Ratio(other, main, ratio, *quotient_interval(top, bottom))


def states_data(summary: RunSummary) -> dict[str, Any]:
    """The same for programs."""
    return {
        "samples": summary.states.samples,
        "set_aside": len(summary.states.aside),
        "states": [
            {
                "hosts": list(one.place.hosts),
                "cpus": list(one.place.cpus),
                **asdict(one.state),
                "samples": one.samples,
                "main": one.main,
            }
            for one in summary.states.seen
        ],
        "differences": [
            {
                "case": ratio.one.case,
                "phase": ratio.one.phase,
                "handoff_ns": state.handoff_ns,
                "samples": ratio.one.n,
                "median": ratio.one.median,
                "times_as_fast": ratio.ratio,
                "low": ratio.low,
                "high": ratio.high,
            }
            for state, ratio in _ratios(summary)
        ],
    }
