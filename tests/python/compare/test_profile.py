"""Profiles: what they hold, and that a comparison sees the same in them as in their runs."""

import json
from pathlib import Path

import pytest

from synthetic_run import GIB, World
from verbs import weir_here
from weir.compare.comparison import Rules, compare
from weir.compare.profile import encode, profile_of, read_profile, rows_of
from weir.compare.sides import side_of
from weir.errors import WeirError
from weir.report.gather import gather
from weir.results.row import measured
from weir.store.run_directory import RunDirectory

from .runs import run

HALF = World(seed=4, write_bytes_per_s=0.75 * GIB)


def profile(folder: Path, name: str = "n1") -> Path:
    """That of a run, beside it."""
    path = folder.with_suffix(".profile.json")
    path.write_bytes(encode(profile_of(gather(RunDirectory(folder)), name)))
    return path


def test_a_comparison_sees_the_same_in_a_profile_as_in_its_run(tmp_path: Path) -> None:
    runs = [run(tmp_path / "a"), run(tmp_path / "b", HALF)]
    by_runs = compare([side_of(one) for one in runs], Rules()).compared[0]
    for sides in ([runs[0], profile(runs[1])], [profile(runs[0]), profile(runs[1])]):
        found = compare([side_of(one) for one in sides], Rules()).compared[0]
        assert [one.verdict for one in found.standings] == [one.verdict for one in by_runs.standings]
        assert [one.apart for one in found.standings] == [one.apart for one in by_runs.standings]


def test_it_holds_every_sample_and_no_path_of_the_run(tmp_path: Path) -> None:
    folder = run(tmp_path / "a")
    found = read_profile(profile(folder))
    rows = measured(gather(RunDirectory(folder)).rows)
    assert [row.samples for row in found.rows] == [row.samples for row in rows]
    text = profile(folder).read_text()
    assert str(tmp_path) not in text and "/scratch/weir" not in text
    assert len(text) < 80_000
    assert all("dir" not in row.options for row in found.rows)


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    folder = run(tmp_path / "a")
    rows = measured(gather(RunDirectory(folder)).rows)
    back = rows_of(read_profile(profile(folder)))
    for name in (
        "phase",
        "ranks",
        "median",
        "low",
        "high",
        "n",
        "metric",
        "moves",
        "suspect",
        "honest",
        "label",
    ):
        assert [getattr(one, name) for one in back] == [getattr(one, name) for one in rows], name


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "another"},
        {"schema": 9},
        {"name": 3},
        {"rows": [{}]},
        {"rows": 3},
        {"unknown": 1},
    ],
)
def test_what_is_no_profile_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    path = profile(run(tmp_path / "a"))
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(WeirError) as told:
        read_profile(path)
    assert "is no profile" in told.value.problem


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "[" * 100_000])
def test_what_is_no_json_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(WeirError):
        read_profile(tmp_path / "x.json")


def test_a_row_without_samples_is_refused(tmp_path: Path) -> None:
    path = profile(run(tmp_path / "a"))
    data = json.loads(path.read_text())
    data["rows"][3]["samples"] = []
    path.write_text(json.dumps(data))
    with pytest.raises(WeirError):
        read_profile(path)


def test_fewer_than_no_ranks_are_refused(tmp_path: Path) -> None:
    path = profile(run(tmp_path / "a"))
    data = json.loads(path.read_text())
    data["rows"][3]["ranks"] = -1
    path.write_text(json.dumps(data))
    with pytest.raises(WeirError, match="ranks"):
        read_profile(path)


def test_the_verb_names_the_file_by_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(tmp_path / "a"), run(tmp_path / "b", HALF)
    assert weir_here("profile", "a").output == "n1.profile.json\n"
    assert (
        weir_here("profile", "b", "--name", "the/new one", "--redact").output == "the-new-one.profile.json\n"
    )
    text = (tmp_path / "the-new-one.profile.json").read_text()
    assert '"n1"' not in text and "the/new one" in text
    done = weir_here("compare", "n1.profile.json", "the-new-one.profile.json", "--fail-on", "worse")
    assert done.exit_code == 1, done.output
    assert weir_here("profile", "nowhere").exit_code == 2
    told = weir_here("show", "n1.profile.json").output
    assert "is a profile" in told and "weir compare" in told


def test_a_profile_is_not_written_over_a_part_of_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run(tmp_path / "a")
    before = (tmp_path / "a" / "run.json").read_bytes()
    assert weir_here("profile", "a", "-o", "a/run.json").exit_code == 2
    assert weir_here("compare", "a", "a", "--page", "a/samples.jsonl").exit_code == 2
    assert (tmp_path / "a" / "run.json").read_bytes() == before
