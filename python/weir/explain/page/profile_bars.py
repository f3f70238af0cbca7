"""A bar for each phase of a program, divided into what its ranks did."""

from collections.abc import Iterator

from markupsafe import Markup

from weir.explain.page.svg import svg, text
from weir.explain.profile.parts import KINDS
from weir.explain.profile.rows import PartRow, PhaseRow, Profile
from weir.units import format_seconds, format_share

WIDTH, ROW, BAR, NAMES, TIMES = 1040, 34, 22, 190, 80
MOST_LETTERS = 28
ROOM_FOR_SHARE = 0.055
"""Of a bar: a narrower part has its number in the table alone."""
GAP = 1.0


def profile_bars(profile: Profile, phases: list[PhaseRow]) -> Markup:
    """Bars of equal length, since they are shares; the time that each stands for is beside it."""
    shown = [phase for phase in phases if any(part.share for part in phase.parts)]
    if not shown:
        return Markup("")
    present = {part.kind for phase in shown for part in phase.parts}
    height = ROW * len(shown)
    label = "Shares of each phase's time"
    return _legend([kind for kind in KINDS if kind in present]) + svg(
        WIDTH, height, label, _parts(profile, shown)
    )


def _legend(kinds: list[str]) -> Markup:
    item = Markup('<span class="key"><span class="kind" style="background: {}"></span>{}</span> ')
    keys = Markup("").join(item.format(_colour(kind), kind) for kind in kinds)
    return Markup('<p class="legend">') + keys + Markup("</p>")


def _colour(kind: str) -> str:
    return f"var(--part-{kind.lower().replace(' ', '-').replace('/', '')})"


def _parts(profile: Profile, phases: list[PhaseRow]) -> Iterator[Markup]:
    for number, phase in enumerate(phases):
        top = ROW * number + (ROW - BAR) / 2
        name = profile.title_of(phase)
        name = name if len(name) <= MOST_LETTERS else f"{name[:MOST_LETTERS]}…"
        yield text(NAMES - 10, top + BAR / 2 + 4, name, "end")
        yield from _bar(phase, top)
        yield text(WIDTH, top + BAR / 2 + 4, format_seconds(phase.mean_s), "end")


def _bar(phase: PhaseRow, top: float) -> Iterator[Markup]:
    left, whole = float(NAMES), WIDTH - NAMES - TIMES
    piece = Markup(
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" style="fill: {}"><title>{}</title></rect>'
    )
    for part in phase.parts:
        share = part.share or 0.0
        width = share * whole
        yield piece.format(left, top, max(width - GAP, 0.3), BAR, _colour(part.kind), _words(part, share))
        if share >= ROOM_FOR_SHARE:
            yield Markup('<g class="in-{}">{}</g>').format(
                part.kind.lower().replace(" ", "-").replace("/", ""),
                text(left + width / 2, top + BAR / 2 + 4, format_share(share)),
            )
        left += width


def _words(part: PartRow, share: float) -> str:
    return f"{part.name}: {format_share(share)}, {format_seconds(part.mean_s)} on the average"
