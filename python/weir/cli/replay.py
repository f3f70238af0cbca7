"""`weir replay`: a pattern as a program."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from weir.cli._estimates import interval_words
from weir.cli._options import (
    BackendOption,
    DirOption,
    DryRunOption,
    EverythingOption,
    JsonOption,
    KeepOption,
    LauncherOption,
    NewRunOption,
    PatternArgument,
    PatternRanksOption,
    ProgressOption,
    RepetitionsBudgetOption,
    RepetitionsOption,
    writes,
)
from weir.cli._pattern_run import checked_plan, new_run, run_plan
from weir.cli._streams import print_json, print_lines, print_table, results_told
from weir.errors import ExitCode
from weir.units import count_words, format_bandwidth, format_bytes, format_seconds, parse_seconds

if TYPE_CHECKING:
    from weir.answers.screen import Screen
    from weir.core.client import Core
    from weir.measure.plan import Plan
    from weir.replay.outcomes import PhaseOutcome
    from weir.replay.prepare import Prepared, ReplayRequest
    from weir.store.records import FailureRecord

PATTERN = "pattern.json"


class Gaps(StrEnum):
    """What becomes of the time that the program computes between its requests."""

    KEEP = "keep"
    NONE = "none"


GapsOption = Annotated[
    Gaps, typer.Option("--gaps", help="keep: keep the computing time between requests; none: omit it.")
]


@writes
def command(
    pattern: PatternArgument,
    backend: BackendOption = "posix",
    dir: DirOption = None,
    ranks: PatternRanksOption = None,
    gaps: GapsOption = Gaps.KEEP,
    repetitions: RepetitionsOption = 6,
    budget: RepetitionsBudgetOption = "1h",
    out: NewRunOption = None,
    keep: KeepOption = False,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = None,
    progress: ProgressOption = "auto",
    everything: EverythingOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Execute PATTERN through any back-end: print each phase's time and bandwidth, and keep every sample in
    a run directory. Files that the pattern only reads are made first, unmeasured.

    Exit codes: 0 fine; 2 nothing ran; 3 it could not run; 4 data read back wrong; 130 interrupted, finished
    results are kept.
    """
    from weir.cli._site import storage_of
    from weir.launch.base import launcher_name
    from weir.replay.prepare import ReplayRequest

    request = ReplayRequest(
        pattern,
        backend=backend,
        directory=storage_of(dir),
        ranks=ranks,
        gaps=gaps is Gaps.KEEP,
        repetitions=repetitions,
        budget_s=parse_seconds(budget),
        out=out,
        keep=keep,
        launcher=launcher_name(launcher),
    )
    return _replay_and_show(request, progress, dry_run=dry_run, everything=everything, as_json=json)


def _replay_and_show(
    request: ReplayRequest, progress: str, *, dry_run: bool, everything: bool, as_json: bool
) -> ExitCode:
    """Prepare the pattern, carry it out, and print what it came to; returns the exit code."""
    from weir.answers.data import screen_data
    from weir.cli._progress import progress_kind
    from weir.core.client import Core, find_core
    from weir.replay.first_screen import first_screen
    from weir.replay.outcomes import outcomes
    from weir.replay.prepare import prepare

    kind = progress_kind(progress)
    request.check()
    core = Core(find_core())
    prepared = prepare(request, core)
    if dry_run:
        return _only_show(request, prepared, core, as_json=as_json)
    out = new_run(request, "replay")
    plan = _plan(request, prepared, core, out)
    if not as_json:
        _show_before(request, prepared, plan, sys.stderr)
    outcome, code = run_plan(plan, core, request, out, kind)
    with results_told(out):
        found = outcomes(outcome.run.stream(), prepared.preparing)
        screen = first_screen(request, prepared, found)
        if as_json:
            of_run = {"run": str(out), "exit_code": int(code), "first_screen": screen_data(screen)}
            print_json({**_replay_data(request, prepared, found), **of_run})
        else:
            _show_first(screen, found, out, outcome.failures)
            if everything:
                _show_phases(prepared, found)
    return code


def _plan(request: ReplayRequest, prepared: Prepared, core: Core, folder: Path) -> Plan:
    """With the pattern in that folder."""
    from weir.measure.plan import make_plan
    from weir.replay.prepare import replay_study

    path = (folder / PATTERN).absolute()
    prepared.write(path)
    return make_plan(replay_study(request, prepared, path), core, request.directory)


def _only_show(request: ReplayRequest, prepared: Prepared, core: Core, *, as_json: bool) -> ExitCode:
    plan = checked_plan(request, lambda folder: _plan(request, prepared, core, folder))
    if as_json:
        print_json(_replay_data(request, prepared, []))
    else:
        _show_before(request, prepared, plan, sys.stdout)
    return ExitCode.FINE


def _show_before(request: ReplayRequest, prepared: Prepared, plan: Plan, stream: TextIO) -> None:
    """What is about to be done."""
    from weir.cli._inexact import inexact_lines

    totals = plan.descriptions[plan.cases[0].id].totals
    lines = [
        f"replay of {request.pattern} through {request.backend}: {count_words(prepared.ranks, 'rank')}, "
        f"{count_words(request.repetitions, 'repetition')}, in '{plan.directory}'",
        f"  one repetition writes {format_bytes(totals.bytes_written or 0)} "
        f"and reads {format_bytes(totals.bytes_read or 0)}",
        f"  {_gap_words(prepared)}",
        *(f"  {line}" for line in inexact_lines(prepared.pattern)),
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


def _show_first(
    screen: Screen, found: Sequence[PhaseOutcome], out: Path, failures: Sequence[FailureRecord]
) -> None:
    """The first screen, whether the data were right, what failed, and where the run is."""
    from weir.cli._screen import print_screen

    failed = [f"failed: {failure.message}" for failure in failures]
    print_screen(screen, "", *_checked(found), *failed, f"run: {out}", more="weir replay --all")


def _show_phases(prepared: Prepared, found: Sequence[PhaseOutcome]) -> None:
    """What each phase came to, and what else is to be known."""
    from weir.analyse.statistics import CONFIDENCE

    rows = [
        [
            phase.name,
            format_bytes(phase.bytes),
            f"{phase.requests:,}",
            format_seconds(phase.time.median),
            interval_words(phase.time, format_seconds),
            format_bandwidth(phase.bandwidth.median) if phase.bandwidth else "none moved",
            interval_words(phase.bandwidth, format_bandwidth),
            str(phase.time.count),
            "partly from a cache" if phase.cache_suspect else "",
        ]
        for phase in found
    ]
    percent = f"{CONFIDENCE:.0%} interval"
    headings = ["phase", ">moved", ">requests", ">time", f">{percent}", ">bandwidth", f">{percent}"]
    print()
    print_table([*headings, ">n", "~"], rows)
    print_lines(_remarks(prepared, found))


def _replay_data(request: ReplayRequest, prepared: Prepared, found: Sequence[PhaseOutcome]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "pattern": str(request.pattern),
        "backend": request.backend,
        "ranks": prepared.ranks,
        "gaps": "keep" if request.gaps else "none",
        "made_first": list(prepared.made_first),
        "made_independent": list(prepared.made_independent),
        "preparing_phase": prepared.preparing,
        "inexact": list(prepared.pattern.inexact),
        "phases": [phase.as_data() for phase in found],
    }


def _checked(found: Sequence[PhaseOutcome]) -> list[str]:
    """Nothing where no data were checked."""
    checked = [phase.wrong_words for phase in found if phase.wrong_words is not None]
    if not checked:
        return []
    return [f"checked: {sum(checked):,} words are wrong" if any(checked) else "checked: every word is right"]


def _remarks(prepared: Prepared, found: Sequence[PhaseOutcome]) -> list[str]:
    remarks = []
    if prepared.computes:
        remarks.append(
            "The times hold what the program computes between its requests; --gaps none leaves it out."
        )
    remarks += [f"{warning}." for phase in found for warning in phase.warnings]
    why = next((phase.time.why for phase in found if phase.time.why), None)
    if why:
        remarks.append(f"no interval: {why}")
    return remarks


def _gap_words(prepared: Prepared) -> str:
    if prepared.dropped_gaps:
        return "gaps: none; what the program computes between its requests is left out"
    return "gaps: kept" if prepared.computes else "gaps: the pattern has none"


def _files(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3:,} more"
