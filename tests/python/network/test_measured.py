"""From a run's lines to times of calls."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from network.made_run import HELD_OUT, INFO, USED, case, launch, lines, sample, write_run
from weir.errors import ExitCode, WeirError
from weir.network.loggp import Call
from weir.network.measured import Cpu, cpu_of, distance_of, gather_paths, paths_of, quick_time
from weir.store.records import AnyRecord, LaunchRecord, NodePlace, SampleRecord, to_record

ONE = Call("PingPong", 8)


def records(*given: dict[str, Any]) -> list[AnyRecord]:
    return [record for line in given if (record := to_record(line))]


def test_a_run_is_read_whole(tmp_path: Path) -> None:
    (path,) = paths_of(write_run(tmp_path / "RUN", lines()))
    assert path.distance == "cache"
    assert set(path.used) == set(USED) and set(path.held_out) == set(HELD_OUT)
    assert len(path.used[ONE]) == 12


def histogram(*bins: tuple[float, int]) -> SampleRecord:
    latency = {"call": {"relative_error": 0.25, "histogram": bins}}
    record = to_record(sample(ONE, 0, 5e-6, latency=latency))
    assert isinstance(record, SampleRecord)
    return record


def test_the_time_is_that_of_the_quick_calls() -> None:
    assert quick_time(histogram((1.25e-6, 100), (9.0, 900))) == pytest.approx(1.25e-6)
    assert quick_time(histogram((1.25e-6, 200), (9.0, 800))) == pytest.approx((1e-6 + 1.25e-6) / 2)
    assert quick_time(histogram()) == pytest.approx(5e-6), "without a histogram the result"
    assert quick_time(msgspec.structs.replace(histogram(), metrics=[])) is None


@pytest.mark.parametrize(
    ("hosts", "cpus", "cpu", "wanted"),
    [
        (("a", "b"), ("0", "0"), {}, "nodes"),
        (("a", "a"), ("0", "0"), {}, "core"),
        (("a", "a"), ("0", "1"), INFO["machine"]["cpu"], "cache"),
        (
            ("a", "a"),
            ("0", "1"),
            {"sockets": 1, "threads": 8, "caches": [{"level": 3, "shared_by_threads": 4}]},
            "package",
        ),
        (("a", "a"), ("0", "1"), {"sockets": 2}, "node"),
        (("a", "a"), ("0", "1"), None, "node"),
    ],
)
def test_the_distance_is_by_placement(
    hosts: tuple[str, str], cpus: tuple[str, str], cpu: dict[str, Any] | None, wanted: str
) -> None:
    (record,) = records(launch(1, hosts, cpus))
    assert isinstance(record, LaunchRecord)
    assert distance_of(record, 1, cpu_of({"cpu": cpu})) == wanted


def test_an_unknown_placement_is_the_farther_one() -> None:
    assert distance_of(LaunchRecord(nodes=[NodePlace(), NodePlace()]), 1, Cpu()) == "nodes"
    assert distance_of(LaunchRecord(nodes=[NodePlace()]), 1, Cpu()) == "node"


def test_each_distance_has_its_own_samples() -> None:
    far = launch(2, ("a", "b"), ("0", "0"))
    paths = gather_paths(
        records(case(ONE), launch(1), far, sample(ONE, 1, 1e-6), sample(ONE, 2, 9e-6)), INFO["machine"]
    )
    assert [(path.distance, path.used[ONE]) for path in paths] == [
        ("cache", [(1, pytest.approx(1e-6))]),
        ("nodes", [(2, pytest.approx(9e-6))]),
    ]


def test_nodes_of_one_name_are_two_where_the_sample_says_so() -> None:
    alike = launch(1, ("same", "same"), ("0", "0"))
    for nodes, distance in ((2, "nodes"), (1, "core")):
        made = records(case(ONE), alike, sample(ONE, 1, 1e-6, details={"nodes": nodes}))
        assert [path.distance for path in gather_paths(made, INFO["machine"])] == [distance]


def test_a_case_that_another_comparison_has_too_is_not_held_out() -> None:
    both = case(ONE, comparisons=["held-out", "sizes"])
    (path,) = gather_paths(records(both, launch(1), sample(ONE, 1, 1e-6)), {})
    assert list(path.used) == [ONE] and not path.held_out


def test_other_calls_say_nothing() -> None:
    barrier, four = Call("Barrier", 0), Call("Exchange", 8)
    given = [case(ONE), case(barrier), case(four, ranks=4), launch(1)]
    given += [sample(call, 1, 1e-6) for call in (ONE, barrier, four)]
    (path,) = gather_paths(records(*given), {})
    assert list(path.used) == [ONE] and not path.held_out


def test_two_settings_make_no_model() -> None:
    other = Call("PingPong", 64)
    given = [case(ONE), case(other, env={"A": "1"}), launch(1), sample(ONE, 1, 1e-6), sample(other, 1, 1e-6)]
    with pytest.raises(WeirError, match="no single model"):
        gather_paths(records(*given), {})


def refusal(path: Path, *given: dict[str, Any], **info: Any) -> WeirError:
    """What is said of a run without a model."""
    run = write_run(path, given)
    (path / "run.json").write_text(json.dumps(INFO | info))
    with pytest.raises(WeirError) as caught:
        paths_of(run)
    assert caught.value.exit_code is ExitCode.NOTHING_SELECTED
    return caught.value


def test_a_run_of_the_study_without_a_sample_is_gone_on_with(tmp_path: Path) -> None:
    """The study was run: to run it anew would help nobody."""
    run = tmp_path / "RUN"
    error = refusal(run, case(ONE))
    assert "no sample of them yet" in str(error)
    assert f"`weir run network-model --out {run}`" in str(error)


def test_the_command_that_made_it_is_taken_up(tmp_path: Path) -> None:
    run = tmp_path / "RUN"
    made = ["/opt/weir", "run", "./my study.toml", "--budget", "1s"]
    told = str(refusal(run, case(ONE), command=made))
    assert f"`weir run './my study.toml' --budget 1s --out {run}`" in told


def test_samples_that_do_not_count_are_told(tmp_path: Path) -> None:
    run = tmp_path / "RUN"
    error = refusal(run, case(ONE), sample(ONE, 1, 1e-6))
    assert "no sample of PingPong counts" in str(error) and f"--out {run}`" in str(error)


def test_another_study_is_told_which_one_has_ping_pong(tmp_path: Path) -> None:
    study = {"name": "guidelines", "title": ""}
    error = refusal(tmp_path / "RUN", case(Call("Bcast", 8)), study=study)
    assert "it is a run of 'guidelines'" in str(error)
    assert "`weir run network-model`" in str(error) and "--out" not in str(error)


def test_what_was_read_says_so(tmp_path: Path) -> None:
    error = refusal(tmp_path / "RUN", case(ONE), sample(ONE, 1, 1e-6), read_from=[{}])
    assert "read from another benchmark's output" in str(error)
    assert "`weir run network-model`" in str(error)


def state(number: int, time_ns: float) -> dict[str, Any]:
    times = {"max": time_ns, "min": time_ns, "nodes": 1}
    return {"schema": 1, "kind": "state", "handoff_ns": times, "cpus": [0, 1], "launch": number}


def test_samples_of_another_state_of_the_machine_do_not_count() -> None:
    given = [case(ONE)]
    for number in range(1, 16):
        slow = number > 10
        probes = [state(number, 250.0 if slow else 50.0)] * 2
        given += [launch(number), probes[0], sample(ONE, number, 9e-6 if slow else 1e-6), probes[1]]
    (path,) = gather_paths(records(*given), {})
    assert path.used[ONE] == [(number, pytest.approx(1e-6)) for number in range(1, 11)]


DAMAGES: list[tuple[str, dict[str, Any]]] = [
    ("case", {"partner": "x"}),
    ("case", {"bytes": -1}),
    ("case", {"bytes": [1]}),
    ("case", {"delay": {}}),
    ("case", {"messages": 1e308}),
]


@pytest.mark.parametrize(("kind", "damage"), DAMAGES, ids=str)
def test_damaged_cases_are_told(kind: str, damage: dict[str, Any], tmp_path: Path) -> None:
    of = [line | {"options": line["options"] | damage} if line["kind"] == kind else line for line in lines()]
    with pytest.raises(WeirError, match=r"the record of the case .* is damaged"):
        paths_of(write_run(tmp_path / "RUN", of))


@pytest.mark.parametrize("placement", [[{"rank": [1]}], [{"rank": 0, "host": {}}], [7], "x", [[]]], ids=str)
def test_damaged_launches_are_left_out_with_what_they_held(placement: Any, tmp_path: Path) -> None:
    of = [line | {"placement": placement} if line["kind"] == "launch" else line for line in lines()]
    with pytest.raises(WeirError, match="there is no model"):
        paths_of(write_run(tmp_path / "RUN", of))


@pytest.mark.parametrize(
    "cpu", [[], "x", {"caches": [1]}, {"caches": [{"level": "a"}]}, {"threads": []}], ids=str
)
def test_of_a_damaged_card_nothing_is_known(cpu: Any) -> None:
    assert cpu_of({"cpu": cpu}) == Cpu()
