import errno
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from weir.batch.base import JobPlace
from weir.errors import WeirError
from weir.store.lock import Lock, Owner, TakenOver


def test_held_once_and_gone_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with Lock(path):
        assert path.exists()
        with pytest.raises(WeirError, match=rf"in use \(process {os.getpid()} holds it\)"), Lock(path):
            pass
        assert path.exists()
    assert list(tmp_path.iterdir()) == []


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    script = (
        "from pathlib import Path; import os; from weir.store.lock import Lock;"
        f"Lock(Path({str(path)!r})).__enter__(); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script], check=False)
    assert path.exists()
    with Lock(path) as lock:
        assert lock.was_stale
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "stale"),
    [({"start_ticks": 1}, True), ({"boot": "another"}, True), ({"host": "elsewhere"}, False), ({}, False)],
)
def test_stale_is_only_what_surely_is(tmp_path: Path, change: dict[str, object], stale: bool) -> None:
    path = tmp_path / "lock"
    owner = msgspec.structs.replace(Owner.this_process(), **change)
    path.write_bytes(msgspec.json.encode(owner))
    if stale:
        with Lock(path) as lock:
            assert lock.was_stale
    else:
        with pytest.raises(WeirError, match="in use"), Lock(path):
            pass


def test_an_unreadable_lock_is_respected(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("")
    with pytest.raises(WeirError, match="remove"), Lock(path):
        pass


def test_a_lock_that_finds_no_room_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"

    def full(_: object) -> bytes:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("weir.store.lock.msgspec.json.encode", full)
    with pytest.raises(WeirError, match=r"cannot write '.*lock' \(No space left on device\)"), Lock(path):
        pass
    monkeypatch.undo()
    assert not path.exists()
    with Lock(path):
        assert path.exists()


def _of_job(path: Path, restarts: int) -> None:
    """The lock of a process on another host, in job 12."""
    owner = msgspec.structs.replace(
        Owner.this_process(), host="elsewhere", job=JobPlace("slurm", "12", restarts)
    )
    path.write_bytes(msgspec.json.encode(owner))


def test_a_job_that_was_begun_anew_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"
    monkeypatch.setenv("SLURM_JOB_ID", "12")
    monkeypatch.setenv("SLURM_RESTART_COUNT", "1")
    monkeypatch.setenv("PATH", "")
    _of_job(path, restarts=1)
    with pytest.raises(WeirError, match="in use"), Lock(path):
        pass
    _of_job(path, restarts=0)
    with Lock(path) as lock:
        assert lock.was_stale


def test_who_holds_a_lock_on_another_host_is_named_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where its batch system knows that it goes on: the number alone is no process here."""
    path = tmp_path / "lock"
    monkeypatch.setattr("weir.store.lock.is_over", lambda *_: False)
    _of_job(path, restarts=0)
    with pytest.raises(WeirError, match=r"process \d+ on host elsewhere, of job 12, holds it"), Lock(path):
        pass


def test_who_lost_the_lock_stops_and_leaves_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with pytest.raises(TakenOver, match="host elsewhere"), Lock(path) as lock:
        _of_job(path, restarts=0)
        lock.check()
    assert path.exists()


def test_who_has_it_is_told_nothing(tmp_path: Path) -> None:
    with Lock(tmp_path / "lock") as lock:
        lock.check()


def test_a_living_lock_that_was_moved_by_mistake_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else takes the stale lock over between our look and our rename."""
    path, rename, mine = tmp_path / "lock", os.rename, Owner.this_process()
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(mine, boot="another")))

    def late(*names: str, **folders: int) -> None:
        monkeypatch.setattr(os, "rename", rename)
        path.write_bytes(msgspec.json.encode(mine))
        rename(*names, **folders)

    monkeypatch.setattr(os, "rename", late)
    with pytest.raises(WeirError, match="another process was quicker"), Lock(path):
        pass
    assert Lock(path).read() == mine and [one.name for one in tmp_path.iterdir()] == ["lock"]
