"""What is replayed: the request, the pattern as it is carried out, and the study of one case for it."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import msgspec
from msgspec.structs import replace

from weir.bounded_parsing import MIB, decode_json
from weir.core.client import Core
from weir.errors import WeirError
from weir.files.named import read_named
from weir.files.write import write
from weir.measure.scratch_directory import check_directory
from weir.pattern import Pattern, Phase, Step, steps_of, with_steps
from weir.store.run_directory import new_run
from weir.study.load import Study, make_study
from weir.units import spell_seconds


@dataclass(frozen=True)
class ReplayRequest:
    """A pattern to replay; `ranks` None is the pattern's own number, `out` None a new folder."""

    pattern: Path
    backend: str = "posix"
    directory: Path | None = None
    ranks: int | None = None
    gaps: bool = True
    repetitions: int = 6
    budget_s: float = 3600.0
    out: Path | None = None
    keep: bool = False
    launcher: str = "mpirun"

    def choose_out(self, now: datetime.datetime, what: str = "replay") -> Path:
        """The run that was asked for, or a new one named by what is done, pattern and time."""
        return self.out or new_run(f"{what}-{self.pattern.stem}", now)

    def check(self) -> None:
        """Raises WeirError where the storage is not there."""
        check_directory(self.directory or Path())


MOST_PATTERN_BYTES = 256 * MIB


@dataclass(frozen=True)
class Prepared:
    """The pattern as `weir-core prepare` gives it."""

    pattern: Pattern
    made_first: tuple[str, ...]
    """Files that the pattern only finds: written before, in a phase of their own."""
    preparing: str | None
    """The name of that phase."""
    computes: bool
    """Whether time is computed away between requests."""
    dropped_gaps: bool
    checks: bool
    """Whether what is read is compared with what must stand there."""
    made_independent: tuple[str, ...] = ()
    """Phases with collective requests, which each rank makes by itself, since the back-end has no others."""

    @property
    def ranks(self) -> int:
        """How many ranks it is for."""
        return self.pattern.ranks

    def write(self, path: Path) -> None:
        """Keep it as that file."""
        write_pattern(self.pattern, path)


def write_pattern(pattern: Pattern, path: Path) -> None:
    """Write it as a file, in a folder that is made if need be."""
    write(path, msgspec.json.encode(pattern), make=True)


def prepare(request: ReplayRequest, core: Core) -> Prepared:
    """The pattern as the request wants it. Raises WeirError for a pattern that is not right, or does not
    scale so."""
    pattern = core.prepare(request.pattern, ranks=request.ranks, gaps=request.gaps)
    before = _read(request.pattern)
    made_independent: tuple[str, ...] = ()
    if _independent(request.backend, core):
        made_independent = tuple(phase.name for phase in pattern.phases if _is_collective(phase))
        pattern = without_collectives(pattern)
    first = pattern.phases[0] if len(pattern.phases) > len(before.phases) else None
    return Prepared(
        pattern,
        made_first=tuple(pattern.files[step.open.file].name for step in first.steps if step.open)
        if first
        else (),
        preparing=first.name if first else None,
        computes=any(step.compute for step in _steps(pattern)),
        dropped_gaps=not request.gaps and any(step.compute for step in _steps(before)),
        checks=any(step.access and step.access.verb == "check" for step in _steps(pattern)),
        made_independent=made_independent,
    )


def _independent(backend: str, core: Core) -> bool:
    """Is it one that has no collective calls? One that is not known is refused where the case is planned."""
    return any(one.name == backend and not one.collective for one in core.schema().backends)


def _is_collective(phase: Phase) -> bool:
    return phase.collective or any(step.access and step.access.collective for step in steps_of(phase.steps))


def without_collectives(pattern: Pattern) -> Pattern:
    """The same, with all phases independent, and all accesses."""
    phases = [
        replace(phase, collective=False, steps=with_steps(phase.steps, _independent_step))
        for phase in pattern.phases
    ]
    return replace(pattern, phases=phases)


def _independent_step(step: Step) -> Step:
    if step.access:
        return replace(step, access=replace(step.access, collective=False))
    return replace(step, open=replace(step.open, collective=False)) if step.open else step


def _read(path: Path) -> Pattern:
    data = read_named(path, MOST_PATTERN_BYTES, "the pattern", "name a file that `weir pattern` made")
    try:
        return decode_json(data, type=Pattern)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise WeirError(f"cannot read the pattern '{path}'", str(error), "check the path") from error


def _steps(pattern: Pattern) -> Iterator[Step]:
    return (step for phase in pattern.phases for step in steps_of(phase.steps))


NAME = "replay"


def replay_study(
    request: ReplayRequest,
    prepared: Prepared,
    pattern_path: Path,
    options: Mapping[str, str] = MappingProxyType({}),
) -> Study:
    """A study whose one case, with these options, carries out the pattern in that file, so often as was asked
    for."""
    title = f"Replay of {request.pattern.name} through {request.backend}"
    return study_of_patterns(NAME, title, request, prepared.ranks, [pattern_path], options)


def study_of_patterns(  # noqa: PLR0913, PLR0917 - a study's own
    name: str,
    title: str,
    request: ReplayRequest,
    ranks: int,
    paths: Sequence[Path],
    options: Mapping[str, str],
    *,
    fresh: bool = False,
) -> Study:
    """A study whose cases carry out the patterns in these files, interleaved, so often as was asked for.
    `fresh`: each time in a launch of its own."""
    patterns = [str(path) for path in paths]
    several = len(paths) > 1
    once = {} if several else {"pattern": patterns[0]}
    return make_study(
        {
            "study": {
                "name": name,
                "title": title,
                "budget": spell_seconds(request.budget_s),
                "min_samples": request.repetitions,
                "max_samples": request.repetitions,
                "fresh": fresh,
            },
            "fixed": {"benchmark": "storage", "backend": request.backend, "ranks": ranks, **options, **once},
            "comparison": [{"name": name, "axes": {"pattern": patterns} if several else {}}],
        },
        f"{name}.toml",
    )
