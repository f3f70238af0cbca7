"""What the cache does, cliffs seen and not seen, and claims about them."""

import pytest

from rows import MIB, cached_read, found, row
from weir.figures.figure import State
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


def test_flattery_is_said_with_both_numbers() -> None:
    finding = found(judge_size, [cached_read(9000), row("read", 1000)], CARD)
    start, _, end = finding.title.partition("; ")
    assert start == "Through the cache, reads look up to 9.00 times as fast as the storage"
    assert end == "the cache's end was not seen"
    assert "9000 [8820, 9180] MiB/s (n = 12) at 128 MiB" in finding.sentences[0]
    assert "1000 [980, 1020] MiB/s (n = 12)" in finding.sentences[0]


def test_a_cliff_lies_between_the_last_fast_and_the_first_slow_size() -> None:
    # The largest read no longer fits the cache, so it comes from the device although nothing was dropped.
    finding = found(judge_size, [*FAST, SLOW], CARD)
    assert finding.title.endswith("reads fall off a cliff beyond 800 MiB")
    assert "a cliff between 800 MiB and 1.56 GiB, from 9000" in finding.sentences[-1]


def test_without_a_cliff_the_reason_is_given() -> None:
    finding = found(judge_size, [cached_read(9000), cached_read(9000, block=128 * MIB)], CARD)
    assert (
        "the largest file, 256 MiB, is below the memory available for caching, 1000 MiB"
        in finding.sentences[0]
    )


def test_without_a_machine_card_no_limit_is_made_up() -> None:
    finding = found(judge_size, [cached_read(9000), cached_read(9000, block=128 * MIB)])
    assert "is not known" in finding.sentences[0]


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
    assert finding.title.endswith("the cache's end was not seen")


def test_a_fall_from_the_processors_cache_is_not_the_page_caches_end() -> None:
    rows = [cached_read(12000, block=8 * MIB), cached_read(4000)]
    card = CARD | {"cpu": {"sockets": 1, "caches": [{"size_bytes": 36 * MIB}]}}
    finding = found(judge_size, rows, card)
    assert finding.title.endswith("; reads fall beyond 16 MiB, inside the cache")
    assert "Inside the cache it falls between 16 MiB and 128 MiB" in finding.sentences[0]
    assert "the processor's own cache, 36 MiB, is the likely cause" in finding.sentences[0]


def test_a_title_never_denies_the_fall_that_its_curve_shows() -> None:
    below = found(judge_size, curve((8, 3000), (32, 1000)), CARD)
    assert below.title.endswith("; writes fall beyond 16 MiB, inside the cache"), (
        "of less than writers wait at"
    )
    slower = found(judge_size, curve((8, 3000), (256, 1700)), CARD)
    assert slower.title.endswith("; writes fall to 57 % at 512 MiB")
    alike = found(judge_size, curve((8, 3000), (256, 2900)), CARD)
    assert alike.title.endswith("; the cache's end was not seen")


def test_a_writers_fall_below_the_kernels_limit_is_told_apart_from_the_cliff_behind_it() -> None:
    finding = found(judge_size, curve((8, 3000), (32, 1400), (64, 1300), (256, 400)), CARD)
    assert finding.title.endswith("writes fall off a cliff beyond 128 MiB")
    assert "Inside the cache it falls between 16 MiB and 64 MiB" in finding.sentences[0]
    assert "cannot be told" in finding.sentences[0]


def test_that_the_cache_adds_nothing_is_said_only_where_it_is_sure() -> None:
    alike = found(judge_size, [cached_read(1020), row("read", 1000)], CARD)
    assert alike.title.startswith("Through the cache it is as fast as the storage, within 10 %; ")
    near = found(judge_size, [cached_read(1020, spread=0.3), row("read", 1000)], CARD)
    assert near.title.startswith("Through the cache and from the storage: at most 1.43 times apart; ")
    noisy = found(judge_size, [cached_read(1020, spread=0.5), row("read", 1000)], CARD)
    assert noisy.title.startswith("There is too much noise to say what the cache adds; ")
    few = found(judge_size, [cached_read(24000, spread=None, n=3), row("read", 1000)], CARD)
    assert few.title.startswith("There are too few samples to say what the cache adds; ")
    states = [one.state for one in (alike, near, noisy, few)]
    assert states == [State.ANSWERED, State.CAVEAT, State.OPEN, State.OPEN]


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
