"""A replay in words and as data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from weir.analyse.statistics import CONFIDENCE, MedianEstimate
from weir.cli._output import print_table
from weir.counts import count_words
from weir.drive.plan import Plan
from weir.replay.outcomes import PhaseOutcome
from weir.replay.prepare import Prepared, ReplayRequest
from weir.store.records import FailureRecord
from weir.units import format_bandwidth, format_bytes, format_seconds


def show_before(request: ReplayRequest, prepared: Prepared, plan: Plan, stream: TextIO) -> None:
    """What is about to be done."""
    totals = plan.descriptions[plan.cases[0].id].totals
    lines = [
        f"replay of {request.pattern} through {request.backend}: {count_words(prepared.ranks, 'rank')}, "
        f"{count_words(request.repetitions, 'repetition')}, in '{plan.directory}'",
        f"  one repetition writes {format_bytes(totals.bytes_written or 0)} "
        f"and reads {format_bytes(totals.bytes_read or 0)}",
        f"  {_gap_words(prepared)}",
    ]
    if prepared.made_first:
        lines.append(
            f"  made first, in phase '{prepared.preparing}', not measured: {_files(prepared.made_first)}"
        )
    if prepared.made_independent:
        lines.append(
            f"  each rank for itself, since {request.backend} has no collective calls: "
            f"{_files(prepared.made_independent)}"
        )
    stream.write("\n".join(lines) + "\n")
    stream.flush()


def show_phases(
    prepared: Prepared, found: Sequence[PhaseOutcome], out: Path, failures: Sequence[FailureRecord]
) -> None:
    """What it came to."""
    rows = [
        [
            phase.name,
            format_bytes(phase.bytes),
            f"{phase.requests:,}",
            format_seconds(phase.time.median),
            _interval(phase.time, format_seconds),
            format_bandwidth(phase.bandwidth.median) if phase.bandwidth else "none moved",
            _interval(phase.bandwidth, format_bandwidth),
            str(phase.time.count),
        ]
        for phase in found
    ]
    percent = f"{CONFIDENCE:.0%} interval"
    headings = ["phase", ">moved", ">requests", ">time", f">{percent}", ">bandwidth", f">{percent}", ">n"]
    print_table(headings, rows)
    for line in _remarks(prepared, found):
        print(line)
    for failure in failures:
        print(f"failed: {failure.message}")
    print(f"run: {out}")


def replay_data(request: ReplayRequest, prepared: Prepared, found: Sequence[PhaseOutcome]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "pattern": str(request.pattern),
        "backend": request.backend,
        "ranks": prepared.ranks,
        "gaps": "keep" if request.gaps else "none",
        "made_first": list(prepared.made_first),
        "made_independent": list(prepared.made_independent),
        "preparing_phase": prepared.preparing,
        "phases": [phase.as_data() for phase in found],
    }


def _remarks(prepared: Prepared, found: Sequence[PhaseOutcome]) -> list[str]:
    remarks = []
    if prepared.computes:
        remarks.append(
            "The times hold what the program computes between its requests; --gaps none leaves it out."
        )
    checked = [phase for phase in found if phase.wrong_words is not None]
    wrong = sum(phase.wrong_words or 0 for phase in checked)
    if checked:
        remarks.append(f"checked: {wrong:,} words are wrong" if wrong else "checked: every word is right")
    suspects = [phase.name for phase in found if phase.cache_suspect]
    if suspects:
        remarks.append(f"{', '.join(suspects)}: bytes came from a cache, at least in part.")
    remarks += [f"{warning}." for phase in found for warning in phase.warnings]
    why = next((phase.time.why for phase in found if phase.time.why), None)
    if why:
        remarks.append(f"no interval: {why}")
    return remarks


def _gap_words(prepared: Prepared) -> str:
    if prepared.dropped_gaps:
        return "gaps: none; what the program computes between its requests is left out"
    return "gaps: kept" if prepared.computes else "gaps: the pattern has none"


def _interval(estimate: MedianEstimate | None, spell: Any) -> str:
    if estimate is None or estimate.low is None or estimate.high is None:
        return "none"
    return f"{spell(estimate.low)} … {spell(estimate.high)}"


def _files(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3:,} more"
