"""A small study of an application and what imitates it, with the real core, and its report."""

import json
from collections import Counter
from pathlib import Path

from fakes import read_lines
from verbs import weir_told

from ..conftest import weir

STUDY = """[study]
name = "small"
min_samples = 12
max_samples = 12
probe_state = false
[fixed]
repetitions = 2
[[comparison]]
name = "cmb"
figure = "prediction"
table = "prediction"
fixed = { benchmark = "cmb", exponent = 0.0, bins = 2 }
axes = { ranks = [1, 4], pixels = [64, 128], imitation = ["none", "derived", "shan-2007"] }
together = ["ranks", "pixels"]
[[comparison]]
name = "gtc"
figure = "prediction-errors"
fixed = { benchmark = "storage", workload = { name = "gtc", size = 100, sync = true } }
axes = { imitation = ["pattern", "derived"] }
"""


def test_a_study_predicts_applications_and_reports_the_errors(place: Path) -> None:
    Path("study.toml").write_text(STUDY)
    assert weir().returncode in (0, 5)
    cases = {line["case"]: line for line in read_lines(place / "RUN", "case")}
    assert [case["options"]["imitation"] for case in cases.values()].count("derived") == 3
    benchmarks = {
        (cases[line["case"]]["options"]["imitation"], line["benchmark"])
        for line in read_lines(place / "RUN", "sample")
    }
    assert benchmarks == {
        ("none", "cmb"),
        ("derived", "storage"),
        ("shan-2007", "storage"),
        ("pattern", "storage"),
    }
    assert {path.stem for path in (place / "RUN" / "patterns").iterdir()} == {
        case for case, line in cases.items() if "replay" in line
    }
    found = json.loads(weir_told("report", "RUN", "--json"))
    (table,) = found["tables"]
    # S writes, W both and C reads, and the sums of each direction; by two imitations on two numbers of ranks.
    assert len(table["predictions"]) == 6 * 2 * 2
    # Two repetitions in a row are one pair, of their second ones.
    count = Counter((line["case"], line["phase"]) for line in read_lines(place / "RUN", "sample"))
    assert {2 * one["pairs"] for one in table["predictions"]} == set(count.values())
    assert all(one["low"] <= one["error"] <= one["high"] for one in table["predictions"])
    (errors,) = [one for one in found["findings"] if one["figure"] == "prediction-errors"]
    (answer,) = errors["answers"]
    assert answer["subject"] == ["derived parameters"] and answer["value"]["unit"] == "%"
    assert answer["value"]["times"] >= 0 and answer["value"]["n"] == 1
    assert {one["of"]["of"].split(", ")[0] for one in errors["numbers"][2:]} == {"gtc"}
    before = read_lines(place / "RUN", "case")
    assert "every case was finished before" in weir().stderr
    assert read_lines(place / "RUN", "case") == before
