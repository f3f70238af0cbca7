"""The columns that say what a case is: who it belongs to, and one column for each of its options; and those
that say which sample of it a row is of."""

import json
import re
from collections.abc import Set
from typing import Any

from weir.export.source import Source
from weir.export.table import CellType, Field, Value, joined
from weir.store.records import CaseRecord, SampleRecord

UNITS = {"B": "bytes", "s": "s", "B/s": "bytes_per_s", "1/s": "per_s"}
"""How a unit reads at the end of a column's name."""

_FIXED = (
    Field("run"),
    Field("directory"),
    Field("case"),
    Field("label"),
    Field("comparisons"),
    Field("benchmark"),
    Field("ranks", CellType.INTEGER),
)


class CaseColumns:
    """Columns of what a case is, and its cells; options of all cases of the run side by side."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._env = sorted({name for case in source.cases.values() for name in case.env})
        self._options = _options(source)
        self.columns = (*_FIXED, *(Field(f"env_{name}") for name in self._env), *self._options.values())
        self._cells = {name: self._cells_of(case) for name, case in source.cases.items()}

    def cells(self, case: str) -> list[Value]:
        """The cells of a case."""
        return self._cells[case]

    def varying_options(self) -> dict[str, str]:
        """Options in which the run's cases differ, with their columns' names."""
        return {
            option: column.name
            for option, column in self._options.items()
            if len({json.dumps(case.options.get(option)) for case in self._source.cases.values()}) > 1
        }

    def _cells_of(self, case: CaseRecord) -> list[Value]:
        return [
            self._source.run.name,
            self._source.info.directory,
            case.case,
            case.label or None,
            joined(case.comparisons),
            case.benchmark,
            case.ranks,
            *(case.env.get(name) for name in self._env),
            *(cell(case.options.get(option), column.kind) for option, column in self._options.items()),
        ]


def cell(value: Any, kind: CellType) -> Value:
    """An option's value as a cell of a column of that kind."""
    if value is None or (isinstance(value, (bool, int, float, str)) and kind is not CellType.TEXT):
        return value
    if isinstance(value, list):
        return joined(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)


def _options(source: Source) -> dict[str, Field]:
    found: dict[str, tuple[str | None, list[Any]]] = {}
    for case in source.cases.values():
        for option, value in case.options.items():
            unit = source.unit(case.benchmark, option)
            known, values = found.setdefault(option, (unit, []))
            values.append(value)
            found[option] = (known or unit, values)
    return {
        option: Field(_name(option, unit), kind_of({type(value) for value in values if value is not None}))
        for option, (unit, values) in found.items()
    }


def _name(option: str, unit: str | None) -> str:
    suffix = UNITS.get(unit, re.sub(r"\W+", "_", unit)) if unit else ""
    return f"option_{option}_{suffix}" if suffix else f"option_{option}"


def kind_of(kinds: Set[type]) -> CellType:
    """What a column holds whose cells are of these types, besides None."""
    if kinds == {bool}:
        return CellType.TRUTH
    if kinds == {int}:
        return CellType.INTEGER
    return CellType.NUMBER if kinds and kinds <= {int, float} else CellType.TEXT


SAMPLE_COLUMNS = (
    Field("run"),
    Field("case"),
    Field("label"),
    Field("sample", CellType.INTEGER),
    Field("phase"),
    Field("repetition", CellType.INTEGER),
    Field("round", CellType.INTEGER),
    Field("launch", CellType.INTEGER),
)


def sample_cells(source: Source, number: int, sample: SampleRecord) -> list[Value]:
    """The cells by which rows of finer tables are distinguished, and joined with `samples` and `cases`."""
    return [
        source.run.name,
        sample.case,
        source.cases[sample.case].label or None,
        number,
        sample.phase,
        sample.repetition,
        sample.round,
        sample.launch,
    ]
