"""What is predicted of applications beside what was measured of them: cases of a study that differ in their
`imitation`, run in turns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from weir.analyse.paired import Turn, ratio_of_neighbours
from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.predict.forecast import Error
from weir.predict.passes import DIRECTIONS, Pass, passes
from weir.results.pairing import setting_key
from weir.results.row import Row, measured
from weir.store.records import SampleRecord
from weir.study.patterns import DERIVED, IMITATION, ITSELF, NONE
from weir.units import count_words

ALL = "all"
"""In place of a phase: all that move bytes in one direction."""


@dataclass(frozen=True)
class Moving:
    """What one case does in one direction in a phase, or in all: its bandwidth in B/s by turns. `row` is one
    of that direction."""

    row: Row
    by_turn: Mapping[Turn, float]
    state: str
    estimate: MedianEstimate


@dataclass(frozen=True)
class Prediction:
    """One direction of one phase of an application, or of all, and what an imitation says of it."""

    by: str
    phase: str
    direction: str
    measured: Moving
    predicted: Moving
    error: Error
    lost: tuple[str, ...]

    @property
    def row(self) -> Row:
        """Of the application."""
        return self.measured.row

    @property
    def name(self) -> str:
        """Of which application, by the comparison of the study."""
        return self.row.comparisons[0] if self.row.comparisons else self.row.benchmark


def predictions(rows: Sequence[Row]) -> list[Prediction]:
    """Of each application that was measured and imitated, by phase and direction, then the sums over its
    phases where it has several."""
    groups: dict[str, dict[str, list[Row]]] = {}
    for row in measured(rows):
        if by := row.options.get(IMITATION):
            key = setting_key(row, {"phase", IMITATION})
            groups.setdefault(key, {}).setdefault(str(by), []).append(row)
    return [one for group in groups.values() for one in _of_group(group)]


def _of_group(group: Mapping[str, list[Row]]) -> list[Prediction]:
    real = next((by for by in (NONE, ITSELF) if by in group), None)
    if real is None:
        return []
    found = []
    own = movings(group[real]).keys()
    for by, rows in group.items():
        if by == real:
            continue
        both = movings(rows).keys() & own
        known, made = movings(group[real], both), movings(rows, both)
        for (phase, direction), of_it in known.items():
            predicted = made[phase, direction]
            if ratio := ratio_of_neighbours(predicted.by_turn, of_it.by_turn):
                lost = _lost(rows[0], phase, direction)
                found.append(Prediction(by, phase, direction, of_it, predicted, Error(ratio), lost))
    return found


def _lost(row: Row, phase: str, direction: str) -> tuple[str, ...]:
    lost = row.replay.lost if row.replay else {}
    phases = [phase] if phase != ALL else list(lost)
    words = (word for one in phases for word in lost.get(one, {}).get(direction, ()))
    return tuple(dict.fromkeys(words))


Key = tuple[str, str]


def movings(rows: Sequence[Row], only: Collection[Key] | None = None) -> dict[Key, Moving]:
    """What the rows of one case say, by phase and direction: of those in `only` where it is given."""
    preparing = rows[0].replay.preparing if rows[0].replay else None
    turns = passes(_samples(rows), {preparing}).get(rows[0].case, {})
    keys = dict.fromkeys(key for one in turns.values() for key in one)
    found: dict[Key, Moving] = {}
    for direction in DIRECTIONS:
        single = [key for key in keys if key[1] == direction and (only is None or key in only)]
        wanted = {key: [key] for key in single} | ({(ALL, direction): single} if len(single) > 1 else {})
        for key, parts in wanted.items():
            if moving := _moving(rows, turns, parts):
                found[key] = moving
    return found


def _samples(rows: Sequence[Row]) -> list[SampleRecord]:
    """Of repetitions right behind each other the last: the first one finds memory and caches as another case
    left them, the last as its own I/O does."""
    found = [record for row in rows for record in row.records]
    last = max((record.repetition for record in found), default=0)
    return [record for record in found if record.repetition == last]


def _moving(rows: Sequence[Row], turns: Mapping[Turn, Pass], parts: Sequence[Key]) -> Moving | None:
    by_turn = {}
    for turn, one in turns.items():
        moved = [one[key] for key in parts if key in one]
        time_s = sum(part.time_s for part in moved)
        if len(moved) == len(parts) and time_s > 0:
            by_turn[turn] = sum(part.bytes for part in moved) / time_s
    estimate = estimate_median(list(by_turn.values()))
    if estimate is None:
        return None
    states = sorted({one[key].state for one in turns.values() for key in parts if key in one})
    row = next(row for row in rows if row.phase == parts[0][0])
    return Moving(row, by_turn, ", ".join(states), estimate)


@dataclass(frozen=True)
class Errors:
    """Errors of one kind of imitation."""

    by: str
    all: tuple[Prediction, ...]

    @property
    def worst(self) -> Prediction:
        """The one that is farthest off."""
        return max(self.all, key=lambda one: abs(one.error.median))

    @property
    def median(self) -> float:
        """The median of their absolute values."""
        return median(abs(one.error.median) for one in self.all)

    @property
    def off(self) -> list[Prediction]:
        """Those that are farther off than a forecast may be without a reason."""
        return [one for one in self.all if one.error.is_off]


def errors_by_imitation(found: Sequence[Prediction]) -> list[Errors]:
    """Of each kind of imitation, in their order."""
    kinds = dict.fromkeys(one.by for one in found)
    return [Errors(by, tuple(one for one in found if one.by == by)) for by in kinds]


def phases(found: Sequence[Prediction]) -> list[Prediction]:
    """Those of single phases."""
    return [one for one in found if one.phase != ALL]


def sums(found: Sequence[Prediction]) -> list[Prediction]:
    """Those of all phases of a direction together; where there is one phase, its own."""
    summed = {(one.row.case, one.by, one.direction) for one in found if one.phase == ALL}
    return [one for one in found if one.phase == ALL or (one.row.case, one.by, one.direction) not in summed]


def reasons(found: Sequence[Prediction]) -> tuple[str, ...]:
    """What the benchmark could not express where it is off, and by how much."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for one in found:
        if one.error.is_off:
            chance = f" (not sure: {one.error.why_unsure})" if one.error.why_unsure else ""
            place = f"{place_words(one)}, {percent(one.error.median)}{chance}"
            groups.setdefault((one.by, one.lost), []).append(place)
    return tuple(
        f"{_lost_words(by, lost)}. Off are: {'; '.join(places)}." for (by, lost), places in groups.items()
    )


def _lost_words(by: str, lost: tuple[str, ...]) -> str:
    if not lost:
        return "The parameters say all"
    return f"{'Cannot be expressed' if by == DERIVED else f'Preset {by} makes otherwise'}: {'; '.join(lost)}"


def percent(share: float) -> str:
    """ "+3.1 %"."""
    return f"{100 * share:+.1f} %"


def place_words(one: Prediction) -> str:
    """Which application, phase and direction, in which state, on how many ranks."""
    phase = "" if one.phase == ALL else f" {one.phase},"
    ranks = count_words(one.row.ranks, "rank")
    return f"{one.name},{phase} {one.direction}, {one.measured.state}, {ranks}"
