"""What a person wants to know first of a storage: how fast it writes, and how fast it reads."""

from collections.abc import Iterable, Sequence

from weir.measure.plan import Plan
from weir.report.headline import Headline, headline, most
from weir.study.case import Case


@headline(10)
class StorageHeadline(Headline):
    """Its rows are bandwidths of files, as those of others are; only its cases are told apart here."""

    def first_cases(self, cases: Sequence[Case], plan: Plan) -> Iterable[str]:
        """Of the most data: one whose writes are synced, and one whose reads avoid the cache."""

        def size(case: Case) -> int:
            return plan.descriptions[case.id].totals.bytes_on_disk or 0

        own = [case for case in cases if case.benchmark == "storage"]
        yield from most([case for case in own if case.options.get("sync") != "never"], size)
        yield from most([case for case in own if _avoids_cache(case)], size)


def _avoids_cache(case: Case) -> bool:
    return case.options.get("cache") != "keep" or bool(case.options.get("direct"))
