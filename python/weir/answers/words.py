"""An answer's value and a caveat in words, for any face."""

from weir.analyse.modes import Course
from weir.answers.answer import (
    Answer,
    Caveat,
    Certainty,
    Choice,
    Cost,
    Count,
    Deviation,
    Quantity,
    Ratio,
    Several,
    Tally,
    Threshold,
    Value,
    Verdicts,
)
from weir.answers.tables import ACTIONS, CAVEATS, REASONS, title
from weir.units import format_seconds, format_share, significant

DOTS = {
    Certainty.SURE: "●",
    Certainty.WITHIN: "◐",
    Certainty.OPEN: "○",
    Certainty.NOT_MEASURED: "○",
    Certainty.SIMULATED: "◇",
}
PERCENT = 100
COURSES = {Course.ALTERNATING: ", alternating", Course.DRIFTING: ", drifting"}
WIDEST, NARROW = 0.5, 0.1
"""To either side: what reaches farther is shown by its ends, and so is what reaches twice as far to one side
as to the other, unless that is little."""


def title_of(answer: Answer) -> str:
    """ "Request size, write"."""
    return title(answer.question, ", ".join(answer.subject), answer.title)


def action_of(found: Answer | Caveat) -> str:
    """A short imperative; empty where there is nothing to do."""
    return ACTIONS[found.action].format(**found.words) if found.action else ""


def reason_of(answer: Answer) -> str:
    """Why what its action changes costs time; empty where the table has nothing."""
    return REASONS.get(answer.action, "").format(**answer.words)


def value_of(answer: Answer) -> str:
    """The value with its unit, interval and count, or what is missing."""
    if answer.value is None:
        return "no honest number" if answer.certainty is Certainty.NOT_MEASURED else "undecided"
    return value_words(answer.value)


def value_words(value: Value) -> str:
    """ "1870 MiB/s ±12 % (n = 12)", "1.8 times [1.5, 2.1] (n = 9)", "256 KiB to 1 MiB", "up to 223 ms"."""
    match value:
        case Quantity():
            return f"{quantity_words(value)} ({count_of(value)})"
        case Ratio():
            return _ratio_words(value, value.of)
        case Choice():
            return f"{value.best} {_ratio_words(value.ratio, value.other)}"
        case Threshold():
            return _threshold_words(value)
        case Several():
            return _several_words(value)
        case _:
            return _found_words(value)


def _found_words(value: Count | Tally | Verdicts | Cost | Deviation) -> str:
    match value:
        case Deviation():
            return _deviation_words(value)
        case Count():
            return f"{value.count:,} of {value.of:,}"
        case Tally():
            return f"{value.hold} hold, {value.do_not} do not, {value.open} undecided"
        case Verdicts():
            parts = ("worse", "better", "same", "open")
            return ", ".join(f"{getattr(value, part)} {part}" for part in parts)
        case Cost():
            share = "" if value.of_run is None else f", {format_share(value.of_run)}"
            return f"up to {format_seconds(value.seconds)}{share}{' (simulated)' if value.simulated else ''}"


def _several_words(value: Several) -> str:
    """ "write 500 MiB/s ±3 %, read 900 MiB/s ±2 % (n ≥ 12)": counts and what lacks an interval are told once,
    and a unit that follows after the last one that has it."""
    numbers = [one for _, one in value.values if isinstance(one, Quantity | Ratio)]
    units = [_unit_of(one) for _, one in value.values]
    said = [
        " ".join(
            filter(None, [name, _short_words(one), "" if units[at] in units[at + 1 :] else _unit_word(one)])
        )
        for at, (name, one) in enumerate(value.values)
    ]
    lacking = sum(one.low is None for one in numbers)
    least = min((one.n for one in numbers), default=0)
    counted = [f"n {'=' if len({one.n for one in numbers}) == 1 else '≥'} {least}"] if numbers else []
    counted += (
        ["no interval" if lacking == len(numbers) else f"{lacking} without interval"] if lacking else []
    )
    return ", ".join(said) + (f" ({', '.join(counted)})" if counted else "")


def _unit_of(value: Quantity | Ratio | Threshold | None) -> str:
    """What stands behind it; a quantity has its own beside its number."""
    return value.unit if isinstance(value, Ratio) else value.axis if isinstance(value, Threshold) else ""


def _unit_word(value: Quantity | Ratio | Threshold | None) -> str:
    """The same, "rank" behind a 1."""
    one = value == Threshold("ranks", "1")
    return _unit_of(value).removesuffix("s") if one else _unit_of(value)


def _short_words(value: Quantity | Ratio | Threshold | None) -> str:
    """Without unit and count."""
    match value:
        case None:
            return "undecided"
        case Quantity():
            return quantity_words(value)
        case Ratio():
            return f"{significant(value.times, 2)}{_reach_of(value)}"
        case Threshold(rising=True):
            return f"more than {value.at}"
    return f"{value.at} to {value.up_to}" if value.up_to else value.at


def _reach_of(ratio: Ratio) -> str:
    """How far its interval reaches to the farther side, as a share of it; its ends where that is far."""
    if ratio.low is None or ratio.high is None or not ratio.times:
        return ""
    reach = max(ratio.high - ratio.times, ratio.times - ratio.low) / ratio.times
    if reach > WIDEST:
        return f" [{significant(ratio.low, 2)}, {significant(ratio.high, 2)}]"
    return f" ±{max(1, round(100 * reach))} %"


def exact_words(value: Value) -> str:
    """The same with three digits, of a quantity with the ends of its interval: "1420 [1380, 1470] MiB/s
    (n = 12)"."""
    if isinstance(value, Ratio):
        return _ratio_words(value, value.of, digits=3)
    if not isinstance(value, Quantity):
        return value_words(value)
    metric, counted = value.metric, f" ({count_of(value)})"
    if value.low is None or value.high is None:
        return f"{metric.words(value.median)}{counted}"
    if metric.unit == "s":
        low, high = (format_seconds(end) for end in (value.low, value.high))
        return f"{format_seconds(value.median)} [{low}, {high}]{counted}"
    ends = f"[{metric.show(value.low)}, {metric.show(value.high)}]"
    return f"{metric.show(value.median)} {ends} {metric.shown_unit}{counted}"


def _threshold_words(value: Threshold) -> str:
    if value.rising:
        return f"still better at {value.at}"
    return f"between {value.at} and {value.up_to}" if value.up_to else value.at


def _deviation_words(value: Deviation) -> str:
    """ "-23 % [-25, -21] (n = 12)", with the sign of minus; a bound alone: "-11 %"."""
    share = f"{_signed(value.share)} %"
    if value.bound:
        return share
    if value.low is None or value.high is None:
        return f"{share} (n = {value.n}, no interval)"
    return f"{share} [{_signed(value.low)}, {_signed(value.high)}] (n = {value.n})"


def _signed(share: float) -> str:
    """In per cent, with one digit behind the point below ten: "-23", "+1.2"."""
    percent = PERCENT * share
    shown = f"{percent:+.1f}" if abs(percent) < 9.95 else f"{percent:+.0f}"
    return shown.replace("-", "\N{MINUS SIGN}")


def _ratio_words(ratio: Ratio, than: str = "", *, digits: int = 2) -> str:
    scale = PERCENT if ratio.unit == "%" else 1
    times = " ".join(filter(None, [significant(scale * ratio.times, digits), ratio.unit, than]))
    if ratio.low is None or ratio.high is None:
        return f"{times} ({f'n = {ratio.n}, no interval' if ratio.n else 'simulated'})"
    low, high = (significant(scale * end, digits) for end in (ratio.low, ratio.high))
    return f"{times} [{low}, {high}] (n = {ratio.n})"


def count_of(quantity: Quantity) -> str:
    """ "n = 12", and that there is no interval where there is none; of a model its number."""
    if not quantity.n:
        return "simulated"
    return f"n = {quantity.n}" + (", no interval" if quantity.low is None else "")


def verdict_words(quantity: Value) -> str:
    """The value in a verdict line: its count only where it has no interval."""
    if isinstance(quantity, Deviation) and quantity.low is not None:
        return value_words(quantity).rpartition(" (")[0]
    if not isinstance(quantity, Quantity):
        return value_words(quantity)
    counted = f" ({count_of(quantity)})" if quantity.low is None else ""
    return quantity_words(quantity) + counted


def quantity_words(quantity: Quantity) -> str:
    """Modes where there are several: "500 or 1900 MiB/s, alternating"; else the median, and how far its
    interval reaches: "1870 MiB/s ±12 %"."""
    metric, modes = quantity.metric, quantity.modes
    course = COURSES.get(modes.course, "")
    if len(modes.modes) > 1:
        between = ", then " if modes.course is Course.STEP else " or "
        if metric.unit == "s":
            return between.join(format_seconds(mode.median) for mode in modes.modes) + course
        shown = between.join(metric.show(mode.median) for mode in modes.modes)
        return f"{shown} {metric.shown_unit}{course}"
    return f"{metric.words(quantity.median)}{_reach(quantity)}{course}"


def _reach(quantity: Quantity) -> str:
    low, high, median, metric = quantity.low, quantity.high, quantity.median, quantity.metric
    if low is None or high is None:
        return ""
    less, more = sorted((high - median, median - low))
    reach = more / abs(median) if median else 0
    if reach > WIDEST or (reach > NARROW and 2 * less < more):
        show = format_seconds if metric.unit == "s" else metric.show
        return f" [{show(low)}, {show(high)}]"
    return f" ±{max(1, round(100 * reach))} %"


def caveat_words(caveat: Caveat) -> str:
    """The line of its table, filled."""
    return CAVEATS[caveat.code].format(count=f"{caveat.count:,}", of=f"{caveat.of:,}", **caveat.words)
