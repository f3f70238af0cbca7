"""A side of a comparison: a run, a profile, or a folder of runs that repeat each other."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from weir.compare.profile import Profile, read_profile, rows_of
from weir.compare.shipped import shipped_machine, shipped_machines
from weir.errors import WeirError
from weir.printable import printable
from weir.report.gather import Contents, gather
from weir.report.model import ModelValue
from weir.results.row import Row, measured
from weir.store.run_directory import RunDirectory, host_of
from weir.store.runs_here import look_into


@dataclass(frozen=True)
class SideRun:
    """What a comparison takes of a run or a profile: its measured rows, when it was made, UTC, by which
    Weir, and the machine's card. `cases` began, and `ended` of them came to an end."""

    title: str
    made: str
    weir_version: str
    machine: Mapping[str, Any]
    rows: tuple[Row, ...]
    on_storage: bool
    cases: int = 0
    ended: int = 0
    busy: bool = False
    """Whether other programs kept the machine busy."""
    figures: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Names of comparisons by the figures that they ask for."""
    source: str = ""
    """Where others printed the numbers; empty of what Weir measured."""
    model: tuple[ModelValue, ...] = ()
    """What a simulated run rests on; empty of others, and of profiles."""

    @property
    def host(self) -> str:
        """Its name; empty where that is not known."""
        return host_of(self.machine)


@dataclass(frozen=True)
class Side:
    """`path`: as it was named; `runs`: in the order in which they were made, at least one; `lost`: so many in
    the folder cannot be read."""

    path: Path
    runs: tuple[SideRun, ...]
    lost: int = 0

    @property
    def name(self) -> str:
        """The last part of its path."""
        return printable(self.path.name or str(self.path))

    @property
    def last(self) -> SideRun:
        """The run that was made last."""
        return self.runs[-1]

    @cached_property
    def rows(self) -> list[tuple[Row, ...]]:
        """The rows of each run."""
        return [one.rows for one in self.runs]


def side_of(path: Path, without: Collection[Path] = ()) -> Side:
    """The run or the profile at `path`, or the runs in that folder, but for those at resolved paths in
    `without`; where nothing lies there, the machine of that name among those that Weir brings. Raises
    WeirError where there is none."""
    if printed := shipped_machine(path):
        return Side(path, (_of_profile(read_profile(printed)),))
    if path.is_file():
        return Side(path, (_of_profile(read_profile(path)),))
    if RunDirectory(path).exists():
        return Side(path, (_of_run(gather(RunDirectory(path))),))
    runs, broken = look_into(path)
    found = [one for one in runs if one.path.resolve() not in without]
    if not found:
        _refuse(path)
    read = [_of_run(gather(RunDirectory(one.path))) for one in found]
    return Side(path, _without_copies(read), len(broken))


def _without_copies(runs: Sequence[SideRun]) -> tuple[SideRun, ...]:
    """A copy of a run tells nothing of what runs differ by."""
    found: dict[tuple[object, ...], SideRun] = {}
    for run in runs:
        found.setdefault((run.made, run.title, tuple(row.samples for row in run.rows)), run)
    return tuple(found.values())


def _refuse(path: Path) -> None:
    """Raises WeirError, which says what it is not."""
    near = difflib.get_close_matches(str(path), shipped_machines(), n=1)
    if near and not path.exists():
        why = "`weir list machines` has all of these"
        raise WeirError(
            f"'{path}' is neither a run nor a machine that Weir brings", why, f"did you mean '{near[0]}'?"
        )
    RunDirectory(path).info()


def _of_run(contents: Contents) -> SideRun:
    info, summary = contents.info, contents.summary
    return SideRun(
        title=info.study.title or info.study.name,
        made=info.created_at,
        weir_version=info.weir_version,
        machine=contents.machine,
        rows=tuple(measured(contents.rows)),
        on_storage=contents.on_storage,
        cases=len(summary.cases),
        ended=len(summary.finished),
        busy=any(one["code"] == "busy" for one in contents.warnings),
        figures=contents.comparisons_by_figure,
        model=contents.model,
    )


def _of_profile(profile: Profile) -> SideRun:
    rows = tuple(rows_of(profile))
    return SideRun(
        title=profile.study,
        made=profile.created_at,
        weir_version=profile.weir_version,
        machine=profile.machine,
        rows=rows,
        on_storage=any(row.on_storage for row in rows),
        figures=profile.figures,
        source=profile.source if any(row.place for row in rows) else "",
    )


def apart_from_each_other(paths: Sequence[Path]) -> list[Side]:
    """The side at each path; a run that is a side of its own counts in no folder. Raises WeirError for a
    path that is named twice."""
    named = [path.resolve() for path in paths]
    for at, path in enumerate(named):
        if path in named[:at]:
            raise WeirError(
                f"'{paths[at]}' is named twice", "a run is not compared with itself", "leave out one"
            )
    return [side_of(path, {*named} - {own}) for path, own in zip(paths, named, strict=True)]


def in_turns(one: Side, other: Side) -> bool:
    """Whether the runs of both were made in turns, one of each and then the next: they share what the machine
    went through."""
    if len(one.runs) != len(other.runs) or len(one.runs) == 1:
        return False
    order = sorted((run.made, name) for name, side in enumerate((one, other)) for run in side.runs)
    pairs = zip(order[::2], order[1::2], strict=True)
    return all(first[1] != second[1] for first, second in pairs)


def distinct_names(sides: Sequence[Side]) -> list[str]:
    """Their names; with more of the path where some are alike."""
    for parts in (1, 2):
        names = [printable("/".join(side.path.parts[-parts:])) or side.name for side in sides]
        if len({*names}) == len(names):
            return names
    return [f"{side.name} ({number})" for number, side in enumerate(sides, 1)]
