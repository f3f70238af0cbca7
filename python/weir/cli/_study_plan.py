"""What every verb that takes a study begins with: the study as it was asked for, and its plan."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from weir.cli._calibration import Sources, foresee, provide
from weir.cli._nodes import on_nodes
from weir.cli._options import StudyRequest
from weir.cli._site import storage_of_study
from weir.core.client import Core, find_core
from weir.measure.plan import Plan, make_plan
from weir.predict.study_patterns import StudyPatterns
from weir.questions.asked import check_asked
from weir.store.run_directory import RunDirectory
from weir.study.load import Study, find_study, is_own, load_study
from weir.study.reach import check_allowed


@dataclass(frozen=True)
class Asked:
    """A request, with the study as it was asked for: its optional comparisons, its nodes."""

    request: StudyRequest
    study: Study
    core: Core


@dataclass(frozen=True)
class Planned(Asked):
    """The same with the plan of all cases; its request names the storage."""

    sources: Sources
    plan: Plan


def asked_of(request: StudyRequest, study: Study | None = None) -> Asked:
    """The study of the request. `study`: as it was changed after it was loaded. Raises WeirError where there
    is none, or not what is asked for of it."""
    core = Core(find_core())
    loaded = study or check_asked(load_study(find_study(request.study)))
    return Asked(request, on_nodes(loaded.asking_for(request.asked), request), core)


def check_trusted(asked: Asked) -> None:
    """Raises WeirError if somebody else's study does what must be allowed."""
    if not is_own(find_study(asked.request.study)):
        check_allowed(asked.study, asked.core.schema())


def planned(asked: Asked, out: Path | None = None, progress: str = "") -> Planned:
    """Its plan, which measures nothing and leaves nothing behind; but for the run `out`, calibrations that it
    lacks are made now, and all is kept in there."""
    request, study, core = asked.request, asked.study, asked.core
    directory = storage_of_study(request.directory, study, core)
    given = (study, directory, request.calibration)
    if out is None:
        sources = foresee(*given)
        with tempfile.TemporaryDirectory(prefix="weir-") as folder:
            plan = make_plan(study, core, directory, sources.block_of, StudyPatterns(Path(folder), core))
    else:
        run = RunDirectory(out)
        sources = provide(*given, out=out, launcher=request.launcher, progress=progress)
        patterns = StudyPatterns(run.patterns_path, core, run.prepare)
        plan = make_plan(study, core, directory, sources.block_of, patterns)
        sources.keep_in_run(out)
    return Planned(replace(request, directory=directory), study, core, sources, plan)
