"""A slow collective of a real MPI is found, by the guidelines that it violates."""

import json
import re
from pathlib import Path

import pytest

from running import ended

from ..conftest import ROOT, WEIR

UNDECIDED = 5  # the exit code on a machine that other programs keep too busy for 1 %

STUDY = """
[study]
name = "planted"
budget = "60s"
precision = "1%"
min_samples = 6
max_samples = 18
[fixed]
benchmark = "network"
ranks = 4
budget = "10ms"
calls = 4
env = {{ LD_PRELOAD = "{library}" }}
[[comparison]]
name = "allreduce"
figure = "guidelines"
axes = {{ function = ["Allreduce", "Reduce", "Bcast"], bytes = ["16KiB", "64KiB"] }}
"""


@pytest.fixture
def planted(place: Path) -> Path:
    """A study of an MPI whose Allreduce goes through rank 0 alone."""
    libraries = sorted((ROOT / "build" / "release").rglob("liblinear_allreduce.so"))
    if not libraries:
        pytest.skip("liblinear_allreduce.so is not built")
    (place / "planted.toml").write_text(STUDY.format(library=libraries[0]))
    return place


def test_a_linear_allreduce_is_named_with_both_times(planted: Path) -> None:
    done = ended(*WEIR.split(), "run", "planted.toml", "--out", "RUN", "--allow-env", "--json")
    assert done.returncode in (0, UNDECIDED), done.stderr
    (finding,) = json.loads(done.stdout)["findings"]
    count, worst = finding["answers"]
    assert 0 < count["value"]["count"] <= count["value"]["of"] and worst["subject"][0] == "Allreduce", finding
    violated = [one for one in finding["numbers"] if one["remark"].startswith("violated: ")]
    (said,) = [one for one in violated if one["value"]["of"] == "Reduce + Bcast"]
    assert said["of"]["function"] == "Allreduce" and said["of"]["where"] == "on 4 ranks"
    assert said["of"]["messages"] in ("64 KiB", "16 KiB to 64 KiB")
    assert 1 < said["value"]["low"] <= said["value"]["times"] <= said["value"]["high"]
    assert re.fullmatch(r"violated: .* µs against .* µs", said["remark"])
