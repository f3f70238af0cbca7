"""A claim about a ratio holds, does not hold, or cannot be told: by the whole interval."""

from dataclasses import replace

import pytest

from hpcc_samples import hpcc_rows
from rows import cached_read, row
from weir.analyse.metric import Metric
from weir.analyse.statistics import estimate_median
from weir.errors import WeirError
from weir.questions.claim import Verdict, make_rule, select
from weir.results.row import Measured, Row

BOTH = {"rule": "ratio", "one": {"layout": "shared"}, "other": {"layout": "file-per-process"}}
ALIKE = BOTH | {"within": 1.25}
ENDS = {"rule": "ratio", "one": {"transfer": "largest"}, "other": {"transfer": "smallest"}, "at_least": 5}


def pair(one: float, other: float, **changes: object) -> list[Row]:
    return [
        row("write", one, layout="shared", **changes),
        row("write", other, layout="file-per-process", **changes),
    ]


@pytest.mark.parametrize(
    ("test", "rows", "verdict"),
    [
        (ALIKE, pair(1000, 1100), Verdict.HOLDS),
        (ALIKE, pair(1000, 1500), Verdict.DOES_NOT_HOLD),
        (ALIKE, pair(1500, 1000), Verdict.DOES_NOT_HOLD),
        (ALIKE, pair(1000, 1240), Verdict.CANNOT_BE_TOLD),
        (ALIKE, pair(1000, 1100, spread=None, n=3), Verdict.CANNOT_BE_TOLD),
        (BOTH | {"at_least": 2}, pair(3000, 1000), Verdict.HOLDS),
        (BOTH | {"at_least": 2}, pair(1000, 1000), Verdict.DOES_NOT_HOLD),
        (BOTH | {"at_most": 2}, pair(3000, 1000), Verdict.DOES_NOT_HOLD),
        (BOTH | {"at_most": 2}, pair(2000, 1000), Verdict.CANNOT_BE_TOLD),
    ],
)
def test_the_whole_interval_decides(test: dict[str, object], rows: list[Row], verdict: Verdict) -> None:
    decision = make_rule(test).decide(rows, {})
    assert decision.verdict is verdict
    assert "times" in decision.why and "n = " in decision.why
    assert decision.why.startswith("because") == (verdict is Verdict.CANNOT_BE_TOLD)


def test_two_numbers_of_the_caches_tell_nothing_about_memory() -> None:
    copies = {"rule": "ratio", "one": {"phase": "star-copy", "ranks": 2}, "at_least": 0.9}
    test = copies | {"other": {"phase": "star-copy", "ranks": 1}}
    both = [*hpcc_rows(cached={"star-copy"}), *hpcc_rows(ranks=1, cached={"star-copy"})]
    decision = make_rule(test).decide(both, {})
    assert decision.verdict is Verdict.CANNOT_BE_TOLD and not decision.open_cases
    assert decision.why == (
        "because the processor's caches were measured in place of memory: 1.00 times [1.00, 1.00] "
        "(n = 6 pairs, in the caches)"
    )
    # A study may ask how much faster the caches are.
    one = [*hpcc_rows(cached={"star-copy"}), *hpcc_rows(ranks=1)]
    decision = make_rule(test).decide(one, {})
    assert decision.verdict is Verdict.HOLDS
    assert decision.why.endswith("(n = 6 pairs, the first in the caches)")
    assert make_rule(test).decide([*hpcc_rows(), *hpcc_rows(ranks=1)], {}).why.endswith("(n = 6 pairs)")


def test_one_pair_outside_is_enough_to_deny_and_is_the_one_named() -> None:
    rows = [*pair(1000, 1000, ranks=1), *pair(1000, 2000, ranks=2)]
    decision = make_rule(ALIKE).decide(rows, {})
    assert decision.verdict is Verdict.DOES_NOT_HOLD
    assert decision.why == "2 ranks: 0.500 times [0.480, 0.520] (n = 12, 12) (1 of 2 pairs)"


def test_what_was_not_measured_cannot_be_told() -> None:
    decision = make_rule(ALIKE).decide([row("write", 1000, layout="shared")], {})
    assert decision.verdict is Verdict.CANNOT_BE_TOLD
    assert decision.why == "because nothing was measured with layout file-per-process"


def test_rows_that_differ_otherwise_are_no_pair() -> None:
    rows = [row("write", 1000), row("write", 1000, layout="file-per-process", transfer=4096)]
    assert make_rule(ALIKE).decide(rows, {}).why == "because no two measured cases differ in that alone"


def test_a_read_that_was_to_come_from_the_device_and_did_not_decides_nothing() -> None:
    rows = [row("read", 1000, suspect=True), row("read", 1000, layout="file-per-process")]
    decision = make_rule(ALIKE).decide(rows, {})
    assert decision.verdict is Verdict.CANNOT_BE_TOLD
    assert "came from memory" in decision.why


def test_a_cached_read_may_be_held_against_an_honest_one() -> None:
    kept, dropped = ({"phase": "read", "cache": cache, "block": "64MiB"} for cache in ("keep", "drop"))
    test = {"rule": "ratio", "one": kept, "other": dropped, "at_least": 2}
    rows = [cached_read(9000, cache="keep"), row("read", 1000, cache="drop")]
    assert make_rule(test).decide(rows, {}).verdict is Verdict.HOLDS


def test_the_ends_of_a_curve_are_found_by_name() -> None:
    rows = [row("write", speed, transfer=size) for size, speed in ((1024, 10), (4096, 500), (65536, 100))]
    decision = make_rule(ENDS).decide(rows, {})
    assert decision.verdict is Verdict.HOLDS
    assert decision.why.startswith("10.0 times")


def test_a_curve_of_one_point_is_not_held_against_itself() -> None:
    decision = make_rule(ENDS).decide([row("write", 1000)], {})
    assert decision.verdict is Verdict.CANNOT_BE_TOLD
    assert decision.why == "because no two measured cases differ in that alone"


def test_writes_and_reads_are_told_apart_where_a_claim_speaks_of_both() -> None:
    rows = [*pair(1000, 1000), row("read", 1000), row("read", 1000, layout="file-per-process")]
    why = make_rule(ALIKE).decide(rows, {}).why
    assert why.startswith("write: 1.00") and " and read: 1.00" in why


def test_the_rule_for_times_says_what_is_fast_and_in_what() -> None:
    one, other = ({"metric": "write_s", "phase": "run", "read_group": size} for size in ("4", "1"))
    words = make_rule({"rule": "ratio", "one": one, "other": other, "at_least": 1}).words()
    assert "of how many times as fast (read_group 4) is as (read_group 1) in write_s lies above 1" in words


def test_a_rate_in_seconds_is_no_time() -> None:
    one, other = ({"metric": "bandwidth_bytes_per_s", "ranks": ranks} for ranks in (2, 1))
    words = make_rule({"rule": "ratio", "one": one, "other": other, "at_least": 1}).words()
    assert "of (ranks 2) over (ranks 1) in bandwidth_bytes_per_s lies above 1" in words


def test_the_rule_is_said_in_words() -> None:
    assert "between 0.8 and 1.25" in make_rule(ALIKE).words()
    assert "above 100" in make_rule(BOTH | {"at_least": 100}).words()


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ({"rule": "ratios"}, "no rule 'ratios'.*Did you mean 'ratio'"),
        ({}, "no rule ''.*cliff, io, peak, prediction, ratio, saturation"),
        (ALIKE | {"within": 0.5}, r"cannot be used so \(it needs one of at_least, at_most"),
        (ALIKE | {"at_least": 2}, "needs one of"),
        (ALIKE | {"withn": 2}, "unknown field 'withn'.*it takes .*one, other"),
    ],
)
def test_a_test_that_is_none_is_refused(test: dict[str, object], message: str) -> None:
    with pytest.raises(WeirError, match=f"(?i){message}"):
        make_rule(test)


ROWS = [row("write", 1000, ranks=1), row("write", 2000, ranks=2), row("read", 3000, ranks=4)]


def test_the_largest_is_that_of_the_rows_that_fit_otherwise() -> None:
    assert select(ROWS, {"phase": "write", "ranks": "largest"}) == [ROWS[1]]
    assert select(ROWS, {"ranks": "largest", "phase": "write"}) == [ROWS[1]]
    assert select(ROWS, {"phase": "write", "ranks": "smallest"}) == [ROWS[0]]


def test_rows_without_a_number_or_the_option_are_not_chosen() -> None:
    assert select([row("write", None)], {"phase": "write"}) == []
    assert select(ROWS, {"chunk": 1}) == []


SIZE = Metric("file_bytes", "B", "size of the file", False)


def test_of_sizes_it_is_how_many_times_as_large_one_is() -> None:
    rows = [
        row("write", 160, layout="shared", metric=SIZE),
        row("write", 10, layout="file-per-process", metric=SIZE),
    ]
    decision = make_rule(BOTH | {"at_least": 14, "at_most": 18}).decide(rows, {})
    assert decision.verdict is Verdict.HOLDS
    assert decision.why.startswith("16.0 times")


def test_a_least_and_a_greatest_make_a_range() -> None:
    rule = make_rule(BOTH | {"at_least": 1.5, "at_most": 3})
    assert "between 1.5 and 3" in rule.words()
    verdicts = [rule.decide(pair(one, 1000), {}).verdict for one in (1000, 2000, 3000, 4000)]
    assert verdicts == [Verdict.DOES_NOT_HOLD, Verdict.HOLDS, Verdict.CANNOT_BE_TOLD, Verdict.DOES_NOT_HOLD]
    with pytest.raises(WeirError, match="at_least below at_most"):
        make_rule(BOTH | {"at_least": 3, "at_most": 1.5})


def test_a_claim_may_speak_of_another_number_of_the_samples() -> None:
    one = row("write", 1000)
    sized = replace(one, metrics=(Measured(SIZE, estimate_median([5.0] * 6)),))  # type: ignore[arg-type]
    assert [found.median for found in select([sized], {"metric": "file_bytes"})] == [5.0]
    assert select([one], {"metric": "file_bytes"}) == []
