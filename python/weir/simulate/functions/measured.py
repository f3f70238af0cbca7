"""Calls of MPI functions, measured by the benchmark `network`."""

from collections.abc import Iterable

from weir.analyse.machine_state import samples_that_count
from weir.analyse.statistics import estimate_median
from weir.errors import WeirError
from weir.simulate.functions.words import SIZELESS, FunctionWords, call_name
from weir.simulate.result import Simulation
from weir.simulate.verify import Beside
from weir.store.records import AnyRecord, SampleRecord
from weir.study.load import Study, make_study
from weir.units import spell_seconds

HALVES = ("PingPong",)
"""Functions whose time is half of a call's, there and back."""
NO_BENCHMARK = ("NaturalRing", "RandomRing")
"""Those of HPCC, which the benchmark `rings` measures over many orders."""
NAME = "verify"


def functions_study(words: FunctionWords, ranks: int, repetitions: int, budget_s: float) -> Study:
    """Its cases are the calls, on the ranks of one node. Raises WeirError for what `network` has not."""
    for name in words.functions:
        if name in NO_BENCHMARK:
            raise WeirError(
                f"nothing measures one call of {name}",
                "HPCC's rings are many",
                "weir run rings measures them",
            )
    sized = [name for name in words.functions if name not in SIZELESS]
    sizeless = [name for name in words.functions if name in SIZELESS]
    axes = [
        (sized, {"function": sized, "bytes": [f"{size}B" for size in words.sizes]}),
        (sizeless, {"function": sizeless, "bytes": ["0B"]}),
    ]
    return make_study(
        {
            "study": {
                "name": NAME,
                "title": f"MPI functions on {ranks} ranks",
                "budget": spell_seconds(budget_s),
                "min_samples": repetitions,
                "max_samples": repetitions,
            },
            "fixed": {"benchmark": "network", "ranks": ranks, "nodes": 1},
            "comparison": [
                {"name": f"{NAME}-{at}", "axes": one} for at, (names, one) in enumerate(axes) if names
            ],
        },
        f"{NAME}.toml",
    )


def functions_beside(simulated: Simulation, records: Iterable[AnyRecord]) -> list[Beside]:
    """The calls that are in both, in the order of the simulation: as IMB counts a call's time."""
    times: dict[str, list[float]] = {}
    for sample in samples_that_count(records):
        details = sample.details or {}
        name = call_name(str(details.get("function")), int(details.get("message_bytes", 0)))
        times.setdefault(name, []).extend(_seconds(sample))
    found = []
    for phase in simulated.phases:
        measured = estimate_median(times.get(phase.name, []))
        if measured is not None and measured.median > 0:
            found.append(Beside(simulated.ranks, phase.name, _of_call(phase.name, phase.time_s), measured))
    return found


def _of_call(name: str, time_s: float) -> float:
    return time_s / 2 if name.split(maxsplit=1)[0] in HALVES else time_s


def _seconds(sample: SampleRecord) -> list[float]:
    return [one.value / 1e6 for one in sample.metrics if one.key == "time_us" and one.value is not None]
