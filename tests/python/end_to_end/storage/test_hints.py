"""Hints that no MPI could take are refused by Weir, not by an abort of the MPI."""

from pathlib import Path

from ..real_core import names_in, run_cases, storage

BAD = {
    "no-equals": "cb_nodes",
    "no-key": "=2",
    "empty-value": "cb_nodes=",
    "long-key": "k" * 300 + "=2",
    "long-value": "cb_nodes=" + "1" * 5000,
}


def test_each_bad_hint_gets_one_message(place: Path) -> None:
    cases = [storage(name, backend="mpiio", hint=[hint]) for name, hint in BAD.items()]
    done = run_cases(*cases, code=2, ranks=2)
    assert {line["case"]: line["exit_code"] for line in done.of("failure")} == dict.fromkeys(BAD, 2)
    assert all("hint" in line["problem"] and line["suggestion"] for line in done.of("failure"))
    assert len(done.errors) == len(BAD)
    assert done.of("sample") == []
    assert names_in("store") == []


def test_a_good_hint_is_recorded(place: Path) -> None:
    done = run_cases(storage("good", backend="mpiio", hint=["cb_nodes=1"]), ranks=2)
    assert all(sample["hints"].get("cb_nodes") == "1" for sample in done.of("sample"))
