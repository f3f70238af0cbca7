"""`weir predict --on`, with the core."""

import datetime
import json
from pathlib import Path

import pytest

from fakes import read_lines
from toy_machine import TOY
from verbs import weir_ended, weir_told
from weir.store.run_directory import new_run

APPLICATION = "flash-io --blocks 4"


def test_an_application_on_several_ranks(place: Path) -> None:
    told = weir_told("predict", APPLICATION, "--on", TOY, "--ranks", "1,2,4", "-o", "run")
    assert told.startswith("flash-io --blocks 4 simulated on A small cluster for tests, 4 ranks: bottleneck ")
    assert "run: run" in told
    assert "Simulated on A small cluster for tests" in weir_told("show", "run")


def test_a_pattern_by_file_and_all_that_is_known_of_it(place: Path) -> None:
    weir_told("workload", "gtc", "--ranks", "4", "--out", "gtc.json")
    told = weir_told("predict", "gtc.json", "--on", TOY, "-o", "run", "--all")
    assert "operation" in told
    assert "share of the time" in told
    found = json.loads(weir_told("predict", "gtc.json", "--on", TOY, "-o", "again", "--json"))
    (one,) = found["results"]
    assert found["simulated"] is True
    assert one["ranks"] == 4
    assert one["time_s"] > 0
    assert one["written_bytes_per_s"] > 0
    assert one["bottleneck_share"] > 0


def test_a_prediction_is_checked_by_running_it(place: Path) -> None:
    options = ("--ranks", "1,2", "--verify", "--repetitions", "1", "--dir", ".", "-o", "run")
    phases = json.loads(weir_told("predict", APPLICATION, "--on", TOY, *options, "--json"))["phases"]
    names = ["checkpoint", "plot", "corner"]
    assert [(one["ranks"], one["phase"]) for one in phases] == [(n, name) for n in (1, 2) for name in names]
    for one in phases:
        assert one["error"] == pytest.approx(one["simulated_s"] / one["measured_s"] - 1)
        assert one["samples"] == 1 and one["low_s"] is None
    assert (place / "run" / "ranks-2" / "run.json").exists()
    told = weir_told("predict", APPLICATION, "--on", TOY, *options[:-1], "again")
    assert "and measured here: median error" in told and "of 6 phases" in told


def test_the_storage_benchmark_is_a_pattern_whose_reads_may_find_no_cache(place: Path) -> None:
    cache = 'read_cache = { value = "1 GiB", source = "assumed: for tests" }'
    (place / "cached.toml").write_text(
        TOY.read_text().replace("\n[storage.servers]", f"\n{cache}\n\n[storage.servers]")
    )
    words = ("predict", "storage --block 4MiB --transfer 1MiB", "--on", "cached.toml", "--ranks", "2")

    def read_s(*options: str) -> float:
        (whole,) = json.loads(weir_told(*words, *options, "--json"))["results"]
        return {one["name"]: one["time_s"] for one in whole["phases"]}["read"]

    assert read_s("-o", "kept") < 0.01
    assert "! 100 % of the bytes read were in the nodes' memory" in weir_told(*words, "-o", "told")
    assert read_s("-o", "dropped", "--cache", "drop") > 8 * 2**20 / (4 * 120e6), "four targets"
    verified = ("--verify", "--cache", "drop", "--repetitions", "1", "--dir", ".", "-o", "run", "--json")
    assert [one["phase"] for one in json.loads(weir_told(*words, *verified))["phases"]] == ["write", "read"]
    (sample,) = [line for line in read_lines(place / "run" / "ranks-2", "sample") if line["phase"] == "read"]
    assert sample["cache"]["methods"] == ["drop"]


def test_mpi_functions_are_checked_by_calling_them(place: Path) -> None:
    words = ("predict", "PingPong,Bcast,Barrier --bytes 8B,64KiB", "--on", TOY, "--ranks", "2")
    found = json.loads(weir_told(*words, "--verify", "--repetitions", "1", "-o", "run", "--json"))["phases"]
    names = ["PingPong 8 B", "PingPong 64 KiB", "Bcast 8 B", "Bcast 64 KiB", "Barrier"]
    assert [one["phase"] for one in found] == names
    (whole,) = json.loads(weir_told(*words, "-o", "simulated", "--json"))["results"]
    times = {one["name"]: one["time_s"] for one in whole["phases"]}
    assert found[0]["simulated_s"] == pytest.approx(times["PingPong 8 B"] / 2), "one way, as IMB counts"
    assert found[2]["simulated_s"] == times["Bcast 8 B"]
    for one in found:
        assert one["error"] == pytest.approx(one["simulated_s"] / one["measured_s"] - 1)
        assert one["samples"] == 1
    assert found[1]["measured_s"] < found[1]["simulated_s"], "the toy's 64 KiB take 33 us of a core's copies"


def test_settings_reach_the_core(place: Path) -> None:
    def found(*options: str) -> tuple[float, int]:
        out = f"run{len(list(place.iterdir()))}"
        words = ("predict", APPLICATION, "--on", str(TOY), "--ranks", "8", "-o", out, "--json")
        (one,) = json.loads(weir_told(*words, *options))["results"]
        return one["time_s"], one["nodes"]

    usual_s, nodes = found()
    assert found("--stripes", "1")[0] != usual_s
    assert found("--method", "rank0")[0] != usual_s
    assert (nodes, found("--ranks-per-node", "1")[1]) == (2, 8)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((APPLICATION, "--on", "nowhere"), "there is no machine 'nowhere'"),
        ((APPLICATION, "--ranks", "2"), "it is simulated on a machine). Add --on MACHINE"),
        ((APPLICATION, "--on", str(TOY)), "nothing says on how many ranks flash-io --blocks 4 runs"),
        ((APPLICATION, "--on", str(TOY), "--ranks", "100"), "toy.toml:5: 100 ranks are too many for toy"),
        ((APPLICATION, "--on", str(TOY), "--ranks", "4", "--backend", "posix"), "has no use for --backend"),
        ((APPLICATION, "--on", str(TOY), "--ranks", "4", "--verify", "--dir", "gone"), "measure in 'gone'"),
        (("flash-io --blcks 4", "--on", str(TOY), "--ranks", "4"), "there is no option '--blcks'"),
        (("stream", "--on", str(TOY), "--ranks", "4"), "'stream' has no pattern"),
        ((APPLICATION, "--on", str(TOY), "--ranks", "4", "--aggregators", "9"), "9 aggregators are too many"),
        (("flash-io --help", "--on", str(TOY), "--ranks", "4"), "'flash-io --help' makes no pattern"),
        (('flash-io "--blocks', "--on", str(TOY), "--ranks", "4"), "(no closing quotation). Close each"),
        (("Bcast --bytes 8", "--on", str(TOY), "--ranks", "4"), "'8' is not a size"),
        (("Bcast", "--on", str(TOY)), "nothing says on how many ranks Bcast runs"),
        (("Bcast", "--on", str(TOY), "--ranks", "1"), "one rank has nobody to talk to"),
        (("Bcast", "--on", str(TOY), "--ranks", "2", "--verify", "--dir", "."), "MPI functions use none"),
        (("RandomRing", "--on", str(TOY), "--ranks", "2", "--verify"), "measures one call of RandomRing"),
        (("it's.json", "--on", str(TOY)), "cannot read the pattern 'it's.json' (there is no such file)"),
        (("none.json", "--on", str(TOY)), "cannot read the pattern 'none.json'"),
        (("gtc.json", "--stripes", "4"), "--stripes says how a modelled machine is used"),
        (("gtc.json", "--on", str(TOY), "--ranks", "8"), "the pattern is for 4 ranks"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(place: Path, words: tuple[str, ...], said: str) -> None:
    weir_told("workload", "gtc", "--ranks", "4", "--out", "gtc.json")
    done = weir_ended("predict", *words)
    assert done.returncode == 2
    assert said in done.stderr


def test_no_forecast_of_files_is_given_on_a_storage_that_is_assumed(place: Path) -> None:
    said = "this model's storage is assumed: times of files are no forecast"
    assert said in weir_told("predict", APPLICATION, "--on", "cray-x1", "--ranks", "2", "-o", "run")
    assert said in weir_told("show", "run")
    assert said not in weir_told("predict", APPLICATION, "--on", TOY, "--ranks", "2", "-o", "other")


def test_a_dry_run_simulates_nothing(place: Path) -> None:
    told = weir_told("predict", APPLICATION, "--on", TOY, "--ranks", "1,2", "--dry-run")
    assert told == "flash-io --blocks 4 would be simulated on A small cluster for tests, ranks: 1, 2\n"
    plan = json.loads(weir_told("predict", APPLICATION, "--on", TOY, "--ranks", "1,2", "--dry-run", "--json"))
    assert (plan["machine"], plan["ranks"], plan["dry_run"]) == ("toy", [1, 2], True)
    assert not (place / "runs").exists()


def test_all_tells_times_of_phases_apart_from_sums_over_ranks(place: Path) -> None:
    told = weir_told("predict", APPLICATION, "--on", TOY, "--ranks", "2", "--all", "-o", "run")
    head = next(line for line in told.splitlines() if line.startswith("phase"))
    assert head.split()[:3] == ["phase", "time", "operation"]
    assert "waiting" not in head


def test_runs_of_one_second_have_names_of_their_own(place: Path) -> None:
    first = new_run("predict", datetime.datetime(2026, 12, 1))
    first.mkdir(parents=True)
    assert new_run("predict", datetime.datetime(2026, 12, 1)).name == f"{first.name}-2"
