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


def test_the_nodes_of_the_ranks_stand_in_place_of_the_host_of_the_card() -> None:
    card = {"host": {"name": "login", "virtual": True}}

    def where(*nodes: str) -> tuple[str, str]:
        (fact,) = machine_summary(card, nodes=nodes)
        return fact.label, fact.value

    assert where() == where("login") == where("login", "login") == ("host", "login, virtual")
    assert where("n1", "n2", "n1") == ("nodes", "n1, n2, virtual")
    assert where("n7") == ("node", "n7, virtual")
    assert where(*(f"n{number}" for number in range(1, 12)))[1].endswith("n7, n8, 3 more, virtual")
