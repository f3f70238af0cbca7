"""Files in the directory: of the user, of another run, kept by an earlier run."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ..real_core import KIB, MIB, Done, core_command, decoded, names_in, run_core, storage, write_cases

LAYOUTS = [(1, "shared"), (2, "shared"), (2, "file-per-process")]


def run(ranks: int = 1, **options: object) -> Done:
    return run_core(write_cases(storage("one", read=False, **options)), ranks=ranks)


def refusal(done: Done) -> str:
    """The words in which a run was refused, without anything being measured or the storage being blamed."""
    assert done.code == 3, done.talk
    failure = done.failure("one")
    assert failure["exit_code"] == 3 and failure.get("wrong_words") is None
    assert not done.of("sample")
    return f"{failure['problem']}: {failure['reason']}. {failure['suggestion']}"


def test_a_file_of_the_user_is_not_in_the_way(place: Path) -> None:
    mine = place / "store" / "weir-data"
    mine.write_text("precious")
    assert run(check=True).code == 0
    assert names_in("store") == ["weir-data"]
    assert mine.read_text() == "precious"


@pytest.mark.parametrize("phases", [{"keep": True}, {"write": False, "mixed": True}])
def test_nor_is_it_overwritten(place: Path, phases: dict[str, Any]) -> None:
    mine = place / "store" / "weir-data"
    mine.write_bytes(bytes(64 * KIB))
    words = refusal(run(**phases))
    assert "store/weir-data' already exists, and is not touched: no note next to it" in words
    assert names_in("store") == ["weir-data"]
    assert mine.read_bytes() == bytes(64 * KIB)


def test_nothing_is_written_through_a_link(place: Path) -> None:
    Path("precious").write_text("precious")
    (place / "store" / "weir-data").symlink_to(place / "precious")
    assert run().code == 0
    for phases in ({"keep": True}, {"write": False, "mixed": True}):
        assert "it is a link" in refusal(run(**phases))
    assert Path("precious").read_text() == "precious"
    assert names_in("store") == ["weir-data"]


@pytest.mark.parametrize(("ranks", "layout"), LAYOUTS)
def test_a_kept_file_is_checked_later(place: Path, ranks: int, layout: str) -> None:
    for _ in range(2):
        assert run(ranks, layout=layout, keep=True, check=True).code == 0
    names = names_in("store")
    files = [name for name in names if name.startswith("weir-")]
    assert sorted(names) == sorted([*files, *(f".{name}.kept" for name in files)])
    assert len(files) == (ranks if layout == "file-per-process" else 1)
    before = {name: (place / "store" / name).stat() for name in names}
    done = run(ranks, layout=layout, write=False, check=True, transfer=16 * KIB).ended(0)
    assert done.samples("check")[0]["verification"] == {"words": ranks * 8 * KIB, "wrong": 0}
    assert {name: (place / "store" / name).stat().st_mtime_ns for name in names} == {
        name: facts.st_mtime_ns for name, facts in before.items()
    }


@pytest.mark.parametrize(
    ("kept", "checked", "words"),
    [
        ({"check": False}, {}, "it was kept by a run without check"),
        ({"seed": 1}, {}, "it was written with seed = 1, and this case has 0. Give seed = 1."),
        ({}, {"block": 128 * KIB}, "not in all the places that this case checks"),
        ({"offsets": "random"}, {}, "not in all the places that this case checks"),
        ({"time_limit": 0.05, "think_time": 0.2}, {}, "cut short by a limit"),
        ({"backend": "hdf5"}, {}, "it was written by backend = hdf5. Choose that back-end."),
    ],
)
def test_what_was_written_otherwise_is_not_blamed_on_the_storage(
    place: Path, kept: dict[str, Any], checked: dict[str, Any], words: str
) -> None:
    first = run(**{"keep": True, "check": True, "warm_up": 0, **kept})
    if "hdf5" in first.talk and first.code == 3:
        pytest.skip("no HDF5 in this build")
    assert first.code == 0, first.talk
    told = refusal(run(write=False, check=True, **checked))
    assert told.startswith("'store/weir-data' cannot be checked: ")
    assert words in told


def test_each_rank_s_file_is_of_as_many_ranks(place: Path) -> None:
    options: dict[str, Any] = {"layout": "file-per-process", "files": 2, "check": True}
    assert run(2, keep=True, **options).code == 0
    assert "it was written by other ranks" in refusal(run(1, write=False, **options))


def test_random_places_are_checked_with_the_same_seed(place: Path) -> None:
    options: dict[str, Any] = {"offsets": "random", "check": True, "seed": 3}
    assert run(keep=True, **options).code == 0
    assert run(write=False, **options).code == 0


def test_a_file_without_a_note_can_be_read_and_not_checked(place: Path) -> None:
    (place / "store" / "weir-data").write_bytes(bytes(64 * KIB))
    assert run_core(write_cases(storage("one", write=False))).code == 0
    assert "no note next to it ('store/.weir-data.kept')" in refusal(run(write=False, check=True))


def test_what_was_changed_since_is_not_overwritten_and_its_words_are_told_so(place: Path) -> None:
    assert run(keep=True, check=True).code == 0
    data = place / "store" / "weir-data"
    data.write_bytes(data.read_bytes()[:-8] + bytes(8))
    assert "changed or replaced since Weir kept it" in refusal(run(keep=True))
    failure = run(write=False, check=True).failure("one")
    assert failure["exit_code"] == 4
    assert failure["suggestion"].startswith("It was changed, copied or replaced after it was kept")


def test_overwritten_words_are_no_longer_checked(place: Path) -> None:
    assert run(keep=True, check=True).code == 0
    assert run(write=False, mixed=True).code == 0
    assert "was kept by a run without check" in refusal(run(write=False, check=True))
    assert run(keep=True, check=True).code == 0


@pytest.mark.parametrize("keep", [False, True])
def test_two_runs_in_one_directory_do_not_meet(place: Path, keep: bool) -> None:
    runs = []
    large: dict[str, Any] = {"block": 4 * MIB, "transfer": MIB, "sync": "never"}
    for seed in (1, 2):
        case = storage("one", seed=seed, check=True, keep=keep, repetitions=20, **large)
        name = f"cases-{seed}.json"
        Path(name).write_text(json.dumps({"schema": 1, "warm_memory_bytes": 0, "cases": [case]}))
        command = core_command(name)
        runs.append(subprocess.Popen(["timeout", "60", *command.argv], text=True, stdout=-1, stderr=-1))
    talk = [one.communicate() for one in runs]
    ends = zip(runs, talk, strict=True)
    done = [decoded(subprocess.CompletedProcess("", one.returncode, *said)) for one, said in ends]
    assert [one.code for one in done] in ([0, 0], [0, 3], [3, 0]), [one.talk for one in done]
    assert not any("wrong" in one.talk for one in done)
    left = names_in("store")
    if not keep:
        assert left == []
        return
    for one in done:
        # Of two that end at the same moment, one may find the other's file half in place, and leaves its own.
        assert one.code == 0 or "What this run has written is in" in one.failure("one")["suggestion"]
    assert {".weir-data.kept", "weir-data"} <= set(left)
    last = json.loads((place / "store" / ".weir-data.kept").read_text())["seed"]
    assert run(write=False, check=True, seed=last, **large).code == 0
