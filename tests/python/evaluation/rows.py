"""Rows of a machine's tests, which are as fast as a simple model says."""

from collections.abc import Callable
from typing import Any

from sample_lines import sample_line
from weir.results.row import Row
from weir.results.summary import summarise
from weir.store.records import to_record

NOISE = (0.99, 1.0, 1.01, 0.995, 1.005, 1.0, 0.99, 1.01)
"""Of the samples of a row."""
GB = 1e9


def case_rows(
    benchmark: str, ranks: int, phase: str, options: dict[str, Any] | None = None, **metrics: float
) -> list[Row]:
    """The row of a case with a sample a round; `metrics` are its numbers without noise."""
    case = f"{benchmark}-{ranks}-{options}"
    known = {"schema": 1, "kind": "case", "case": case, "label": case, "benchmark": benchmark}
    lines = [
        sample_line(
            case,
            phase,
            benchmark=benchmark,
            ranks=ranks,
            round=number,
            **{key: value * noise for key, value in metrics.items()},
        )
        for number, noise in enumerate(NOISE, start=1)
    ]
    records = [known | {"ranks": ranks, "options": options or {}}, *lines]
    return summarise(map(to_record, records)).rows


def machine_rows(counts: tuple[int, ...], cores: int) -> list[Row]:
    """STREAM is saturated by half of the cores, DGEMM scales, random rings share a bus from 4 ranks on."""

    def each(total: Callable[[int], float], ranks: int) -> float:
        return total(ranks) / ranks

    rows: list[Row] = []
    for ranks in counts:
        stream = each(lambda n: 20 * GB * min(n, cores // 2), ranks)
        rows += case_rows("stream", ranks, "copy", bandwidth_bytes_per_s=stream)
        rows += case_rows("dgemm", ranks, "dgemm", flop_per_s=50e9)
        if ranks > 1:
            ring = each(lambda n: 4 * GB * min(n, 4), ranks)
            rows += case_rows("rings", ranks, "random-ring", latency_us=0.5, bandwidth_bytes_per_s=ring)
    return rows + case_rows("hpl", counts[-1], "hpl", flop_per_s=40e9 * counts[-1])
