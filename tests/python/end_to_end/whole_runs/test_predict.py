"""Imitations and forecasts by the verbs, carried out by the real core."""

import json
from pathlib import Path
from typing import Any

import pytest

from mimic.made import listed
from verbs import weir_ended, weir_told

from ..patterns import Json, access, closing, opening, pattern, phase

RANKS = 2


def written_and_read() -> Json:
    sync = {"sync": {"file": 0}}
    return pattern(
        phase("dump", opening("create"), access("write", ranks=RANKS, count=16), sync, closing()),
        phase("load", opening("read"), access("read", ranks=RANKS, count=16), closing()),
        ranks=RANKS,
    )


def verb(folder: Path, name: str, what: Json, *options: str) -> str:
    path = folder / "p.json"
    path.write_text(json.dumps(what))
    return weir_told(name, path, *options)


def predicted(folder: Path, what: Json, *options: str) -> dict[str, Any]:
    place = ("--dir", str(folder), "--out", str(folder / "run"), "--json")
    found: dict[str, Any] = json.loads(verb(folder, "predict", what, *place, *options))
    return found


@pytest.mark.parametrize("backend", ["posix", "mpiio"])
def test_a_forecast_is_verified_in_pairs(tmp_path: Path, backend: str) -> None:
    said = predicted(tmp_path, written_and_read(), "--verify", "--repetitions", "6", "--backend", backend)
    assert said["imitation"]["fidelity"]["overall"] == 1
    rows = {(row["phase"], row["direction"]): row for row in said["rows"]}
    assert set(rows) == {("dump", "write"), ("load", "read"), (None, "write"), (None, "read")}
    for row in rows.values():
        assert row["bytes"] == RANKS * 16 * 4096
        assert row["predicted_time"]["samples"] == row["error"]["pairs"] == 6
        assert row["error"]["low"] <= row["error"]["error"] <= row["error"]["high"]
    assert rows["dump", "write"]["state"] == "synced"
    kept = {path.name for path in (tmp_path / "run").glob("*.json")}
    assert {"pattern-benchmark.json", "pattern-application.json"} <= kept


def test_a_forecast_alone_has_no_error(tmp_path: Path) -> None:
    said = predicted(tmp_path, written_and_read(), "--repetitions", "1", "--cache", "drop")
    assert {(row["measured_bandwidth"], row["error"]) for row in said["rows"]} == {(None, None)}
    why = said["rows"][0]["predicted_time"]["why_no_interval"]
    assert why == "1 sample; a 95% interval needs at least 6"


def test_files_that_are_only_read_are_made_first(tmp_path: Path) -> None:
    load = phase("load", opening("read"), access("read", ranks=RANKS), closing())
    said = predicted(tmp_path, pattern(load, ranks=RANKS), "--repetitions", "1", "--verify")
    assert [row["phase"] for row in said["rows"]] == ["load", None]


def test_random_sizes_are_called_a_guess(tmp_path: Path) -> None:
    sizes = [100 * n * n for n in range(1, 20)]
    pieces = [[at for n in range(19) for at in (sum(sizes[:n]), sizes[n])]] * RANKS
    what = pattern(phase("write", opening("create"), listed(pieces), closing()), ranks=RANKS)
    told = verb(tmp_path, "predict", what, "--parameters")
    assert "no parameters imitate requests of random sizes (19 sizes, 100 B to 35.3 KiB)" in told
    place = ("--dir", str(tmp_path), "--out", str(tmp_path / "run"), "--repetitions", "1")
    said = verb(tmp_path, "predict", what, *place, "--all")
    assert "take this forecast for a guess" in said and "this is a guess" in said
    assert "expected error " in told and "expected error " in said and "the program takes " in said
    assert "fidelity" not in told + said


def test_an_imitation_is_a_pattern_that_mimics_itself(tmp_path: Path) -> None:
    out = tmp_path / "imitation.json"
    told = verb(tmp_path, "predict", written_and_read(), "--parameters", "--out", str(out))
    assert "the parameters say all of it" in told
    assert "Nothing is lost." in told
    again = json.loads(weir_told("predict", out, "--parameters", "--json"))
    assert again["fidelity"]["overall"] == 1


def test_a_dry_run_only_plans(tmp_path: Path) -> None:
    told = verb(tmp_path, "predict", written_and_read(), "--dir", str(tmp_path), "--dry-run", "--verify")
    assert "11 repetitions of the benchmark and the pattern itself in turns" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.json"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--preset", "shan"], "Did you mean 'shan-2007'?"),
        (["--ranks", "3"], "the pattern is for 2 ranks"),
        (["--backend", "posx"], "posx"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, options: list[str], said: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps(written_and_read()))
    done = weir_ended("predict", path, "--dir", tmp_path, *options)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize("options", [["--dry-run"], []])
def test_a_pattern_that_moves_nothing_is_refused(tmp_path: Path, options: list[str]) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps(pattern(phase("dump", opening("create"), closing()), ranks=RANKS)))
    done = weir_ended("predict", path, "--dir", tmp_path, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert "reads or writes a byte" in done.stderr


def test_the_error_beside_two_bandwidths_says_what_it_is(tmp_path: Path) -> None:
    place = ("--dir", str(tmp_path), "--out", str(tmp_path / "run"), "--repetitions", "1")
    told = verb(tmp_path, "predict", written_and_read(), *place, "--verify", "--all")
    assert told.count("error: the median over pairs of neighbouring samples") == 1


def test_what_only_measuring_needs_is_refused_beside_the_parameters(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps(written_and_read()))
    done = weir_ended("predict", path, "--parameters", "--verify", "--repetitions", "11")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "--verify and --repetitions (it measures nothing)" in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["p.json"]


def test_no_pattern_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text("{}")
    done = weir_ended("predict", path, "--parameters")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_a_back_end_that_there_is_not_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps(written_and_read()))
    done = weir_ended("predict", path, "--parameters", "--backend", "foo")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no back-end 'foo'" in done.stderr and "posix" in done.stderr


def test_whoever_uses_an_inexact_pattern_says_so(tmp_path: Path) -> None:
    what = {**written_and_read(), "inexact": ["2 requests are taken as one piece"]}
    said = "not exactly what the program requested: 2 requests are taken as one piece."
    imitated = ("--parameters", "--out", str(tmp_path / "imitation.json"))
    assert said in verb(tmp_path, "predict", what, *imitated)
    assert json.loads((tmp_path / "imitation.json").read_text())["inexact"] == what["inexact"]
    assert said in verb(tmp_path, "replay", what, "--dir", str(tmp_path), "--dry-run")
    refused = weir_ended("predict", tmp_path / "p.json", "--dir", tmp_path, "--dry-run")
    assert refused.returncode == 2
    assert "2 requests are taken as one piece" in refused.stderr
    assert "--inexact" in refused.stderr
    assert said in verb(tmp_path, "predict", what, "--dir", str(tmp_path), "--dry-run", "--inexact")
    told = json.loads(
        verb(tmp_path, "predict", what, "--dir", str(tmp_path), "--dry-run", "--inexact", "--json")
    )
    assert told["inexact"] == what["inexact"]
