"""The claims of a study, as its file says them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.findings.claims.claim import Claim, make_rule


def claims_of(comparison: Mapping[str, Any]) -> list[Claim]:
    """All claims of a comparison, read from a study that was checked when it was loaded."""
    return [
        Claim(
            item["machine"],
            item["source"],
            item["says"],
            make_rule(item["test"]),
            tuple(item.get("also", ())),
        )
        for item in comparison.get("claim", [])
    ]


def figures_of(comparison: Mapping[str, Any]) -> list[str]:
    """The figures that a comparison asks for: one, several or none."""
    asked = comparison.get("figure") or []
    return [asked] if isinstance(asked, str) else list(asked)
