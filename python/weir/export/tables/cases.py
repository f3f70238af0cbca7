"""One row a case and phase: the median with its 95 % interval and verdict, as `weir show` has them."""

from collections.abc import Iterator

from weir.export.format import CellType, DataTable, Field, Value, joined, table
from weir.export.source import CaseColumns, Source
from weir.results.row import Row
from weir.results.row_data import row_data
from weir.results.summary import summarise

_RESULT = (
    Field("phase"),
    Field("metric"),
    Field("unit"),
    Field("samples", CellType.INTEGER),
    Field("set_aside", CellType.INTEGER),
    Field("median", CellType.NUMBER),
    Field("low", CellType.NUMBER),
    Field("high", CellType.NUMBER),
    Field("relative_width", CellType.NUMBER),
    Field("verdict"),
    Field("why"),
    Field("cache_suspect_share", CellType.NUMBER),
    Field("warnings"),
    Field("failures"),
)


@table("cases")
def cases(source: Source) -> DataTable:
    """One row a case and phase; a case without any number has one row all the same."""
    case = CaseColumns(source)
    return DataTable("cases", (*case.columns, *_RESULT), _rows(source, case), "the run has no case")


def _rows(source: Source, case: CaseColumns) -> Iterator[list[Value]]:
    summary = summarise(source.light_records())
    of_case: dict[str, list[Row]] = {}
    for row in summary.rows:
        of_case.setdefault(row.case, []).append(row)
    for name in source.cases:
        failures = joined(failure.message for failure in source.failures if failure.case == name)
        for row in of_case.get(name, []):
            yield [*case.cells(name), *_result(source, row), failures]
        if name not in of_case:
            finished = source.finished.get(name)
            verdict, why = (finished.verdict, finished.why) if finished else (None, "no sample was taken")
            unknown: list[Value] = [None] * 8
            yield [*case.cells(name), None, *unknown, verdict, why, None, "", failures]


def _result(source: Source, row: Row) -> list[Value]:
    data = row_data(row) | {
        "warnings": joined(dict.fromkeys(code for s in row.records for code in source.warnings_of(s)))
    }
    return [data[column.name] for column in _RESULT[:-1]]
