"""Runs of an application in the headline and in words: what it got, with caches in it."""

from dataclasses import replace

from cloud_rows import run_row, runs
from cloud_runs import SMALL
from rows import row
from weir.findings.finding import care_words
from weir.findings.row import Row
from weir.findings.words import phase_words, setting_words
from weir.report.headline import headline


def moved(phase: str, speed: float) -> Row:
    plain = row(phase, speed, benchmark="cloud", application=True, sync=None, cache_methods=(), suspect=None)
    return replace(plain, ranks=8, options={"cells": "128x128x64", "method": "two-phase"})


RUN = run_row(runs(SMALL))


def test_the_headline_is_what_the_application_gets() -> None:
    head = headline([moved("write", 1000), moved("read", 500), RUN], [], {"directory": "/scratch"}, 0)
    assert head.summary == (
        "The application gets 1000 [980, 1020] MiB/s (n = 12) writing and 500 [490, 510] MiB/s (n = 12) "
        "reading in /scratch, in the best case; caches are in it."
    )
    assert [tile.value for tile in head.tiles] == ["1000", "500"]
    assert head.tiles[0].label == "Write, as the application sees it"


def test_nothing_is_asked_of_an_application_about_caches() -> None:
    read = moved("read", 500)
    assert read.through_cache and not read.honest
    assert read.flags == ()
    assert care_words([read, moved("write", 1000)]) == ""
    assert phase_words(RUN) == "run"


def test_its_setting_is_its_grid_and_its_method() -> None:
    assert setting_words(moved("write", 1)) == "8 ranks, 128 x 128 x 64 cells, two-phase"
