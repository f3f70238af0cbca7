"""A study that is run on each node by itself, from the command line to its first screen: no MPI, no nodes."""

import json
from pathlib import Path

import pytest

from fakes import read_lines
from verbs import weir_ended

STUDY = """[study]
name = "each"
budget = "60s"
min_samples = 6
max_samples = 6
per_node = true
figure = "nodes"

[[comparison]]
name = "disk"
fixed = { benchmark = "storage", ranks = "cores" }
"""


@pytest.fixture
def study(tmp_path: Path, fake_core: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("SLURM_JOB_NODELIST", "SLURM_NODELIST", "PBS_NODEFILE", "LSB_DJOB_HOSTFILE"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "each.toml"
    file.write_text(STUDY)
    return file


def run(study: Path, *more: str, **env: str) -> tuple[int, str, str]:
    done = weir_ended(
        "run", str(study), "--out", str(study.parent / "run"), "--dir", str(study.parent), *more, **env
    )
    return done.returncode, done.stdout, done.stderr


def test_the_slow_node_is_named_first(study: Path) -> None:
    code, out, _ = run(study, "--nodes", "n[01-05]:2", WEIR_FAKE_SLOW="n03=1.5")
    assert code == 0
    assert out.startswith("5 nodes, each by itself\nNode n03 is slower: disk ")
    cases = read_lines(study.parent / "run", "case")
    assert {one["node"] for one in cases} == {f"n0{at}" for at in range(1, 6)}
    assert {one["ranks"] for one in cases} == {2}
    assert {one["label"] for one in cases} == {f"n0{at}" for at in range(1, 6)}


def test_a_redacted_run_names_no_node(study: Path) -> None:
    run(study, "--nodes", "qx[1-3]-rack")
    out = study.parent / "shared.html"
    done = weir_ended("report", str(study.parent / "run"), "--redact", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "-rack" not in out.read_text()


def test_launches_go_round_the_nodes(study: Path) -> None:
    run(study, "--nodes", "n[1-3]")
    node_of = {one["case"]: one["node"] for one in read_lines(study.parent / "run", "case")}
    samples = read_lines(study.parent / "run", "sample")
    rounds = {(one["round"], node_of[one["case"]]) for one in samples}
    assert {(1, "n1"), (1, "n2"), (1, "n3"), (2, "n1"), (2, "n2"), (2, "n3")} <= rounds
    assert all(len({node_of[one["case"]] for one in samples if one["launch"] == at}) <= 1 for at in range(20))


def test_a_node_that_cannot_be_reached_is_a_row_and_not_the_end(study: Path) -> None:
    code, out, _ = run(study, "--nodes", "n[1-4],lost", WEIR_FAKE_SLOW="n2=2")
    assert code == 3
    assert "Node n2 is slower: disk" in out
    told = json.loads(weir_ended("show", str(study.parent / "run"), "--json").stdout)
    numbers = told["findings"][0]["numbers"]
    lost = [one for one in numbers if one["of"]["node"] == "lost"]
    assert lost and "Could not resolve hostname" in lost[0]["remark"]
    failed = read_lines(study.parent / "run", "failure")
    assert {one["host"] for one in failed} == {"lost"} and all(one["case"] for one in failed)


@pytest.mark.parametrize("nodes", ["n1", "n1,n2"])
def test_of_fewer_than_three_nodes_nothing_is_told(study: Path, nodes: str) -> None:
    code, out, told = run(study, "--nodes", nodes, WEIR_FAKE_SLOW="n1=2")
    assert code == 5
    assert "which one is ill takes 3 or more" in told
    assert "needs more nodes to compare" in out


def test_nodes_are_those_of_the_job_or_of_a_file(study: Path) -> None:
    hosts = study.parent / "hosts"
    hosts.write_text("h1 slots=3\nh2 slots=4\n")
    for more, env, told in (
        ((), {"SLURM_JOB_NODELIST": "s[1-2]"}, "--host s1:"),
        (("--hostfile", str(hosts)), {}, "-n 3 --bind-to none --host h1:3 "),
    ):
        done = weir_ended("plan", str(study), *more, **env)
        assert done.returncode == 0, done.stderr
        assert told in done.stdout or told.replace("none", "core") in done.stdout.replace(
            " --oversubscribe", ""
        )


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ((), "no node is named"),
        (("--nodes", "n1,n1"), "'n1' is named twice"),
        (("--nodes", "n[1"), "is no list of nodes"),
        (("--nodes", "n1", "--hostfile", "x"), "both --nodes and --hostfile"),
        (("--nodes", "n[1-3]", "--keep"), "--keep is not for nodes"),
    ],
)
def test_what_names_no_nodes_is_refused_before_anything_runs(
    study: Path, more: tuple[str, ...], told: str
) -> None:
    code, _, said = run(study, *more)
    assert code == 2 and told in said
    assert not (study.parent / "run").exists()


def test_nodes_of_another_study_are_refused(study: Path) -> None:
    study.write_text(STUDY.replace("per_node = true\n", ""))
    code, _, said = run(study, "--nodes", "n1")
    assert code == 2 and "takes no --nodes" in said


def test_the_directory_may_be_one_of_the_nodes_alone(study: Path) -> None:
    run(study, "--nodes", "n[1-3]")
    content = json.loads((study.parent / "run" / "logs" / "launch-0001.json").read_text())
    assert {one["options"]["dir"] for one in content["cases"]} == {str(study.parent)}
    assert not content["probe_state"]
    assert [one.name for one in study.parent.iterdir() if one.name.startswith("weir-")] == []
