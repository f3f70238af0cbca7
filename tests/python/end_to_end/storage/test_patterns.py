"""Patterns from files: carried out as they stand, and refused where they could not be."""

import json
from pathlib import Path
from typing import Any

from ..patterns import COUNT, LENGTH, Json, access, closing, opening, pattern, phase
from ..real_core import names_in, run_cases

RANKS = 2
MANY = 1 << 24  # requests: more than a fraction of a second is enough for


def three_phases(requests: Json, writing: Json, reading: Json) -> Json:
    """Write, read and check, all with the same requests."""

    def part(verb: str, changes: Json) -> Json:
        mode = "create" if verb == "write" else "read"
        return phase(verb, opening(mode), access(verb, ranks=RANKS, **requests), closing(), **changes)

    return pattern(part("write", writing), part("read", reading), part("check", reading), ranks=RANKS)


def case_of(name: str, text: Json, **options: Any) -> Json:
    Path(f"{name}.json").write_text(json.dumps(text))
    return {
        "id": name,
        "benchmark": "storage",
        "options": {"pattern": f"{name}.json", "dir": "store", **options},
    }


def test_what_a_pattern_checks_was_stamped_when_it_was_written(place: Path) -> None:
    swapped = {"reorder": {"kind": "shift", "shift": 1}}
    case = case_of("checked", three_phases({}, {}, swapped))
    done = run_cases(case, ranks=RANKS)
    assert [sample["phase"] for sample in done.of("sample")] == ["write", "read", "check"]
    assert {sample["operations"] for sample in done.of("sample")} == {RANKS * COUNT}
    (check,) = done.samples("check")
    assert check["verification"] == {"words": RANKS * COUNT * LENGTH // 8, "wrong": 0}
    assert names_in("store") == []


def test_ranks_make_only_as_many_requests_as_in_the_limited_phase(place: Path) -> None:
    text = three_phases({"count": MANY, "length": 8}, {"time_limit_s": 0.3}, {"limited_by": "write"})
    done = run_cases(case_of("limited", text), ranks=RANKS)
    write, read, check = done.of("sample")
    assert RANKS <= write["operations"] < RANKS * MANY
    assert write["operations"] == read["operations"] == check["operations"]
    assert check["verification"] == {"words": write["operations"], "wrong": 0}


def test_a_pattern_that_cannot_be_carried_out_is_refused(place: Path) -> None:
    plain, together = three_phases({}, {}, {}), three_phases({}, {"collective": True}, {})
    limited = three_phases({}, {}, {"limited_by": "writing"})
    cases = [
        case_of("block", plain, block=1 << 30),
        case_of("transfer", plain, transfer=4096),
        case_of("layout", plain, layout="file-per-process"),
        case_of("collective-posix", together, backend="posix"),
        case_of("unknown-phase", limited),
        case_of("ranks", {**plain, "ranks": 3}),
    ]
    done = run_cases(*cases, code=2, ranks=RANKS)
    codes = {line["case"]: line["exit_code"] for line in done.of("failure")}
    assert codes == {case["id"]: 2 for case in cases}
    for case in ("block", "transfer", "layout"):
        problem = done.failure(case)
        assert case in problem["problem"] and "pattern" in problem["problem"] + problem["reason"]
    refused = done.failure("collective-posix")
    assert "posix" in refused["problem"] and "collective" in refused["problem"] + refused["reason"]
    assert done.of("sample") == []
    assert len(done.errors) == len(cases)
    assert names_in("store") == []
