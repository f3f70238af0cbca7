"""The verbs from the outside, with the fake core and the fake mpirun: in processes of their own where that
matters."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fakes import read_lines, study_text
from running import ended
from verbs import WEIR, weir_here, weir_process
from verbs import weir_ended as weir
from weir.store.run_directory import RunDirectory

RUN = ("run", "small.toml", "--out", "RUN", "--dir", "store")


def run(*more: str) -> subprocess.CompletedProcess[str]:
    return weir(*RUN, *more)


def study(**changes: Any) -> None:
    Path("small.toml").write_text(study_text(**changes))


def assert_nothing_is_left() -> None:
    assert list(Path("store").iterdir()) == []
    assert not Path("RUN/lock").exists()


def test_help_lists_the_verbs() -> None:
    done = weir_process("--help")
    assert done.returncode == 0
    for verb in ("list", "plan", "run", "show", "trace", "explain"):
        assert f"\n  {verb} " in done.stdout


def test_no_heavy_library_is_imported_for_help() -> None:
    script = (
        "import sys, weir.cli._app as a; a.build_app();"
        "heavy = ('rich.console', 'altair', 'jinja2', 'msgspec', 'numpy');"
        "print([module for module in heavy if module in sys.modules])"
    )
    assert ended(sys.executable, "-c", script).stdout.strip() == "[]"


@pytest.mark.parametrize("verb", ["list", "plan", "run", "show"])
def test_every_verb_has_json_and_a_help_of_one_screen(verb: str) -> None:
    done = weir(verb, "--help")
    assert done.returncode == 0 and "--json" in done.stdout
    assert len(done.stdout.splitlines()) <= 40


def test_the_version_is_told() -> None:
    assert weir_process("--version").stdout == "weir 0.1.0\n"


def test_wrong_options_are_usage_errors() -> None:
    assert weir_process("--bogus").returncode == 2
    assert weir("show").returncode == 2


def test_a_study_runs_and_shows_its_results(place: Path) -> None:
    done = weir_process(*RUN, "--progress", "plain")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "RUN/report.html" and Path("RUN/report.html").is_file()
    assert weir("show", "--all", "RUN").stdout.count(" % wide") == 4
    assert "round 1, launch 1: 1 rank, 2 cases in" in done.stderr
    assert_nothing_is_left()
    shown = weir_process("show", "RUN")
    assert f"{shown.stdout}\nRUN/report.html\n" == done.stdout


def test_every_output_is_json_and_only_json_where_asked(place: Path) -> None:
    for arguments in (("list",), ("list", "storage"), ("plan", "small.toml", "--dir", "store")):
        done = weir(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["schema"] == 1
    done = weir_process(*RUN, "--json", "--progress", "json")
    rows = json.loads(done.stdout)["rows"]
    assert {(row["phase"], row["verdict"], row["unit"]) for row in rows} == {
        ("write", "precise", "B/s"),
        ("read", "precise", "B/s"),
    }
    events = [json.loads(line)["event"] for line in done.stderr.splitlines()]
    assert events[:2] == ["note", "launch-started"] and events.count("settled") == 2
    assert json.loads(weir("show", "RUN", "--json").stdout)["rows"] == rows


def test_the_run_tells_what_ran_and_where(place: Path) -> None:
    run()
    info = json.loads(Path("RUN/run.json").read_text())
    assert info["schema"] == 2 and info["study"]["name"] == "small"
    assert info["directory"] == str(place / "store")
    assert info["core"]["version"] == "0.0.fake" and "options" not in json.dumps(info["core"]["benchmarks"])
    assert info["core"]["benchmarks"][0]["units"] == {
        "block": "B",
        "transfer": "B",
        "time_limit": "s",
        "stripe_bytes": "B",
    }
    assert info["machine"]["schema"] == 1
    assert read_lines(place / "RUN", "case")[0]["options"]["dir"] is None
    sent = json.loads(Path("RUN/logs/launch-0001.json").read_text())
    assert sent["expect"] == {"ranks": 1, "binding": "core"}
    assert sent["cases"][0]["options"]["dir"] == info["scratch"][0]


def test_memory_is_warmed_once(place: Path) -> None:
    run()
    sent = [json.loads(file.read_text()) for file in sorted(Path("RUN/logs").glob("*.json"))]
    assert [file["warm_memory_bytes"] for file in sent] == [1048576, *([0] * (len(sent) - 1))]
    assert len(sent) > 1


@pytest.mark.parametrize("fresh", [False, True])
def test_the_core_is_told_of_fresh_launches(place: Path, *, fresh: bool) -> None:
    study(samples=f"min_samples = 6\nmax_samples = 6\nfresh = {json.dumps(fresh)}")
    run()
    sent = [json.loads(file.read_text()) for file in sorted(Path("RUN/logs").glob("*.json"))]
    assert {file["fresh"] for file in sent} == {fresh}


def test_the_same_command_again_measures_nothing_new(place: Path) -> None:
    run()
    before = Path("RUN/samples.jsonl").read_bytes()
    again = run()
    assert again.returncode == 0
    assert "every case was finished before" in again.stderr
    assert Path("RUN/samples.jsonl").read_bytes() == before


def test_a_grown_study_measures_only_what_is_new(place: Path) -> None:
    run()
    known = {line["case"] for line in read_lines(place / "RUN", "sample")}
    study(axes='axes = { layout = ["shared", "file-per-process"], transfer = ["64KiB", "128KiB"] }')
    assert run().returncode == 0
    lines = read_lines(place / "RUN", "sample")
    assert len({line["case"] for line in lines}) == 4
    assert sum(line["case"] in known for line in lines) == 2 * 2 * 6
    assert 'transfer = ["64KiB", "128KiB"]' in Path("RUN/study.toml").read_text()


def test_a_run_belongs_to_its_study_and_storage(place: Path) -> None:
    run()
    (place / "other").mkdir()
    done = weir("run", "small.toml", "--out", "RUN", "--dir", "other")
    assert done.returncode == 2 and "choose another --out" in done.stderr.lower()


def test_a_dry_run_and_a_plan_run_nothing(place: Path) -> None:
    for done in (run("--dry-run"), weir("plan", "small.toml", "--dir", "store")):
        assert done.returncode == 0, done.stderr
        assert "mpirun -n 1 --bind-to core" in done.stdout
        assert "data   |0000" in done.stdout or "data |0000" in done.stdout
        assert "Space in" in done.stdout
    assert sorted(p.name for p in place.iterdir()) == ["small.toml", "store"]


@pytest.mark.parametrize(
    ("behaviour", "code", "message"),
    [
        ("fail", 3, "No space left on device"),
        ("wrong-data", 4, "data read back is wrong"),
        ("kill", 3, "the launch ended while this case ran"),
        ("silent", 3, "gave no sample"),
        ("garbage", 70, "a library says hello"),
    ],
)
def test_trouble_in_one_case_leaves_the_others(place: Path, behaviour: str, code: int, message: str) -> None:
    study(axes=f'axes = {{ fake = ["fine", "{behaviour}"] }}')
    done = run("--progress", "plain")
    assert done.returncode == code
    assert message in done.stderr
    assert_nothing_is_left()
    verdicts = [line["verdict"] for line in read_lines(place / "RUN", "finished")]
    assert "precise" in verdicts
    failures = read_lines(place / "RUN", "failure")
    assert {failure["exit_code"] for failure in failures} == {code}
    if behaviour == "kill":
        assert failures[0]["signal"] == 9


def test_only_noise_is_inconclusive(place: Path) -> None:
    study(fixed='fake = "noisy"')
    assert run().returncode == 5
    study(axes='axes = { fake = ["fine", "noisy"] }')
    assert weir("run", "small.toml", "--out", "RUN2", "--dir", "store").returncode == 0


def test_a_failed_case_is_tried_again_by_the_next_run(place: Path) -> None:
    study(axes='axes = { fake = ["fine", "fail"] }')
    run()
    assert run().returncode == 3
    first, second = (line["launch"] for line in read_lines(place / "RUN", "failure"))
    assert first == 1 and second > first


def test_what_this_machine_lacks_is_left_out_and_said_everywhere(place: Path) -> None:
    study(axes='axes = { backend = ["posix", "hdf5"] }')
    reason = "since this build has no back-end hdf5: no parallel HDF5 was found"
    assert reason in weir("plan", "small.toml", "--dir", "store").stdout
    done = run()
    assert done.returncode == 0
    assert reason in done.stderr and reason in weir("show", "--all", "RUN").stdout
    assert "caveats more" in done.stdout
    assert [line["label"] for line in read_lines(Path("RUN"), "left_out")] == ["backend hdf5"]
    assert run().returncode == 0
    assert len(read_lines(Path("RUN"), "left_out")) == 1
    shown = json.loads(weir("show", "RUN", "--json").stdout)
    assert shown["left_out"][0]["why"] in reason
    assert [row["options"]["backend"] for row in shown["rows"]] == ["posix", "posix"]


def test_a_study_of_which_nothing_can_be_measured_here_is_refused(place: Path) -> None:
    study(axes='axes = { backend = ["hdf5"] }')
    done = run()
    assert done.returncode == 2
    assert "nothing of study 'small' can be measured here" in done.stderr
    assert not Path("RUN").exists()


def test_budget_on_the_command_line(place: Path) -> None:
    study(fixed='fake = "noisy"', samples="max_samples = 1000")
    started = time.monotonic()
    assert run("--budget", "3s").returncode == 5
    assert time.monotonic() - started < 60
    assert "the budget is used up" in read_lines(place / "RUN", "finished")[0]["why"]
    assert run("--budget", "3").returncode == 2


def test_files_are_kept_when_asked(place: Path) -> None:
    assert run("--keep").returncode == 0
    kept = sorted(str(p.relative_to("store")) for p in Path("store").rglob("data"))
    cases = sorted(line["case"] for line in read_lines(place / "RUN", "case"))
    assert [Path(name).parent.name for name in kept] == cases


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"fixed": 'blok = "1MiB"'}, 2, "weir: small.toml:10: unknown key 'blok'"),
        ({"fixed": "block = 1048576"}, 2, "a bare number has no unit"),
        ({"fixed": 'transfer = "1000B"'}, 2, "does not divide block"),
        ({"fixed": 'dir = "/tmp"'}, 2, "the study states 'dir' itself"),
    ],
)
def test_a_wrong_study_runs_nothing(place: Path, changes: dict[str, str], code: int, message: str) -> None:
    study(**changes)
    done = run()
    assert done.returncode == code
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1 and done.stdout == ""
    assert not Path("RUN").exists()
    assert json.loads(run("--json").stdout)["error"]["exit_code"] == code


def test_a_study_without_comparison_selects_nothing(place: Path) -> None:
    Path("small.toml").write_text('[study]\nname = "empty"\n')
    assert run().returncode == 6


@pytest.mark.parametrize("where", ["nowhere", "small.toml"])
def test_a_directory_that_will_not_do_runs_nothing(place: Path, where: str) -> None:
    for verb in (("run", "small.toml", "--out", "RUN"), ("plan", "small.toml")):
        done = weir(*verb, "--dir", where)
        assert done.returncode == 2
        assert "cannot measure in" in done.stderr
    assert not Path("RUN").exists()


def test_without_mpirun_it_says_what_to_install(place: Path, tmp_path: Path) -> None:
    only_python = tmp_path / "bin"
    only_python.mkdir()
    (only_python / "python3").symlink_to(sys.executable)
    (only_python / "env").symlink_to("/usr/bin/env")
    done = weir("run", "small.toml", "--out", "RUN", "--dir", "store", PATH=str(only_python))
    assert done.returncode == 2
    assert "apt-get install" in done.stderr and len(done.stderr.splitlines()) == 1
    assert not Path("RUN").exists()


def test_without_a_core_it_says_how_to_get_one(place: Path) -> None:
    done = weir("list", WEIR_CORE="/nowhere/weir-core")
    assert done.returncode == 2 and "WEIR_CORE" in done.stderr


def test_an_internal_error_is_70_and_a_traceback_only_when_asked(place: Path) -> None:
    Path("RUN").mkdir()
    Path("RUN/run.json").write_text('{"schema": 1}')
    assert weir("show", "RUN").returncode == 2
    script = (
        "import weir.cli.show as v, weir.cli._app as a\n"
        "def command(json: bool = False) -> None:\n    raise RuntimeError('oh')\n"
        "v.command = command\na.build_app()(['show'])"
    )
    for debug in ("0", "1"):
        done = ended(sys.executable, "-c", script, env={**os.environ, "WEIR_DEBUG": debug})
        assert done.returncode == 70
        assert "internal error: RuntimeError: oh" in done.stderr
        assert ("Traceback" in done.stderr) == (debug == "1")


HOLD = Path("hold")
"""While it is there, a held run goes no further than its bytes: one for each case of a launch."""


def start_held_run() -> subprocess.Popen[str]:
    """A run in a process of its own that has taken its first four samples, and waits while there is HOLD."""
    study(fixed='fake = "held"', samples="max_samples = 12")
    HOLD.write_bytes(b"  ")
    command = [*WEIR, "run", "small.toml", "--out", "RUN", "--dir", "store"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(2400):
        time.sleep(0.05)
        samples = Path("RUN/samples.jsonl")
        if samples.exists() and samples.read_text().count('"kind":"sample"') >= 4:
            return process
    raise AssertionError("the run did not get going")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_keeps_what_was_finished_and_goes_on_later(place: Path, number: int) -> None:
    process = start_held_run()
    process.send_signal(number)
    _, talk = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted" in talk
    assert_nothing_is_left()
    before = read_lines(place / "RUN", "sample")
    assert len(before) == 4 and read_lines(place / "RUN", "failure") == []
    HOLD.unlink()
    assert run().returncode == 0
    assert read_lines(place / "RUN", "sample")[: len(before)] == before


def test_a_damaged_line_in_the_middle_is_told_when_the_run_goes_on(place: Path) -> None:
    assert run().returncode == 0
    samples = place / "RUN/samples.jsonl"
    lines = samples.read_text().splitlines(keepends=True)
    lines[4] = "x" * (len(lines[4]) - 1) + "\n"
    samples.write_text("".join(lines))
    assert "line 5 of samples.jsonl is left out, since it cannot be read" in run().stderr


def test_killed_it_goes_on_with_the_same_command(place: Path) -> None:
    process = start_held_run()
    process.kill()
    process.communicate()
    assert len(list(Path("store").iterdir())) == 1 and Path("RUN/lock").exists()
    HOLD.unlink()
    before = read_lines(place / "RUN", "sample")
    with Path("RUN/samples.jsonl").open("a") as file:
        file.write('{"schema":1,"kind":"sam')
    again = run()
    assert again.returncode == 0, again.stderr
    assert "cut off a damaged end of 23 bytes" in again.stderr
    assert "left behind by a run that was killed" in again.stderr
    assert_nothing_is_left()
    after = read_lines(place / "RUN", "sample")
    assert after[: len(before)] == before
    assert len(after) == 2 * 2 * 6


def test_a_run_that_is_removed_meanwhile_is_told_and_leaves_nothing(place: Path) -> None:
    process = start_held_run()
    shutil.rmtree("RUN")
    HOLD.unlink()
    _, talk = process.communicate(timeout=60)
    assert process.returncode == 3, talk
    assert "its folder is gone" in talk
    assert list(Path("store").iterdir()) == []


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_run_that_is_removed_near_its_end_is_told_as_that(place: Path, more: tuple[str, ...]) -> None:
    study(fixed='fake = "remove-run"', samples="min_samples = 1\nmax_samples = 1")
    done = run(*more)
    assert done.returncode == 3, done.stderr
    assert "the run 'RUN' was removed while it was being made (its folder is gone" in done.stderr
    assert "Traceback" not in done.stderr and not Path("RUN").exists()
    if more:
        assert json.loads(done.stdout)["error"]["exit_code"] == 3


@pytest.mark.parametrize("what", ["weir.report.undecided.exit_code", "weir.cli._screen.show_run"])
def test_a_run_that_is_removed_after_it_was_measured_is_told_as_that(
    place: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def removed(*arguments: object, **options: object) -> None:
        shutil.rmtree("RUN")
        RunDirectory(Path("RUN")).info()

    monkeypatch.setattr(what, removed)
    done = weir_here("run", "small.toml", "--out", "RUN", "--dir", "store")
    assert done.exit_code == 3, done.stderr
    assert "was removed while it was being made" in done.stderr and "is not a run" not in done.stderr


def test_a_run_of_a_pattern_that_is_not_exact_says_why(place: Path) -> None:
    study(fixed='fake = "inexact"', axes='axes = { layout = ["shared"] }')
    said = "The pattern is not exactly what the program requested: calls were lost."
    assert "! cases that carry out an inexact pattern: 1 of 1" in run().stdout
    assert said in weir("show", "--all", "RUN").stdout
    notes = json.loads(weir("report", "RUN", "--json").stdout)["headline"]["notes"]
    assert notes.count(said) == 1
    study()
    assert "inexact" not in weir("run", "small.toml", "--out", "EXACT", "--dir", "store").stdout


def test_two_do_not_write_to_one_run(place: Path) -> None:
    process = start_held_run()
    try:
        second = run()
        assert second.returncode == 2
        assert "is in use" in second.stderr
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


def test_the_first_line_of_a_new_run_says_what_a_budget_does_not_bound(place: Path) -> None:
    said = "the budget of 20.0 s cuts no launch that has begun"
    assert run().stderr.startswith(said)
    study(samples="min_samples = 9\nmax_samples = 10")
    assert said not in run().stderr, "it is known how long its cases take"


def test_a_dry_run_says_what_the_budget_answers_as_the_run_does(place: Path) -> None:
    """Cases of 100 ms and a launch of 1 s by the first guess: six samples of one case take 3.7 s."""
    study(axes='axes = { transfer = ["32KiB", "64KiB", "128KiB"] }')
    said = "the budget of 4.00 s suffices for 6 samples of 1 of 3 cases"
    planned = run("--dry-run", "--budget", "4s")
    assert planned.returncode == 0, planned.stderr
    assert said in planned.stdout and "cases of: only (2)" in planned.stdout
    assert "; to begin with, 6 samples of every case: " in planned.stdout
    data = json.loads(weir("plan", "small.toml", "--dir", "store", "--budget", "4s", "--json").stdout)["time"]
    assert (data["budget_s"], len(data["cases_in_budget"])) == (4.0, 1)
    assert said in run("--budget", "4s").stderr
    assert said not in run("--dry-run", "--budget", "20s").stdout


def test_without_a_place_a_run_gets_one_and_says_it(place: Path) -> None:
    done = weir("run", "small.toml", "--progress", "none")
    assert done.returncode == 0, done.stderr
    (path,) = Path("runs").iterdir()
    assert path.name.startswith("small-")
    assert done.stdout.endswith(f"\n\n{path}/report.html\n")
    assert done.stdout.startswith(weir("show", str(path)).stdout)
