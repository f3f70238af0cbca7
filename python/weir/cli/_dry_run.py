"""The dry run of a study, for `weir plan`, `weir run --dry-run` and `weir evaluate --dry-run`."""

import re
import shlex
import string
import sys
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import msgspec

from weir.cli._streams import print_json, print_lines, print_table
from weir.cli._study_plan import Planned
from weir.core.schema import Geometry, Piece
from weir.errors import ExitCode, WeirError
from weir.launch.base import Command, Launcher, find_launcher
from weir.measure.plan import (
    ASSUMED_BYTES_PER_S,
    Needs,
    Plan,
    interval_words,
    only_on,
    outlook_words,
    speed_words,
    uses_storage,
    without_what_is_too_large,
    without_what_the_mpi_lacks,
)
from weir.measure.scheduling import first_round, outlook_of
from weir.measure.study_run import check_before
from weir.report.first_cases import with_first
from weir.study.case import left_out_words, not_asked_words
from weir.study.launch_settings import variables_of
from weir.study.reach import Reach, reaches_of
from weir.units import count_words, format_bytes, format_seconds, more_words

MOST_DRAWINGS = 6
_NUMBERED = re.compile(r"launch-\d+\.json|(?<=--host )\S+|(?<=-hosts )\S+")
WIDTH = 64
FEWEST_CELLS = 2
"""A piece gets at least as many cells; where the whole file has no room for that, its beginning is drawn."""
MOST_FILES = 4
_SYMBOLS = string.digits + string.ascii_lowercase + string.ascii_uppercase
HOLE = "."
MANY = "*"


def show_dry_run(found: Planned, *, as_json: bool) -> ExitCode:
    """Show the plan, and for what a run would refuse it; returns that exit code. It needs no job: nothing is
    launched."""
    request, core, sources = found.request, found.core, found.sources.sources
    budget_s, launcher = request.budget_s, find_launcher(request.launcher)
    plan = with_first(only_on(found.plan, request.only_nodes))
    reaches = reaches_of(found.study, core.schema())
    obstacle: WeirError | None = None
    commands: list[str] = []
    try:
        unknown = launcher.foresee()
        plan = without_what_the_mpi_lacks(plan, launcher)
        plan = without_what_is_too_large(plan, keep=request.keep)
        commands = _first_commands(plan, launcher, str(core.program))
        plan = check_before(plan, launcher, keep=request.keep)
        commands = _first_commands(plan, launcher, str(core.program))
    except WeirError as error:
        obstacle = error
    if as_json:
        data = _plan_data(plan, reaches, commands, keep=request.keep, budget_s=budget_s)
        calibrations = [source.as_data() for source in sources]
        print_json(
            {**data, "calibrations": calibrations, "obstacle": obstacle.as_data() if obstacle else None}
        )
    else:
        for source in sources:
            sys.stdout.write(f"{source.in_words()}\n\n")
        _show_plan(plan, reaches, commands, keep=request.keep, budget_s=budget_s)
    if obstacle is None:
        if unknown:
            print(f"weir: {unknown}", file=sys.stderr)
        return ExitCode.FINE
    print(f"weir: {obstacle}", file=sys.stderr)
    return obstacle.exit_code


def _plan_data(
    plan: Plan, reaches: list[Reach], commands: list[str], *, keep: bool, budget_s: float | None
) -> dict[str, Any]:
    """All that the plan says."""
    found = outlook_of(plan, budget_s)
    return {
        "study": msgspec.to_builtins(plan.study.file.study),
        "directory": str(plan.directory),
        "environment": [variable.as_data() for variable in variables_of(plan.study)],
        "reaches": [reach.as_data() for reach in reaches],
        "cases": [
            {
                **case.as_data(),
                "totals": msgspec.to_builtins(plan.descriptions[case.id].totals),
                "geometry": msgspec.to_builtins(plan.descriptions[case.id].geometry),
            }
            for case in plan.cases
        ],
        "left_out": [item.as_data() for item in plan.left_out],
        "not_asked": plan.study.not_asked,
        "commands": commands,
        "needs": [
            {"directory": str(path), **plan.needs(name, keep=keep).as_data()}
            for name, path in plan.directories().items()
        ],
        "time": {
            "budget_s": found.time_s,
            "least_samples_s": found.needed_s,
            "cases_in_budget": [case.id for case in plan.cases if case.id in found.cases],
            "claims_in_budget": found.claims,
            "claims": found.all_claims,
            "assumed_bytes_per_s": ASSUMED_BYTES_PER_S,
        },
    }


def _first_commands(plan: Plan, launcher: Launcher, program: str) -> list[str]:
    """The commands of the first round, as a shell would take them."""
    return [
        _in_shell(launcher.command(planned.spec, (program, f"RUN/logs/launch-{number:04}.json")))
        for number, planned in enumerate(first_round(plan), start=1)
    ]


def _in_shell(command: Command) -> str:
    settings = [f"{name}={shlex.quote(value)}" for name, value in command.env.items()]
    return " ".join([*settings, shlex.join(command.argv)])


def _show_plan(
    plan: Plan, reaches: list[Reach], commands: list[str], *, keep: bool, budget_s: float | None
) -> None:
    """Print the plan on standard output."""
    section = plan.study.file.study
    storage = [f"Storage: {plan.directory}", ""] if uses_storage(plan) else []
    print_lines([f"Study {section.name}: {section.title}".rstrip(": "), "", *storage])
    variables = variables_of(plan.study)
    if variables:
        print_lines(["Environment of the launches:", *(f"  {one.in_words()}" for one in variables), ""])
    if reaches:
        print_lines(
            ["What the study names outside of itself:", *(f"  {one.in_words()}" for one in reaches), ""]
        )
    _show_cases(plan)
    print_lines([*left_out_words(plan.left_out), *_not_asked(plan)])
    for name, path in plan.directories().items():
        print_lines(_needs_in_words(plan.needs(name, keep=keep), str(path)))
    print_lines([*_time_in_words(plan, budget_s), ""])
    if commands:
        print_lines(["Commands of the first round:", *(f"  {line}" for line in _alike_once(commands)), ""])
    _show_geometries(plan)


MOST_CASES = 400
"""Rows of the table: nobody reads more, and they take longer than all else."""
_STORAGE_HEADINGS = (">written", ">read", ">on disk", ">operations", ">files")


def _show_cases(plan: Plan) -> None:
    """What each asks of the storage, or of memory where no case uses storage."""
    of_storage = uses_storage(plan)
    rows = []
    for case in plan.cases[:MOST_CASES]:
        totals = plan.descriptions[case.id].totals
        wanted = [_size(size) for size in (totals.bytes_written, totals.bytes_read, totals.bytes_on_disk)]
        wanted += [_count(totals.operations), _count(totals.files)]
        memory = [_size(totals.memory_bytes_per_rank)]
        rows.append(
            [", ".join(case.comparisons), case.label, str(case.ranks), *(wanted if of_storage else memory)]
        )
    headings = _STORAGE_HEADINGS if of_storage else (">memory of a rank",)
    title = f"{count_words(len(plan.cases), 'case')}, one pass over each:"
    print_table(("~comparison", "~case", ">ranks", *headings), rows, title=title)
    if left := len(plan.cases) - len(rows):
        print_lines([f"… {more_words(left, 'case')}: weir plan --json has all"])


def _not_asked(plan: Plan) -> list[str]:
    return [
        not_asked_words(part.name, part.title)
        for part in plan.study.comparisons
        if part.name in plan.study.not_asked and not part.part
    ]


def _needs_in_words(needs: Needs, directory: str) -> list[str]:
    pairs = (
        (f"Space in {directory}", needs.disk_bytes, needs.free_disk_bytes),
        ("Memory for buffers", needs.memory_bytes, needs.free_memory_bytes),
    )
    lines = [f"{what}: {_size(wanted)} needed at most, {_size(free)} free" for what, wanted, free in pairs]
    if needs.files is not None and needs.free_files is not None:
        lines.append(f"Files in {directory}: {needs.files:,} at most, {needs.free_files:,} may still be made")
    return lines


def _alike_once(commands: list[str]) -> list[str]:
    """Of commands that differ in their numbered file only, the first, and how many there are."""
    alike: dict[str, list[str]] = {}
    for command in commands:
        alike.setdefault(_NUMBERED.sub("", command), []).append(command)
    return [
        group[0] + (f"   (and {len(group) - 1} more, for other cases)" if len(group) > 1 else "")
        for group in alike.values()
    ]


def _time_in_words(plan: Plan, budget_s: float | None) -> list[str]:
    samples = plan.study.file.study.min_samples
    found = outlook_of(plan, budget_s)
    if not uses_storage(plan):
        return [
            f"Time: at most about {format_seconds(found.time_s)} (the budget), or the first "
            "launch where that alone takes longer: how long it takes is known afterwards",
            *interval_words(plan.study.file.study.max_samples),
        ]
    assumed = speed_words(plan)
    return [
        f"Time: at most about {format_seconds(found.time_s)} (the budget); to begin with, "
        f"{count_words(samples, 'sample')} of every case: {format_seconds(found.needed_s)}{assumed}",
        *interval_words(plan.study.file.study.max_samples),
        *outlook_words(found, samples, assumed),
    ]


def _show_geometries(plan: Plan) -> None:
    """Each drawing once, with the cases that it holds for: most axes leave the geometry as it is."""
    drawings: dict[tuple[str, ...], list[str]] = {}
    cases_of: dict[tuple[str, ...], list[str]] = {}
    drawn: dict[bytes, list[str]] = {}
    for case in plan.cases:
        geometry = plan.descriptions[case.id].geometry
        key = msgspec.json.encode(geometry)
        if key not in drawn:
            drawn[key] = _draw_geometry(geometry) if geometry else []
        lines = drawn[key]
        shape = tuple(line.rpartition("|")[0] for line in lines)
        if lines:
            drawings.setdefault(shape, lines)
            cases_of.setdefault(shape, []).append(f"{case.label} ({count_words(case.ranks, 'rank')})")
    if not drawings:
        return
    print_lines(["Which rank's bytes lie where (a digit is a rank, . a hole, * several ranks):", ""])
    for shape, lines in list(drawings.items())[:MOST_DRAWINGS]:
        first, *others = cases_of[shape]
        alike = f" and {len(others)} more of this shape" if others else ""
        print_lines([f"  {first}{alike}", *(f"    {line}" for line in lines), ""])
    if len(drawings) > MOST_DRAWINGS:
        print_lines([f"  … and {more_words(len(drawings) - MOST_DRAWINGS, 'shape')}; --json has all of them"])


def _size(size: int | None) -> str:
    return "unknown" if size is None else format_bytes(size)


def _count(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"


def _draw_geometry(geometry: Geometry) -> list[str]:
    """Lines of text: a bar for each file, each cell the rank whose bytes are there; `.` nobody's, `*`
    several ranks'."""
    if not geometry.pieces:
        return []
    files = [(name, list(pieces)) for name, pieces in groupby(geometry.pieces, key=lambda piece: piece.file)]
    longest = max(len(name) for name, _ in files[:MOST_FILES])
    lines = [f"{name:<{longest}} |{_bar(pieces)}| {_extent(pieces)}" for name, pieces in files[:MOST_FILES]]
    if len(files) > MOST_FILES:
        lines.append(f"… and {more_words(len(files) - MOST_FILES, 'file')} alike")
    if not geometry.complete:
        lines.append("(more pieces follow)")
    return lines


def _shown_bytes(pieces: Sequence[Piece]) -> int:
    """How much of the file's beginning the drawing covers, in bytes."""
    end = max(piece.offset + piece.length for piece in pieces)
    room = WIDTH // FEWEST_CELLS
    if len(pieces) <= room:
        return end
    return max(piece.offset + piece.length for piece in sorted(pieces, key=lambda p: p.offset)[: room // 2])


def _bar(pieces: Sequence[Piece]) -> str:
    shown = _shown_bytes(pieces)
    cells: list[set[int]] = [set() for _ in range(WIDTH)]
    for piece in pieces:
        if piece.offset >= shown or piece.length == 0:
            continue
        first = piece.offset * WIDTH // shown
        last = (min(piece.offset + piece.length, shown) - 1) * WIDTH // shown
        for cell in range(first, last + 1):
            # A cell on a border belongs to the piece that covers its middle; tiny pieces mark it as shared.
            middle = (2 * cell + 1) * shown // (2 * WIDTH)
            if piece.offset <= middle < piece.offset + piece.length or piece.length * WIDTH < shown:
                cells[cell].add(piece.rank)
    return "".join(_symbol(cell) for cell in cells)


def _symbol(ranks: set[int]) -> str:
    if not ranks:
        return HOLE
    if len(ranks) > 1:
        return MANY
    return _SYMBOLS[next(iter(ranks)) % len(_SYMBOLS)]


def _extent(pieces: Sequence[Piece]) -> str:
    end = max(piece.offset + piece.length for piece in pieces)
    shown = _shown_bytes(pieces)
    return (
        format_bytes(end) if shown == end else f"first {format_bytes(shown)} of {format_bytes(end)} or more"
    )
