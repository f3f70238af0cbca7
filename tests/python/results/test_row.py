"""What a row says about its own trustworthiness."""

from dataclasses import replace

from hpcc_samples import CACHE_WARNING
from link_samples import rows_of
from rows import cached_read, row
from sample_lines import sample_line
from samples import RATE
from weir.results.quantity_words import interval_words
from weir.results.row import cache_extent
from weir.results.row_data import row_data


def test_a_synced_write_is_honest_and_an_unsynced_one_is_not() -> None:
    assert row("write", 100.0).honest
    assert not row("write", 100.0, sync="never").honest
    assert "not synced" in row("write", 100.0, sync="never").flags


def test_a_read_is_honest_only_where_the_device_is_known_to_be_its_source() -> None:
    assert row("read", 100.0).honest
    assert not cached_read(9000.0).honest
    unknown = row("read", 100.0, suspect=None)
    assert not unknown.honest
    assert "source of data unknown" in unknown.flags


def test_how_much_was_in_the_caches_is_what_the_samples_say() -> None:
    def extent(*details: dict[str, int]) -> str:
        lines = [
            sample_line("a", "triad", benchmark="stream", bandwidth_bytes_per_s=1e9)
            | {"details": one, "warnings": [CACHE_WARNING]}
            for one in details
        ]
        return cache_extent(rows_of("stream", 2, lines))

    fits, larger = ({"node_bytes": data, "last_cache_bytes": 100} for data in (100, 101))
    assert extent(fits, fits) == ""
    assert extent(larger) == ", in part"
    assert extent(fits, larger) == extent({}) == ", wholly or in part"


def test_flags_say_each_thing_once() -> None:
    flags = row("write", 100.0, sync="never", warnings=("busy", "busy")).flags
    assert flags == ("not synced", "machine busy")


def test_a_rate_of_operations_needs_neither_sync_nor_device() -> None:
    created = row("create", 100.0, metric=RATE)
    assert created.honest and not created.through_cache
    assert (created.moves, created.direction, created.flags) == (None, "create", ())
    assert interval_words(replace(created, median=1234.5, low=1200.0, high=1270.0)) == (
        "1230 [1200, 1270] operations/s"
    )


def test_a_phase_of_any_name_is_a_write_where_it_says_how_it_synced() -> None:
    assert row("dump", 100.0, sync="never").direction == "write"
    assert row("restart", 100.0).direction == "read"


def test_without_an_interval_the_flag_says_so() -> None:
    few = row("write", 100.0, spread=None, n=4, verdict="inconclusive")
    assert few.lacks_interval
    assert few.flags == ("too few samples for an interval",)


def test_a_row_without_samples_is_data_too() -> None:
    found = row_data(row("write", None))
    assert found["samples"] == 0 and found["median"] is found["relative_width"] is None
