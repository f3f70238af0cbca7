"""Runs by launchers that are no mpirun, each in the place of a program that writes down how it was called and
starts the ranks."""

import json
from pathlib import Path

import pytest

from fakes import study_text
from verbs import weir_here as weir

STAND_IN = """#!/bin/sh
[ "$1" = getattr ] && echo 1 && exit 0
printf '%s\n' "$*" >> "$CALLS"
while [ "${1##*/}" != weir-core ]; do shift; done
exec mpirun -n 2 "$@"
"""
SITE = """[launchers.ours]
command = ["ourrun", ["-N", "{nodes}"], "-n", "{ranks}", "{program}"]
"""


@pytest.fixture
def called(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a line a call; the study has two ranks."""
    (place / "site.toml").write_text(SITE)
    (place / "site.toml").chmod(0o600)
    text = study_text(samples="min_samples = 1\nmax_samples = 1", fixed="ranks = 2")
    (place / "small.toml").write_text(text)
    variables = {"WEIR_SITE": place / "site.toml", "CALLS": place / "calls", "PBS_JOBID": 7, "LSB_JOBID": 7}
    for name, value in variables.items():
        monkeypatch.setenv(name, str(value))
    return place / "calls"


@pytest.mark.parametrize(
    ("launcher", "program", "begins"),
    [
        ("flux", "flux", "run --ntasks=2 -o cpu-affinity=per-task"),
        ("jsrun", "jsrun", "--nrs 2 --tasks_per_rs 1"),
        ("aprun", "aprun", "-q -n 2"),
        ("pbs", "pals/bin/mpiexec", "-n 2 --cpu-bind core"),
        ("ours", "ourrun", "-n 2 "),
    ],
)
def test_a_study_is_measured(
    called: Path, monkeypatch: pytest.MonkeyPatch, launcher: str, program: str, begins: str
) -> None:
    stand_in = called.parent / "bin" / program
    stand_in.parent.mkdir(parents=True)
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(stand_in.parent), prepend=":")
    done = weir("run", "./small.toml", "--dir", "store", "--out", "run", "--launcher", launcher, "--json")
    assert done.exit_code in (0, 5), done.output
    calls = called.read_text().splitlines()
    assert calls and all(call.startswith(begins) for call in calls)
    lines = [json.loads(line) for line in Path("run/samples.jsonl").read_text().splitlines()]
    launches = [line for line in lines if line["kind"] == "launch"]
    assert launches and len(calls) == len(launches) and any(line["kind"] == "sample" for line in lines)


@pytest.mark.usefixtures("called")
def test_the_sites_launcher_is_listed_and_a_misspelt_one_told() -> None:
    listed = {one["name"]: one["summary"] for one in json.loads(weir("list", "--json").output)["launchers"]}
    assert listed["ours"] == "of this site: ourrun" and {"flux", "jsrun", "mpirun", "pbs"} <= listed.keys()
    done = weir("plan", "./small.toml", "--launcher", "our")
    assert done.exit_code == 2 and "Did you mean 'ours'?" in done.output
    done = weir("plan", "./small.toml", "--dir", "store", "--launcher", "ours")
    assert done.exit_code == 2 and "no program 'ourrun'" in done.output


def test_the_sites_launcher_goes_before_one_of_weirs(called: Path) -> None:
    Path("site.toml").write_text(SITE.replace("ours", "mpirun").replace("ourrun", "sh"))
    done = weir("plan", "./small.toml", "--dir", "store", "--json")
    assert done.exit_code == 0 and json.loads(done.stdout)["commands"][0].startswith("sh -n 2 ")
