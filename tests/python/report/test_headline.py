"""The headline, in good and in bad luck."""

from dataclasses import replace
from typing import Any

from hpcc_samples import hpcc_rows
from network_samples import network_row
from rows import MIB, cached_read, row
from samples import RATE
from weir.analyse.metric import Metric
from weir.figures.figure import Asked, Finding, State
from weir.report.crowding import crowding, without_crowding
from weir.report.headline import best_row, headline, questions_in_short
from weir.report.named_case import named_row
from weir.results.row import Row

CARD = {
    "directory": "/scratch",
    "file_system": {"type": "ext4", "nature": "local"},
    "block_device": {"name": "sda"},
}


def test_the_summary_gives_both_numbers_with_interval_and_count() -> None:
    head = headline([row("write", 1500), row("read", 1000), cached_read(9000)], [], CARD, 0)
    assert head.summary == (
        "/scratch (ext4 on sda) gives 1500 [1470, 1530] MiB/s (n = 12) writing and "
        "1000 [980, 1020] MiB/s (n = 12) reading (128 MiB of data, 2 ranks, 1 MiB transfers, shared file, "
        "POSIX), cache effects excluded."
    )
    assert [tile.value for tile in head.tiles] == ["1500", "1000"]


def of_size(mib: int, *speeds: float, **changes: Any) -> list[Row]:
    """A write, and a read if there are two speeds, of files of this size a rank."""
    return [
        row(name, at, block=mib * MIB, **changes) for name, at in zip(("write", "read"), speeds, strict=False)
    ]


def test_the_number_is_that_of_the_most_data_and_not_the_best_of_all() -> None:
    rows = [*of_size(64, 4590, 900), *of_size(256, 1390, 1000), *of_size(64, 9000, 9000, transfer=65536)]
    head = headline(rows, [], CARD, 0)
    assert head.summary == (
        "/scratch (ext4 on sda) gives 1390 [1360, 1420] MiB/s (n = 12) writing and "
        "1000 [980, 1020] MiB/s (n = 12) reading (512 MiB of data, 2 ranks, 1 MiB transfers, shared file, "
        "POSIX), cache effects excluded. From 128 MiB to 512 MiB of data, writing ranges from 1390 to 4590 "
        "MiB/s, 3.30 times [3.17, 3.44] (n = 12, 12) as much. "
        "From 128 MiB to 512 MiB of data, reading ranges from 900 to 1000 MiB/s. "
        "No single number stands for all sizes."
    )
    assert [tile.value for tile in head.tiles] == ["1390", "1000"]


def test_of_equally_much_data_the_first_case_of_the_study_speaks() -> None:
    first, second = row("write", 1000), row("write", 3000, transfer=65536)
    assert named_row([first, second], "write") is first
    assert named_row([second, first], "write") is second


def test_as_many_questions_are_counted_as_lines_say_whether_they_are_answered() -> None:
    states = (State.ANSWERED, State.ANSWERED, State.PARTLY, State.OPEN)
    asked = [Asked(of, state) for of, state in zip(("writes", "reads") * 2, states, strict=True)]
    findings = [Finding("title", (), "", asked=tuple(part)) for part in (asked[:2], asked[2:])]
    assert [finding.state for finding in findings] == [State.ANSWERED, State.PARTLY]
    findings += [Finding("title", (), "", asked=(Asked("reads", State.OPEN),)), Finding("describes", (), "")]
    assert [finding.standing for finding in findings] == ["answered", "answered in part", "open", ""]
    assert questions_in_short(findings) == "Of 3 questions, 1 is answered, 1 in part and 1 is open."
    assert questions_in_short(findings[1:3]) == "Of 2 questions, none is answered, 1 in part and 1 is open."
    assert questions_in_short(findings[2:]) == ""


def test_what_is_open_is_said_of_that_alone_though_all_want_the_same() -> None:
    caveat, is_open = (
        Asked("writes", State.CAVEAT, "more samples"),
        Asked("reads", State.OPEN, "more samples"),
    )
    assert Finding("title", (), "", asked=(caveat, is_open)).standing == (
        "answered in part: writes: more samples; reads open: more samples"
    )
    assert Finding("title", (), "", asked=(is_open, is_open)).standing == "open: more samples"


def test_without_an_honest_read_the_reason_stands_in_place_of_a_number() -> None:
    head = headline([row("write", 1500), cached_read(9000)], [], CARD, 0)
    read = head.tiles[1]
    assert read.value is None
    assert "from memory" in read.interval
    assert "9000" not in head.summary


def test_unsynced_writes_give_no_write_number() -> None:
    head = headline([row("write", 3000, sync="never")], [], CARD, 0)
    assert head.tiles[0].value is None
    assert "synced" in head.tiles[0].interval


def test_failures_only() -> None:
    head = headline([row("none", None)], [], CARD, 3)
    assert head.summary == "No bandwidth of /scratch (ext4 on sda) without cache effects could be measured."
    assert [tile.value for tile in head.tiles] == [None, None]
    assert head.caveats[0].startswith("3 failures")


def test_a_directory_in_memory_is_not_called_storage() -> None:
    card = CARD | {"file_system": {"type": "tmpfs", "nature": "memory"}, "block_device": None}
    head = headline([row("write", 5000), cached_read(9000)], [], card, 0)
    assert "lies in memory" in head.summary
    assert all("(memory, no device)" in tile.label for tile in head.tiles)


LATENCY = Metric("ping_us", "us", "latency", False)
SPEED = Metric("flop_per_s", "flop/s", "floating-point rate", True)


def of_machine(phase: str, metric: Metric, value: float, **changes: object) -> Row:
    """A row of a benchmark that uses no directory."""
    made = row(phase, value / (1 << 20), metric=metric, **changes)
    return replace(made, options={"size": changes.get("size", 1)}, data_bytes=None, sync=None)


def test_results_that_are_no_storage_s_name_the_machine_and_the_best_of_each_direction() -> None:
    rows = [
        of_machine("ping", LATENCY, 2.0),
        of_machine("ping", LATENCY, 1.5, size=2),
        of_machine("dot", SPEED, 3e9),
        of_machine("dot", SPEED, 5e9, size=2),
    ]
    head = headline(rows, [], CARD | {"host": {"name": "n1"}}, 0)
    assert head.summary == (
        "n1 gives 1.50 [1.47, 1.53] µs (n = 12) for ping and 5.00 [4.90, 5.10] Gflop/s (n = 12) for dot, "
        "each in the best case of the study's first comparison."
    )
    assert [(tile.value, tile.unit) for tile in head.tiles] == [("1.50", "µs"), ("5.00", "Gflop/s")]
    assert headline(rows[:1], [], {}, 0).summary.startswith("this machine gives 2.00")


def test_beside_a_bandwidth_a_time_has_no_tile() -> None:
    head = headline([row("write", 1500), of_machine("run", LATENCY, 2.0)], [], CARD, 0)
    assert [tile.unit for tile in head.tiles] == ["MiB/s", ""]


def test_rates_of_operations_have_tiles_of_their_own() -> None:
    slow, fast = (row("create", speed, metric=RATE, ranks=ranks) for ranks, speed in ((1, 1), (2, 2)))
    head = headline([slow, fast], [], CARD, 0)
    assert [(tile.label, tile.unit) for tile in head.tiles] == [("Create", "operations/s")]
    assert "operations/s (n = 12) for create, each in the best case of the study's first " in head.summary
    assert "bandwidth" not in head.summary


def test_the_best_row_has_an_interval_where_any_has() -> None:
    sure, few = row("create", 1, metric=RATE), row("create", 2, metric=RATE, ranks=4, spread=None)
    assert best_row([sure, few], "create") is sure and best_row([few], "create") is few


def test_requests_of_no_bytes_say_nothing_of_a_storage() -> None:
    empty = row("write", 3, metric=RATE, transfer=0, block=0)
    head = headline([row("write", 1500), empty], [], CARD, 0)
    assert [tile.unit for tile in head.tiles] == ["MiB/s", ""] and "operations" not in head.summary


def test_functions_of_mpi_without_a_latency_are_counted() -> None:
    rows = [network_row(name, 64, [1.0] * 6, ranks=ranks) for name in ("Bcast", "Reduce") for ranks in (2, 4)]
    head = headline(rows, [], CARD | {"host": {"name": "vm"}}, 0)
    assert (head.summary, head.tiles) == ("2 functions of MPI were timed on 2 and 4 ranks on vm.", ())


def test_more_ranks_than_cores_are_said_with_what_was_done_about_them() -> None:
    crowded = row("write", 500, ranks=4, warnings=("oversubscribed",), yields=True)
    (said,) = crowding([crowded], [])
    assert said.startswith("With 4 ranks there were more ranks than cores, and the MPI was told to let")
    spinning = row("write", 500, ranks=4, warnings=("oversubscribed", "spinning"), yields=False)
    assert "told" not in crowding([spinning], [])[0]


def test_what_the_launch_warned_of_is_in_the_same_sentence() -> None:
    crowded = row("write", 500, ranks=4, warnings=("oversubscribed",), yields=True)
    warning = {"code": "oversubscribed", "problem": "4 ranks share 2 cores on n1", "advice": "Use 2 ranks."}
    other = {"code": "busy", "problem": "other programs run", "advice": ""}
    (said,) = crowding([crowded], [warning, other])
    assert "(4 ranks share 2 cores on n1)" in said and said.endswith(" Use 2 ranks.")
    assert without_crowding([crowded], [warning, other]) == [other]
    assert without_crowding([row("write", 500)], [warning]) == [warning], "no result is of that launch"


def test_reads_from_the_cache_are_counted_once_with_how_that_is_known() -> None:
    rows = [replace(cached_read(9000), suspect_why="the kernel fetched nothing"), row("read", 1000)]
    (said,) = headline(rows, [], CARD, 0).caveats
    assert said.startswith(
        "1 of 2 results comes from the cache, not from the device (the kernel fetched nothing)"
    )
    unknown = headline([replace(one, suspect=None) for one in rows], [], CARD, 0).caveats
    assert unknown == ("For 2 of 2 reads the source of the data is unknown.",)


def test_nothing_at_all() -> None:
    head = headline([], [], {}, 0)
    assert head.summary == "No bandwidth of this directory without cache effects could be measured."
    assert head.tiles[0].interval == "no write was measured"


def test_the_network_has_latency_bandwidth_and_barrier() -> None:
    rows = [
        network_row("PingPong", 8, [0.5] * 6),
        network_row("PingPong", 1 << 20, [100.0] * 6),
        network_row("Bcast", 8, [1.0] * 6),
        network_row("Barrier", 0, [2.0] * 6, ranks=4),
        network_row("Barrier", 0, [1.0] * 6, ranks=8, active=2),
    ]
    head = headline(rows, [], CARD, 0)
    assert head.summary == (
        "In the network, a message of 8 B takes 0.500 [0.500, 0.500] µs (n = 6) between two ranks; messages "
        "of 1 MiB move at 10,000 [10,000, 10,000] MiB/s (n = 6); "
        "4 ranks meet in 2.00 [2.00, 2.00] µs (n = 6)."
    )
    assert [(tile.label, tile.value, tile.unit) for tile in head.tiles] == [
        ("Latency", "0.500", "µs"),
        ("Bandwidth", "10,000", "MiB/s"),
        ("Barrier", "2.00", "µs"),
    ]


def test_the_hpc_challenge_has_hpl_first_and_says_that_its_size_does_not_conform() -> None:
    memory = {"share": 0.01, "conforming": False, "conforming_size": 43008}
    rows = [*hpcc_rows(ranks=2, details={"hpl": {"memory": memory}}), *hpcc_rows(ranks=1)]
    head = headline(rows, [], {"host": {"name": "vm"}}, 0)
    assert head.summary == (
        "HPL runs at 100 [80.0, 120] Gflop/s (n = 6) with 2 ranks on vm, of a size that is not conforming."
    )
    assert [tile.label for tile in head.tiles] == [
        "HPL",
        "PTRANS",
        "DGEMM, each rank",
        "Random rings, latency",
    ]
    assert {tile.setting for tile in head.tiles} == {"2 ranks"}
    without = headline([row for row in rows if row.phase != "hpl"], [], {"host": {"name": "vm"}}, 0)
    assert without.summary.startswith("The HPC Challenge was measured in part on vm: PTRANS, ")


def of_pattern(phase: str, speed: float, name: str = "pattern", **changes: Any) -> Row:
    """A phase of a pattern that was carried out, as `weir replay` and `weir predict` do."""
    one = row("write", speed, pattern=f"/runs/r/{name}.json")
    return replace(one, phase=phase, case=name, **changes)


def test_a_run_that_replays_a_pattern_tells_its_phases() -> None:
    head = headline([of_pattern("write 1", 300), of_pattern("write 2", 400)], [], CARD, 0)
    assert head.summary == (
        "The pattern gets 300 [294, 306] MiB/s (n = 12) in write 1 and 400 [392, 408] MiB/s (n = 12) in "
        "write 2 in /scratch (ext4 on sda), cache effects excluded."
    )
    shown = [(tile.label, tile.value) for tile in head.tiles]
    assert shown == [("Write 1, synced at close", "300"), ("Write 2, synced at close", "400")]
    assert head.tiles[0].setting == "2 ranks, POSIX, 128 MiB of data", "the benchmark's sizes are not its own"


def test_of_a_forecast_beside_its_program_both_are_told_by_name() -> None:
    rows = [of_pattern("write 1", 300, "benchmark"), of_pattern("write 1", 400, "application")]
    head = headline(rows, [], CARD, 0)
    assert head.summary.startswith("2 patterns get 300")
    assert [tile.label for tile in head.tiles] == [
        "Benchmark: write 1, synced at close",
        "Application: write 1, synced at close",
    ]


def test_cases_beside_a_pattern_keep_their_numbers() -> None:
    head = headline([row("write", 1500), of_pattern("write 1", 300)], [], CARD, 0)
    assert head.summary.startswith("/scratch (ext4 on sda) gives 1500")
    assert [tile.value for tile in head.tiles] == ["1500", None, "300"]


def test_many_phases_are_counted() -> None:
    head = headline([of_pattern(f"write {n}", 300 + n) for n in range(12)], [], CARD, 0)
    assert "and 9 other results in /scratch" in head.summary and len(head.tiles) == 8


def test_a_pattern_that_failed_has_no_number() -> None:
    head = headline([of_pattern("write 1", 300, median=None)], [], CARD, 1)
    assert head.summary.startswith("No bandwidth of /scratch")
