"""A machine in six lines."""

import json
from pathlib import Path

from weir.machine.summary import machine_summary

CARD = json.loads((Path(__file__).parents[1] / "synthetic_card.json").read_text())


def test_six_lines_at_most_and_none_of_storage_where_there_is_none() -> None:
    card = CARD | {"mpi": {"library": "Open MPI v4.1.4, package: Debian"}}
    found = {fact.label: fact.value for fact in machine_summary(card)}
    assert list(found) == ["host", "processor", "memory", "storage", "MPI", "system"]
    assert all(found.values()) and found["MPI"] == "Open MPI v4.1.4"
    assert "storage" not in {fact.label for fact in machine_summary(CARD, storage=False)}


def test_what_is_not_known_is_left_out() -> None:
    assert machine_summary({}) == ()
    assert [fact.label for fact in machine_summary({"cpu": {"cores": 2}, "mpi": None})] == ["processor"]
