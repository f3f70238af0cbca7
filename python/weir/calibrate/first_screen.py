"""What a person sees first of a calibration: the size to use, and the bandwidths from it on."""

from collections.abc import Iterator

from weir.analyse.metric import Metric
from weir.analyse.modes import Modes
from weir.answers.answer import Answer, Caveat, Certainty, Changes, Quantity, Threshold
from weir.answers.screen import Screen, chosen_rows
from weir.answers.tables import ACTIONS, CAVEATS, TITLES, declare
from weir.calibrate.calibration import READ, Calibration, Side
from weir.units import count_words, format_bytes, significant, spell_bytes

BANDWIDTH = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
SIZE, SIDES, SHORT = 3.0, 2.0, 1.0
"""Weights: the size to use stands first."""

MODES = {"dropped": 'sync = "close", cache = "drop"', "direct": "direct = true"}
"""How a study asks for them."""

declare(TITLES, {"file-size": "File size a rank", "short-files": "Short files do, {subject}"})
declare(
    ACTIONS,
    {
        "use-block": "use --block {option}",
        "if-at-all": "if at all, use --block {option}",
        "other-modes": 'use sync = "close" and cache = "drop"',
        "cache-ends": "the cache ends before: {times} times as fast",
        "no-cliff": "smaller files are no faster",
        "may-be-cache": "larger files may be slower: may be the cache",
    },
)
declare(
    CAVEATS,
    {
        "no-plateau": "{direction}: no plateau: {why}",
        "no-size": "no size is sure: {why}",
        "refused-mode": "{mode} is refused here: {why}",
    },
)


def first_screen(found: Calibration) -> Screen:
    """That of a calibration; pure."""
    rows, others = chosen_rows([*_answers(found)])
    place = (
        f"{found.storage['type']} at {found.storage['mount_point']}",
        f"{count_words(found.ranks, 'rank')}, a file each",
    )
    return Screen(place, rows, others, tuple(_caveats(found)), (), "no size was found")


def _answers(found: Calibration) -> Iterator[Answer]:
    if found.block_bytes is not None:
        sure = found.verdict == "found"
        words = {"option": spell_bytes(found.block_bytes)}
        yield Answer(
            "file-size",
            (),
            Threshold("block", f"{format_bytes(found.block_bytes)} or more"),
            Certainty.SURE if sure else Certainty.WITHIN,
            "use-block" if sure else "if-at-all",
            words,
            weight=SIZE,
        )
    else:
        known = {one.from_device for one in found.samples if (one.mode, one.direction) == ("dropped", READ)}
        action = "other-modes" if known == {True} else ""
        yield Answer("file-size", (), None, Certainty.OPEN, action, weight=SIZE)
    for name, side in found.sides.items():
        if side.plateau is not None:
            yield _side(name, side)
    for mode, size in found.enough.items():
        value = Threshold("block", format_bytes(size))
        yield Answer("short-files", (MODES.get(mode, mode),), value, weight=SHORT)


def _side(name: str, side: Side) -> Answer:
    """The plateau, and how much faster smaller files are."""
    level = side.plateau
    assert level is not None
    value = Quantity(BANDWIDTH, level.median, level.low, level.high, level.n, Modes(()))
    certainty = Certainty.SURE if side.precise and side.seen else Certainty.WITHIN
    if level.low is None:
        certainty = Certainty.OPEN
    levels = {size.bytes: size.level for size in side.sizes}
    action, words = "no-cliff", {}
    if not side.seen:
        action = "may-be-cache"
    elif side.falls and side.below_bytes is not None:
        action = "cache-ends"
        words = {"times": significant(levels[side.below_bytes].median / level.median, 2)}
    return Answer("quantity", (name.capitalize(),), value, certainty, action, words, weight=SIDES)


def _caveats(found: Calibration) -> Iterator[Caveat]:
    if found.verdict != "found":
        yield Caveat("no-size", 1, 1, Changes.VERDICT, {"why": found.why})
    for name, side in found.sides.items():
        if side.plateau is None:
            yield Caveat("no-plateau", 1, 1, Changes.VERDICT, {"direction": name, "why": side.why})
    for mode, why in found.refused.items():
        yield Caveat("refused-mode", 1, 1, Changes.WIDTH, {"mode": MODES.get(mode, mode), "why": why})
