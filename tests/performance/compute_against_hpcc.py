#!/usr/bin/env python3
"""Weir's tests of the HPC Challenge beside its own program: launches of both in turns, with the same sizes,
ranks and BLAS.

Both take the BLAS that the loader finds as libblas or libopenblas; set OPENBLAS_CORETYPE for both where
OpenBLAS does not know the processor. Goals are the least ratios of Weir's rate to HPCC's. Exit code 1 if the
interval of one lies below its goal.
"""

import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

from peers.hpcc import hpcc_results
from peers.launch import Ranks, scratch
from peers.rounds import Round, comparison_parser, core_samples, in_turns, of_main_state
from peers.show import spell

from weir.analyse.statistics import estimate_median
from weir.cli._streams import print_json, print_table
from weir.core.client import Core, find_core
from weir.hpcc.tables.hpcc import KERNELS, QUANTITIES

BLOCK = 192
TRIAD = "StarSTREAM_Triad"
UPDATES = "MPIRandomAccess_GUPs"
PAST_CACHES = {"tests": ["star-stream"], "stores": "non-temporal"}
VARIANTS = {
    f"{TRIAD}, non-temporal": (TRIAD, PAST_CACHES | {"pages": "usual"}),
    f"{TRIAD}, non-temporal, large pages": (TRIAD, PAST_CACHES | {"pages": "large"}),
    f"{UPDATES}, large pages": (UPDATES, {"tests": ["global-random-access"], "pages": "large"}),
}
"""What is measured by a launch of its own, beside which of HPCC's rates: that rate, and options."""
PRODUCTS = "HPL of ranks x SingleDGEMM, both ours"
GOALS = {
    "HPL_Tflops": 1.05,
    PRODUCTS: 0.9,
    f"{TRIAD}, non-temporal": 1.2,
    f"{TRIAD}, non-temporal, large pages": 1.5,
    "PTRANS_GBs": 2.0,
    UPDATES: 5.0,
    f"{UPDATES}, large pages": 5.0,
    "MPIFFT_Gflops": 1.3,
}
"""All other rates: 1.0; latencies and bandwidths of messages have a comparison of their own."""


def compared() -> dict[str, float]:
    """HPCC's names of what is compared, and their goals."""
    rates = ("flops", "GUPs", "GBs", *(f"STREAM_{name}" for name in KERNELS))
    return {name: 1.0 for name in QUANTITIES if name.endswith(rates)} | GOALS


def run_core(core: Core, ranks: Ranks, order: int, found: Round) -> None:
    """A launch of ours with all tests, and one for each variant."""
    options = {"memory": 8 * order * order, "block": BLOCK, "grid_rows": 1}
    found.ours.update(values_of(core, ranks, options, found))
    for kernel in KERNELS:  # HPCC's program keeps the best time of star for single
        both = [found.ours[f"{name}STREAM_{kernel}", ""] for name in ("Star", "Single")]
        found.ours[f"SingleSTREAM_{kernel}", ""] = max(both)
    on_large_pages = options | {"tests": ["single-dgemm"], "pages": "large"}  # as HPL's matrix is
    products = values_of(core, ranks, on_large_pages, found)["SingleDGEMM_Gflops", ""]
    found.ours[PRODUCTS, ""] = 1000 * found.ours["HPL_Tflops", ""]
    found.theirs[PRODUCTS, ""] = ranks.ranks * products
    for name, (rate, more) in VARIANTS.items():
        found.ours[name, ""] = values_of(core, ranks, options | more, found)[rate, ""]


def values_of(
    core: Core, ranks: Ranks, options: dict[str, Any], found: Round
) -> dict[tuple[str, str], float]:
    """By HPCC's names, in its units."""
    values = {}
    for line in core_samples(core, ranks, [{"id": "hpcc", "benchmark": "hpcc", "options": options}], found):
        values.update({(line["phase"], metric["key"]): metric["value"] for metric in line["metrics"]})
    return {
        (name, ""): values[one.phase, one.key] / one.shown.scale
        for name, one in QUANTITIES.items()
        if (one.phase, one.key) in values
    }


def run_hpcc(program: str, ranks: Ranks, order: int, folder: Path, found: Round) -> None:
    """One launch of HPCC."""
    values = hpcc_results(program, ranks, folder, order, BLOCK)
    found.theirs |= {(name, ""): values[name] for name in QUANTITIES if name in values}
    found.theirs |= {(name, ""): values[rate] for name, (rate, _) in VARIANTS.items()}


def main() -> int:
    """Compare; returns the exit code."""
    parser = comparison_parser(__doc__)
    parser.add_argument("--order", type=int, default=8064, help="of HPL's matrix, a multiple of 192")
    asked = parser.parse_args()
    program = shutil.which("hpcc")
    if program is None:
        print("skipped: there is no hpcc on PATH to compare with")
        return 0
    ranks = Ranks(asked.ranks, longest_s=600)
    with scratch(Path("/tmp")) as folder:
        ours = partial(run_core, Core(find_core()), ranks, asked.order)
        theirs = partial(run_hpcc, program, ranks, asked.order, folder)
        rounds = in_turns(asked.launches, [(ours, theirs)])
    if asked.ranks > 1:  # the state is that of cache lines between cores
        rounds = of_main_state(rounds)
    rows, data, missed = [], [], 0
    for name, goal in compared().items():
        both = [(one.ours[name, ""], one.theirs[name, ""]) for one in rounds if (name, "") in one.theirs]
        ratio = estimate_median([our / their for our, their in both])
        known = ratio is not None and ratio.high is not None
        below = known and ratio.high < goal
        missed += below
        verdict = "MISSED" if below else "" if known else "too few launches"
        spelt = [spell(estimate_median([pair[side] for pair in both])) for side in (0, 1)]
        rows.append([name, *spelt, spell(ratio), str(len(both)), f"{goal:g}", verdict])
        data.append({"what": name, "goal": goal, "pairs": both})
    if asked.json:
        print_json({"order": asked.order, "ranks": asked.ranks, "points": data})
    else:
        print_table(("what", ">Weir", ">HPCC", ">ratio", ">n", ">goal", ""), rows)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
