"""What was written is synced before it is read, outside the timing of either."""

from weir.calibrate.settled import settled


def test_the_sync_is_a_phase_of_its_own() -> None:
    write = {"name": "write", "collective": False, "steps": ["open", "access", "close"]}
    read = {"name": "read", "collective": False, "steps": ["open", "access", "close"]}
    first, sync, last = settled({"ranks": 2, "phases": [write, read]})["phases"]
    assert (first, last) == (write, read)
    assert sync["name"] == "settle"
    assert [next(iter(step)) for step in sync["steps"]] == [
        "open",
        "sync",
        "close",
    ]
