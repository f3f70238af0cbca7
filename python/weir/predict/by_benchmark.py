"""A forecast from the storage benchmark: its case that imitates a pattern is run, and the pattern itself if
that is asked for, the two in turns."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from weir.core.client import Core
from weir.measure.plan import Plan, make_plan
from weir.mimic.carrier import carrier
from weir.mimic.imitation import Imitation
from weir.mimic.load import imitate
from weir.mimic.parameters import Parameters
from weir.predict.calls import Calls, time_in_calls
from weir.predict.forecast import Row, forecast
from weir.predict.passes import passes, samples_by_turn
from weir.replay.prepare import Prepared, ReplayRequest, prepare, study_of_patterns, write_pattern
from weir.store.run_directory import RunDirectory

NAME = "predict"
BENCHMARK, APPLICATION = "pattern-benchmark.json", "pattern-application.json"
"""The patterns in the run's directory."""


@dataclass(frozen=True)
class Forecasting:
    """A pattern, what imitates it, and both as they are carried out."""

    request: ReplayRequest
    imitation: Imitation
    benchmark: Prepared
    application: Prepared | None
    """None where only the benchmark is run."""
    cache: str
    """What becomes of the page cache before reads: `keep` or `drop`."""

    @property
    def ranks(self) -> int:
        """How many ranks it is for."""
        return self.benchmark.ranks

    def plan(self, folder: Path, core: Core) -> Plan:
        """The plan of a study of one case or two, whose patterns are written to that folder."""
        paths = [(folder / BENCHMARK).absolute()]
        self.benchmark.write(paths[0])
        if self.application:
            paths.append((folder / APPLICATION).absolute())
            self.application.write(paths[1])
        title = f"Forecast of {self.request.pattern.name} through {self.request.backend}"
        options = {"detail": "ranks", "cache": self.cache}
        # A program's libraries are loaded, and their memory is touched, for the first time.
        study = study_of_patterns(NAME, title, self.request, self.ranks, paths, options, fresh=True)
        return make_plan(study, core, self.request.directory)

    def calls(self, plan: Plan, run: RunDirectory) -> Calls | None:
        """The forecast of the time in I/O calls, by what the run holds."""
        by_name = {Path(str(case.options["pattern"])).name: case.id for case in plan.cases}
        preparing = {one.preparing for one in (self.benchmark, self.application) if one}
        found = samples_by_turn(run.stream(), preparing)
        application = found.get(by_name.get(APPLICATION, ""), {}) if self.application else None
        return time_in_calls(found.get(by_name[BENCHMARK], {}), application)

    def rows(self, plan: Plan, run: RunDirectory) -> list[Row]:
        """The forecast by what the run holds."""
        by_name = {Path(str(case.options["pattern"])).name: case.id for case in plan.cases}
        preparing = {one.preparing for one in (self.benchmark, self.application) if one}
        found = passes(run.stream(), preparing)
        application = found.get(by_name.get(APPLICATION, ""), {}) if self.application else None
        return forecast(self.imitation, found.get(by_name[BENCHMARK], {}), application)


def forecasting(
    request: ReplayRequest,
    core: Core,
    *,
    change: Callable[[Parameters], Parameters] | None,
    verify: bool,
    cache: str,
) -> Forecasting:
    """Derive the case that imitates the request's pattern, computing between requests left out of both.
    Raises WeirError for a pattern that is not right, does not scale so, or
    moves no bytes."""
    # It is derived with the pauses, which tell what one access is.
    _, imitation = imitate(replace(request, gaps=True), core, change)
    request = replace(request, gaps=False)
    application = prepare(request, core)
    with tempfile.TemporaryDirectory(prefix="weir-") as folder:
        path = Path(folder) / BENCHMARK
        write_pattern(carrier(imitation), path)
        benchmark = prepare(replace(request, pattern=path, ranks=None), core)
    return Forecasting(request, imitation, benchmark, application if verify else None, cache)
