"""What the cache does, cliffs seen and not seen, and claims about them."""

import pytest

from rows import MIB, cached_read, found, row
from weir.answers.answer import Answer, Certainty, Ratio, Threshold
from weir.figures.figure import Finding
from weir.questions.claim import Verdict, make_rule
from weir.results.row import Row
from weir.storage.cache_cliff import cacheable_bytes, dirty_limit_bytes, find_drops
from weir.storage.questions.size import judge_size

CARD = {
    "memory": {"available_bytes": 1000 * MIB},
    "cgroup": {"memory_limit_bytes": None},
    "dirty_pages": {"dirty_ratio_percent": 20, "dirty_background_ratio_percent": 10}
    | {"dirty_bytes": 0, "dirty_background_bytes": 0},
}


FAST = [cached_read(9000, block=100 * MIB), cached_read(8800, block=400 * MIB)]
SLOW = row("read", 1000, block=800 * MIB, cache_methods=())


def curve(*speeds: tuple[int, float]) -> list[Row]:
    return [row("write", speed, block=size * MIB, sync="never") for size, speed in speeds]


def adds(finding: Finding) -> Answer:
    """What the cache adds."""
    (said,) = [one for one in finding.answers if not one.title]
    return said


def ends(finding: Finding) -> Answer:
    """Where the cache ends."""
    (said,) = [one for one in finding.answers if one.title == "Page cache ends"]
    return said


def falls(finding: Finding) -> dict[str, tuple[float, str]]:
    """Where bandwidth through the cache falls: to which percentage, and why."""
    return {
        one.subject[1]: (round(100 * one.value.times), one.remark)
        for one in finding.numbers
        if isinstance(one.value, Ratio) and one.value.unit == "%"
    }


def test_what_the_cache_adds_is_a_ratio_at_equal_size() -> None:
    finding = found(judge_size, [cached_read(9000), row("read", 1000)], CARD)
    said = adds(finding)
    assert said.subject == ("read",) and isinstance(said.value, Ratio)
    assert (said.value.times, said.value.of, said.value.n) == (9.0, "the storage", 12)
    assert finding.numbers[0].subject == ("read, cache kept", "128 MiB")
    assert finding.numbers[0].value == said.value


def test_a_cliff_lies_between_the_last_fast_and_the_first_slow_size() -> None:
    # The largest read no longer fits the cache, so it comes from the device although nothing was dropped.
    finding = found(judge_size, [*FAST, SLOW], CARD)
    assert ends(finding).value == Threshold("data", "800 MiB", "1.56 GiB")
    assert ends(finding).certainty is Certainty.SURE and not ends(finding).decides
    assert falls(finding) == {"800 MiB to 1.56 GiB": (11, "the page cache ends")}


def test_without_a_cliff_the_size_to_try_is_given() -> None:
    finding = found(judge_size, [cached_read(9000), cached_read(9000, block=128 * MIB)], CARD)
    said = ends(finding)
    assert (said.value, said.certainty, said.action) == (None, Certainty.OPEN, "larger-files")
    assert said.words["limit"] == "1000 MiB"
    enough = found(judge_size, [cached_read(9000), cached_read(9000, block=512 * MIB)], CARD)
    assert (ends(enough).action, ends(enough).words["largest"]) == ("no-end", "1 GiB")


def test_without_a_machine_card_no_limit_is_made_up() -> None:
    finding = found(judge_size, [cached_read(9000), cached_read(9000, block=128 * MIB)])
    assert (ends(finding).action, ends(finding).words["limit"]) == ("larger-files", "256 MiB")


def test_writers_wait_half_way_between_the_kernels_thresholds() -> None:
    assert dirty_limit_bytes(CARD) == 150 * MIB
    absolute = CARD["dirty_pages"] | {"dirty_bytes": 80 * MIB, "dirty_background_bytes": 20 * MIB}
    assert dirty_limit_bytes(CARD | {"dirty_pages": absolute}) == 50 * MIB
    assert dirty_limit_bytes({}) is None


def test_a_control_group_limits_the_cache() -> None:
    assert cacheable_bytes(CARD | {"cgroup": {"memory_limit_bytes": 300 * MIB}}) == 300 * MIB
    assert cacheable_bytes({}) is None


def test_a_slow_size_without_interval_is_no_cliff() -> None:
    few = row("read", 1000, block=128 * MIB, cache_methods=(), spread=None, n=2)
    finding = found(judge_size, [cached_read(9000), few], CARD)
    assert ends(finding).value is None and falls(finding) == {}


def test_a_fall_from_the_processors_cache_is_not_the_page_caches_end() -> None:
    rows = [cached_read(12000, block=8 * MIB), cached_read(4000)]
    card = CARD | {"cpu": {"sockets": 1, "caches": [{"size_bytes": 36 * MIB}]}}
    finding = found(judge_size, rows, card)
    assert ends(finding).value is None
    assert falls(finding) == {"16 MiB to 128 MiB": (33, "likely the processor's cache (36 MiB)")}


def test_a_fall_that_the_curve_shows_is_told() -> None:
    below = found(judge_size, curve((8, 3000), (32, 1000)), CARD)
    assert falls(below) == {"16 MiB to 64 MiB": (33, "cause unknown")}, "of less than writers wait at"
    slower = found(judge_size, curve((8, 3000), (256, 1700)), CARD)
    assert falls(slower) == {"512 MiB": (57, "surely slower")}
    assert falls(found(judge_size, curve((8, 3000), (256, 2900)), CARD)) == {}
    assert all(ends(one).value is None for one in (below, slower))


def test_a_writers_fall_below_the_kernels_limit_is_told_apart_from_the_cliff_behind_it() -> None:
    finding = found(judge_size, curve((8, 3000), (32, 1400), (64, 1300), (256, 400)), CARD)
    assert ends(finding).value == Threshold("data", "128 MiB", "512 MiB")
    assert falls(finding) == {
        "16 MiB to 64 MiB": (47, "cause unknown"),
        "128 MiB to 512 MiB": (29, "the page cache ends"),
    }


def test_that_the_cache_adds_nothing_is_said_only_where_it_is_sure() -> None:
    alike = adds(found(judge_size, [cached_read(1020), row("read", 1000)], CARD))
    near = adds(found(judge_size, [cached_read(1020, spread=0.3), row("read", 1000)], CARD))
    noisy = adds(found(judge_size, [cached_read(1020, spread=0.5), row("read", 1000)], CARD))
    few = adds(found(judge_size, [cached_read(24000, spread=None, n=3), row("read", 1000)], CARD))
    states = [one.certainty for one in (alike, near, noisy, few)]
    assert states == [Certainty.SURE, Certainty.WITHIN, Certainty.OPEN, Certainty.OPEN]
    assert [one.value is None for one in (alike, near, noisy, few)] == [False, False, True, True]
    assert [bool(one.open_cases) for one in (alike, near, noisy, few)] == [False, True, True, True]
    assert [noisy.action, few.action] == ["too-noisy", "more-samples"]


def test_each_drop_is_measured_from_the_best_since_the_last_one() -> None:
    rows = curve((8, 3000), (16, 2900), (32, 1400), (64, 1300), (128, 500), (256, 450))
    drops = find_drops(rows, None)
    assert [(drop.best, drop.before, drop.after) for drop in drops] == [
        (rows[0], rows[1], rows[2]),
        (rows[2], rows[3], rows[4]),
    ]


def test_a_curve_that_rises_again_falls_from_its_new_best() -> None:
    rows = curve((8, 1000), (16, 400), (32, 900), (64, 800), (128, 300))
    drops = find_drops(list(reversed(rows)), None)
    assert [(drop.best, drop.after) for drop in drops] == [(rows[0], rows[1]), (rows[2], rows[4])]


def test_a_fall_to_more_than_half_is_none() -> None:
    assert find_drops(curve((8, 1000), (16, 520)), None) == []
    assert find_drops(curve((8, 1000), (16, 495)), None) == []  # its interval reaches across the half


@pytest.mark.parametrize(
    ("rows", "memory_mib", "verdict"),
    [
        ([*FAST, SLOW], 1000, Verdict.HOLDS),
        (FAST, 1000, Verdict.CANNOT_BE_TOLD),
        (FAST, 500, Verdict.DOES_NOT_HOLD),
        (FAST, None, Verdict.CANNOT_BE_TOLD),
        ([], 1000, Verdict.CANNOT_BE_TOLD),
    ],
)
def test_a_cliff_is_seen_or_denied_only_beyond_the_memory(
    rows: list[Row], memory_mib: int | None, verdict: Verdict
) -> None:
    card = {"memory": {"available_bytes": memory_mib * MIB}} if memory_mib else {}
    test = {"rule": "cliff", "where": {"phase": "read"}}
    assert make_rule(test).decide(rows, card).verdict is verdict
    opposite = {Verdict.HOLDS: Verdict.DOES_NOT_HOLD, Verdict.DOES_NOT_HOLD: Verdict.HOLDS}
    denied = make_rule(test | {"seen": False}).decide(rows, card).verdict
    assert denied is opposite.get(verdict, verdict)
