"""One row a sample: all that it says in single values, with what its case is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from weir.analyse.metric import value_under
from weir.export.format import CellType, DataTable, Field, Value, joined, scalars, table
from weir.export.source import CaseColumns, Source, kind_of
from weir.store.records import Cache, Latency, RankTimes, SampleRecord

_OF_THE_CASE = ("case", "benchmark", "ranks")
_STATE = (
    Field("handoff_before_ns", CellType.NUMBER),
    Field("handoff_after_ns", CellType.NUMBER),
    Field("set_aside", CellType.TRUTH),
)
"""What probes found around a sample, and whether it is of no main state of the machine."""


@dataclass(frozen=True)
class Part:
    """Columns that belong together, and how their cells are taken from a sample."""

    columns: tuple[Field, ...]
    cells: Callable[[SampleRecord], Sequence[Value]]


@table("samples")
def samples(source: Source) -> DataTable:
    """One row a sample: its metrics and details, numbers of every step, cache verdict, latency percentiles,
    kernel's counts, warnings."""
    case, own = CaseColumns(source), _own()
    parts = [
        own,
        _metrics(source, own),
        _details(source, own),
        *(_part(f"time_{step}_", RankTimes, _time_of(step)) for step in source.keys.steps),
        Part(
            (Field("cache_methods"),),
            lambda sample: [joined(sample.cache.methods) if sample.cache else None],
        ),
        _part("cache_", Cache, lambda sample: sample.cache),
        *(_part(f"latency_{verb}_", Latency, _latency_of(verb)) for verb in source.keys.verbs),
        _system(source),
        _verification(source),
        Part((Field("hints"), Field("hints_not_in_force")), _hints),
        Part((Field("warnings"),), lambda sample: [joined(source.warnings_of(sample))]),
    ]
    columns = (
        *case.columns,
        Field("sample", CellType.INTEGER),
        *_STATE,
        *(c for part in parts for c in part.columns),
    )
    return DataTable("samples", columns, _rows(source, case, parts), "no sample was taken")


def _rows(source: Source, case: CaseColumns, parts: Sequence[Part]) -> Iterator[list[Value]]:
    cells = [part.cells for part in parts]
    for number, sample in source.samples():
        tag = source.tags[number - 1]
        row = [*case.cells(sample.case), number, tag.before_ns, tag.after_ns, not tag.kept]
        for of_part in cells:
            row += of_part(sample)
        yield row


def _own() -> Part:
    columns = tuple(column for column in scalars(SampleRecord) if column.name not in _OF_THE_CASE)
    ordered = sorted(columns, key=lambda column: column.name not in ("phase", "repetition"))
    return Part(tuple(ordered), attrgetter(*(column.name for column in ordered)))


def _metrics(source: Source, own: Part) -> Part:
    """Each metric under its key; one that is a key of every sample (`elapsed_s`) has its column there."""
    keys = [key for key in source.keys.metrics if key not in _names(own)]
    columns = tuple(Field(key, CellType.NUMBER) for key in keys)
    return Part(columns, lambda sample: [value_under(sample, key) for key in keys])


def _details(source: Source, own: Part) -> Part:
    """Single values that a benchmark reports; where another column has the name, with a prefix."""
    keys = source.keys.details
    taken = {*_names(own), *source.keys.metrics}
    columns = tuple(
        Field(f"details_{key}" if key in taken else key, kind_of(kinds)) for key, kinds in keys.items()
    )
    return Part(columns, lambda sample: [sample.details.get(key) for key in keys])


def _names(part: Part) -> set[str]:
    return {column.name for column in part.columns}


def _part(prefix: str, struct: type, find: Callable[[SampleRecord], object | None]) -> Part:
    """The single values of a record inside the sample; all None where the sample does not have it."""
    names = [column.name for column in scalars(struct)]
    absent = (None,) * len(names)
    get = attrgetter(*names)

    def cells(sample: SampleRecord) -> Sequence[Value]:
        found = find(sample)
        return absent if found is None else get(found)

    return Part(tuple(Field(prefix + column.name, column.kind) for column in scalars(struct)), cells)


def _time_of(step: str) -> Callable[[SampleRecord], RankTimes | None]:
    return lambda sample: sample.times.get(step)


def _latency_of(verb: str) -> Callable[[SampleRecord], Latency | None]:
    return lambda sample: sample.latency.get(verb) if sample.latency else None


def _system(source: Source) -> Part:
    keys = source.keys.system
    columns = tuple(Field(f"system_{key}", CellType(kind)) for key, kind in keys.items())
    return Part(columns, lambda sample: [(sample.system or {}).get(key) for key in keys])


def _verification(source: Source) -> Part:
    keys = source.keys.verification
    columns = tuple(Field(f"verification_{key}", CellType.INTEGER) for key in keys)
    return Part(columns, lambda sample: [(sample.verification or {}).get(key) for key in keys])


def _hints(sample: SampleRecord) -> Sequence[Value]:
    in_force = (
        None if sample.hints is None else joined(f"{key}={value}" for key, value in sample.hints.items())
    )
    if sample.hints_asked is None:
        return (in_force, None)
    failed = (hint for hint in sample.hints_asked if hint.state != "in force")
    return (in_force, joined(f"{hint.hint}={hint.value} ({hint.state})" for hint in failed))
