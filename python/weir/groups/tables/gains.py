"""How many times as fast runs are with groups of ranks as without: initialisation, write and total."""

from collections.abc import Sequence
from typing import Any

from weir.groups.run_phases import (
    GAINED,
    SIZES,
    TOTAL,
    Gain,
    cases_with_numbers,
    gains_of,
    group_words,
)
from weir.results.pairing import Ratio, number_words
from weir.results.printed import Printed
from weir.results.row import Row
from weir.results.waiting import WAITING
from weir.results.words import label_by
from weir.tables.table import MARK, Column, Table, printed_notes, table_of_all
from weir.units import count_words

COLUMNS = ("part", "times")


@table_of_all("gains", COLUMNS)
def gains(rows: Sequence[Row]) -> Table | None:
    """The gains of all cases of a comparison, beside published ones; null without a case to compare with."""
    found = gains_of(cases_with_numbers(rows))
    if not found:
        return None
    published = list(dict.fromkeys(one for row in rows for one in row.printed if one.table == "gains"))
    others = label_by([gain.one.row for gain in found], {*SIZES, "phase"})
    names = [": ".join(filter(None, [others(gain.one.row), group_words(gain.one)])) for gain in found]
    return Table(
        name="gains",
        title="How many times as fast with groups of ranks as without",
        caption=_caption(published),
        columns=(Column("case"), Column("samples"), *(Column(part) for part in GAINED)),
        rows=(
            *(_cells(name, gain) for name, gain in zip(names, found, strict=True)),
            *(_printed_cells(one) for one in published),
        ),
        notes=tuple(_notes(found, published)),
        data={"gains": [_data(gain) for gain in found], "printed": [_printed_data(one) for one in published]},
    )


def _caption(published: Sequence[Printed]) -> str:
    here = (
        "Here: the time of the case without groups by that of this one, the median of pairs of samples taken "
        "in turns where there are any; in brackets its interval of 95 %"
    )
    return ". ".join([here, *(f"{one.machine}: {one.source}" for one in published)]) + "."


def _cells(name: str, gain: Gain) -> tuple[str, ...]:
    counts = [gain.one.total.n, gain.default.total.n]
    samples = f"{counts[0]}" if counts[0] == counts[1] else f"{counts[0]}, {counts[1]} without"
    return name, samples, *(_cell(gain, part) for part in GAINED)


def _cell(gain: Gain, part: str) -> str:
    if part == TOTAL and gain.one.is_analytic:
        return f"none{MARK}"
    ratio = gain.by_part.get(part)
    return "unknown" if ratio is None else _ratio_words(ratio)


def _ratio_words(ratio: Ratio) -> str:
    if ratio.low is None or ratio.high is None:
        return f"{number_words(ratio.ratio)} (no interval)"
    return f"{number_words(ratio.ratio)} [{number_words(ratio.low)}, {number_words(ratio.high)}]"


def _printed_cells(printed: Printed) -> tuple[str, ...]:
    numbers = (printed.number(part, "times") for part in GAINED)
    return f"printed for {printed.machine}", "", *("none" if one is None else f"{one:g}" for one in numbers)


def _notes(found: Sequence[Gain], published: Sequence[Printed]) -> list[str]:
    notes = []
    if any(gain.one.is_analytic for gain in found):
        notes.append(f"{MARK} no gain of the total with the analytic model: {WAITING}.")
    few = sum(ratio.low is None for gain in found for ratio in gain.by_part.values())
    if few:
        notes.append(f"{count_words(few, 'gain has', 'gains have')} no interval: there are too few samples.")
    return notes + printed_notes(published)


def _data(gain: Gain) -> dict[str, Any]:
    return {
        "case": gain.one.row.case,
        "default": gain.default.row.case,
        "ranks": gain.one.row.ranks,
        "samples": gain.one.total.n,
        "total_is_none_because": WAITING if gain.one.is_analytic else None,
        **{part: _ratio_data(gain.by_part.get(part)) for part in GAINED},
    }


def _ratio_data(ratio: Ratio | None) -> dict[str, Any] | None:
    if ratio is None:
        return None
    return {"times": ratio.ratio, "low": ratio.low, "high": ratio.high, "pairs": ratio.pairs or None}


def _printed_data(printed: Printed) -> dict[str, Any]:
    return {"machine": printed.machine, **{part: printed.number(part, "times") for part in GAINED}}
