"""Whether a run that goes on is on the machine that it began on: its results would be of two."""

from collections.abc import Mapping
from typing import Any

from weir.machine.card import System
from weir.machine.probes.cpu import cpu
from weir.machine.probes.host import host


def moved_words(card: Mapping[str, Any] | None, now: System) -> str | None:
    """Says that this is not the machine of the card, by host name or processor; null where nothing known
    differs."""
    before = _names(card or {})
    here = _names({"host": host(now), "cpu": cpu(now)})
    if not any(one and other and one != other for one, other in zip(before, here, strict=True)):
        return None
    began, goes_on = (
        " with ".join(filter(None, (f"host '{name}'", model))) for name, model in (before, here)
    )
    return (
        f"this run began on {began}, and goes on on {goes_on}: its results mix both. Choose another --out "
        "if the machines are not alike"
    )


def _names(card: Mapping[str, Any]) -> tuple[str | None, str | None]:
    return (card.get("host") or {}).get("name"), (card.get("cpu") or {}).get("model")
