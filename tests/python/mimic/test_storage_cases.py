"""A case of the storage benchmark mimics itself: the same parameters, and the same pattern."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from random_cases import random_cases
from weir.core.client import Core, find_core
from weir.core.schema import Description
from weir.mimic.carrier import carrier
from weir.mimic.derive import derive
from weir.mimic.parameters import Parameters

from .made import comparable

CASES = 50
"""Described by one weir-core."""
Options = dict[str, Any]


@st.composite
def options(draw: st.DrawFn) -> Options:
    """Options that mostly do not contradict each other."""

    def maybe(*choices: Any) -> Any:
        return draw(st.sampled_from(choices))

    transfer = 8 * draw(st.integers(1, 4096))
    offsets = maybe("sequential", "sequential", "strided", "shuffled", "random", "random-partition")
    interleaves = offsets in ("strided", "random-partition")
    phases = {name: draw(st.booleans()) for name in ("read", "check")} | {"write": maybe(True, True, False)}
    phases["mixed"] = draw(st.booleans()) and (phases["write"] or not phases["check"])
    if not any(phases.values()):
        phases["read"] = True
    limit = maybe(0, 0, 0, 2.5)
    alone = not interleaves and draw(st.booleans())
    can_be_one = (
        offsets in ("sequential", "strided", "random-partition") and not phases["mixed"] and not limit
    )
    return {
        "transfer": transfer,
        "block": transfer * draw(st.integers(1, 12)),
        "segments": draw(st.integers(1, 5)),
        "files": maybe(1, 1, 2, 3),
        "layout": "file-per-process" if alone else "shared",
        "offsets": offsets,
        "sync": maybe("close", "write", "never"),
        "timed": maybe("all", "transfer"),
        "collective": not alone and draw(st.booleans()),
        "together": can_be_one and draw(st.booleans()),
        "overwrite": phases["write"] and not limit and draw(st.booleans()),
        "preallocate": draw(st.booleans()),
        "reorder": maybe("none", "node", "random"),
        "think_time": maybe(0, 0, 0.001),
        "rate": maybe(0, 0, 1 << 20),
        "seed": draw(st.integers(0, 99)),
        "time_limit": limit,
        **phases,
    }


def expected(verb: str, ranks: int, given_: Options) -> Parameters:
    """The parameters of a phase in the form that stands for all that make the same pattern: as few segments
    as there are gaps, and interleaved ones as strided."""
    transfer, offsets = given_["transfer"], given_["offsets"]
    each = given_["block"] // transfer
    block, segments = each, given_["segments"]
    alone = given_["layout"] == "file-per-process"
    if alone or ranks == 1 or offsets in ("strided", "random", "random-partition"):
        block, segments = each * segments, 1
    if offsets == "sequential" and block == 1 and segments > 1:
        offsets, block, segments = "strided", segments, 1
    if offsets == "strided" and (block == 1 or ranks == 1):
        offsets = "sequential"
    return Parameters(
        verb=verb,  # type: ignore[arg-type]
        ranks=ranks,
        layout=given_["layout"],
        block=block * transfer,
        transfer=transfer,
        segments=segments,
        files=given_["files"],
        offsets=offsets,
        sync=given_["sync"] if verb in ("write", "mixed") else None,
        collective=given_["collective"],
        together=given_["together"],
        read_percent=50 if verb == "mixed" else None,
        think_time_s=given_["think_time"],
        rate_bytes_per_s=given_["rate"],
        seed=given_["seed"] if offsets in ("shuffled", "random", "random-partition") else None,
    )


@random_cases(1000 // CASES)
@given(st.lists(st.tuples(st.integers(1, 9), options()), min_size=CASES, max_size=CASES))
def test_a_case_mimics_itself(cases: list[tuple[int, Options]]) -> None:
    asked = [
        {"id": str(at), "benchmark": "storage", "ranks": ranks, "options": {**one, "backend": "mpiio"}}
        for at, (ranks, one) in enumerate(cases)
    ]
    answers = Core(find_core()).describe(asked)
    known = [(ranks, one, answers[str(at)]) for at, (ranks, one) in enumerate(cases)]
    described = [(ranks, one, it) for ranks, one, it in known if isinstance(it, Description)]
    assert len(described) > CASES * 0.8
    for ranks, one, answer in described:
        assert answer.pattern is not None
        found = derive(answer.pattern)
        assert found.fidelity.overall == 1, one
        assert not any(found.losses(phase) for phase in found.phases), one
        for phase in found.phases:
            verb = phase.name.rpartition("-")[2]
            sets = phase.sets(answer.pattern)
            wanted = [] if phase.name.startswith(("open-", "close-")) else [expected(verb, ranks, one)]
            assert [(one.parameters, one.turns) for one in sets] == [(it, 1) for it in wanted], one
        assert comparable(carrier(found)) == comparable(answer.pattern), one
