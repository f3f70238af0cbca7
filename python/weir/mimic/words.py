"""What an imitation is, in words and as data."""

from collections.abc import Iterable, Iterator
from typing import Any

from weir.mimic.derive import HARMLESS
from weir.mimic.fidelity import told_apart
from weir.mimic.imitation import Imitation, ParameterSet, Phase
from weir.mimic.losses import ALMOST_ALL, Loss
from weir.mimic.parameters import Parameters
from weir.units import count_words, format_bytes, format_share

MOST_DIGITS = 9
CLOSE = 0.9
FAIR = 0.5
_ORDERS = {
    "sequential": "sequential",
    "strided": "interleaved",
    "shuffled": "shuffled",
    "random": "random",
    "random-partition": "random partition",
}


def format_left(value: float) -> str:
    """A fidelity of two digits; of more where it would else read as 1 and is less: "0.9997"."""
    digits = 2
    while value < 1 and digits < MOST_DIGITS and float(f"{value:.{digits}f}") == 1:
        digits += 1
    return f"{value:.{digits}f}" if value == 1 or float(f"{value:.{digits}f}") < 1 else "almost 1"


def headline(imitation: Imitation) -> str:
    """How much of the pattern the parameters say."""
    overall = imitation.fidelity.overall
    if imitation.has_random_sizes:
        return "no parameters imitate it; the nearest ones follow, and their flaw"
    if overall == 1:
        return "the parameters say all of it"
    if overall >= ALMOST_ALL:
        return "the parameters say almost all of it"
    if overall >= CLOSE:
        return "the parameters say nearly all of it"
    return "the parameters say most of it" if overall > FAIR else "the parameters are like it only in part"


def rows(phase: Phase, imitation: Imitation) -> Iterator[list[str]]:
    """A row a parameter set, under HEADINGS."""
    for at, one in enumerate(phase.sets(imitation.pattern)):
        made = one.parameters
        yield [
            phase.name if at == 0 else "",
            made.verb,
            f"{made.ranks:,}",
            "file per process" if made.layout == "file-per-process" else "shared file",
            exact_size(made.block),
            "= block" if made.block == made.transfer else exact_size(made.transfer),
            f"{made.segments:,}",
            f"{made.files:,}",
            f"{one.turns:,}",
            _ORDERS[made.offsets] + _calls(made),
            made.sync or "",
            format_bytes(one.pattern_bytes),
            "= asked"
            if one.bytes == one.pattern_bytes
            else told_apart(one.pattern_bytes, one.bytes)(one.bytes),
            format_left(one.fidelity.overall),
        ]


HEADINGS = [
    "phase",
    "verb",
    ">ranks",
    "layout",
    ">block",
    ">transfer",
    ">segments",
    ">files",
    ">turns",
    "~order",
    "sync",
    ">asked",
    ">moved",
    ">alike",
]


def exact_size(size: int) -> str:
    """A size of which no digit is lost: "4 MiB", "78,125,000 B"."""
    short = format_bytes(size)
    return short if size >= 1024 and size % 1024 == 0 and "." not in short else f"{size:,} B"


def _calls(made: Parameters) -> str:
    words = ["collective"] * made.collective + ["list I/O"] * made.together
    if made.read_percent is not None:
        words.append(f"{made.read_percent} % reads")
    if made.think_time_s or made.rate_bytes_per_s:
        words.append("paced")
    return f" ({', '.join(words)})" if words else ""


def difference(imitation: Imitation) -> list[str]:
    """How many bytes pattern and imitation move, where that differs."""
    asked, moved = imitation.bytes, imitation.moved_bytes
    if asked == moved:
        return []
    words = told_apart(asked, moved)
    return [f"The pattern moves {words(asked)}, the imitation {words(moved)}."]


def loss_lines(imitation: Imitation) -> Iterator[str]:
    """Every loss, those that weigh most first; the same one of several phases once."""
    found: dict[Loss, tuple[float, list[str]]] = {}
    for phase in imitation.phases:
        for loss, concerned in imitation.losses(phase):
            if loss.left < 1:
                before, names = found.get(loss, (0.0, []))
                found[loss] = (before + concerned, [*names, phase.name])
    for loss, (concerned, names) in sorted(found.items(), key=lambda one: -(1 - one[0].left) * one[1][0]):
        share = format_share(concerned / imitation.bytes) if imitation.bytes else "all"
        left = f"{format_left(loss.left)} is left of {share} of the bytes."
        yield f"{loss.aspect.value}, {_where(names)}: {loss.what}. {left}"


def without_cost(imitation: Imitation) -> Iterator[str]:
    """What is left out, or no parameter says, and costs no fidelity; the same of several phases once."""
    found: dict[str, list[str]] = {}
    for phase in imitation.phases:
        for loss, _ in imitation.losses(phase):
            if loss.left == 1:
                found.setdefault(loss.what, []).append(phase.name)
    for what, names in found.items():
        yield f"{_where(names)}: {what}."


def _where(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {count_words(len(names) - 1, 'more phase')}"


def what_is_lost(imitation: Imitation, phases: Iterable[Phase], direction: str) -> list[str]:
    """What the parameters cannot express of the writes or the reads of these phases, the greatest loss first.
    What makes no difference to a forecast is left out."""
    weights: dict[str, float] = {}
    for phase in phases:
        for loss in phase.losses:
            if loss.what not in HARMLESS:
                weights.setdefault(loss.what, 0.0)
        for made in phase.all_made:
            if direction in _directions(made.parameters):
                for loss in made.losses:
                    if loss.what in HARMLESS:
                        continue
                    weights[loss.what] = weights.get(loss.what, 0.0) + (1 - loss.left) * made.bytes
    return sorted(weights, key=lambda what: -weights[what])


def _directions(made: Parameters) -> tuple[str, ...]:
    return {"write": ("write",), "mixed": ("write", "read")}.get(made.verb, ("read",))


def as_data(imitation: Imitation) -> dict[str, Any]:
    """The imitation for `--json`."""
    return {
        "ranks": imitation.pattern.ranks,
        "fidelity": imitation.fidelity.as_data(),
        "bytes": imitation.moved_bytes,
        "pattern_bytes": imitation.bytes,
        "random_sizes": imitation.has_random_sizes,
        "phases": [
            {
                "phase": phase.name,
                "timed": phase.of.timed is not False,
                "fidelity": phase.fidelity.as_data(),
                "sets": [_set_data(one) for one in phase.sets(imitation.pattern)],
                "losses": [
                    {
                        "aspect": loss.aspect.value,
                        "what": loss.what,
                        "left": loss.left,
                        "bytes": int(concerned),
                    }
                    for loss, concerned in imitation.losses(phase)
                ],
            }
            for phase in imitation.phases
        ],
    }


def _set_data(one: ParameterSet) -> dict[str, Any]:
    made = one.parameters
    return {
        "verb": made.verb,
        "ranks": made.ranks,
        "options": made.options(),
        "turns": one.turns,
        "side_by_side": one.side_by_side,
        "file": one.file,
        "bytes": one.bytes,
        "requests": one.requests,
        "pattern_bytes": one.pattern_bytes,
        "pattern_requests": one.pattern_requests,
        "fidelity": one.fidelity.as_data(),
    }
