"""A study can set variables for its launches, and options that name files or code: they are shown, and those
that load code or reach any file are asked for."""

import json
from pathlib import Path

import pytest

from fakes import study_text
from verbs import weir_here as weir

LOADS = 'env = { LD_PRELOAD = "/home/mallory/x.so", OMP_NUM_THREADS = "1" }'


@pytest.fixture(autouse=True)
def _place(place: Path) -> None:
    Path("small.toml").write_text(study_text(fixed=LOADS))


def test_a_plan_shows_what_is_set() -> None:
    done = weir("plan", "small.toml", "--dir", "store")
    assert done.exit_code == 0, done.output
    assert (
        "LD_PRELOAD=/home/mallory/x.so (it can make programs load or run code, or write files)" in done.stdout
    )
    assert "  OMP_NUM_THREADS=1\n" in done.stdout
    told = json.loads(weir("plan", "small.toml", "--dir", "store", "--json").stdout)["environment"]
    assert told[0] == {"name": "LD_PRELOAD", "value": "/home/mallory/x.so", "loads_code": True}


def test_a_run_says_it_first_and_asks() -> None:
    done = weir("run", "small.toml", "--dir", "store", "--out", "RUN")
    assert done.exit_code == 2 and not Path("RUN").exists()
    assert "the study sets LD_PRELOAD=/home/mallory/x.so" in done.stderr and "--trust" in done.stderr


def test_a_run_that_is_allowed_to_goes_on() -> None:
    Path("small.toml").write_text(study_text(fixed='env = { OMPI_MCA_pmix = "^none" }'))
    done = weir("run", "small.toml", "--dir", "store", "--out", "RUN", "--trust")
    assert done.exit_code == 0 and done.stderr.startswith("weir: the study sets OMPI_MCA_pmix=^none"), (
        done.output
    )


def test_what_only_tunes_needs_no_asking() -> None:
    Path("small.toml").write_text(study_text(fixed='env = { OMP_NUM_THREADS = "1" }'))
    assert weir("run", "small.toml", "--dir", "store", "--out", "RUN").exit_code == 0


@pytest.mark.parametrize("env", ['"LD_PRELOAD=/x.so" = ""', '"" = "1"', '"A B" = "1"', 'A = "x\\u0000y"'])
def test_a_name_that_is_none_is_refused(env: str) -> None:
    Path("small.toml").write_text(study_text(fixed=f"env = {{ {env} }}"))
    done = weir("plan", "small.toml", "--dir", "store")
    assert done.exit_code == 2 and "small.toml:" in done.output, done.output


REACHES = [
    ('library = "/home/mallory/x.so"', "library = /home/mallory/x.so (a library whose code is run)"),
    ('hint_file = "/etc/shadow"', "hint_file = /etc/shadow (a file that is read)"),
    ("foreign_folder = true", "foreign_folder = True (it lifts a protection)"),
]


@pytest.mark.parametrize(("line", "words"), REACHES, ids=["code", "input", "protection"])
@pytest.mark.parametrize("where", ["fixed", "comparison", "axis"])
def test_an_option_that_reaches_outside_is_shown_and_asked_for(line: str, words: str, where: str) -> None:
    key, value = line.split(" = ")
    text = study_text(fixed=line if where == "fixed" else "")
    more = {"fixed": "", "comparison": f"fixed = {{ {line} }}", "axis": f"axes = {{ {key} = [{value}] }}"}[
        where
    ]
    head = text.split("[[comparison]]")[0] + '[[comparison]]\nname = "only"\n'
    Path("small.toml").write_text(head + more + "\n")
    planned = weir("plan", "small.toml", "--dir", "store")
    assert planned.exit_code == 0 and words in planned.stdout, planned.output
    refused = weir("run", "small.toml", "--dir", "store", "--out", "RUN")
    assert refused.exit_code == 2 and not Path("RUN").exists()
    assert f"the study sets {words}" in refused.stderr and f"sets {key}" in refused.stderr
    allowed = weir("run", "small.toml", "--dir", "store", "--out", "RUN", "--trust")
    assert allowed.exit_code in (0, 5), allowed.output


def test_what_reaches_nothing_outside_is_not_asked_for() -> None:
    lines = 'library = "plain"\nhint_file = ""\nforeign_folder = false\nalso_dir = ["store"]'
    Path("small.toml").write_text(study_text(fixed=lines))
    planned = weir("plan", "small.toml", "--dir", "store")
    assert "also_dir = store (a directory that is measured)" in planned.stdout, planned.output
    assert "library" not in planned.stdout.partition("Commands")[0]
    told = json.loads(weir("plan", "small.toml", "--dir", "store", "--json").stdout)["reaches"]
    assert told == [{"option": "also_dir", "value": "store", "kind": "directory", "asked_for": False}]
    assert weir("run", "small.toml", "--dir", "store", "--out", "RUN").exit_code == 0
