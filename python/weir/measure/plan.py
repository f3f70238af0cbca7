"""All that can be known about a study before anything of it runs: its cases, what each would do and need, the
launches that a run would begin with, and what its time can answer."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.budget import within_limit
from weir.core.client import Core
from weir.core.front_options import DIRECTORY_OPTION
from weir.core.schema import Description, Schema
from weir.errors import ExitCode, WeirError
from weir.launch.base import Launcher, usable_cores
from weir.launch.nodes import cpus_of_job, nodes_of_job
from weir.machine.card import Space, disk_space
from weir.measure.launch_watch import case_entry, spec_of
from weir.measure.questions import Outlook
from weir.measure.stopping_rule import Goals
from weir.store.records import FailureRecord
from weir.study.case import Case, LeftOut, Replay, left_out_words
from weir.study.expand import BlockOf, Expansion, check_phases, chooses_phases, expand
from weir.study.load import Study
from weir.study.of_cores import settled
from weir.study.of_nodes import settled as settled_on
from weir.study.patterns import is_replayed
from weir.units import count_words, format_bandwidth, format_bytes, format_seconds, spell_seconds

ASSUMED_BYTES_PER_S = 200e6
ASSUMED_START_S = 0.1


_LESS_SPACE = "free some, or choose another --dir"
_FEWER_FILES = "remove files there, or ask for fewer"
_LESS_MEMORY = "choose a smaller transfer or fewer ranks"


@dataclass(frozen=True)
class Needs:
    """The most that any single case needs, and what there is; unknown is None."""

    disk_bytes: int | None
    memory_bytes: int | None
    free_disk_bytes: int | None
    free_memory_bytes: int | None
    files: int | None = None
    free_files: int | None = None

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return asdict(self)


def needs_of(
    cases: Sequence[Case], descriptions: Mapping[str, Description], directory: Path, *, keep: bool
) -> Needs:
    """What the cases need in that directory. Kept files add up; otherwise the greatest case counts."""
    totals = [descriptions[case.id].totals for case in cases]
    disks = [t.bytes_on_disk for t in totals if t.bytes_on_disk is not None]
    files = [t.files for t in totals if t.files is not None]
    memories = [descriptions[case.id].totals.memory_bytes_per_rank or 0 for case in cases]
    on_a_node = [case.placement.get("ranks_per_node", case.ranks) for case in cases]
    memory = max(
        (per_rank * count for per_rank, count in zip(memories, on_a_node, strict=True)), default=None
    )
    return Needs(
        disk_bytes=(sum(disks) if keep else max(disks)) if disks else None,
        memory_bytes=memory,
        free_disk_bytes=free_disk(directory),
        free_memory_bytes=free_memory(),
        files=(sum(files) if keep else max(files)) if files else None,
        free_files=free_files(directory),
    )


def check_needs(needs: Needs, directory: Path, who: str = "the largest case") -> None:
    """Raises WeirError if storage or memory is known not to suffice."""
    for what, wanted, free, spell, advice in (
        (f"free space in '{directory}'", needs.disk_bytes, needs.free_disk_bytes, format_bytes, _LESS_SPACE),
        (f"free inodes in '{directory}'", needs.files, needs.free_files, str, _FEWER_FILES),
        ("free memory", needs.memory_bytes, needs.free_memory_bytes, format_bytes, _LESS_MEMORY),
    ):
        if wanted is not None and free is not None and wanted > free:
            raise WeirError(
                f"not enough {what}",
                f"{who} needs {spell(wanted)}, and {spell(free)} are free",
                advice,
            )


def free_disk(directory: Path) -> int | None:
    """Bytes that this user may still write there; None if that is not known."""
    space = _space(directory)
    return space.available_bytes if space else None


def free_files(directory: Path) -> int | None:
    """Files that this user may still make there; None where the file system has no fixed number."""
    space = _space(directory)
    return space.inodes_free if space else None


def _space(directory: Path) -> Space | None:
    try:
        return disk_space(directory)
    except OSError:
        return None


def free_memory(meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """Bytes of memory that programs can still take, by the kernel's own estimate (MemAvailable, proc(5))."""
    try:
        for line in meminfo.read_text().splitlines():
            name, _, value = line.partition(":")
            if name == "MemAvailable":
                return int(value.split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


@dataclass(frozen=True)
class Plan:
    """A study with its cases, what each of them would do, the storage it is meant for, and the cases that
    cannot be measured here."""

    study: Study
    schema: Schema
    cases: list[Case]
    descriptions: dict[str, Description]
    directory: Path
    left_out: tuple[LeftOut, ...] = ()
    first: frozenset[str] = frozenset()
    """Cases to which time goes first where it does not suffice for all."""
    stripes: tuple[Mapping[str, Any], ...] = ()
    """Of the directories and of what cases ask for there, as it was found; for `run.json`."""

    def directories(self) -> dict[str | None, Path]:
        """Every directory of this machine that the cases name, as they name it (None: the one of the command
        line), and its path."""
        # Not a set: a run keeps one scratch directory for each of them, in this order.
        stated = dict.fromkeys(case.options[DIRECTORY_OPTION] for case in self.cases if case.works_here)
        return {name: self.directory if name is None else Path(name).absolute() for name in stated}

    def needs(self, name: str | None, *, keep: bool) -> Needs:
        """What the cases in the directory of that name need."""
        path = self.directories()[name]
        cases = [c for c in self.cases if c.works_here and c.options[DIRECTORY_OPTION] == name]
        return needs_of(cases, self.descriptions, path, keep=keep)

    def budget_s(self, asked_s: float | None) -> float:
        """The time for all samples: what was asked for, else the study's."""
        return within_limit(self.study.budget_s if asked_s is None else asked_s)

    @property
    def goals(self) -> Goals:
        """When a case has samples enough."""
        section = self.study.file.study
        return Goals(self.study.precision, section.min_samples, section.max_samples, section.fresh)

    def prior_s(self, case: Case) -> float:
        """A first guess at how long one pass over the case takes, on storage of ASSUMED_BYTES_PER_S, or as
        long as its time limits allow, which it uses up if it moves nothing."""
        totals = self.descriptions[case.id].totals
        moved = (totals.bytes_written or 0) + (totals.bytes_read or 0)
        bound_s = totals.time_bound_s
        moving_s = moved / ASSUMED_BYTES_PER_S
        return ASSUMED_START_S + (
            moving_s if bound_s is None else min(moving_s, bound_s) if moved else bound_s
        )


ReplayOf = Callable[[Case], Replay]
"""Makes the pattern that a case carries out in place of its benchmark."""


def make_plan(
    study: Study,
    core: Core,
    directory: Path | None,
    calibrated: BlockOf | None = None,
    replay_of: ReplayOf | None = None,
) -> Plan:
    """The plan of a study. Raises WeirError for a study that does not fit the core or itself, or selects
    nothing. `calibrated` gives the blocks that the study leaves to a calibration, `replay_of` the patterns
    that it has carried out."""
    schema = core.schema()
    here = usable_cores()
    cores = study.cores or min(here, cpus_of_job() or here)
    if not study.file.study.per_node:
        study = settled_on(study, study.job_nodes or len(nodes_of_job()) or 1)
    study = replace(study, file=settled(study.file, study.source, cores))
    expansion = _without_what_is_crowded(study, expand(study, schema, calibrated), cores)
    if not expansion.cases:
        _refuse_if_all_left_out(study, expansion.left_out)
        raise WeirError(
            f"study '{study.name}' selects nothing",
            "all its comparisons are optional" if study.not_asked else "it has no comparison",
            f"ask for one: --with {study.not_asked[0]}"
            if study.not_asked
            else 'add [[comparison]] with name = "…"',
            ExitCode.NOTHING_SELECTED,
        )
    _check_directory_is_stated_once(study, expansion, directory)
    chosen = (directory or Path()).absolute()
    expansion = _with_patterns(study, expansion, replay_of or _no_replay)
    answers = core.describe([_described(case, chosen, schema) for case in expansion.cases])
    descriptions = _descriptions(study, expansion, answers)
    if chooses_phases(study):
        check_phases(study, _phases(study, expansion, descriptions))
    return Plan(study, schema, expansion.cases, descriptions, chosen, tuple(expansion.left_out))


def _without_what_is_crowded(study: Study, expansion: Expansion, cores: int) -> Expansion:
    """Without the cases of more ranks than cores, where their comparisons ask to leave these out."""
    leaving = {part.name for part in study.comparisons if part.if_crowded == "leave out"}
    crowded = {
        case.id
        for case in expansion.cases
        if case.cores_per_node > cores and leaving.issuperset(case.comparisons)
    }
    gone = [
        LeftOut(
            case.label,
            case.comparisons,
            f"it takes {count_words(case.cores_per_node, 'core')}, and {cores} can be used",
        )
        for case in expansion.cases
        if case.id in crowded
    ]
    cases = [case for case in expansion.cases if case.id not in crowded]
    return replace(expansion, cases=cases, left_out=[*expansion.left_out, *gone])


def _with_patterns(study: Study, expansion: Expansion, replay_of: ReplayOf) -> Expansion:
    def with_pattern(case: Case) -> Case:
        with study.source.placing(expansion.places[case.id]):
            return replace(case, replay=replay_of(case))

    cases = expansion.cases
    return replace(expansion, cases=[with_pattern(c) if is_replayed(c.options) else c for c in cases])


def _no_replay(case: Case) -> Replay:
    raise WeirError(f"the case '{case.label}' carries out a pattern", "", "use `weir run`, which makes it")


def only_on(plan: Plan, nodes: int | None) -> Plan:
    """The plan with the cases of so many nodes alone, 0: those that say nothing of nodes; with None itself.
    Raises WeirError if there is none."""
    if nodes is None:
        return plan
    cases = [case for case in plan.cases if case.nodes == nodes]
    if not cases:
        known = sorted({case.nodes for case in plan.cases})
        raise WeirError(
            f"study '{plan.study.name}' has no case of {count_words(nodes, 'node')}",
            f"it has cases of {', '.join(map(str, known))}",
            f"choose one: --only-nodes {known[0]}",
            ExitCode.NOTHING_SELECTED,
        )
    return replace(plan, cases=cases)


def without_what_the_mpi_lacks(plan: Plan, launcher: Launcher) -> Plan:
    """The plan without the cases that the MPI of this machine cannot do. Raises WeirError if none is left, or
    the launcher itself is missing something."""
    reasons = {case.id: why for case in plan.cases if (why := launcher.lacks(spec_of(case)))}
    return leaving_out(plan, reasons)


def leaving_out(plan: Plan, reasons: Mapping[str, str]) -> Plan:
    """The plan without the cases for which there is a reason, by id. Raises WeirError if none is left."""
    if not reasons:
        return plan
    gone = [
        LeftOut(case.label, case.comparisons, reasons[case.id]) for case in plan.cases if case.id in reasons
    ]
    cases = [case for case in plan.cases if case.id not in reasons]
    left_out = (*plan.left_out, *gone)
    if not cases:
        _refuse_if_all_left_out(plan.study, left_out)
    return replace(plan, cases=cases, left_out=left_out)


def without_what_is_too_large(plan: Plan, *, keep: bool) -> Plan:
    """The plan without the cases for which memory or storage does not suffice, where their comparisons ask to
    leave these out. Raises WeirError if none is left."""
    leaving = {part.name for part in plan.study.comparisons if part.if_too_large == "leave out"}
    reasons = {
        case.id: why
        for case in plan.cases
        if case.node is None
        and leaving.issuperset(case.comparisons)
        and (why := _why_too_large(plan, case, keep=keep))
    }
    return leaving_out(plan, reasons)


def _why_too_large(plan: Plan, case: Case, *, keep: bool) -> str:
    """What does not suffice for the case; empty where nothing is known to."""
    stated = case.options.get(DIRECTORY_OPTION)
    path = plan.directory if stated is None else Path(stated).absolute()
    try:
        check_needs(needs_of([case], plan.descriptions, path, keep=keep), path, "it")
    except WeirError as error:
        return f"there is {error.problem}: {error.why}"
    return ""


def _refuse_if_all_left_out(study: Study, left_out: Sequence[LeftOut]) -> None:
    if left_out:
        raise WeirError(
            f"nothing of study '{study.name}' can be measured here",
            "; ".join(left_out_words(left_out)),
            "install what is missing, or choose another study",
        )


def _described(case: Case, directory: Path, schema: Schema) -> dict[str, object]:
    """What the core is to describe; it knows its own defaults, which take long to read ten thousand times."""

    def defaults(name: str) -> dict[str, object]:
        benchmark = schema.benchmark(name)
        return benchmark.defaults if benchmark else {}

    stated = case.options.get(DIRECTORY_OPTION)
    return {**case_entry(case, stated or str(directory), without=defaults), "ranks": case.ranks}


def _descriptions(
    study: Study, expansion: Expansion, answers: Mapping[str, Description | FailureRecord]
) -> dict[str, Description]:
    described: dict[str, Description] = {}
    for case in expansion.cases:
        answer = answers[case.id]
        if isinstance(answer, FailureRecord):
            raise study.source.error(
                expansion.places[case.id],
                f"the case '{case.label}' contradicts itself: {answer.problem}",
                answer.reason or "",
                answer.suggestion or "",
            )
        described[case.id] = answer
    return described


def _phases(
    study: Study, expansion: Expansion, descriptions: Mapping[str, Description]
) -> dict[str, frozenset[str] | None]:
    """Of each comparison; null where the core does not know them for every case."""
    found: dict[str, frozenset[str] | None] = {}
    for comparison in study.comparisons:
        names = [_phases_of(descriptions[c.id]) for c in expansion.cases if comparison.name in c.comparisons]
        known = [some for some in names if some is not None]
        found[comparison.name] = frozenset().union(*known) if known and len(known) == len(names) else None
    return found


def _phases_of(description: Description) -> frozenset[str] | None:
    """Of a case that carries its pattern out phase by phase, as those do that have a geometry; applications
    have phases of their own."""
    if description.pattern is None or description.geometry is None:
        return None
    return frozenset(phase.name for phase in description.pattern.phases if phase.timed is not False)


def _check_directory_is_stated_once(study: Study, expansion: Expansion, directory: Path | None) -> None:
    """A directory of the command line is that of the cases that state none; there must be one."""
    stating = [case for case in expansion.cases if case.options.get(DIRECTORY_OPTION) is not None]
    if directory is not None and stating and len(stating) == sum(c.uses_directory for c in expansion.cases):
        raise study.source.error(
            expansion.places[stating[0].id],
            f"the study states '{DIRECTORY_OPTION}' itself, and --dir says '{directory}'",
            "only one of them can hold",
            "leave out one of the two",
        )


def uses_storage(plan: Plan) -> bool:
    """Whether any case works in a directory."""
    return any(case.uses_directory for case in plan.cases)


def uncut_words(plan: Plan, budget_s: float) -> list[str]:
    """That the budget is no bound, where some case's own description has none either: a line, or none."""
    if all(plan.descriptions[case.id].totals.time_bound_s is not None for case in plan.cases):
        return []
    return [
        f"the budget of {format_seconds(budget_s)} cuts no launch that has begun: how long a case takes is "
        "known after its first one, and the run may take that much longer"
    ]


def speed_words(plan: Plan) -> str:
    """What the outlook assumes of the storage; empty where no case uses it."""
    return f" if the storage moves {format_bandwidth(ASSUMED_BYTES_PER_S)}" if uses_storage(plan) else ""


def outlook_words(found: Outlook, min_samples: int, assumed: str) -> list[str]:
    """What the time can answer, and how to get the rest; nothing where it suffices for all. `assumed` is
    what `speed_words` said."""
    if found.is_whole:
        return []
    claims = (
        f", and with them {found.claims} of {count_words(found.all_claims, 'claim')}"
        if found.all_claims
        else ""
    )
    missing = ", ".join(f"{name} ({count})" if name else str(count) for name, count in found.left_out.items())
    return [
        f"the budget of {format_seconds(found.time_s)} suffices for {count_words(min_samples, 'sample')} of "
        f"{len(found.cases)} of {count_words(found.all_cases, 'case')}{claims}{assumed}",
        f"left out unless it is faster, cases of: {missing}; to measure all takes --budget "
        f"{spell_seconds(float(math.ceil(found.needed_s)))}, or the same command for the same run "
        "(--out), which goes on",
    ]


def interval_words(most_samples: int) -> list[str]:
    """That nothing can be concluded of any case, where that is known beforehand."""
    if most_samples >= FEWEST_SAMPLES:
        return []
    return [
        f"{count_words(most_samples, 'sample')} a case is the most, and a 95 % interval takes "
        f"{FEWEST_SAMPLES}: no number will have one"
    ]
