"""Simulations as runs: every verb of results takes them, and says that they are simulated."""

import re
from pathlib import Path

import pytest

from toy_machine import simulation, toy
from verbs import weir_ended, weir_told
from weir.errors import WeirError
from weir.questions.question import draw
from weir.report.gather import gather
from weir.report.page import read_report
from weir.simulate.run import Simulated, Variant, write_run
from weir.simulate.settings import USUAL, Settings
from weir.store.run_directory import RunDirectory


def made(place: Path, *ranks: int, settings: Settings = USUAL, faster: float = 1.0) -> Path:
    results = [simulation(count, count / faster) for count in ranks]
    found = Simulated("dumps", settings, [Variant(toy(), results)])
    return write_run(place, found, ["weir", "predict"]).path


def test_the_first_screen_says_times_bandwidths_and_bottleneck(tmp_path: Path) -> None:
    screen = read_report(made(tmp_path / "run", 1, 4)).screen
    assert screen.place == ("Simulated on A small cluster for tests", "1 to 4 ranks")
    assert [row.subject for row in screen.rows] == [
        ("Time", "4 ranks"),
        ("Written", "4 ranks"),
        ("Read", "4 ranks"),
        ("Bottleneck", "targets"),
    ]
    assert [one.code for one in screen.open_caveats] == ["simulated"]


def test_every_number_is_marked(tmp_path: Path) -> None:
    run = made(tmp_path / "run", 1, 4)
    rows = gather(RunDirectory(run)).rows
    assert rows
    assert all(row.simulated and row.flags == ("simulated",) for row in rows)
    assert "(simulated)" in weir_told("show", run)
    assert "simulated" in weir_told("show", "--all", run)
    assert "no interval" not in weir_told("show", run)


def test_most_is_told_where_more_ranks_get_less(tmp_path: Path) -> None:
    results = [simulation(2, 1.0), simulation(4, 8.0)]
    run = write_run(tmp_path / "run", Simulated("dumps", Settings(), [Variant(toy(), results)]), [])
    assert ("Written at most", "2 ranks") in [row.subject for row in read_report(run.path).screen.rows]


def test_figures_are_drawn(tmp_path: Path) -> None:
    rows = read_report(made(tmp_path / "run", 1, 4, 16)).contents.rows
    drawn = draw("simulation", rows, {})
    assert drawn
    assert [panel.title for panel in drawn.panels] == ["Bandwidth", "Time"]
    busy = draw("utilisation", rows, {})
    assert busy
    series = {value["series"] for value in busy.panels[0].spec["data"]["values"]}
    assert series == {"targets busy", "metadata servers busy"}
    assert draw("simulation", [], {}) is None


def test_report_compare_and_export_take_it(tmp_path: Path) -> None:
    one = made(tmp_path / "one", 1, 4)
    other = made(tmp_path / "other", 1, 4, settings=Settings(stripes=8), faster=2.0)
    assert weir_ended("report", one).returncode == 0
    told = weir_told("compare", one, other, "--all")
    assert "stripes 8, not stripes 4" in told
    assert "2.00 times as fast" in told
    assert "(simulated)" in told
    assert "simulation" in weir_told("export", one, "--format", "csv")


def test_exports_call_no_simulated_number_precise_or_measured(tmp_path: Path) -> None:
    run = made(tmp_path / "run", 1)
    gauges = weir_told("export", run, "--format", "openmetrics")
    assert 'simulated="true",machine="A small cluster for tests"' in gauges
    assert "on a model of a machine: simulated, not measured." in gauges
    assert "weir_precise" not in gauges and "weir_median" not in gauges
    for table in ("samples", "cases"):
        head, first = weir_told("export", run, "--format", "csv", "--table", table).splitlines()[:2]
        assert "simulated_on" in head and "A small cluster for tests" in first
        assert "precise" not in first


def test_a_simulated_run_is_complete(tmp_path: Path) -> None:
    assert weir_told("status", made(tmp_path / "run", 1, 4)).startswith("complete")


def test_profiles_and_histories_keep_the_mark(tmp_path: Path) -> None:
    run = made(tmp_path / "runs" / "run", 1, 4)
    weir_told("profile", run, "-o", tmp_path / "profile.json")
    told = weir_told("compare", tmp_path / "profile.json", run)
    assert "results that a model gave, simulated: 6 of 6" in told
    assert "too few samples" not in told
    history = weir_told("history", "simulation", "--in", tmp_path / "runs")
    assert history.startswith("simulation on A small cluster for tests, simulated")
    assert "(simulated)" in history and "n = " not in history


def test_the_report_shows_the_model_in_place_of_a_machine(tmp_path: Path) -> None:
    run = made(tmp_path / "run", 1, 4)
    weir_told("report", run)
    page = (run / "report.html").read_text()
    assert '<h2 id="machine">The modelled machine</h2>' in page
    assert "<code>storage.targets.write</code>" in page and "paper: section 2.1" in page
    assert "(simulated: another sample would be the same)" in page and "Simulated by:" in page
    for wrong in ("unknown host", "no machine card", "below 6", "All cases: auto", "Measured by"):
        assert wrong not in page


def test_changes_on_one_number_of_ranks_are_a_line_each(tmp_path: Path) -> None:
    variants = [Variant(toy(), [simulation(4, 4.0)]), Variant(toy(), [simulation(4, 2.0)], "stripes 8")]
    run = write_run(tmp_path / "run", Simulated("dumps", USUAL, variants), []).path
    report = read_report(run)
    assert "stripes 8 2.0 times as fast (simulated)" in report.screen.verdict_parts
    drawn = draw("simulation", report.contents.rows, {})
    assert drawn
    assert [panel.title for panel in drawn.panels] == ["Bandwidth, simulated", "Time, simulated"]
    places = {value["place"] for value in drawn.panels[1].spec["data"]["values"]}
    assert places == {"as it is", "stripes 8"}


def test_samples_that_are_cut_off_are_told(tmp_path: Path) -> None:
    run = made(tmp_path / "run", 1, 4)
    samples = run / "samples.jsonl"
    assert "cut off" not in weir_told("show", run)
    samples.write_text("".join(samples.read_text().splitlines(keepends=True)[:5]))
    told = weir_told("show", run)
    assert "cases whose samples are cut off in the file: 2 of 2" in told
    assert "never began" not in told
    status = weir_ended("status", run)
    assert status.returncode == 3 and "its samples are cut off" in status.stdout


def test_what_steers_a_terminal_stands_in_no_page(tmp_path: Path) -> None:
    evil = "\x1b[31m, \u202e and \a"
    found = Simulated(f"dumps {evil}", USUAL, [Variant(toy(), [simulation(1, 1.0)], "")])
    run = write_run(tmp_path / "run", found, ["weir", "predict", evil]).path
    weir_told("report", run)
    page = (run / "report.html").read_text()
    assert not {"\x1b", "\u202e", "\a"} & {*page}
    assert "\\x1b[31m" in page


def test_a_model_whose_storage_is_assumed_is_no_forecast_of_files(tmp_path: Path) -> None:
    run = made(tmp_path / "run", 1)
    said = "this model's storage is assumed: times of files are no forecast"
    assert said not in weir_told("show", run)
    model = run / "logs" / "machine.toml"
    before, storage, after = model.read_text().partition("[storage]")
    model.write_text(before + storage + re.sub('source = "[^"]*"', 'source = "assumed: a guess"', after))
    assert said in weir_told("show", run)


def test_a_comparison_tells_what_differs_in_the_models(tmp_path: Path) -> None:
    one, other = made(tmp_path / "one", 1), made(tmp_path / "other", 1, faster=2.0)
    assert "the model differs" not in weir_told("compare", one, other)
    model = other / "logs" / "machine.toml"
    model.write_text(model.read_text().replace("120 MB/s", "240 MB/s"))
    told = weir_told("compare", one, other)
    assert "the model differs: storage.targets.read: 120 MB/s → 240 MB/s" in told


def test_simulations_of_the_same_are_judged_without_intervals(tmp_path: Path) -> None:
    one, other = made(tmp_path / "one", 1, 4), made(tmp_path / "other", 1, 4, faster=2.0)
    told = weir_told("compare", one, other)
    assert "better" in told
    assert "one run each" not in told
    assert "results that a model gave, simulated: 6 of 6" in told


def test_a_run_is_not_replaced(tmp_path: Path) -> None:
    run = made(tmp_path / "run", 1)
    with pytest.raises(WeirError, match="is a run already"):
        made(run, 1)


def test_the_model_is_kept_with_the_run(tmp_path: Path) -> None:
    kept = made(tmp_path / "run", 1) / "logs" / "machine.toml"
    assert 'source = "paper: section 2.1"' in kept.read_text()
