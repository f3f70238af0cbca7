"""Bandwidth over time, read and written."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from weir.explain.summary import Course
from weir.units import significant

from .axes import BOTTOM, LEFT, RIGHT, TOP, line, steps, svg, text, time_axis

WIDTH, HEIGHT = 1040, 220
MIB = 2**20


def bandwidth(course: Course) -> Markup:
    """Steps of MiB/s, reads over writes."""
    series = [
        (name, [moved / course.interval_s / MIB for moved in values])
        for name, values in (("read", course.read_bytes), ("write", course.written_bytes))
        if any(values)
    ]
    if not series:
        return Markup("")
    return _legend([name for name, _ in series]) + svg(
        WIDTH, HEIGHT, "Bandwidth over time, read and written", _parts(series, course)
    )


def _legend(names: Sequence[str]) -> Markup:
    words = {"read": "read", "write": "written"}
    item = Markup('<span class="key"><span class="kind" style="background: var(--kind-{})"></span>{}</span> ')
    return (
        Markup('<p class="legend">')
        + Markup("").join(item.format(name, words[name]) for name in names)
        + Markup("</p>")
    )


def _parts(series: Sequence[tuple[str, list[float]]], course: Course) -> Iterator[Markup]:
    most = max(max(values) for _, values in series)
    height = HEIGHT - TOP - BOTTOM
    base = HEIGHT - BOTTOM
    for tick in steps(most, 4):
        y = base - height * tick / most
        yield line(LEFT, y, WIDTH - RIGHT, y)
        yield text(LEFT - 8, y + 4, f"{significant(tick) if tick else 0} MiB/s", "end")
    for name, values in series:
        yield Markup(
            '<path d="{}" fill="var(--kind-{})" fill-opacity="0.28" stroke="var(--kind-{})"/>'
        ).format(_steps(values, most, height, base), name, name)
    yield from time_axis(course.interval_s * len(course.read_bytes), WIDTH, HEIGHT)


def _steps(values: list[float], most: float, height: float, base: float) -> str:
    step = (WIDTH - LEFT - RIGHT) / len(values)
    path = [f"M{LEFT} {base}"]
    for number, value in enumerate(values):
        path.append(f"V{base - height * value / most:.1f}H{LEFT + step * (number + 1):.1f}")
    return "".join(path) + f"V{base}Z"
