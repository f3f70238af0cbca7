"""What a person wants to know first of the HPC Challenge: its tests with the most ranks."""

from collections.abc import Iterable, Sequence

from weir.answers.answer import Caveat, Changes
from weir.hpcc.rates import hpcc_cases, hpl_memory
from weir.measure.plan import Plan
from weir.report.headline import Headline, headline, most
from weir.results.row import Row
from weir.study.case import Case

BENCHMARK = "hpcc"


@headline(20)
class HpccHeadline(Headline):
    """Its rows say themselves that they are on the first screen; only its cases are told apart here."""

    def first_cases(self, cases: Sequence[Case], plan: Plan) -> Iterable[str]:
        """That of the most ranks."""
        return most([case for case in cases if case.benchmark == BENCHMARK], lambda case: case.ranks)

    def caveats(self, rows: list[Row]) -> Iterable[Caveat]:
        """HPL of a size that does not conform: it takes too little of the memory."""
        systems = [case["hpl"] for case in hpcc_cases(rows) if "hpl" in case]
        memories = [hpl_memory(row) for row in systems]
        small = sum(memory is not None and not memory.conforming for memory in memories)
        yield Caveat("not-conforming", small, len(systems), Changes.VERDICT)
