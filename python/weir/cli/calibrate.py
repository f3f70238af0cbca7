"""`weir calibrate`: how large files must be here to measure storage, not memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli._options import EverythingOption, JsonOption, LauncherOption, ProgressOption, writes
from weir.cli._streams import print_json, print_lines, print_table
from weir.errors import ExitCode
from weir.handed.takes import Takes
from weir.units import (
    BINARY_SIZES,
    count_words,
    format_bytes,
    format_seconds,
    format_share,
    parse_bytes,
    parse_seconds,
    significant,
    spell_bytes,
)

if TYPE_CHECKING:
    from weir.calibrate.calibration import Calibration, Comparison, Level, Side

MIB = BINARY_SIZES["MiB"]
BAR = 14

DirectoryArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="[DIR]",
        help="A directory on the storage. Default: the site's, else the current directory.",
    ),
    Takes(("folder",)),
]
RanksOption = Annotated[
    int | None, typer.Option("--ranks", min=1, help="Ranks on this node. Default: one per core, at most 4.")
]
TransferOption = Annotated[str, typer.Option("--transfer", help="Bytes of one request.")]
BudgetOption = Annotated[str, typer.Option("--budget", help="Approximate total time.")]
MostOption = Annotated[
    str | None,
    typer.Option("--most", help='The largest files of all ranks together, as "8GiB". Default: what fits.'),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Print the plan, do nothing.")]


@writes
def command(
    directory: DirectoryArgument = None,
    ranks: RanksOption = None,
    transfer: TransferOption = "1MiB",
    budget: BudgetOption = "5m",
    most: MostOption = None,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = None,
    progress: ProgressOption = "auto",
    everything: EverythingOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Find the file size above which bandwidth in DIR no longer depends on it, for writing and reading.

    There the page cache ends (Shan and Shalf 2007, section 5.2). The result is kept; a study uses it with
    block = "calibrated". It writes at most a third of the bytes of an exhaustive sweep, more only if noise
    hides the answer.

    Exit codes: 0 a size was found; 2 nothing ran; 3 a case could not run; 5 inconclusive; 130 interrupted.
    """
    import msgspec

    from weir.answers.data import screen_data
    from weir.calibrate.first_screen import first_screen
    from weir.calibrate.limits import Request, situation_of
    from weir.cli._calibration import calibrate_and_keep, outlook_words
    from weir.cli._screen import print_screen
    from weir.cli._site import storage_of
    from weir.launch.base import launcher_name

    request = Request(
        storage_of(directory) or Path(),
        ranks=ranks,
        transfer=parse_bytes(transfer),
        budget_s=parse_seconds(budget),
        most_bytes=parse_bytes(most) if most is not None else None,
        launcher_name=launcher_name(launcher),
    )
    if dry_run:
        situation = situation_of(request)
        if json:
            print_json({"dry_run": situation.as_data()})
        else:
            print_lines(outlook_words(situation))
        return ExitCode.FINE
    calibration, path = calibrate_and_keep(request, progress)
    screen = first_screen(calibration)
    if json:
        screen_of = {"first_screen": screen_data(screen)}
        print_json({"path": str(path), **msgspec.to_builtins(calibration), **screen_of})
    else:
        print_screen(screen, "", f"kept in {path}", more="weir calibrate --all")
        if everything:
            print()
            show(calibration)
    return ExitCode.FINE if calibration.verdict == "found" else ExitCode.INCONCLUSIVE


def show(calibration: Calibration) -> None:
    """Print it; the size to use comes last."""
    storage, sides = calibration.storage, calibration.sides
    _say(
        f"{calibration.directory} ({storage['type']} at {storage['mount_point']}, on {storage['host']}):"
        f" {count_words(calibration.ranks, 'rank')}, a file each,"
        f" {format_bytes(calibration.transfer_bytes)} a request",
        "",
    )
    _show_sizes(calibration)
    _say("", known_words(calibration))
    _say(*(side_words(name, side, calibration.ranks) for name, side in sides.items()))
    _say(*short_words(calibration), bytes_words(calibration), "", use_words(calibration))


def _say(*paragraphs: str) -> None:
    from weir.cli._results import wrapped

    for text in paragraphs:
        print_lines(wrapped(text, "", "  ") or [""])


def _show_sizes(calibration: Calibration) -> None:
    """A row a size. The length of a bar is the logarithm of the bandwidth."""
    sides = calibration.sides
    medians = [size.level.median for side in sides.values() for size in side.sizes] or [1.0]
    least, most = math.log(min(medians) / 2), math.log(max(medians))
    rows: dict[int, list[str]] = {}
    headings = [">a rank", ">all ranks"]
    for name, side in sides.items():
        headings += [f">{name} MiB/s", ">n", "", ""]
        for size in side.sizes:
            median = size.level.median
            bar = "▪" * max(round(BAR * (math.log(median) - least) / (most - least)), 1)
            row = rows.setdefault(
                size.bytes, [format_bytes(size.bytes), format_bytes(size.bytes * calibration.ranks)]
            )
            row += [significant(median / MIB), str(size.level.n), bar, "plateau" if size.flat else ""]
    print_table(headings, [row for _, row in sorted(rows.items())])


def level_words(level: Level) -> str:
    """ "2610 [2500, 2700] MiB/s (n = 6)"; without the interval where there is none."""
    ends = [significant(end / MIB) for end in (level.low, level.high) if end is not None]
    interval = f" [{', '.join(ends)}]" if ends else ""
    return f"{significant(level.median / MIB)}{interval} MiB/s (n = {level.n})"


def known_words(calibration: Calibration) -> str:
    """What was known before."""
    known = {key: format_bytes(value) if value else "unknown" for key, value in calibration.memory.items()}
    text = f"Known before: memory {known['total']}; room to cache files {known['cacheable']}"
    if (calibration.memory["write_cache"] or 0) >= (calibration.memory["cacheable"] or 0):
        return f"{text}."
    return f"{text}; writers are made to wait at {known['write_cache']} unwritten."


def side_words(name: str, side: Side, ranks: int) -> str:
    """The plateau and the cliff of one direction."""
    if side.plateau is None or side.size_bytes is None:
        return f"{name.capitalize()}: no plateau was found: {side.why}."
    text = f"{name.capitalize()}: {level_words(side.plateau)} from {_both(ranks, side.size_bytes)} on."
    levels = {size.bytes: size.level for size in side.sizes}
    if not side.seen:
        files = f"files of up to {_both(ranks, max(levels))}"
        return f"{text} That may be the cache: {files} need not reach its end."
    noisy = "" if side.precise else " That bandwidth varies too much to rely on; where it begins is clear."
    if side.below_bytes is None:
        return f"{text} No size down to {format_bytes(min(levels))} a rank differs: no cache shows.{noisy}"
    below, edge = levels[side.below_bytes], (side.below_bytes, side.size_bytes)
    if side.falls:
        ratio = significant(below.median / side.plateau.median, 2)
        before = f"before it {level_words(below)}, {ratio} times as much"
        return f"{text} The cliff is between {_both(ranks, *edge)}: {before}.{noisy}"
    slower = f"smaller files are slower (between {_both(1, *edge)})"
    return f"{text} There is no cliff: {slower}, since each costs something once.{noisy}"


def _both(ranks: int, *sizes: int) -> str:
    """ "8 GiB and 16 GiB a rank (16 GiB and 32 GiB on the node)"."""
    a_rank, node = (" and ".join(format_bytes(size * times) for size in sizes) for times in (1, ranks))
    return f"{a_rank} a rank" if ranks == 1 else f"{a_rank} a rank ({node} on the node)"


def short_words(calibration: Calibration) -> Iterator[str]:
    """Whether small files would have done, for each cache mode."""
    from weir.calibrate.bench import DIRECT, SHORT_MODES

    seen = all(side.seen for side in calibration.sides.values())
    for mode in SHORT_MODES:
        found = [one for one in calibration.comparisons if one.mode == mode.name]
        if mode.name in calibration.refused:
            yield f"{mode.words.capitalize()}: refused here: {calibration.refused[mode.name]}."
        elif found:
            size = calibration.enough.get(mode.name, max(one.size_bytes for one in found))
            found = [one for one in found if one.size_bytes == size]
            where, what = f"{format_bytes(size)} a rank", ", ".join(_short_words(one, seen) for one in found)
            slow = [one for one in found if one.direction == "read" and one.ratio < 1 and not one.overlaps]
            if mode.name in calibration.enough:
                yield f"Large files are not necessary here: {mode.words}, {where} give the same: {what}."
                continue
            if seen and slow and mode is DIRECT:
                what += ": without read-ahead each request waits for the device"
            yield f"{mode.words.capitalize()}, {where}: {what}."


def _short_words(one: Comparison, seen: bool) -> str:
    """Its bandwidth; against the plateau if that is known to be storage's."""
    level = f"{one.direction} {level_words(one.level)}"
    doubt = " (too noisy to tell them apart)" if one.overlaps else " (another bandwidth)"
    ratio = f", {significant(one.ratio, 2)} times the plateau{'' if one.agrees else doubt}"
    return level + ratio if seen else level


def bytes_words(calibration: Calibration) -> str:
    """What the calibration wrote, and what an exhaustive sweep would have written."""
    wrote, swept = calibration.written_bytes, calibration.exhaustive_bytes
    return (
        f"Wrote {format_bytes(wrote)} in {format_seconds(calibration.took_s)},"
        f" {format_share(wrote / swept)} of what a sweep in doublings up to 4 times the memory writes with"
        f" {count_words(calibration.exhaustive_samples, 'sample')} a size ({format_bytes(swept)})."
    )


def use_words(calibration: Calibration) -> str:
    """The size to use, or why there is none."""
    from weir.results.words import capital

    if calibration.block_bytes is None:
        text = f"There is no size to recommend: {calibration.why}."
        known = {s.from_device for s in calibration.samples if (s.mode, s.direction) == ("dropped", "read")}
        small = 'Small files do with sync = "close" and cache = "drop": their reads came from the device.'
        return f"{text} {small}" if known == {True} else text
    size, option = _both(calibration.ranks, calibration.block_bytes), spell_bytes(calibration.block_bytes)
    use = f'use {size}, by --block {option}, or block = "calibrated" in a study.'
    if calibration.verdict == "found":
        return capital(use)
    return f"Inconclusive: {calibration.why}. If at all: {use}"
