"""The first screen as data: what every face shows first of a run, and nothing else."""

from dataclasses import dataclass

from weir.answers.answer import Answer, Caveat, Changes, Quantity, Several, Value
from weir.answers.words import title_of, value_of, verdict_words
from weir.machine.describe import Fact

MOST_ROWS = 6
MOST_IN_VERDICT = 3
SEPARATOR = " · "


@dataclass(frozen=True)
class Screen:
    """`place`: what was measured, in a few words each; `rows`: at most six answers; `others`: how many more
    there are below; `machine`: six facts at most; `nothing`: what a verdict says where there are no rows."""

    place: tuple[str, ...]
    rows: tuple[Answer, ...]
    others: int
    caveats: tuple[Caveat, ...]
    machine: tuple[Fact, ...]
    nothing: str = "no sample was taken"

    @property
    def verdict(self) -> str:
        """All parts of it in one line."""
        return SEPARATOR.join(self.verdict_parts)

    @property
    def verdict_parts(self) -> tuple[str, ...]:
        """ "ext4 on vda · 1 node, 2 ranks · write 500 or 1900 MiB/s, alternating · read 2000 MiB/s ±17 %"."""
        found = [(one, *_named(title_of(one), one.value)) for one in self.rows]
        said = [
            f"{name} {verdict_words(value) if value else value_of(one)}"
            for one, name, value in found
            if one.leads or isinstance(value, Quantity)
        ]
        none = () if self.rows else (self.nothing,)
        return (*self.place, *said[:MOST_IN_VERDICT], *none)

    @property
    def open_caveats(self) -> tuple[Caveat, ...]:
        """Those that change a verdict."""
        return tuple(one for one in self.caveats if one.changes is Changes.VERDICT)

    @property
    def folded_caveats(self) -> tuple[Caveat, ...]:
        """The others."""
        return tuple(one for one in self.caveats if one.changes is not Changes.VERDICT)


def _named(title: str, value: Value | None) -> tuple[str, Value | None]:
    """Of several the first one, with its word."""
    if not isinstance(value, Several) or not value.values:
        return title, value
    of, first = value.values[0]
    return f"{title} {of}", first


def chosen_rows(answers: list[Answer]) -> tuple[tuple[Answer, ...], int]:
    """Those of most weight, as they came where they weigh the same, and how many are left."""
    ordered = sorted(answers, key=lambda one: -one.weight)
    return tuple(ordered[:MOST_ROWS]), max(0, len(ordered) - MOST_ROWS)
