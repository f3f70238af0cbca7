"""MPI-IO's file pointers with the real core, through both implementations: what is written at one kind of
pointer is read at another, as far as its place is known."""

from pathlib import Path

import pytest

from ..real_core import KIB, Done, names_in, run_core, storage, write_cases

RANKS = 2
POINTERS = ["explicit", "individual", "shared"]
COMPONENTS = ["ompio", "romio321"]


def run(component: str = "ompio", **options: object) -> Done:
    kept = {"backend": "mpiio", "offsets": "strided", "check": True, "read": False, "keep": True}
    return run_core(write_cases(storage("one", **{**kept, **options})), ranks=RANKS, OMPI_MCA_io=component)


@pytest.mark.parametrize("component", COMPONENTS)
@pytest.mark.parametrize("pointer", POINTERS)
def test_what_is_written_in_known_places_is_read_by_offset(place: Path, pointer: str, component: str) -> None:
    done = run(component, pointer=pointer, collective=True).ended(0)
    assert done.samples("check")[0]["verification"] == {"words": RANKS * 8 * KIB, "wrong": 0}
    later = run(backend="posix", write=False).ended(0)
    assert later.samples("check")[0]["verification"] == {"words": RANKS * 8 * KIB, "wrong": 0}
    assert names_in("store") == [".weir-data.kept", "weir-data"]


@pytest.mark.parametrize("component", COMPONENTS)
def test_what_a_shared_pointer_has_placed_is_read_by_one(place: Path, component: str) -> None:
    assert run(component, pointer="shared").code == 0
    later = run(component, pointer="shared", write=False).ended(0)
    assert later.samples("check")[0]["verification"] == {"words": RANKS * 8 * KIB, "wrong": 0}
    refused = run(backend="posix", write=False).ended(3).failure()
    assert "it was written by backend = mpiio with pointer = shared" in refused["reason"]


def test_a_changed_word_is_found_wherever_it_is(place: Path) -> None:
    assert run(pointer="shared").code == 0
    kept = place / "store" / "weir-data"
    words = bytearray(kept.read_bytes())
    words[8 * KIB + 100] ^= 1
    kept.write_bytes(words)
    wrong = run(pointer="shared", write=False).ended(4).failure()
    assert "1 of 16384 words read back are wrong, the first at a place of" in wrong["problem"]
    assert wrong["wrong_words"]["first"]["offset"] is None


def test_a_request_read_twice_is_found(place: Path) -> None:
    assert run(pointer="shared").code == 0
    kept = place / "store" / "weir-data"
    words = kept.read_bytes()
    kept.write_bytes(words[: 8 * KIB] * 2 + words[16 * KIB :])
    wrong = run(pointer="shared", write=False).ended(4).failure()
    assert "are there twice, and others are lost" in wrong["problem"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"offsets": "shuffled"}, "the pointer only goes forward"),
        ({"collective": True, "offsets": "sequential"}, "in the order of ranks"),
        ({"detail": "requests"}, "the offsets of independent requests are not known"),
        ({"file_view": True}, "must have the same view"),
    ],
)
def test_what_no_shared_pointer_gives_is_refused(place: Path, options: dict[str, object], words: str) -> None:
    refused = run(pointer="shared", **options).ended(2).failure()
    assert words in refused["reason"]
    assert names_in("store") == []
