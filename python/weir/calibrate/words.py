"""What a calibration says, in words."""

from __future__ import annotations

from collections.abc import Iterator

from weir.calibrate.calibration import Calibration, Comparison, Level, Side
from weir.calibrate.ways import DIRECT, SHORT_WAYS
from weir.counts import count_words
from weir.results.words import capital
from weir.units import BINARY_SIZES, format_bytes, format_seconds, format_share, significant, spell_bytes

MIB = BINARY_SIZES["MiB"]


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
        return f"{capital(name)}: no plateau was found: {side.why}."
    level = f"{capital(name)}: {level_words(side.plateau)} from {_both(side.size_bytes, ranks)} on."
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
        way = 'Small files do with sync = "close" and cache = "drop": their reads came from the device.'
        return f"{text} {way}" if calibration.dropping_reaches_the_device else text
    size = spell_bytes(calibration.block_bytes)
    text = f"Use {_both(calibration.block_bytes, calibration.ranks)}"
    how = f'by --block {size}, or block = "calibrated" in a study.'
    if calibration.verdict == "found":
        return f"{text}, {how}"
    return f"Inconclusive: {calibration.why}. If at all: {text[:1].lower()}{text[1:]}, {how}"


def short_words(calibration: Calibration) -> Iterator[str]:
    """Whether small files would have done, way by way."""
    for way in SHORT_WAYS:
        found = [each for each in calibration.comparisons if each.way == way.name]
        size = calibration.enough.get(way.name)
        if way.name in calibration.refused:
            yield f"{capital(way.words)}: refused here: {calibration.refused[way.name]}."
        elif size is not None:
            ratios = _ratios([each for each in found if each.size_bytes == size])
            yield (
                f"Large files are not necessary here: {way.words},"
                f" {format_bytes(size)} a rank give the same: {ratios}."
            )
        elif found:
            largest = max(each.size_bytes for each in found)
            last = [each for each in found if each.size_bytes == largest]
            if not all(side.seen for side in calibration.sides.values()):
                levels = ", ".join(f"{each.direction} {level_words(each.level)}" for each in last)
                yield f"{capital(way.words)}, {format_bytes(largest)} a rank: {levels}."
                continue
            ratios = f"{_ratios(last)}{_reason(way.name, last)}"
            yield f"{capital(way.words)}, {format_bytes(largest)} a rank: {ratios}."


def bytes_words(calibration: Calibration) -> str:
    """What the calibration wrote beside what an exhaustive sweep would have written."""
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


def _ratios(comparisons: list[Comparison]) -> str:
    return ", ".join(map(_ratio_words, comparisons))


def _ratio_words(comparison: Comparison) -> str:
    ratio = significant(comparison.ratio, 2)
    text = f"{comparison.direction} {level_words(comparison.level)}, {ratio} times the plateau"
    if comparison.agrees:
        return text
    return text + (" (too noisy to tell them apart)" if comparison.overlaps else " (another bandwidth)")


def _reason(way: str, comparisons: list[Comparison]) -> str:
    slow = any(each.direction == "read" and each.ratio < 1 and not each.overlaps for each in comparisons)
    return ": without read-ahead each request waits for the device" if way == DIRECT.name and slow else ""
