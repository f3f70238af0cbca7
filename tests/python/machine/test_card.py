"""The card as a whole: probes that fail leave a note and nothing else."""

import json
from pathlib import Path

from machine.fake_system import fake_system
from weir.machine.card import collect
from weir.machine.describe import describe


def test_a_card_is_json_and_knows_the_storage_measured(tmp_path: Path) -> None:
    card = collect(fake_system(tmp_path))
    assert json.loads(json.dumps(card, allow_nan=False)) == card
    assert card["file_system"]["type"] == "ext4"
    assert card["cpu"]["model"] == "CPU A"


def test_a_probe_that_fails_gives_null_and_a_note(tmp_path: Path) -> None:
    card = collect(fake_system(tmp_path, files={"/proc/loadavg": "nonsense"}))
    assert card["load"] is None
    assert [note["probe"] for note in card["notes"]] == ["load"]


def test_a_machine_without_any_file_still_has_a_card(tmp_path: Path) -> None:
    system = fake_system(tmp_path / "full")
    bare = type(system)(system.directory, root=tmp_path / "bare", environment={}, run=system.run)
    card = collect(bare)
    assert card["memory"] is None
    assert {"memory", "cpu", "file_system"} <= {note["probe"] for note in card["notes"]}
    assert {warning["code"] for warning in card["warnings"]} == {"no-weir-core", "no-launcher"}
    assert describe(card)


def test_every_number_in_the_description_has_a_unit_or_counts_something(tmp_path: Path) -> None:
    groups = {group.title: group.facts for group in describe(collect(fake_system(tmp_path)))}
    memory = {fact.label: fact.value for fact in groups["Memory"]}
    assert memory["available"] == "400 KiB of 1000 KiB"
    assert memory["limit by control group"] == "200 KiB"
