"""The first screen: which numbers speak for a run, how sure they are, and what changes that."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from cloud_rows import run_row, runs
from cloud_runs import SMALL
from hpcc_samples import hpcc_rows
from network_samples import network_row
from rows import MIB, cached_read, row, with_samples
from samples import RATE
from weir.analyse.metric import Metric
from weir.answers.answer import Certainty, Changes, Quantity
from weir.answers.screen import Screen
from weir.answers.words import action_of, caveat_words, title_of, value_of
from weir.questions.question import draw
from weir.report.first_screen import first_screen
from weir.report.headline_rows import best_row, headline_rows, named_row
from weir.report.section import Section
from weir.results.row import Row
from weir.store.records import LaunchRecord, NodePlace, RankPlace

from .contents import CARD, contents_of


def screen_of(*rows: Row, card: dict[str, Any] = CARD, failures: int = 0) -> Screen:
    contents = contents_of(rows, card, failures=failures)
    return first_screen(contents, [], headline_rows(contents.rows))


def shown(screen: Screen) -> dict[str, str]:
    return {title_of(one): value_of(one) for one in screen.rows}


def caveats_of(screen: Screen) -> dict[str, tuple[int, int]]:
    return {one.code: (one.count, one.of) for one in screen.caveats}


def test_the_verdict_has_the_place_and_the_numbers() -> None:
    screen = screen_of(row("write", 1500), row("read", 1000), cached_read(9000))
    assert screen.verdict == "ext4 on sda · 2 ranks · Write 1500 MiB/s ±2 % · Read 1000 MiB/s ±2 %"
    assert shown(screen) == {"Write": "1500 MiB/s ±2 % (n = 12)", "Read": "1000 MiB/s ±2 % (n = 12)"}
    assert {one.certainty for one in screen.rows} == {Certainty.SURE}


def of_size(mib: int, *speeds: float, **changes: Any) -> list[Row]:
    """A write, and a read if there are two speeds, of files of this size a rank."""
    return [
        row(name, at, block=mib * MIB, **changes) for name, at in zip(("write", "read"), speeds, strict=False)
    ]


def test_the_number_is_that_of_the_most_data_and_not_the_best_of_all() -> None:
    rows = [*of_size(64, 4590, 900), *of_size(256, 1390, 1000), *of_size(64, 9000, 9000, transfer=65536)]
    screen = screen_of(*rows)
    assert [value_of(one)[:4] for one in screen.rows] == ["1390", "1000"]
    assert screen.rows[0].setting == "512 MiB, 2 ranks, 1 MiB transfers, shared file, POSIX"
    assert caveats_of(screen)["sizes"] == (1, 2), "reads of 900 and 1000 are one number"
    assert [caveat_words(one) for one in screen.open_caveats] == [
        "numbers that vary over 2 times with data size: 1 of 2"
    ]


def test_a_rate_of_one_size_or_that_may_differ_by_chance_is_one_number() -> None:
    assert "sizes" not in caveats_of(screen_of(*of_size(64, 4590), *of_size(256, 1390, transfer=65536)))
    noisy = [*of_size(64, 4590, spread=0.9), *of_size(256, 1390, spread=0.9)]
    assert "sizes" not in caveats_of(screen_of(*noisy))


def test_of_equally_much_data_the_first_case_of_the_study_speaks() -> None:
    first, second = row("write", 1000), row("write", 3000, transfer=65536)
    assert named_row([first, second], "write") is first
    assert named_row([second, first], "write") is second


def test_without_an_honest_read_there_is_no_number_in_its_place() -> None:
    screen = screen_of(row("write", 1500), cached_read(9000))
    read = screen.rows[1]
    assert (value_of(read), read.certainty) == ("no honest number", Certainty.NOT_MEASURED)
    assert action_of(read) == 'all cached: cache = "drop"'
    assert "9000" not in screen.verdict and caveats_of(screen)["cached"] == (1, 2)
    unsynced, unknown = row("write", 3000, sync="never"), row("read", 900, suspect=None)
    screen = screen_of(unsynced, unknown)
    assert shown(screen) == {"Write": "no honest number", "Read": "no honest number"}
    assert [action_of(one) for one in screen.rows] == [
        'unsynced: sync = "close"',
        "source of the data unknown",
    ]


def test_two_modes_are_both_the_number() -> None:
    samples = [500, 1900, 520, 1850, 510, 1910, 490, 1880]
    both = with_samples(row("write", 1190, spread=0.58), [one * MIB for one in samples])
    screen = screen_of(both)
    assert shown(screen) == {"Write": "505 or 1890 MiB/s, alternating (n = 8)"}
    assert screen.rows[0].certainty is Certainty.WITHIN and "1190" not in screen.verdict


def test_a_quantity_that_drifts_is_not_sure() -> None:
    samples = [(1000 - 12 * at) * MIB for at in range(12)]
    (answer,) = screen_of(with_samples(row("write", 934, spread=0.05), samples)).rows
    assert answer.certainty is Certainty.WITHIN and value_of(answer) == "934 MiB/s ±5 %, drifting (n = 12)"


def test_a_wide_interval_is_shown_by_its_ends_and_few_samples_have_none() -> None:
    wide, few = row("write", 100, spread=0.6), row("read", 100, spread=None, n=3)
    screen = screen_of(wide, few)
    assert shown(screen) == {
        "Write": "100 MiB/s [40.0, 160] (n = 12)",
        "Read": "100 MiB/s (n = 3, no interval)",
    }
    assert [one.certainty for one in screen.rows] == [Certainty.WITHIN, Certainty.OPEN]
    assert screen.verdict.endswith("Write 100 MiB/s [40.0, 160] · Read 100 MiB/s (n = 3, no interval)")
    assert caveats_of(screen) == {"few": (1, 2)}
    assert [one.changes for one in screen.caveats] == [Changes.VERDICT]


def test_failures_only() -> None:
    screen = screen_of(row("none", None), failures=3)
    assert screen.verdict == "ext4 on sda · no sample was taken" and screen.rows == ()
    assert [caveat_words(one) for one in screen.open_caveats] == ["cases that failed: 3 of 3"]


def test_nothing_at_all() -> None:
    screen = screen_of(card={})
    assert (screen.verdict, screen.rows, screen.caveats) == ("this machine · no sample was taken", (), ())


def test_a_directory_in_memory_is_not_called_storage() -> None:
    card = CARD | {"file_system": {"type": "tmpfs", "nature": "memory"}, "block_device": None}
    screen = screen_of(row("write", 5000), card=card)
    assert screen.place[0] == "in memory" and "memory" in caveats_of(screen)
    assert screen.rows[0].certainty is Certainty.WITHIN, "no device was measured"


def test_what_a_row_of_the_screen_suffers_from_changes_the_verdict() -> None:
    crowded = row("write", 500, ranks=4, warnings=("oversubscribed",))
    other = row("write", 100, block=MIB, warnings=())
    assert screen_of(crowded, other).open_caveats
    beside = replace(crowded, data_bytes=MIB)
    assert [one.code for one in screen_of(beside, row("write", 500)).folded_caveats] == ["crowded"]


LATENCY = Metric("ping_us", "us", "latency", False)
SPEED = Metric("flop_per_s", "flop/s", "floating-point rate", True)


def of_machine(phase: str, metric: Metric, value: float, **changes: object) -> Row:
    """A row of a benchmark that uses no directory."""
    made = row(phase, value / (1 << 20), metric=metric, **changes)
    return replace(made, options={"size": changes.get("size", 1)}, data_bytes=None, sync=None)


def test_results_that_are_no_storage_s_name_the_machine_and_the_best_of_each_phase() -> None:
    rows = [
        of_machine("ping", LATENCY, 2.0),
        of_machine("ping", LATENCY, 1.5, size=2),
        of_machine("dot", SPEED, 3e9),
        of_machine("dot", SPEED, 5e9, size=2),
    ]
    screen = screen_of(*rows)
    assert screen.verdict == "n1 · 2 ranks · Ping 1.50 µs ±2 % · Dot 5.00 Gflop/s ±2 %"


def test_beside_a_bandwidth_a_time_has_no_row() -> None:
    assert list(shown(screen_of(row("write", 1500), of_machine("run", LATENCY, 2.0)))) == ["Write"]


def test_rates_of_operations_have_rows_of_their_own() -> None:
    slow, fast = (row("create", speed, metric=RATE, ranks=ranks) for ranks, speed in ((1, 1), (2, 2)))
    assert shown(screen_of(slow, fast)) == {"Create": "2,100,000 operations/s ±2 % (n = 12)"}


def test_the_best_row_has_an_interval_where_any_has() -> None:
    sure, few = row("create", 1, metric=RATE), row("create", 2, metric=RATE, ranks=4, spread=None)
    assert best_row([sure, few], "create") is sure and best_row([few], "create") is few


def test_requests_of_no_bytes_say_nothing_of_a_storage() -> None:
    empty = row("write", 3, metric=RATE, transfer=0, block=0)
    assert list(shown(screen_of(row("write", 1500), empty))) == ["Write"]


def test_the_network_has_latency_bandwidth_and_barrier() -> None:
    rows = [
        network_row("PingPong", 8, [0.5] * 6),
        network_row("PingPong", 1 << 20, [100.0] * 6),
        network_row("Bcast", 8, [1.0] * 6),
        network_row("Barrier", 0, [2.0] * 6, ranks=4),
        network_row("Barrier", 0, [1.0] * 6, ranks=8, active=2),
    ]
    assert [title.partition(",")[0] for title in shown(screen_of(*rows))] == [
        "Latency",
        "Bandwidth",
        "Barrier",
    ]


def test_what_a_figure_finds_stands_beside_the_numbers_but_not_one_of_them_again() -> None:
    rows = [
        network_row("PingPong", 8, [0.5] * 6),
        network_row("PingPong", 1 << 20, [100.0] * 6),
        network_row("Bcast", 8, [1.0] * 6),
        network_row("Bcast", 8, [3.0] * 6, ranks=4),
    ]
    drawings = (draw(name, rows, {}) for name in ("call-time", "call-time-ranks"))
    sections = [Section(one.name, one.title, "", one, (), ()) for one in drawings if one]
    screen = first_screen(contents_of(rows), sections, headline_rows(rows))
    titles = [*shown(screen)]
    assert titles[:2] == ["Latency", "Bandwidth"] and "Call time, Bcast, 2 to 4 ranks" in titles
    assert "Call time, PingPong, 8 B" not in titles


@pytest.mark.parametrize(
    ("nodes", "cpus", "said"),
    [
        (1, ("0", "0"), "1 node, 2 ranks · same core"),
        (1, ("0", "1"), "1 node, 2 ranks"),
        (2, ("0", "0"), "2 nodes, 2 ranks"),
    ],
)
def test_where_ranks_were_is_in_the_verdict(nodes: int, cpus: tuple[str, str], said: str) -> None:
    contents = contents_of([network_row("PingPong", 8, [0.5] * 6)])
    places = [RankPlace(rank, f"n{rank % nodes}", cpu, 1) for rank, cpu in enumerate(cpus)]
    launch = LaunchRecord(ranks=2, nodes=[NodePlace(f"n{at}") for at in range(nodes)], placement=places)
    contents.summary.launches.append(launch)
    assert first_screen(contents, [], headline_rows(contents.rows)).verdict.startswith(
        f"n1 · {said} · Latency"
    )


def test_the_hpc_challenge_has_hpl_first_of_the_most_ranks() -> None:
    rates = {1: 10e9, 4: 40e9, 2: 20e9}
    rows = [
        one
        for ranks, rate in rates.items()
        for one in hpcc_rows(ranks=ranks, more={"fft": {"flop_per_s": rate}})
    ]
    for some in (rows, rows[::-1]):
        screen = screen_of(*some)
        assert title_of(screen.rows[0]) == "HPL" and len(screen.rows) <= 6
        assert shown(screen)["FFT"].startswith("40.0 Gflop/s")
        assert screen.rows[0].setting.startswith("4 ranks")


def test_a_size_of_hpl_that_does_not_conform_is_a_caveat() -> None:
    memory = {"share": 0.01, "conforming": False, "conforming_size": 43008}
    screen = screen_of(*hpcc_rows(ranks=2, details={"hpl": {"memory": memory}}), *hpcc_rows(ranks=1))
    said = [caveat_words(one) for one in screen.open_caveats]
    assert "results of a size that does not conform: 1 of 2" in said
    assert "not-conforming" not in caveats_of(screen_of(*hpcc_rows(ranks=1)))


def test_numbers_of_the_processor_s_caches_are_within_a_range() -> None:
    rows = hpcc_rows(more={"star-triad": {"bandwidth_bytes_per_s": 15e9}}, cached={"star-triad"})
    screen = screen_of(*rows)
    certain = {title_of(one): one.certainty for one in screen.rows}
    assert certain["STREAM triad, each rank"] is Certainty.WITHIN
    assert "processor-caches" in {one.code for one in screen.open_caveats}


def moved(phase: str, speed: float) -> Row:
    plain = row(phase, speed, benchmark="cloud", application=True, sync=None, cache_methods=(), suspect=None)
    return replace(plain, ranks=8, options={"cells": "128x128x64", "method": "two-phase"})


RUN = run_row(runs(SMALL))


def test_the_number_of_an_application_is_what_it_gets() -> None:
    screen = screen_of(moved("write", 1000), moved("read", 500), RUN)
    assert {name: value[:4] for name, value in shown(screen).items()} == {"Write": "1000", "Read": "500 "}
    assert "unknown-source" not in caveats_of(screen), "it reads as it does, through caches"


def test_storage_and_applications_stand_beside_each_other_by_name() -> None:
    heat = [replace(moved("write", 700), benchmark="heat"), replace(RUN, benchmark="heat")]
    found = headline_rows([row("write", 1500), *heat, moved("write", 1000)])
    assert list(found) == ["Write", "Heat: write", "Cloud: write"]


def test_a_case_of_it_that_failed_says_nothing_of_the_storage() -> None:
    screen = screen_of(moved("write", 1000), row("none", None, benchmark="cloud"), failures=1)
    assert list(shown(screen)) == ["Write"] and caveats_of(screen)["failures"] == (1, 2)


def test_of_a_run_without_files_its_time_is_told() -> None:
    without_files = tuple(msgspec.structs.replace(record, backend=None) for record in RUN.records)
    quiet = replace(RUN, options={**RUN.options, "backend": "posix"}, records=without_files)
    (answer,) = screen_of(quiet).rows
    assert isinstance(answer.value, Quantity) and answer.value.metric.unit == "s"
    assert value_of(answer) == "10.0 s (n = 7, no interval)"


def of_pattern(phase: str, speed: float, name: str = "pattern", **changes: Any) -> Row:
    """A phase of a pattern that was carried out, as `weir replay` and `weir predict` do."""
    one = row("write", speed, pattern=f"/runs/r/{name}.json")
    return replace(one, phase=phase, case=name, **changes)


def test_a_run_that_replays_a_pattern_tells_its_phases() -> None:
    found = shown(screen_of(of_pattern("write 1", 300), of_pattern("write 2", 400)))
    assert {name: value[:3] for name, value in found.items()} == {
        "Write 1, synced at close": "300",
        "Write 2, synced at close": "400",
    }


def test_of_a_forecast_beside_its_program_both_are_told_by_name() -> None:
    rows = [of_pattern("write 1", 300, "benchmark"), of_pattern("write 1", 400, "application")]
    assert list(headline_rows(rows)) == [
        "Benchmark: write 1, synced at close",
        "Application: write 1, synced at close",
    ]


def test_six_rows_at_most_and_the_others_are_counted() -> None:
    screen = screen_of(*(of_pattern(f"write {n}", 300 + n) for n in range(12)))
    assert (len(screen.rows), screen.others) == (6, 6)


def test_a_pattern_that_failed_has_no_number() -> None:
    assert screen_of(of_pattern("write 1", 300, median=None), failures=1).rows == ()
