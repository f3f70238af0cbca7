"""`weir whatif`, with the core."""

import json
from pathlib import Path

from toy_machine import TOY
from verbs import weir_ended, weir_told

WORDS = ("whatif", "flash-io --blocks 4", "--on", str(TOY), "--ranks", "1,4")


def test_it_says_what_each_change_buys(place: Path) -> None:
    told = weir_told(*WORDS, "targets.count=16", "metadata.open=x0.1", "--out", "run", "--all")
    assert "times as fast" in told
    assert "all together" in told
    assert "storage.metadata.open 100 us" in weir_told("show", "run")


def test_for_programs(place: Path) -> None:
    found = json.loads(weir_told(*WORDS, "targets.write=x4", "--out", "run", "--json"))
    assert [one["change"] for one in found["results"]] == [None, None] + [
        "storage.targets.write 400 MB/s"
    ] * 2
    assert all(one["times_as_fast"] >= 1 for one in found["results"])


def test_the_headline_says_what_is_lost_and_remarks_what_is_unsure(place: Path) -> None:
    told = weir_told(*WORDS, "metadata.open=x100", "targets.count=16", "--all", "--out", "run")
    assert "nothing is gained, and " in told.splitlines()[0]
    assert "; as it is: " in told.splitlines()[0]
    assert told.count("as it is") == 4  # the headline, two rows, and the table of what is busy
    assert "a file has 4 targets still: change stripes too for more" in told


def test_a_dry_run_and_bad_input(place: Path) -> None:
    assert "would be simulated" in weir_told(*WORDS, "targets.write=x4", "--dry-run")
    plan = json.loads(weir_told(*WORDS, "targets.write=x4", "--dry-run", "--json"))
    assert plan["changes"] == ["storage.targets.write 400 MB/s"]
    done = weir_ended(*WORDS, "targets.write=4 MB")
    assert done.returncode == 2
    assert "targets.write=4 MB: '4 MB' is not a bandwidth (the unit 'MB' does not fit" in done.stderr
    assert "'x-1' is no factor (it is x and a number above 0). Write for example" in (
        weir_ended(*WORDS, "targets.write=x-1").stderr
    )
    assert "no change is named" in weir_ended(*WORDS).stderr
    assert not (place / "runs").exists()
