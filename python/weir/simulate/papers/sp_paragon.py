"""Thakur, Gropp and Lusk (1996): the gas cloud on the SP and the Paragon."""

from collections.abc import Iterator
from typing import Any

from weir.bounded_parsing import decode_json
from weir.core.client import Core
from weir.simulate.find import find_machine
from weir.simulate.paper import FIT, PREDICTION, Experiment, Paper, Printed, simulated
from weir.simulate.papers import papers
from weir.study.load import find_study, load_study

MACHINES = {"IBM SP": "sp-piofs", "Paragon": "paragon-pfs"}
QUANTITIES = {
    "open": "total.open+create",
    "close": "total.close",
    "read": "total.read",
    "write": "total.write",
    "seek": "total.seek",
    "communication": "total.message+barrier",
}
CASES = {"small": FIT, "large": PREDICTION}
NOT_THE_PAPERS = ("barrier", "rename", "sync", "remove")
"""Steps of this program's own safety, which the routines of the paper had not."""


def _experiments(core: Core) -> Iterator[Experiment]:
    study = load_study(find_study("sp-paragon"))
    for comparison in study.comparisons:
        if comparison.name not in CASES:
            continue
        fixed = {**study.file.fixed, **comparison.fixed}
        ranks = int(fixed["ranks"])
        options = [
            *("--method", "two-phase", "--restarted", "--cells", str(fixed["cells"])),
            *("--ranks-along", str(fixed["ranks_along"]), "--steps", str(fixed["steps"])),
            *("--dump-every", str(fixed["dump_every"])),
        ]
        pattern = as_in_the_paper(decode_json(core.emit_pattern("cloud", options, ranks)))
        for table in comparison.printed:
            if table.table == "calls":
                yield Experiment(
                    table.machine,
                    {"machine": find_machine(MACHINES[table.machine]).as_core(), "pattern": pattern},
                    tuple(
                        Printed(
                            table.source.partition(",")[0],
                            str(operation),
                            QUANTITIES[str(operation)],
                            float(total_s),
                            CASES[comparison.name],
                        )
                        for operation, _, total_s, _ in table.rows
                    ),
                )


def as_in_the_paper(pattern: dict[str, Any]) -> dict[str, Any]:
    """The paper's routines: all processors open a file at once, and all take part in the communication of
    each array, as its counts of calls say (P + T - 2 of each processor), and before a close."""
    phases = [{**phase, "steps": _steps(phase["steps"])} for phase in pattern["phases"]]
    return {**pattern, "phases": phases}


def _steps(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for step in steps:
        ((kind, what),) = step.items()
        if kind == "repeat":
            found.append({"repeat": {**what, "steps": _steps(what["steps"])}})
        elif kind == "open":
            if _first(what) == 0:  # the others follow it
                found.append({"open": {key: value for key, value in what.items() if key != "ranks"}})
        elif kind in ("move", "close"):
            found += [{"barrier": {}}, step]
        elif kind not in NOT_THE_PAPERS:
            found.append(step)
    return found


def _first(step: dict[str, Any]) -> int:
    ranks = step.get("ranks") or {"first": 0}
    sets = ranks if isinstance(ranks, list) else [ranks]
    return int(sets[0]["first"])


papers.register("sp-paragon")(
    Paper(
        "The I/O of a gas cloud's collapse on the IBM SP and the Intel Paragon",
        "R. Thakur, W. Gropp and E. Lusk, 1996, tables 1, 3, 5 and 7",
        simulated(_experiments),
        (
            "all processors wait for each other before an array is exchanged and before a file is closed",
            "SP: a request covers both units of a server; servers keep 4 MiB",
            "Paragon: opens go along a tree; requests of 32 KiB, 8 at once; 3 ms a seek",
        ),
    )
)
