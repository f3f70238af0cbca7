"""Runs of an application by phase: initialisation, solve, write and total, and how ranks were grouped."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from weir.analyse.metric import Metric, value_under
from weir.analyse.statistics import estimate_median
from weir.results.pairing import Ratio, compare, setting_key
from weir.results.row import Measured, Row, measured, with_metric
from weir.results.waiting import RUN, SOLVE_KEY, TOTAL_KEY, has_analytic_model

PARTS = {"initialisation": "initialisation_s", "solve": SOLVE_KEY, "write": "write_s"}
TOTAL = "total"
IO = "initialisation and write"
"""In place of the total of runs whose solve is no computation."""
GAINED = ("initialisation", "write", TOTAL)
GROUPING = frozenset({"read_group", "write_group", "group_by", "group_requests"})
"""How ranks are grouped: what a gain is a gain by."""
SIZES = {"read_group": "read", "write_group": "write"}


@dataclass(frozen=True)
class Phased:
    """A case with the row of each part and of the total, by their names; `io` is the row of initialisation
    and write together."""

    row: Row
    parts: Mapping[str, Row]
    io: Row

    @property
    def total(self) -> Row:
        """The whole run."""
        return self.parts[TOTAL]

    @property
    def is_analytic(self) -> bool:
        """Does its solve only wait? A build without the flow chooses that by itself."""
        return has_analytic_model(self.row)

    @property
    def judged(self) -> Row:
        """By which the case is the best."""
        return self.io if self.is_analytic else self.total

    @property
    def judged_name(self) -> str:
        """What that is."""
        return IO if self.is_analytic else TOTAL

    @property
    def is_default(self) -> bool:
        """Does each rank read and write for itself?"""
        if self.row.options.get("group_by") == "node":
            return False
        sizes = [self.row.options[key] for key in SIZES if key in self.row.options]
        return bool(sizes) and all(str(size) == "1" for size in sizes)

    @property
    def setting(self) -> str:
        """Equal for cases that differ only in how ranks are grouped."""
        return setting_key(self.row, GROUPING)


def phased(rows: Iterable[Row]) -> list[Phased]:
    """The runs among the rows whose samples tell all parts and the total."""
    found = []
    for row in rows:
        parts = {
            name: part
            for name, key in (*PARTS.items(), (TOTAL, TOTAL_KEY))
            if row.phase == RUN and (part := with_metric(row, key)) is not None and part.median is not None
        }
        if len(parts) == len(PARTS) + 1:
            found.append(Phased(row, parts, _together(row, parts[TOTAL].metric)))
    return found


def _together(row: Row, time: Metric) -> Row:
    """The row of initialisation and write, sample by sample."""
    keys = [PARTS["initialisation"], PARTS["write"]]
    found = [(record, [value_under(record, key) for key in keys]) for record in row.records]
    known = [(record, sum(both)) for record, both in found if None not in both]  # type: ignore[arg-type]
    estimate = estimate_median([value for _, value in known])
    if estimate is None:
        return replace(row, median=None, low=None, high=None, n=0, samples=(), records=())
    metric = replace(time, key="initialisation_and_write_s", noun=IO)
    return replace(
        row,
        metric=metric,
        metrics=(Measured(metric, estimate),),
        n=estimate.count,
        median=estimate.median,
        low=estimate.low,
        high=estimate.high,
        records=tuple(record for record, _ in known),
        samples=tuple(value for _, value in known),
    )


@dataclass(frozen=True)
class Gain:
    """How many times as fast a grouped case is as the default of its setting; a part without a number is
    missing."""

    one: Phased
    default: Phased
    by_part: Mapping[str, Ratio]


def default_of(case: Phased, cases: Iterable[Phased]) -> Phased | None:
    """The default with the same setting: of several, one that asks for groups in the same way."""
    found = [one for one in cases if one.is_default and one.setting == case.setting]
    alike = [one for one in found if _asks(one) == _asks(case)]
    return next(iter([*alike, *found]), None)


def _asks(case: Phased) -> list[object]:
    return [case.row.options.get(key) for key in sorted(GROUPING - {*SIZES})]


def gains_of(cases: list[Phased]) -> list[Gain]:
    """Of all cases that are no default and have one. Each interval is one of its own, so that a gain is the
    same in every table. The total of runs whose solve only waits is left out."""
    pairs = [(case, one) for case in cases if not case.is_default and (one := default_of(case, cases))]
    return [Gain(case, one, _gains(case, one)) for case, one in pairs]


def _gains(case: Phased, default: Phased) -> dict[str, Ratio]:
    parts = [part for part in GAINED if not (part == TOTAL and case.is_analytic)]
    ratios = {part: compare(case.parts[part], default.parts[part]) for part in parts}
    return {part: ratio for part, ratio in ratios.items() if ratio}


def group_words(case: Phased) -> str:
    """ "groups of 4", "no groups", "groups of 8 to read, none to write"; an automatic size with what was
    chosen."""
    sizes = {verb: _size_words(case.row, key) for key, verb in SIZES.items() if key in case.row.options}
    if not sizes:
        return "as it is"
    if len(set(sizes.values())) == 1:
        verb = f" to {next(iter(sizes))}" if len(sizes) == 1 else ""
        return f"{_groups_words(next(iter(sizes.values())), 'no groups')}{verb}"
    return ", ".join(f"{_groups_words(size, 'none')} to {verb}" for verb, size in sizes.items())


def _groups_words(size: str, none: str) -> str:
    """Of 1 rank there is no group, also where that was chosen."""
    number, _, chosen = size.partition(" ")
    return " ".join(filter(None, [none, chosen])) if number == "1" else f"groups of {size}"


def short_group_words(case: Phased) -> str:
    """The same in short lines for below a bar, separated by "|"."""
    sizes = {verb: _size_words(case.row, key) for key, verb in SIZES.items() if key in case.row.options}
    if len(set(sizes.values())) > 1:
        return "|".join(f"{verb} {size.replace(' (', '|(')}" for verb, size in sizes.items())
    return group_words(case).replace(" (", "|(").replace(" to ", "|to ")


def _size_words(row: Row, key: str) -> str:
    """ "4", or "4 (auto)" of what was chosen."""
    asked = str(row.options[key])
    if asked.isdigit():
        return asked
    chosen = sorted({int(size) for one in row.records if isinstance(size := one.details.get(key), int)})
    if not chosen:
        return asked
    return f"{' to '.join(str(size) for size in dict.fromkeys((chosen[0], chosen[-1])))} ({asked})"


def cases_with_numbers(rows: Iterable[Row]) -> list[Phased]:
    """The same of rows that have any; those of one setting stand together."""
    found = phased(measured(rows))
    settings = list(dict.fromkeys(case.setting for case in found))
    return sorted(found, key=lambda case: settings.index(case.setting))
