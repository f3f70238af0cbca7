"""A plan for people."""

import re

from weir.cli._output import print_lines, print_table
from weir.cli._plan.geometry import draw_geometry
from weir.counts import count_words, more_words
from weir.drive.needs import Needs
from weir.drive.plan import ASSUMED_BYTES_PER_S, Plan, interval_words, outlook_of, outlook_words
from weir.study.environment import variables_of
from weir.study.left_out import in_words, not_asked_words
from weir.units import format_bandwidth, format_bytes, format_seconds

MOST_DRAWINGS = 6
_NUMBERED = re.compile(r"launch-\d+\.json")


def show_plan(plan: Plan, commands: list[str], *, keep: bool, budget_s: float | None = None) -> None:
    """Print the plan on standard output."""
    section = plan.study.file.study
    print_lines([f"Study {section.name}: {section.title}".rstrip(": "), "", f"Storage: {plan.directory}", ""])
    variables = variables_of(plan.study)
    if variables:
        print_lines(["Environment of the launches:", *(f"  {one.in_words()}" for one in variables), ""])
    _show_cases(plan)
    print_lines([*in_words(plan.left_out), *_not_asked(plan)])
    for name, path in plan.directories().items():
        print_lines(_needs_in_words(plan.needs(name, keep=keep), str(path)))
    print_lines([*_time_in_words(plan, budget_s), ""])
    if commands:
        print_lines(["Commands of the first round:", *(f"  {line}" for line in _alike_once(commands)), ""])
    _show_geometries(plan)


def _show_cases(plan: Plan) -> None:
    rows = []
    for case in plan.cases:
        totals = plan.descriptions[case.id].totals
        sizes = (totals.bytes_written, totals.bytes_read, totals.bytes_on_disk)
        rows.append(
            [
                ", ".join(case.comparisons),
                case.label,
                str(case.ranks),
                *(_size(size) for size in sizes),
                _count(totals.operations),
                _count(totals.files),
            ]
        )
    headings = ("~comparison", "~case", ">ranks", ">written", ">read", ">on disk", ">operations", ">files")
    print_table(headings, rows, title=f"{count_words(len(plan.cases), 'case')}, one pass over each:")


def _not_asked(plan: Plan) -> list[str]:
    return [
        not_asked_words(part.name, part.title)
        for part in plan.study.comparisons
        if part.name in plan.study.not_asked
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
    return [
        f"Time: at most about {format_seconds(found.time_s)} (the budget); to begin with, "
        f"{count_words(samples, 'sample')} of every case: {format_seconds(found.needed_s)} "
        f"if the storage moves {format_bandwidth(ASSUMED_BYTES_PER_S)}",
        *interval_words(plan.study.file.study.max_samples),
        *outlook_words(found, samples),
    ]


def _show_geometries(plan: Plan) -> None:
    """Each drawing once, with the cases that it holds for: most axes leave the geometry as it is."""
    drawings: dict[tuple[str, ...], list[str]] = {}
    cases_of: dict[tuple[str, ...], list[str]] = {}
    for case in plan.cases:
        geometry = plan.descriptions[case.id].geometry
        lines = draw_geometry(geometry) if geometry else []
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
