"""More calls than a page holds: the longest and regular parts are kept, and the page says so."""

from dataclasses import replace

import numpy as np

from weir.explain.page.calls import Calls
from weir.explain.page.selection import MOST_NAMES, PART, Durations, Files, Sampling, fit, notes_on, sampled
from weir.explain.page.timeline import make_timeline
from weir.trace.names import File

from .synthetic import trace


def durations_of(some: object) -> Durations:
    durations = Durations()
    for piece in Calls(some):  # type: ignore[arg-type]
        durations.add(piece)
    return durations


def test_where_all_fit_all_are_kept_exactly() -> None:
    some = trace(2, 3000)
    fitted = fit(Calls(some), Files(some), durations_of(some), 10**6)
    assert (fitted.kept, fitted.step_ns, fitted.sampling) == (6000, 1, Sampling())
    assert notes_on(some, fitted) == []


def test_coarser_times_come_before_leaving_calls_out() -> None:
    some = trace(2, 20_000)
    fitted = fit(Calls(some), Files(some), durations_of(some), 100_000)
    assert fitted.kept == 40_000 and fitted.step_ns > 1
    assert f"steps of {fitted.step_ns} ns" in notes_on(some, fitted)[0]


def test_of_too_many_the_longest_and_regular_parts_are_kept() -> None:
    some = trace(4, 50_000)
    fitted = fit(Calls(some), Files(some), durations_of(some), 150_000)
    assert sum(len(block.text) for block in fitted.blocks) <= 150_000
    kept = sampled(Calls(some), fitted.sampling)
    assert len(kept) == fitted.kept < some.records
    every = np.concatenate([piece.end - piece.begin for piece in Calls(some)])
    assert (kept.end - kept.begin >= fitted.sampling.least_ns).sum() == (
        every >= fitted.sampling.least_ns
    ).sum()
    assert (kept.end - kept.begin < fitted.sampling.least_ns).sum() >= PART
    (care,) = notes_on(some, fitted)
    assert f"{fitted.kept:,}" in care and "weir export" in care


def test_the_longest_calls_are_listed() -> None:
    some = trace(3, 4000)
    every = np.concatenate([piece.end - piece.begin for piece in Calls(some)])
    timeline = make_timeline(some)
    assert timeline.longest[0][2] - timeline.longest[0][1] == every.max()


def test_of_very_many_files_those_with_the_most_calls_are_named() -> None:
    some = trace(1, 100)
    many = MOST_NAMES + 500
    names = (*some.files, *(File(f"/a/{number}", 0) for number in range(many)))
    some = replace(some, files=names)
    files = Files(some)
    calls = next(iter(Calls(some)))
    often = replace(calls, file=np.full(len(calls), many - 1))
    listed = replace(calls.take(np.array([0])), file=np.array([many]))
    files.add(often)
    files.choose(listed)
    assert files.count == len(files.names()) == MOST_NAMES + 2
    assert [files.names()[number][0] for number in files.of(listed).file] == [names[many].name]
    assert {files.names()[number][0] for number in files.of(often).file} == {names[many - 1].name}
    unnamed = files.of(replace(listed, file=np.array([many - 2]))).file
    assert files.names()[unnamed[0]][0] == f"one of {files.left_out:,} files without a name here"
