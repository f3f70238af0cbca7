"""`weir predict --on MACHINE --verify`: the pattern simulated, and carried out here."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.cli._estimates import interval_words
from weir.cli._streams import print_json, print_lines, print_table
from weir.errors import ExitCode
from weir.units import format_seconds, signed_percent

if TYPE_CHECKING:
    from weir.cli._simulation import Question
    from weir.core.client import Core
    from weir.simulate.functions.words import FunctionWords
    from weir.simulate.verify import Beside

OPTIONS = {"backend", "dir", "repetitions", "budget", "launcher", "progress", "keep"}
"""Those that say how it is carried out."""
OF_FILES = {"backend", "dir", "keep", "cache"}
"""Of these, those that say where files are, and how they are used."""
TWO_PHASE = "twophase"
"""The back-end that is Weir's library."""
MOST = 12
"""Phases that are shown for each number of ranks, the longest."""
HEADINGS = (">ranks", "phase", ">simulated", ">measured", ">95 % interval", ">n", ">error")


def verify_on(question: Question, options: dict[str, Any], out: Path | None) -> ExitCode:
    """For each number of ranks: carry it out in --dir, simulate the same, and show both times. Computing is
    left out of both."""
    from weir.core.client import Core, find_core
    from weir.simulate.functions.words import function_words
    from weir.simulate.verify import errors_in_words

    core = Core(find_core())
    calls = function_words(question.asked.pattern)
    found: list[Beside] = []
    for ranks in question.ranks:
        folder = out / f"ranks-{ranks}" if out else None
        if calls:
            more, code = _calls_on_ranks(question, calls, ranks, core, options, folder)
        else:
            more, code = _on_ranks(question, ranks, core, options, folder)
        if code not in (ExitCode.FINE, ExitCode.INCONCLUSIVE):
            return code
        found += more
    if options["json"]:
        print_json({"machine": question.machine.name, "phases": [one.as_data() for one in found]})
        return ExitCode.FINE
    title = question.machine.file.title
    everything = options["everything"] or calls is not None
    print_lines([f"{question.name} simulated on {title}, and measured here: {errors_in_words(found)}", ""])
    print_table(HEADINGS, [_cells(one) for one in _shown(found, everything=everything)])
    return ExitCode.FINE


def _on_ranks(
    question: Question, ranks: int, core: Core, options: dict[str, Any], out: Path | None
) -> tuple[list[Beside], ExitCode]:
    import msgspec

    from weir.cli._pattern_run import new_run, run_plan
    from weir.cli._progress import progress_kind
    from weir.cli._site import storage_of
    from weir.files.write import write
    from weir.launch.base import launcher_name
    from weir.measure.plan import make_plan
    from weir.replay.outcomes import outcomes
    from weir.replay.prepare import ReplayRequest, prepare, replay_study
    from weir.simulate.patterns import PatternSource
    from weir.simulate.result import Simulation
    from weir.simulate.verify import beside, warm
    from weir.units import parse_seconds

    with tempfile.TemporaryDirectory(prefix="weir-") as temporary:
        path = Path(temporary) / "pattern.json"
        write(path, bytes(PatternSource(question.asked.pattern, core).for_ranks(ranks)))
        request = ReplayRequest(
            path,
            backend=options["backend"],
            directory=storage_of(options["dir"]),
            gaps=False,
            repetitions=options["repetitions"],
            budget_s=parse_seconds(options["budget"]),
            out=out,
            keep=options["keep"],
            launcher=launcher_name(options["launcher"]),
        )
        request.check()
        prepared = prepare(request, core)
    run = new_run(request, "verify")
    kept = (run / "pattern.json").absolute()
    prepared.write(kept)
    study = replay_study(request, prepared, kept, {"cache": question.asked.settings.cache})
    plan = make_plan(study, core, request.directory)
    outcome, code = run_plan(plan, core, request, run, progress_kind(options["progress"]))
    asked = {
        "machine": question.machine.as_core(),
        "pattern": msgspec.Raw(msgspec.json.encode(prepared.pattern)),
        **question.asked.settings.given,
    }
    if request.backend == TWO_PHASE:
        asked["method"] = "two-phase"
    simulated = core.simulate(asked, Simulation)
    return beside(simulated, outcomes(warm(outcome.run.stream()), prepared.preparing)), code


def _calls_on_ranks(
    question: Question,
    calls: FunctionWords,
    ranks: int,
    core: Core,
    options: dict[str, Any],
    out: Path | None,
) -> tuple[list[Beside], ExitCode]:
    """MPI functions: measured by the benchmark `network`, on the ranks of this node."""
    from dataclasses import replace

    from weir.cli._pattern_run import new_run, run_plan
    from weir.cli._progress import progress_kind
    from weir.launch.base import launcher_name
    from weir.measure.plan import make_plan
    from weir.replay.prepare import ReplayRequest
    from weir.simulate.functions.measured import functions_beside, functions_study
    from weir.units import parse_seconds

    request = ReplayRequest(
        Path("-".join(calls.functions)), out=out, launcher=launcher_name(options["launcher"])
    )
    study = functions_study(calls, ranks, options["repetitions"], parse_seconds(options["budget"]))
    simulated = question.simulate(question.machine, replace(question.asked, ranks=ranks))
    plan = make_plan(study, core, request.directory)
    outcome, code = run_plan(
        plan, core, request, new_run(request, "verify"), progress_kind(options["progress"])
    )
    return functions_beside(simulated, outcome.run.stream()), code


def _shown(found: Sequence[Beside], *, everything: bool) -> list[Beside]:
    """All, or the longest of each number of ranks, in their order."""
    kept: set[int] = set()
    for ranks in dict.fromkeys(one.ranks for one in found):
        of = [at for at, one in enumerate(found) if one.ranks == ranks]
        longest = sorted(of, key=lambda at: -found[at].measured.median)
        kept.update(longest if everything else longest[:MOST])
    return [one for at, one in enumerate(found) if at in kept]


def _cells(one: Beside) -> list[str]:
    return [
        f"{one.ranks:,}",
        one.phase,
        format_seconds(one.simulated_s),
        format_seconds(one.measured.median),
        interval_words(one.measured, format_seconds),
        str(one.measured.count),
        signed_percent(one.error),
    ]
