"""Whether bandwidth falls once files outgrow the page cache."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.findings.claims.claim import Decision, Rule, Verdict, rule
from weir.findings.claims.selection import select
from weir.findings.cliff import cache_limit, drop_words, find_drops, why_no_cliff
from weir.findings.row import Row

OPPOSITE = {Verdict.HOLDS: Verdict.DOES_NOT_HOLD, Verdict.DOES_NOT_HOLD: Verdict.HOLDS}


@rule("cliff")
class CliffRule(Rule, frozen=True, kw_only=True):
    """With `seen`, a fall to less than half where the page cache ends; without, that there is none. `where`
    chooses the rows, of one phase, through the cache."""

    where: dict[str, Any]
    seen: bool = True

    def words(self) -> str:
        """What a cliff is, and what it takes to deny one."""
        verdict = Verdict.HOLDS if self.seen else Verdict.DOES_NOT_HOLD
        return (
            f"{verdict} where a larger file's whole interval lies below half of the best, and there the page "
            "cache ends; the contrary takes files beyond the memory for caching"
        )

    def decide(self, rows: list[Row], card: Mapping[str, Any]) -> Decision:
        """The first drop that ends the cache; without one, whether the files were large enough to show it."""
        chosen = [row for row in select(rows, self.where) if row.data_bytes and row.through_cache]
        if not chosen:
            return Decision(Verdict.CANNOT_BE_TOLD, "because nothing was measured through the cache")
        limit, name = cache_limit(chosen[0], card)
        drop = next((drop for drop in find_drops(chosen, limit) if drop.ends_cache), None)
        if drop is not None:
            return self._decision(Verdict.HOLDS, f"it falls {drop_words(drop)}")
        why = why_no_cliff(chosen, limit, name)
        largest = max(row.data_bytes or 0 for row in chosen)
        if limit is None or largest < limit:
            return Decision(Verdict.CANNOT_BE_TOLD, f"because {why}")
        return self._decision(Verdict.DOES_NOT_HOLD, why)

    def _decision(self, seen: Verdict, why: str) -> Decision:
        return Decision(seen if self.seen else OPPOSITE[seen], why)
