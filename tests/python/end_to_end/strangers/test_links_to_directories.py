"""Links of another user on the way to a directory that root measures in: weir-core goes no further."""

from pathlib import Path

import pytest

from others import give_away, needs_root

from ..real_core import names_in, run_core

pytestmark = needs_root

SMALL = {
    "storage": ["storage", "--block=64KiB", "--transfer=64KiB"],
    "metadata": ["metadata", "--files=2"],
    "cmb": ["cmb", "--bins=2", "--pixels=64"],
    "heat": ["heat", "--cells=8x8x8", "--steps=1"],
}


@pytest.mark.parametrize("words", SMALL.values(), ids=SMALL)
@pytest.mark.parametrize("below", ["", "/below"])
def test_no_benchmark_works_behind_one(words: list[str], below: str, place: Path) -> None:
    (place / "store" / "below").mkdir()
    Path("theirs").symlink_to("store")
    give_away(Path("theirs"))
    before = (place / "store").stat().st_mtime_ns, (place / "store/below").stat().st_mtime_ns
    done = run_core(*words, f"--dir=theirs{below}").ended(3)
    assert "'theirs' is not followed (it is a link of user 65534, who could point it anywhere)" in done.talk
    assert before == ((place / "store").stat().st_mtime_ns, (place / "store/below").stat().st_mtime_ns)


def test_it_is_followed_where_that_is_allowed(place: Path) -> None:
    Path("theirs").symlink_to("store")
    give_away(Path("theirs"))
    run_core(*SMALL["storage"], "--dir=theirs", "--foreign-folder").ended(0)
    Path("mine").symlink_to("store")
    run_core(*SMALL["storage"], "--dir=mine").ended(0)
    assert names_in("store") == []
