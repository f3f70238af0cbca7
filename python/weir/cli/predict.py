"""`weir predict`: what an application's I/O will take on this machine, or on a modelled one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli._estimates import interval_words
from weir.cli._given import refuse_given, refuse_others
from weir.cli._options import (
    BackendOption,
    DirOption,
    DryRunOption,
    EverythingOption,
    JsonOption,
    KeepOption,
    LauncherOption,
    PresetOption,
    ProgressOption,
    RepetitionsBudgetOption,
    RepetitionsOption,
    writes,
)
from weir.cli._pattern_run import checked_plan, new_run, run_plan
from weir.cli._simulation import (
    AggregatorsOption,
    Cache,
    CacheOption,
    MachineOption,
    Method,
    MethodOption,
    PatternOrApplication,
    RanksOption,
    RanksPerNodeOption,
    ReadGroupOption,
    StripeOption,
    StripesOption,
    WriteGroupOption,
)
from weir.cli._streams import print_json, print_lines, print_table, results_told
from weir.errors import ExitCode, WeirError
from weir.units import (
    count_words,
    format_bandwidth,
    format_bytes,
    format_seconds,
    format_share,
    parse_seconds,
)

if TYPE_CHECKING:
    from weir.analyse.statistics import MedianEstimate
    from weir.core.client import Core
    from weir.measure.plan import Plan
    from weir.predict.by_benchmark import Forecasting
    from weir.predict.calls import Calls
    from weir.predict.expected_error import Expected
    from weir.predict.forecast import Error, Row


class By(StrEnum):
    """What a forecast is made from."""

    BENCHMARK = "benchmark"


ByOption = Annotated[By, typer.Option("--by", help="benchmark: run the case that imitates the pattern.")]
VerifyOption = Annotated[
    bool, typer.Option("--verify", help="Also run the pattern itself, in turns, and print the error.")
]
InexactOption = Annotated[
    bool,
    typer.Option("--inexact", help="Forecast also a pattern that is not exactly what the program requested."),
]
ParametersOption = Annotated[
    bool,
    typer.Option(
        "--parameters", help="Measure nothing: print the storage benchmark's parameters, and what they lack."
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="RUN",
        help="The run directory. Default: a new one in runs/. With --parameters a file, which is replaced: "
        "the imitation as a pattern, for `weir replay`.",
    ),
]
OF_PARAMETERS = {"parameters", "backend", "ranks", "preset", "out", "json", "share", "foreign_folder"}
"""The options that mean something with --parameters."""
OF_USE = {"method", "aggregators", "ranks_per_node", "stripes", "stripe", "read_group", "write_group"}
"""Those that say how a machine is used."""
ON_MACHINE = {
    "on",
    "verify",
    "ranks",
    "out",
    "everything",
    "json",
    "dry_run",
    "share",
    "foreign_folder",
    "cache",
    *OF_USE,
}
"""Those that mean something with --on."""


@writes
def command(
    ctx: typer.Context,
    pattern: PatternOrApplication,
    on: MachineOption = "",
    parameters: ParametersOption = False,
    by: ByOption = By.BENCHMARK,
    backend: BackendOption = "posix",
    dir: DirOption = None,
    ranks: RanksOption = None,
    method: MethodOption = Method.AUTO,
    aggregators: AggregatorsOption = 0,
    ranks_per_node: RanksPerNodeOption = 0,
    stripes: StripesOption = 0,
    stripe: StripeOption = "",
    read_group: ReadGroupOption = 1,
    write_group: WriteGroupOption = 1,
    cache: CacheOption = Cache.KEEP,
    preset: PresetOption = None,
    verify: VerifyOption = False,
    inexact: InexactOption = False,
    repetitions: RepetitionsOption = 11,
    budget: RepetitionsBudgetOption = "1h",
    out: OutOption = None,
    keep: KeepOption = False,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = None,
    progress: ProgressOption = "auto",
    everything: EverythingOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Forecast the time and the bandwidth of PATTERN's I/O, for each phase and for all writes and reads, from
    the storage benchmark with the parameters that imitate it.

    With --on it is simulated on a modelled machine, for each number of ranks: time, bandwidths, the
    bottleneck; with --all also operations, and how busy each resource is. With --verify too it is carried out
    here, to see how far the model of this machine is off.

    Computing between requests is left out. With --verify, the error is the predicted over the measured
    bandwidth, minus 1: the median over pairs of neighbouring samples, so it need not be the quotient of the
    two medians; with --on, the simulated over the measured time, minus 1.

    --parameters prints these parameters and what they cannot express. `alike` says how much of a set's
    requests they say, from 0 to 1: the product of what is left of request size, order, sharing, sync and
    concurrency. The expected error is of the forecast time in I/O calls: forecast over the program's time,
    minus 1, by what is known of other programs.

    Exit codes: 0 fine; 2 nothing ran; 3 it could not run; 4 data read back wrong; 130 interrupted, finished
    results are kept.
    """
    from weir.replay.prepare import ReplayRequest

    if on:
        from weir.cli._predict_on import predict_on
        from weir.cli._verify_on import OF_FILES, OPTIONS
        from weir.simulate.functions.words import function_words

        if function_words(str(pattern)):
            refuse_given(
                ctx, OF_FILES, "{} says how files are used", "MPI functions use none", "leave it out"
            )
        taken = ON_MACHINE | (OPTIONS if verify else set())
        refuse_others(ctx, taken, "--on has no use for {}", "nothing is measured without --verify")
        return predict_on(pattern, on, ranks, ctx.params, out)
    refuse_given(
        ctx, OF_USE, "{} says how a modelled machine is used", "no machine is named", "add --on MACHINE"
    )
    count = _one_count(ranks)
    if parameters:
        from weir.cli._parameters import show_parameters

        refuse_others(ctx, OF_PARAMETERS, "--parameters has no use for {}", "it measures nothing")
        only_derived = ReplayRequest(pattern, backend=backend, ranks=count)
        show_parameters(only_derived, preset, out, as_json=json)
        return ExitCode.FINE

    _refuse_application(pattern)
    from weir.cli._site import storage_of
    from weir.core.client import Core, find_core
    from weir.launch.base import launcher_name
    from weir.mimic.presets import presets
    from weir.predict.by_benchmark import forecasting

    request = ReplayRequest(
        pattern,
        backend=backend,
        directory=storage_of(dir),
        ranks=count,
        gaps=False,
        repetitions=repetitions,
        budget_s=parse_seconds(budget),
        out=out,
        keep=keep,
        launcher=launcher_name(launcher),
    )
    request.check()
    change = presets.find(preset) if preset else None
    core = Core(find_core())
    what = forecasting(request, core, change=change, verify=verify, cache=cache.value)
    _refuse_nothing(what)
    if not inexact:
        _refuse_inexact(what)
    if dry_run:
        return _only_show(what, core, as_json=json)
    return _run_and_show(what, core, progress, preset, everything=everything, as_json=json)


def _refuse_application(pattern: Path) -> None:
    """Its name is no file's, and only a modelled machine carries one out."""
    from weir.core.client import Core, find_core
    from weir.simulate.functions.words import function_words
    from weir.simulate.patterns import PatternSource

    word = str(pattern)
    if pattern.exists():
        return
    if function_words(word) or PatternSource(word, Core(find_core())).is_application:
        raise WeirError(f"'{word}' is no pattern's file", "it is simulated on a machine", "add --on MACHINE")


def _one_count(ranks: str | None) -> int | None:
    from weir.simulate.simulate import parse_ranks

    counts = parse_ranks(ranks) if ranks else []
    if len(counts) > 1:
        raise WeirError(
            f"--ranks {ranks} names several counts", "one is forecast here", "name one, or --on MACHINE"
        )
    return counts[0] if counts else None


def _refuse_nothing(what: Forecasting) -> None:
    from weir.predict.volumes import volumes

    if not volumes(what.imitation):
        raise WeirError(
            f"there is nothing to forecast of '{what.request.pattern}'",
            "no timed phase of it reads or writes a byte",
            "`weir replay` measures its opens, syncs and closes",
        )


def _refuse_inexact(what: Forecasting) -> None:
    reasons = what.imitation.pattern.inexact
    if reasons:
        raise WeirError(
            f"'{what.request.pattern}' is not exactly what the program requested",
            "; ".join(reasons),
            "A forecast may be wrong by any factor: make an exact pattern, or give --inexact.",
        )


def _run_and_show(
    what: Forecasting, core: Core, progress: str, preset: str | None, *, everything: bool, as_json: bool
) -> ExitCode:
    from weir.answers.data import screen_data
    from weir.cli._expected_error import error_data, expected_of
    from weir.cli._progress import progress_kind
    from weir.cli._screen import print_screen
    from weir.predict.first_screen import Forecast, first_screen

    kind = progress_kind(progress)
    out = new_run(what.request, "predict")
    plan = what.plan(out, core)
    if not as_json:
        print("\n".join(_before(what, plan)), file=sys.stderr)
    outcome, code = run_plan(plan, core, what.request, out, kind)
    expected = expected_of(what.imitation, preset)
    with results_told(out):
        rows, calls = what.rows(plan, outcome.run), what.calls(plan, outcome.run)
        forecast = Forecast(
            str(what.request.pattern),
            what.request.backend,
            what.ranks,
            what.imitation,
            rows,
            calls,
            expected,
            preset,
        )
        screen = first_screen(forecast)
        if as_json:
            in_calls = calls and {**calls.as_data(), "expected_error": error_data(expected)}
            of_run = {"in_calls": in_calls, "run": str(out), "exit_code": int(code)}
            print_json({**_data(what, rows), **of_run, "first_screen": screen_data(screen)})
        else:
            failed = [f"failed: {failure.message}" for failure in outcome.failures]
            print_screen(screen, "", *failed, f"run: {out}", more="weir predict --all")
            if everything:
                print()
                _show(what, rows, preset)
                _show_calls(calls, expected)
    return code


def _only_show(what: Forecasting, core: Core, *, as_json: bool) -> ExitCode:
    plan = checked_plan(what.request, lambda folder: what.plan(folder, core))
    if as_json:
        print_json(_data(what, []))
    else:
        print_lines(_before(what, plan))
    return ExitCode.FINE


def _before(what: Forecasting, plan: Plan) -> list[str]:
    """What is about to be done."""
    from weir.cli._inexact import inexact_lines
    from weir.mimic.words import headline

    request = what.request
    sums = [plan.descriptions[case.id].totals for case in plan.cases]
    written, read = (sum(getattr(one, f"bytes_{way}") or 0 for one in sums) for way in ("written", "read"))
    who = "the benchmark and the pattern itself in turns" if what.application else "the benchmark"
    lines = [
        f"forecast of {request.pattern} through {request.backend}: {count_words(what.ranks, 'rank')}, "
        f"{count_words(request.repetitions, 'repetition')} of {who}, in '{plan.directory}'",
        f"  one repetition writes {format_bytes(written)} and reads {format_bytes(read)}",
        f"  the storage benchmark: {headline(what.imitation)}",
        *(f"  {line}" for line in inexact_lines(what.imitation.pattern)),
    ]
    if what.benchmark.made_first:
        names = ", ".join(what.benchmark.made_first[:3])
        lines.append(
            f"  made first, not measured, {count_words(len(what.benchmark.made_first), 'file')}: {names}"
        )
    return lines


def _show(what: Forecasting, rows: Sequence[Row], preset: str | None) -> None:
    from weir.analyse.statistics import CONFIDENCE
    from weir.cli._inexact import inexact_lines

    percent = f"{CONFIDENCE:.0%} interval"
    otherwise = f"preset {preset} makes otherwise" if preset else "the benchmark cannot express"
    forecast = ["phase", "moves", "state", ">bytes", ">time", f">{percent}", ">bandwidth", f">{percent}"]
    print_table([*forecast, ">n"], [_cells(row) for row in rows])
    if what.application:
        # A table of its own: in one all numbers would not fit beside each other.
        measured = ["phase", "moves", ">predicted", ">measured", f">{percent}", ">n", ">error", f">{percent}"]
        print_table([*measured, ">pairs", f"~{otherwise}"], [_verified_cells(row) for row in rows])
    print_lines([*inexact_lines(what.imitation.pattern), *_remarks(what, rows)])


NOT_IN_CALLS = (
    "Not in it: what the program does beside its calls, such as computing, pauses, its library, and touching "
    "its own memory for the first time, also within a call."
)


def _show_calls(calls: Calls | None, expected: Expected | None) -> None:
    """How long ranks are in I/O calls, what of it in which, and what the program itself may take."""
    if calls is None:
        return
    from weir.analyse.statistics import CONFIDENCE
    from weir.predict.calls import KINDS

    rows = [_times("all", calls.all)]
    rows += [_times(KINDS[kind], one) for kind, one in calls.of_kinds.items()]
    if expected:
        ends = [format_seconds(calls.all.median / (1 + error)) for error in (expected.high, expected.low)]
        sure = f"the program, in {format_share(expected.probability)} of cases"
        rows.append([sure, "", " … ".join(ends), count_words(expected.workloads, "program")])
    if calls.measured and calls.error:
        error = [
            f"forecast over measured: {_percent(calls.error.median - 1)}",
            "",
            "",
            str(calls.error.count),
        ]
        rows += [_times("measured", calls.measured), error]
    heading = "time in I/O calls, mean over the ranks"
    print_table([heading, ">time", f">{CONFIDENCE:.0%} interval", ">n"], rows)
    print_lines([NOT_IN_CALLS])


def _times(what: str, one: MedianEstimate) -> list[str]:
    return [what, format_seconds(one.median), interval_words(one, format_seconds), str(one.count)]


def _phase(row: Row) -> str:
    return row.phase or f"all {row.direction}s"


def _cells(row: Row) -> list[str]:
    return [
        _phase(row),
        row.direction,
        row.state,
        format_bytes(row.bytes),
        format_seconds(row.time.median),
        interval_words(row.time, format_seconds),
        format_bandwidth(row.bandwidth.median),
        interval_words(row.bandwidth, format_bandwidth),
        str(row.time.count),
    ]


def _verified_cells(row: Row) -> list[str]:
    predicted = format_bandwidth(row.bandwidth.median)
    measured = [*_measured_cells(row.measured), *_error_cells(row.error)]
    return [_phase(row), row.direction, predicted, *measured, _off_words(row)]


def _off_words(row: Row) -> str:
    """Of a phase of which the forecast is off: what it makes otherwise than the program, and whether that is
    sure."""
    if not (row.phase and row.error and row.error.is_off):
        return ""
    causes = "; ".join(row.causes) or "nothing"
    return f"{causes} (may be chance: {row.error.why_unsure})" if row.error.why_unsure else causes


def _measured_cells(found: MedianEstimate | None) -> list[str]:
    if found is None:
        return ["none", "none", "0"]
    return [format_bandwidth(found.median), interval_words(found, format_bandwidth), str(found.count)]


def _error_cells(error: Error | None) -> list[str]:
    if error is None:
        return ["none", "none", "0"]
    return [_percent(error.median), interval_words(error, _percent), str(error.ratio.count)]


def _percent(share: float) -> str:
    return f"{100 * share:+.1f} %"


def _remarks(what: Forecasting, rows: Sequence[Row]) -> list[str]:
    from weir.predict.forecast import WHAT_ERRORS_ARE

    found = []
    if any(row.error for row in rows):
        found.append(f"error: {WHAT_ERRORS_ARE}")
    why = next((row.time.why for row in rows if row.time.why), None)
    if why:
        found.append(f"no interval: {why}")
    if what.imitation.has_random_sizes:
        found.append("Requests of random sizes have no imitation: take this forecast for a guess.")
    return found


def _data(what: Forecasting, rows: Sequence[Row]) -> dict[str, Any]:
    from weir.mimic.words import as_data

    return {
        "pattern": str(what.request.pattern),
        "by": By.BENCHMARK.value,
        "backend": what.request.backend,
        "cache": what.cache,
        "inexact": list(what.imitation.pattern.inexact),
        "imitation": as_data(what.imitation),
        "rows": [row.as_data() for row in rows],
    }
