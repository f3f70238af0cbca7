"""What a person wants to know first, in words and a few numbers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.figures.figure import Finding, State
from weir.report.hpcc_headline import hpcc_results, hpcc_words
from weir.report.named_case import VERBS, data_words, named_row, range_words
from weir.report.network_headline import network_results, network_words
from weir.report.pattern_headline import MOST_SHOWN, carries_out_pattern, pattern_results, pattern_words
from weir.report.section import Section, claims_in_short
from weir.results.network_rows import BENCHMARK as NETWORK
from weir.results.network_rows import function_of, network_rows
from weir.results.row import FITS_IN_CACHE, IN_CACHES, Row, cache_extent, directions, measured, median_of
from weir.results.run_phases import (
    PARTS,
    RUN,
    TOTAL,
    WAITING,
    Phased,
    cases_with_numbers,
    group_words,
)
from weir.results.words import capital, join_words, measured_words, phase_words, setting_words
from weir.study.patterns import IMITATION
from weir.units import count_words, format_bytes


@dataclass(frozen=True)
class Tile:
    """One large number with its unit, or the reason why there is none."""

    label: str
    value: str | None
    unit: str
    interval: str
    setting: str


@dataclass(frozen=True)
class Point:
    """What a figure found, by its name."""

    figure: str
    finding: Finding


@dataclass(frozen=True)
class Headline:
    """`summary` is one sentence; `points` are what the figures found; `questions` says how many of them are
    answered, empty where there is one at most; `claims` says how many claims of others
    hold, empty where there are none; `caveats` what to bear in mind."""

    summary: str
    tiles: tuple[Tile, ...]
    points: tuple[Point, ...]
    questions: str
    claims: str
    caveats: tuple[str, ...]

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        found = [(point.figure, point.finding) for point in self.points]
        points = [
            {
                "figure": name,
                "title": one.title,
                "state": str(one.state) if one.asked else None,
                "wanting": one.wanting,
            }
            for name, one in found
        ]
        return {**vars(self), "tiles": [asdict(tile) for tile in self.tiles], "points": points}


def best_row(rows: list[Row], direction: str) -> Row | None:
    """The honest row with the best median, or an application's; one without interval only for want of
    others."""
    honest = [row for row in measured(rows) if (row.honest or row.application) and row.phase == direction]
    known = [row for row in honest if row.low is not None]
    return max(known or honest, key=_goodness, default=None)


def _goodness(row: Row) -> float:
    return median_of(row) if row.metric.greater_is_better else -median_of(row)


_PREDICTED = "I/O of applications was measured beside what the storage benchmark predicts of it, on {}."


def headline(
    rows: list[Row], sections: Sequence[Section], card: Mapping[str, Any], failures: int, died: int = 0
) -> Headline:
    """The headline of a run; it has no number in it that no row has. Applications stand after benchmarks."""
    network, tests = network_results(rows), hpcc_results(rows)
    own = {NETWORK, *(row.benchmark for row in tests.values())}
    predicted = [row for row in rows if IMITATION in row.options]
    rows = [row for row in rows if IMITATION not in row.options]
    of_patterns = [row for row in rows if carries_out_pattern(row)]
    benchmarks = [row for row in rows if not row.application and not carries_out_pattern(row)]
    machine = [row for row in benchmarks if row.benchmark not in own]
    of_applications: dict[str, list[Row]] = {}
    for row in rows:
        if row.application:
            of_applications.setdefault(row.benchmark, []).append(row)
    named = len({row.benchmark for row in rows}) > 1
    # A case without a number may be an application's: where others have numbers, it is for the caveats.
    timed = network_rows(rows)
    others = of_applications or timed or tests or predicted or measured(of_patterns)
    parts = [_of_machine(machine, card)] if measured(machine) or not others else []
    parts += [_Part(hpcc_words(tests, _host(card)), _tiles(tests))] if tests else []
    parts += [_of_patterns(measured(of_patterns), card)] if measured(of_patterns) else []
    parts += [_of_network(network, timed, card)] if timed else []
    parts += [_of_application(found, card, named=named) for found in of_applications.values()]
    parts += [_Part(_PREDICTED.format(_host(card)), ())] if predicted else []
    points = tuple(Point(section.name, section.drawing.finding) for section in sections if section.drawing)
    return Headline(
        summary=" ".join(part.summary for part in parts),
        tiles=tuple(tile for part in parts for tile in part.tiles),
        points=points,
        questions=questions_in_short(point.finding for point in points),
        claims=claims_in_short(sections),
        caveats=tuple(caveats([*rows, *predicted], failures=failures, died=died)),
    )


IN_SHORT = {State.CAVEAT: "with a caveat", State.PARTLY: "in part"}


def questions_in_short(findings: Iterable[Finding]) -> str:
    """ "Of 6 questions, 3 are answered, 1 with a caveat, 1 in part, and 1 is open.": one a figure that asks;
    empty for fewer than two."""
    states = [finding.state for finding in findings if finding.asked]
    if len(states) < 2:
        return ""
    answered, left = states.count(State.ANSWERED), states.count(State.OPEN)
    parts = [f"{answered or 'none'} {'are' if answered > 1 else 'is'} answered"]
    parts += [f"{states.count(state)} {words}" for state, words in IN_SHORT.items() if state in states]
    parts += [f"{left} {'is' if left == 1 else 'are'} open"] if left else []
    return f"Of {count_words(len(states), 'question')}, {join_words(parts)}."


@dataclass(frozen=True)
class _Part:
    """What the headline has of some of the benchmarks."""

    summary: str
    tiles: tuple[Tile, ...]


def _of_machine(rows: list[Row], card: Mapping[str, Any]) -> _Part:
    moving = [row for row in rows if row.moves]
    rates = _first_rates(rows)
    named = {name: named_row(moving, name) for name in ("write", "read")}
    rate = {name: best_row(rates, name) for name in directions(rates)}
    shown = ({} if rate and not measured(moving) else named, rate)
    stored = any(row.on_storage for row in rows) or not rows
    where, host = _where(card) if stored else "", _host(card)
    return _Part(
        _summary(*shown, rows, card)
        if stored
        else _rates_words(host, rate) or f"Nothing was measured on {host}.",
        tuple(_tile(name, row, moving, where) for part in shown for name, row in part.items()),
    )


def _of_network(results: dict[str, Row], timed: list[Row], card: Mapping[str, Any]) -> _Part:
    if not results:
        functions = count_words(len({function_of(row) for row in timed}), "function")
        ranks = join_words([str(count) for count in sorted({row.ranks for row in timed})])
        return _Part(f"{functions} of MPI were timed on {ranks} ranks on {_host(card)}.", ())
    return _Part(network_words(results), _tiles(results))


def _of_patterns(rows: list[Row], card: Mapping[str, Any]) -> _Part:
    results = pattern_results(rows)
    return _Part(pattern_words(results, _place(card)), _tiles(results)[:MOST_SHOWN])


def _tiles(results: Mapping[str, Row]) -> tuple[Tile, ...]:
    return tuple(
        replace(_tile("call", row, [], ""), label=label + _cache_mark(row)) for label, row in results.items()
    )


def _of_application(rows: list[Row], card: Mapping[str, Any], *, named: bool) -> _Part:
    """What it got of storage; of one that had no files, its time; of one that tells its parts, these."""
    name = rows[0].benchmark
    if cases := cases_with_numbers(rows):
        return _of_parts(cases, card, name if named else "")
    moving = {phase: row for phase in ("write", "read") if (row := best_row(rows, phase))}
    verbs = {"write": "writing", "read": "reading"}
    if moving:
        gets = join_words(f"{measured_words(row)} {verbs[phase]}" for phase, row in moving.items())
        who = f"The application {name}" if named else "The application"
        summary, found = (
            f"{who} gets {gets} in {_place(card)}, in the best case; cache effects included.",
            moving,
        )
    else:
        found = {phase: row for phase in directions(rows) if (row := best_row(rows, phase))}
        takes = join_words(measured_words(row) for row in found.values())
        run = f"A run of {name}" if named else "A run"
        summary = f"{run} takes {takes} on {_host(card)}, in the best case." if found else ""
    prefix = f"{name}: " if named else ""
    where = _where(card) if moving else ""
    return _Part(summary, tuple(_tile(phase, row, rows, where, prefix) for phase, row in found.items()))


def _of_parts(cases: list[Phased], card: Mapping[str, Any], name: str) -> _Part:
    """The quickest run, and where its time went."""
    known = [case for case in cases if case.judged.low is not None] or cases
    best = min(known, key=lambda case: median_of(case.judged))
    of_those = "" if len(known) == len(cases) else " with an interval"
    setting = f"{setting_words(best.row)}, {group_words(best)}"
    shown = [part for part in (TOTAL, *PARTS) if not (best.is_analytic and part in (TOTAL, "solve"))]
    of, where = f" of {name}" if name else "", f"on {_host(card)} ({setting})"
    if best.is_analytic:
        summary = (
            f"The quickest {best.judged_name}{of or ' of a run'}{of_those} take "
            f"{measured_words(best.judged)} {where}, cache effects included; no total is told: {WAITING}."
        )
    else:
        parts = join_words(f"{part} {measured_words(best.parts[part])}" for part in PARTS)
        summary = (
            f"The quickest run{of}{of_those} takes {measured_words(best.total)} {where}: {parts}; cache "
            "effects included."
        )
    prefix = f"{name}: " if name else ""
    tiles = [
        replace(_tile(RUN, best.parts[part], [], ""), label=capital(f"{prefix}{part}"), setting=setting)
        for part in shown
    ]
    return _Part(summary, tuple(tiles))


def _first_rates(rows: list[Row]) -> list[Row]:
    """What is no bandwidth of files, of the study's first comparison that has any: what later ones vary is
    for their figures. Requests of no bytes say what a call costs, and nothing of a storage."""
    others = [row for row in measured(rows) if not row.moves and row.options.get("transfer") != 0]
    # Next to a bandwidth, a time would say the same again.
    rates = (
        [row for row in others if row.metric.greater_is_better]
        if any(row.moves for row in measured(rows))
        else others
    )
    return [row for row in rates if set(row.comparisons[:1]) >= set(rates[0].comparisons[:1])]


def _place(card: Mapping[str, Any]) -> str:
    system, device = card.get("file_system") or {}, card.get("block_device") or {}
    directory = card.get("directory") or "this directory"
    if not system:
        return str(directory)
    on = f" on {device['name']}" if device.get("name") else ""
    return f"{directory} ({system['type']}{on})"


def _summary(
    named: Mapping[str, Row | None], rate: Mapping[str, Row | None], rows: list[Row], card: Mapping[str, Any]
) -> str:
    place = _place(card)
    if (card.get("file_system") or {}).get("nature") == "memory":
        return f"{place} lies in memory: what follows is the speed of memory, not of a storage device."
    does = _rates_words(place, rate)
    if not named:
        return does
    found = [row for row in named.values() if row]
    if not found:
        return f"No bandwidth of {place} without cache effects could be measured. {does}".strip()
    cases = {data_words(row) for row in found}
    gives = join_words(
        f"{measured_words(row)} {VERBS[row.direction]}" + (f" ({data_words(row)})" if len(cases) > 1 else "")
        for row in found
    )
    common = f" ({cases.pop()})" if len(cases) == 1 else ""
    said = [f"{place} gives {gives}{common}, cache effects excluded."]
    said += [*range_words(found, rows), does]
    return " ".join(filter(None, said))


def _host(card: Mapping[str, Any]) -> str:
    return (card.get("host") or {}).get("name") or "this machine"


def _rates_words(place: str, rate: Mapping[str, Row | None]) -> str:
    """ "/scratch does 1,020 operations/s (n = 12) for create, in the best case."; empty without any."""
    found = {name: row for name, row in rate.items() if row}
    rates = [f"{measured_words(row)} for {name}" for name, row in found.items()]
    verb = "does" if all(row.metric.unit == "1/s" for row in found.values()) else "gives"
    return (
        f"{place} {verb} {join_words(rates)}, each in the best case of the study's first comparison."
        if rates
        else ""
    )


def _where(card: Mapping[str, Any]) -> str:
    return " (memory, no device)" if (card.get("file_system") or {}).get("nature") == "memory" else ""


def _tile(direction: str, row: Row | None, rows: list[Row], where: str, prefix: str = "") -> Tile:
    if row is None:
        return Tile(capital(direction) + where, None, "", _why_none(direction, rows), "")
    metric = row.metric
    if row.low is None or row.high is None:
        interval = f"no interval: n = {row.n}, below 6"
    else:
        interval = f"95 % interval [{metric.show(row.low)}, {metric.show(row.high)}], n = {row.n}"
    size = f", {format_bytes(row.data_bytes)} of data" if row.data_bytes else ""
    return Tile(
        capital(prefix + phase_words(row)) + where + _cache_mark(row),
        metric.show(median_of(row)),
        metric.shown_unit,
        interval,
        setting_words(row) + size,
    )


def _cache_mark(row: Row) -> str:
    return f" ({IN_CACHES})" if row.in_caches else ""


def _why_none(direction: str, rows: list[Row]) -> str:
    found = [row for row in measured(rows) if row.phase == direction]
    if not found:
        return f"no {direction} was measured"
    if direction == "write":
        return f"none of {count_words(len(found), 'write')} was synced"
    if any(row.suspect for row in found):
        return f"none of {count_words(len(found), 'read')} came from the device alone: they came from memory"
    return f"for none of {count_words(len(found), 'read')} is it known that the data came from the device"


def caveats(rows: list[Row], *, failures: int, died: int) -> list[str]:
    """One sentence each; empty where all is well."""
    found = measured(rows)
    return [
        *([f"{count_words(failures, 'failure')}: see Failures."] if failures else []),
        *([_died_words(died)] if died else []),
        *_few(found),
        *_caches(found),
        *_processor_caches(found),
    ]


def _processor_caches(found: list[Row]) -> list[str]:
    """How many results are of the processor's caches, with what the first of their samples warned of, as an
    example where others differ."""
    cached = [row for row in found if row.in_caches]
    if not cached:
        return []
    all_told = [one for row in cached for record in row.records for one in record.warnings]
    told = [one for one in all_told if one.code == FITS_IN_CACHE]
    warning = told[0] if told else None
    example = "for example, " if len({one.problem for one in told}) > 1 else ""
    why = f": {example}{warning.problem}" if warning and warning.problem else ""
    advice = f" {warning.advice.strip()}" if warning and warning.advice else ""
    of_caches = f"{_share(len(cached), len(found))} of the processor's caches in place of memory"
    return [f"{of_caches}{cache_extent(cached)}{why}.{advice}"]


def _died_words(died: int) -> str:
    return f"{count_words(died, 'launch', 'launches')} died: see Launches that died."


def _few(found: list[Row]) -> list[str]:
    few = sum(row.n < FEWEST_SAMPLES for row in found)
    return (
        [f"{_share(few, len(found))} without an interval: it takes {FEWEST_SAMPLES} samples."] if few else []
    )


def _share(count: int, of: int) -> str:
    """ "1 of 3 results is", "2 of 3 results are"."""
    return f"{count} of {count_words(of, 'result')} {'is' if count == 1 else 'are'}"


def _caches(found: list[Row]) -> list[str]:
    suspect = [row for row in found if row.suspect]
    reads = [row for row in found if row.moves == "read" and not row.application]
    unknown = sum(row.suspect is None for row in reads)
    lines = (
        [f"For {unknown} of {count_words(len(reads), 'read')} the source of the data is unknown."]
        if unknown
        else []
    )
    if not suspect:
        return lines
    asked = sum(not row.cache_methods for row in suspect)
    count = "all of them" if asked == len(suspect) else f"{asked} of them"
    unavoided = f"; for {count} the study does nothing to avoid that" if asked else ""
    come = "comes" if len(suspect) == 1 else "come"
    results = f"{len(suspect)} of {count_words(len(found), 'result')} {come}"
    why = next((f" ({row.suspect_why})" for row in suspect if row.suspect_why), "")
    return [f"{results} from the cache, not from the device{why}{unavoided}.", *lines]
