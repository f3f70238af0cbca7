"""Results as the Intel MPI Benchmarks print them, by their rule, with our own medians, percentiles and
disturbed calls beside."""

from collections.abc import Sequence
from typing import Any

from weir.network.reach import titled
from weir.network.rows import (
    BANDWIDTH,
    TIME,
    Disturbance,
    disturbance,
    function_of,
    message_bytes,
    network_rows,
    ranks_of,
)
from weir.results.row import Measured, Row
from weir.tables.table import Column, Table, table_of_all
from weir.units import format_seconds, format_share, significant

BY_RULE = "imb_"
"""What our samples have by IMB's rule has keys that begin so. In what was read from IMB's output all is."""
T_MIN, T_MAX, T_AVG = "t_min_us", "t_max_us", "t_avg_us"
OVERLAP = {"t_pure": ("t_pure_us", "µs"), "t_CPU": ("t_cpu_us", "µs"), "overlap": ("overlap_percent", "%")}
"""IMB's further columns of calls in two parts, whose other times are then those with computing."""
UNKNOWN = "unknown"
MEGABYTE = {"2.3": float(1 << 20), "2021": 1e6}
MEANING = (
    "t_min, t_max, t_avg and MB/s are by IMB's rule: of each rank the mean of all its calls of a sample, of "
    "these the least, greatest and mean over the ranks; MB/s by t_max. Of several samples the median stands "
    "there, with its interval of 95 % in brackets. The median beside is Weir's own: of t_max over the "
    "batches of a sample, so that a disturbed call hardly changes it. p50 and p99 are of single calls on all "
    "ranks; disturbed calls took more than 4 times the median one."
)
NOT_KEPT = (
    f"{UNKNOWN}: an earlier Weir measured this, which kept no means by IMB's rule. Measure again to have "
    "them."
)
OVERLAPPED = (
    "Of calls in two parts, t_min to t_avg, p50 and p99 are of call and computing together (IMB's t_ovrl); "
    "t_pure is the call alone, t_CPU the computing between its parts, overlap what the two hide of each "
    "other as a share of the longer one: (t_pure + t_CPU - t_ovrl) / max(t_pure, t_CPU)."
)


@table_of_all("imb", ("function", "bytes", "t_us"))
def imb(rows: Sequence[Row]) -> Table | None:
    """A line a case, in IMB's columns; null without the benchmark's cases."""
    found = sorted(network_rows(rows), key=lambda row: (_order(rows, row), ranks_of(row), message_bytes(row)))
    if not found:
        return None
    versions = {str(row.options.get("imb", "2021")) for row in found}
    parts = OVERLAP if any(_metric(row, key) for row in found for key, _ in OVERLAP.values()) else {}
    megabytes = "10^6 B" if versions == {"2021"} else "2^20 B" if versions == {"2.3"} else "MB of the version"
    return Table(
        name="imb",
        title=titled("As the Intel MPI Benchmarks print it", found),
        caption=f"Definitions of IMB {' and '.join(sorted(versions))}; MB = {megabytes}. {MEANING}",
        columns=(
            Column("function"),
            Column("ranks"),
            Column("#bytes"),
            Column("#repetitions"),
            Column("t_min", "µs"),
            Column("t_max", "µs"),
            Column("t_avg", "µs"),
            *(Column(name, unit) for name, (_, unit) in parts.items()),
            Column("MB/s"),
            Column("samples"),
            Column("median", "µs"),
            Column("p50", "single calls"),
            Column("p99", "single calls"),
            Column("disturbed, of the time", "single calls"),
        ),
        rows=tuple(_cells(row, [key for key, _ in parts.values()]) for row in found),
        notes=(*([OVERLAPPED] if parts else []), *([NOT_KEPT] if any(map(_lacks_means, found)) else [])),
        data={"calls": [_data(row) for row in found]},
    )


def _order(rows: Sequence[Row], row: Row) -> int:
    """Functions as the study has them."""
    return list(dict.fromkeys(map(function_of, network_rows(rows)))).index(function_of(row))


def _metric(row: Row, key: str) -> Measured | None:
    return next((one for one in row.metrics if one.metric.key == key), None)


def _is_imbs_own(row: Row) -> bool:
    """Whether IMB printed it: then it is by its rule, and has no batches."""
    return not any("batches" in one.details for one in row.records)


def _by_rule(row: Row, key: str) -> Measured | None:
    """A number of IMB's columns."""
    if _is_imbs_own(row):
        return _metric(row, TIME if key == T_MAX else key)
    return _metric(row, BY_RULE + key)


def _lacks_means(row: Row) -> bool:
    return _by_rule(row, T_MAX) is None


def _cells(row: Row, parts: Sequence[str]) -> tuple[str, ...]:
    return (
        function_of(row),
        str(ranks_of(row)),
        str(message_bytes(row)),
        str(_repetitions(row)),
        _number(row, T_MIN),
        UNKNOWN if _lacks_means(row) else _interval(_by_rule(row, T_MAX)),
        _number(row, T_AVG),
        *(_number(row, key) for key in parts),
        _megabytes(row),
        str(row.n),
        "" if _is_imbs_own(row) else _interval(_metric(row, TIME)),
        *(_percentile(row, share) for share in (0.5, 0.99)),
        _disturbed(row),
    )


def _repetitions(row: Row) -> int:
    """Calls of all samples."""
    if _is_imbs_own(row):
        return sum(int(one.details.get("repetitions") or 0) for one in row.records)
    return sum(int(one.details.get("calls", 0)) * int(one.details.get("batches", 0)) for one in row.records)


def _number(row: Row, key: str) -> str:
    found = _by_rule(row, key)
    return "" if found is None else f"{found.estimate.median:.2f}"


def _interval(found: Measured | None) -> str:
    if found is None:
        return ""
    one = found.estimate
    if one.low is None or one.high is None:
        return f"{one.median:.2f} (no interval)"
    return f"{one.median:.2f} [{one.low:.2f}, {one.high:.2f}]"


def _megabytes(row: Row) -> str:
    found = _by_rule(row, BANDWIDTH)
    scale = MEGABYTE.get(str(row.options.get("imb", "2021")), 1e6)
    return "" if found is None else significant(found.estimate.median / scale)


def _percentile(row: Row, share: float) -> str:
    known = [one.percentile_s(share) for one in row.detail.latencies]
    return "unknown" if not known or known[0] is None else format_seconds(known[0])


def _disturbance(row: Row) -> Disturbance | None:
    return next((disturbance(one) for one in row.detail.latencies), None)


def _disturbed(row: Row) -> str:
    found = _disturbance(row)
    return "unknown" if found is None else format_share(found.of_time) if found.calls else "none"


def _data(row: Row) -> dict[str, Any]:
    found = {one.metric.key: one.estimate for one in row.metrics}
    late = _disturbance(row)
    return {
        "case": row.case,
        "function": function_of(row),
        "ranks": ranks_of(row),
        "nodes": row.nodes,
        "bytes": message_bytes(row),
        "repetitions": _repetitions(row),
        "samples": row.n,
        **{key: {"median": one.median, "low": one.low, "high": one.high} for key, one in found.items()},
        "disturbed_calls": late.calls if late else None,
        "disturbed_time_share": late.of_time if late else None,
    }
