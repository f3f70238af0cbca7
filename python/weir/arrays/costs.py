"""Where the time of an application's dumps went: array by array, and by cause."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import msgspec

from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.store.records import SampleRecord

CAUSES = ("create", "attribute", "pack", "library", "request")


class ArrayLists(msgspec.Struct):
    """A place for each array of a file; no list where the cause cannot be told apart."""

    name: list[str]
    bytes: list[int]
    create_s: list[float]
    attribute_s: list[float]
    pack_s: list[float]
    library_s: list[float] | None
    request_s: list[float]

    def __post_init__(self) -> None:
        lists = [self.bytes, *(getattr(self, f"{cause}_s") for cause in CAUSES)]
        if any(one is not None and len(one) != len(self.name) for one in lists):
            raise ValueError("a list has more places than there are arrays, or fewer")


class FileCosts(msgspec.Struct):
    """A file of the dumps; times in s, summed over dumps and ranks."""

    file: str
    open_s: float
    sync_s: float
    close_s: float
    arrays: ArrayLists


class Costs(msgspec.Struct):
    """The time of all ranks in dumps, or in a part of each, and what is left of it."""

    ranks_s: float
    other_s: float
    files: list[FileCosts]


@dataclass(frozen=True)
class Group:
    """Arrays of a file that follow each other and have as many bytes, with their bytes in a dump. Times are
    those of a rank in a dump, on average, of all of them together: the median over the samples by cause, null
    where it cannot be told apart, and of all causes."""

    names: tuple[str, ...]
    bytes: int
    by_cause: dict[str, float | None]
    whole: MedianEstimate


@dataclass(frozen=True)
class ArrayCosts:
    """The costs of one phase of one case, from so many samples. Times as those of a group: `steps` are
    opening, syncing and closing the files, and what is left."""

    samples: int
    groups: tuple[Group, ...]
    steps: dict[str, MedianEstimate]


def array_costs(samples: Sequence[SampleRecord]) -> ArrayCosts | None:
    """The costs of one phase; null where its samples have none, or of different arrays."""
    told = [one for sample in samples if (one := _told(sample)) is not None]
    if not told or any(_names(one.costs) != _names(told[0].costs) for one in told):
        return None
    found = [one.costs for one in told]
    turns = [one.dumps * one.ranks for one in told]
    steps = {
        "open": [sum(file.open_s for file in one.files) for one in found],
        "sync": [sum(file.sync_s for file in one.files) for one in found],
        "close": [sum(file.close_s for file in one.files) for one in found],
        "other": [one.other_s for one in found],
    }
    return ArrayCosts(
        samples=len(found),
        groups=tuple(_groups(found, turns, told[0].dumps)),
        steps={name: _median(_shared(times, turns)) for name, times in steps.items()},
    )


@dataclass(frozen=True)
class _Told:
    costs: Costs
    dumps: int
    ranks: int


def _told(sample: SampleRecord) -> _Told | None:
    """What a sample tells; null where it has no costs, or the line is damaged."""
    try:
        costs = msgspec.convert(sample.details.get("costs"), Costs)
        dumps = msgspec.convert(sample.details.get("dumps"), int)
    except msgspec.ValidationError:
        return None
    return _Told(costs, dumps, sample.ranks) if sample.ranks and dumps > 0 else None


def _names(costs: Costs) -> list[list[str]]:
    return [file.arrays.name for file in costs.files]


def _groups(found: Sequence[Costs], turns: Sequence[int], dumps: int) -> Iterable[Group]:
    for at, file in enumerate(found[0].files):
        for _, alike in groupby(enumerate(file.arrays.bytes), key=itemgetter(1)):
            chosen = [place for place, _ in alike]
            lists = [one.files[at].arrays for one in found]
            by_cause = {cause: _of_cause(lists, cause, chosen) for cause in CAUSES}
            whole = [sum(times) for times in zip(*(one for one in by_cause.values() if one), strict=True)]
            yield Group(
                tuple(file.arrays.name[place] for place in chosen),
                sum(file.arrays.bytes[place] for place in chosen) // dumps,
                {
                    cause: None if times is None else _median(_shared(times, turns)).median
                    for cause, times in by_cause.items()
                },
                _median(_shared(whole, turns)),
            )


def _of_cause(lists: Sequence[ArrayLists], cause: str, places: Sequence[int]) -> list[float] | None:
    """The time of each sample."""
    columns = [getattr(one, f"{cause}_s") for one in lists]
    if any(column is None for column in columns):
        return None
    return [sum(column[place] for place in places) for column in columns]


def _shared(times: Sequence[float], turns: Sequence[int]) -> list[float]:
    return [time / turn for time, turn in zip(times, turns, strict=True)]


def _median(times: Sequence[float]) -> MedianEstimate:
    found = estimate_median(times)
    assert found is not None
    return found
