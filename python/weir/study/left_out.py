"""Cases that cannot be measured here, so that the others can: what they are, and why they are left out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from weir.core.schema import Schema
from weir.counts import count_words
from weir.study.beside import Setting

BACKEND_OPTION = "backend"


@dataclass(frozen=True)
class LeftOut:
    """A case that is not run, by its values on the axes, with the reason."""

    label: str
    comparisons: tuple[str, ...]
    why: str

    def as_data(self) -> dict[str, Any]:
        """As run directories and `--json` show it."""
        return {"label": self.label, "comparisons": list(self.comparisons), "why": self.why}


def why_not_in_this_build(schema: Schema, settings: Mapping[str, Setting]) -> str | None:
    """Why the core cannot run a case of these settings; None where it can, or knows no such back-end."""
    setting = settings.get(BACKEND_OPTION)
    for missing in schema.backends_left_out:
        if setting is not None and setting.value == missing.name:
            return f"this build has no back-end {missing.name}: {missing.reason.rstrip('.')}"
    return None


class Reasoned(Protocol):
    """A case that was left out, planned or read back from a run."""

    @property
    def label(self) -> str: ...
    @property
    def comparisons(self) -> Sequence[str]: ...
    @property
    def why(self) -> str: ...


def in_words(left_out: Iterable[Reasoned]) -> list[str]:
    """One line a reason: which cases of which comparisons."""
    by_reason: dict[str, list[Reasoned]] = {}
    for item in left_out:
        by_reason.setdefault(item.why, []).append(item)
    return [
        f"left out of {', '.join(dict.fromkeys(name for item in items for name in item.comparisons))}: "
        f"{count_words(len(items), 'case')} ({'; '.join(item.label for item in items)}), "
        f"since {why}"
        for why, items in by_reason.items()
    ]


def not_asked_words(name: str, title: str) -> str:
    """What stands in place of an optional comparison that was not asked for."""
    return f"{title or name}: not run; ask for it with --with {name}"
