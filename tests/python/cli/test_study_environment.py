"""A study can set variables for its launches: they are shown, and those that load code are asked for."""

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
    assert "LD_PRELOAD=/home/mallory/x.so (it can make programs load or run code)" in done.stdout
    assert "  OMP_NUM_THREADS=1\n" in done.stdout
    told = json.loads(weir("plan", "small.toml", "--dir", "store", "--json").stdout)["environment"]
    assert told[0] == {"name": "LD_PRELOAD", "value": "/home/mallory/x.so", "loads_code": True}


def test_a_run_says_it_first_and_asks() -> None:
    done = weir("run", "small.toml", "--dir", "store", "--out", "RUN")
    assert done.exit_code == 2 and not Path("RUN").exists()
    assert "the study sets LD_PRELOAD=/home/mallory/x.so" in done.stderr and "--allow-env" in done.stderr


def test_a_run_that_is_allowed_to_goes_on() -> None:
    Path("small.toml").write_text(study_text(fixed='env = { OMPI_MCA_pmix = "^none" }'))
    done = weir("run", "small.toml", "--dir", "store", "--out", "RUN", "--allow-env")
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
