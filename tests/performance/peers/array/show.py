"""The tables of a comparison of dumps, and its samples as JSON Lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median

from peers.array.contenders import Contender
from peers.array.goals import Judged, best_public, times_faster
from peers.array.rounds import OPERATIONS, Played
from peers.show import count_verdicts, spell
from weir.analyse.statistics import estimate_median
from weir.cli._streams import print_table
from weir.units import significant


def show_contenders(contenders: Sequence[Contender], left_out: Mapping[str, str]) -> None:
    """Who takes part, and who does not."""
    print_table(("contender", "what it does"), [[one.name, one.summary] for one in contenders])
    for name, reason in left_out.items():
        print(f"left out: {name}: {reason}")


def show_case(played: Played) -> None:
    """Seconds of each contender, and how fast it is beside the best public one."""
    rows = []
    for one in played.contenders:
        if one.name in played.failed:
            print(f"{played.case.name}: {one.name} FAILED: {played.failed[one.name]}")
        else:
            rows.append([one.name, *(c for part in OPERATIONS for c in _cells(played, one.name, part))])
    headings = ("contender", ">write s", ">x best public", ">read s", ">x best public", ">n")
    count = len(played.seconds(rows[0][0], "write")) if rows else 0
    print_table(headings, [[*row, str(count)] for row in rows], title=played.case.name)
    for one in played.with_role("ours", "bound"):
        for operation in OPERATIONS:
            print(f"  {one.name} {operation}: {_steps(played, one.name, operation)}")
    print(flush=True)


def _cells(played: Played, name: str, operation: str) -> Iterator[str]:
    yield spell(estimate_median(played.seconds(name, operation)))
    best = best_public(played, operation)
    yield "" if best is None else spell(times_faster(played, name, best, operation))


def _steps(played: Played, name: str, operation: str) -> str:
    """Medians of what a contender says that its time went into, each for itself."""
    found = played.steps(name, operation)
    names = [step for step in found[0] if step != "total"] if found else []
    return ", ".join(f"{step} {significant(median(steps[step] for steps in found))} s" for step in names)


def show_goals(judged: Sequence[Judged]) -> None:
    """Each goal with its verdict."""
    rows = [
        [one.case, one.operation, one.goal, spell(one.value), one.verdict.value, spell(one.storage_alone)]
        for one in judged
    ]
    if rows:
        print_table(("case", "", "goal", ">measured", "", ">storage alone"), rows)
        print(
            "storage alone: what would be measured if each rank moved a contiguous part and did nothing else"
        )
    counts = Counter(one.verdict for one in judged)
    print(f"goals: {count_verdicts(counts, 'none to judge')}")


def append_samples(file: Path, played: Played) -> None:
    """A line a sample, and one for each contender that failed."""
    case = played.case
    of_case = {"edge": case.edge, "ranks": case.ranks, "grid": case.grid, "place": str(case.place.directory)}
    with file.open("a") as lines:
        for one in played.samples:
            measured = asdict(one) | {"elapsed_s": one.seconds, "steps_s": dict(one.steps_s)}
            del measured["seconds"]
            lines.write(json.dumps({"kind": "sample", **of_case, **measured}) + "\n")
        for name, reason in played.failed.items():
            failure = {"contender": name, "reason": reason}
            lines.write(json.dumps({"kind": "failure", **of_case, **failure}) + "\n")
        for name, (grown, bound) in played.memory.items():
            memory = {"contender": name, "memory_growth_bytes": grown, "memory_bound_bytes": bound}
            lines.write(json.dumps({"kind": "memory", **of_case, **memory}) + "\n")
