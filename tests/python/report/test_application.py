"""Runs of an application in the headline and in words: what it got, with caches in it."""

from dataclasses import replace

import msgspec

from cloud_rows import run_row, runs
from cloud_runs import SMALL
from rows import row
from weir.report.headline import headline
from weir.results.row import Row
from weir.results.words import cache_words, phase_words, setting_words


def moved(phase: str, speed: float) -> Row:
    plain = row(phase, speed, benchmark="cloud", application=True, sync=None, cache_methods=(), suspect=None)
    return replace(plain, ranks=8, options={"cells": "128x128x64", "method": "two-phase"})


RUN = run_row(runs(SMALL))


def test_the_headline_is_what_the_application_gets() -> None:
    head = headline([moved("write", 1000), moved("read", 500), RUN], [], {"directory": "/scratch"}, 0)
    assert head.summary == (
        "The application gets 1000 [980, 1020] MiB/s (n = 12) writing and 500 [490, 510] MiB/s (n = 12) "
        "reading in /scratch, in the best case; cache effects included."
    )
    assert [tile.value for tile in head.tiles] == ["1000", "500"]
    assert head.tiles[0].label == "Write, as the application sees it"


def test_storage_and_applications_have_their_own_sentences() -> None:
    heat = [replace(moved("write", 700), benchmark="heat"), replace(RUN, benchmark="heat")]
    head = headline([row("write", 1500), *heat, moved("write", 1000)], [], {"directory": "/scratch"}, 0)
    assert head.summary == (
        "/scratch gives 1500 [1470, 1530] MiB/s (n = 12) writing (128 MiB of data, 2 ranks, 1 MiB transfers, "
        "shared file, POSIX), cache effects excluded. "
        "The application heat gets 700 [686, 714] MiB/s (n = 12) writing in /scratch, in the best case; "
        "cache effects included. "
        "The application cloud gets 1000 [980, 1020] MiB/s (n = 12) writing in /scratch, in the best case; "
        "cache effects included."
    )
    assert [(tile.label, tile.value) for tile in head.tiles] == [
        ("Write, synced at close", "1500"),
        ("Read", None),
        ("Heat: write, as the application sees it", "700"),
        ("Cloud: write, as the application sees it", "1000"),
    ]


def test_reads_of_it_are_none_whose_source_is_unknown() -> None:
    """It reads as it does, through caches: that is said beside its numbers."""
    stored = row("read", 900, suspect=None)
    head = headline([moved("write", 1000), moved("read", 500), stored], [], {"directory": "/scratch"}, 0)
    assert "For 1 of 1 read the source of the data is unknown." in head.caveats
    alone = headline([moved("write", 1000), moved("read", 500)], [], {"directory": "/scratch"}, 0)
    assert not alone.caveats


def test_a_case_of_it_that_failed_says_nothing_of_the_storage() -> None:
    head = headline([moved("write", 1000), row("none", None, benchmark="cloud")], [], {"directory": "/s"}, 1)
    assert head.summary.startswith("The application gets 1000")
    assert [tile.label for tile in head.tiles] == ["Write, as the application sees it"]
    assert head.caveats[0].startswith("1 failure")


def test_of_a_run_without_files_its_time_is_told() -> None:
    without_files = tuple(msgspec.structs.replace(record, backend=None) for record in RUN.records)
    quiet = replace(RUN, options={**RUN.options, "backend": "posix"}, records=without_files)
    head = headline([quiet], [], {"directory": "/scratch", "host": {"name": "n1"}}, 0)
    assert head.summary == "A run takes 10.0 s (no interval: n = 7, below 6) on n1, in the best case."
    assert head.tiles[0].label == "Run" and "POSIX" not in head.tiles[0].setting


def test_nothing_is_asked_of_an_application_about_caches() -> None:
    read = moved("read", 500)
    assert read.through_cache and not read.honest
    assert read.flags == ()
    assert cache_words([read, moved("write", 1000)]) == ""
    assert phase_words(RUN) == "run"


def test_its_setting_is_its_grid_and_its_method() -> None:
    assert setting_words(moved("write", 1)) == "8 ranks, 128 x 128 x 64 cells, two-phase"
