"""`weir calibrate`: how large files must be here to measure storage, not memory."""

from __future__ import annotations

import math
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli._options import JsonOption, LauncherOption, ProgressOption, writes
from weir.cli._streams import print_json, print_table
from weir.errors import ExitCode
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
    from weir.calibrate.calibration import Calibration, Comparison, Level, Side, Size

MIB = BINARY_SIZES["MiB"]
BAR = 14
WIDTH = 110

DirectoryArgument = Annotated[Path, typer.Argument(metavar="[DIR]", help="A directory on the storage.")]
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
    directory: DirectoryArgument = Path(),
    ranks: RanksOption = None,
    transfer: TransferOption = "1MiB",
    budget: BudgetOption = "5m",
    most: MostOption = None,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = "mpirun",
    progress: ProgressOption = "auto",
    json: JsonOption = False,
) -> ExitCode:
    """Find the file size above which bandwidth in DIR no longer depends on it, for writing and reading.

    There the page cache ends (Shan and Shalf 2007, section 5.2). The result is kept; a study uses it with
    block = "calibrated". It writes at most a third of the bytes of an exhaustive sweep, more only if noise
    hides the answer.

    Exit codes: 0 a size was found; 2 nothing ran; 3 a case could not run; 5 inconclusive; 130 interrupted.
    """
    import msgspec

    from weir.calibrate.limits import Request, situation_of
    from weir.cli._calibration import calibrate_and_keep, outlook_words

    request = Request(
        directory,
        ranks=ranks,
        transfer=parse_bytes(transfer),
        budget_s=parse_seconds(budget),
        most_bytes=parse_bytes(most) if most is not None else None,
        launcher_name=launcher,
    )
    if dry_run:
        situation = situation_of(request)
        if json:
            print_json({"dry_run": msgspec.to_builtins(situation)})
        else:
            sys.stdout.write("\n".join(outlook_words(situation, request)) + "\n")
        return ExitCode.FINE
    calibration, path = calibrate_and_keep(request, progress)
    if json:
        print_json({"path": str(path), **msgspec.to_builtins(calibration)})
    else:
        _show(calibration, path)
    return ExitCode.FINE if calibration.verdict == "found" else ExitCode.INCONCLUSIVE


def _show(calibration: Calibration, path: Path) -> None:
    """Print it; the size to use comes last but for where it is kept."""
    storage = calibration.storage
    title = (
        f"{calibration.directory} ({storage['type']} at {storage['mount_point']}, on {storage['host']}):"
        f" {count_words(calibration.ranks, 'rank')}, a file each,"
        f" {format_bytes(calibration.transfer_bytes)} a request"
    )
    _say(title, "")
    _show_sizes(calibration)
    _say("", known_words(calibration))
    for name, side in calibration.sides.items():
        _say(side_words(name, side, calibration.ranks))
    _say(*short_words(calibration), bytes_words(calibration), "", use_words(calibration))
    sys.stdout.write(f"Kept in {path}\n")


def _show_sizes(calibration: Calibration) -> None:
    sizes = sorted({size.bytes for side in calibration.sides.values() for size in side.sizes})
    medians = [size.level.median for side in calibration.sides.values() for size in side.sizes]
    rows = [
        [
            format_bytes(size),
            format_bytes(size * calibration.ranks),
            *(cell for side in calibration.sides.values() for cell in _cells(side, size, medians)),
        ]
        for size in sizes
    ]
    headings = [">a rank", ">all ranks"]
    for name in calibration.sides:
        headings += [f">{name} MiB/s", ">n", "", ""]
    print_table(headings, rows)


def _cells(side: Side, size: int, medians: list[float]) -> list[str]:
    found = next((each for each in side.sizes if each.bytes == size), None)
    if found is None:
        return ["", "", "", ""]
    median = significant(found.level.median / MIB)
    return [median, str(found.level.n), _bar(found, medians), "plateau" if found.flat else ""]


def _bar(size: Size, medians: list[float]) -> str:
    """Its length is the logarithm of the bandwidth."""
    least, most = math.log(min(medians) / 2), math.log(max(medians))
    return "▪" * max(round(BAR * (math.log(size.level.median) - least) / (most - least)), 1)


def _say(*paragraphs: str) -> None:
    width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH) if sys.stdout.isatty() else WIDTH
    for text in paragraphs:
        sys.stdout.write(textwrap.fill(text, width, subsequent_indent="  ", break_long_words=False) + "\n")


def level_words(level: Level) -> str:
    """ "2610 [2500, 2700] MiB/s (n = 6)", with the reason where there is no interval."""
    median = significant(level.median / MIB)
    if level.low is None or level.high is None:
        return f"{median} MiB/s (n = {level.n})"
    return f"{median} [{significant(level.low / MIB)}, {significant(level.high / MIB)}] MiB/s (n = {level.n})"


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
    level = f"{name.capitalize()}: {level_words(side.plateau)} from {_both(side.size_bytes, ranks)} on."
    if not side.seen:
        largest = max(size.bytes for size in side.sizes)
        return (
            f"{level} That may be the cache: files of up to {_both(largest, ranks)} need not reach its end."
        )
    words = [level, _edge_words(side, ranks)]
    if not side.precise:
        words.append("That bandwidth varies too much to rely on; where it begins is clear.")
    return " ".join(words)


def use_words(calibration: Calibration) -> str:
    """The size to use, or why there is none."""
    if calibration.block_bytes is None:
        text = f"There is no size to recommend: {calibration.why}."
        reads = [s for s in calibration.samples if s["way"] == "dropped" and s["direction"] == "read"]
        if not reads or not all(s["from_device"] is True for s in reads):
            return text
        return (
            f'{text} Small files do with sync = "close" and cache = "drop": their reads came from the device.'
        )
    size = spell_bytes(calibration.block_bytes)
    text = f"Use {_both(calibration.block_bytes, calibration.ranks)}"
    how = f'by --block {size}, or block = "calibrated" in a study.'
    if calibration.verdict == "found":
        return f"{text}, {how}"
    return f"Inconclusive: {calibration.why}. If at all: {text[:1].lower()}{text[1:]}, {how}"


def short_words(calibration: Calibration) -> Iterator[str]:
    """Whether small files would have done, for each cache mode."""
    from weir.calibrate.bench import DIRECT, SHORT_MODES

    for mode in SHORT_MODES:
        words, found = mode.words.capitalize(), [c for c in calibration.comparisons if c.mode == mode.name]
        if mode.name in calibration.refused:
            yield f"{words}: refused here: {calibration.refused[mode.name]}."
        elif found:
            size = calibration.enough.get(mode.name, max(each.size_bytes for each in found))
            found = [each for each in found if each.size_bytes == size]
            ratios = ", ".join(map(_ratio_words, found))
            if mode.name in calibration.enough:
                yield (
                    f"Large files are not necessary here: {mode.words},"
                    f" {format_bytes(size)} a rank give the same: {ratios}."
                )
            elif all(side.seen for side in calibration.sides.values()):
                reason = _reason(found) if mode is DIRECT else ""
                yield f"{words}, {format_bytes(size)} a rank: {ratios}{reason}."
            else:
                levels = ", ".join(f"{each.direction} {level_words(each.level)}" for each in found)
                yield f"{words}, {format_bytes(size)} a rank: {levels}."


def bytes_words(calibration: Calibration) -> str:
    """What the calibration wrote, and what an exhaustive sweep would have written."""
    share = calibration.written_bytes / calibration.exhaustive_bytes if calibration.exhaustive_bytes else 0.0
    return (
        f"Wrote {format_bytes(calibration.written_bytes)} in {format_seconds(calibration.took_s)},"
        f" {format_share(share)} of what a sweep in doublings up to 4 times the memory writes with"
        f" {count_words(calibration.exhaustive_samples, 'sample')} a size"
        f" ({format_bytes(calibration.exhaustive_bytes)})."
    )


def _edge_words(side: Side, ranks: int) -> str:
    size = side.size_bytes or 0
    if side.below_bytes is None:
        least = min(size.bytes for size in side.sizes)
        return f"No size down to {format_bytes(least)} a rank differs: no cache shows."
    below = next(size.level for size in side.sizes if size.bytes == side.below_bytes)
    edge = f"between {format_bytes(side.below_bytes)} and {format_bytes(size)} a rank"
    if side.falls and side.plateau:
        node = f" ({format_bytes(side.below_bytes * ranks)} and {format_bytes(size * ranks)} on the node)"
        ratio = significant(below.median / side.plateau.median, 2)
        where = edge + (node if ranks > 1 else "")
        return f"The cliff is {where}: before it {level_words(below)}, {ratio} times as much."
    return f"There is no cliff: smaller files are slower ({edge}), since each costs something once."


def _both(size: int, ranks: int) -> str:
    a_rank = f"{format_bytes(size)} a rank"
    return a_rank if ranks == 1 else f"{a_rank} ({format_bytes(size * ranks)} on the node)"


def _ratio_words(comparison: Comparison) -> str:
    ratio = significant(comparison.ratio, 2)
    text = f"{comparison.direction} {level_words(comparison.level)}, {ratio} times the plateau"
    if comparison.agrees:
        return text
    return text + (" (too noisy to tell them apart)" if comparison.overlaps else " (another bandwidth)")


def _reason(comparisons: list[Comparison]) -> str:
    slow = any(each.direction == "read" and each.ratio < 1 and not each.overlaps for each in comparisons)
    return ": without read-ahead each request waits for the device" if slow else ""
