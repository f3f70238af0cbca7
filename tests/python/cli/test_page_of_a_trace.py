"""Where `weir explain` writes its page, and that it writes none."""

from pathlib import Path
from trace.synthetic import rows_of_rank, write_trace

from verbs import weir_here as weir


def test_a_page_that_is_named_and_not_wanted_is_a_contradiction(tmp_path: Path) -> None:
    """It was written, as if --no-page did not stand there."""
    write_trace(tmp_path / "T", {0: rows_of_rank(0)})
    done = weir("explain", tmp_path / "T", "--page", tmp_path / "page", "--no-page")
    assert done.exception is not None and "--no-page contradict" in f"{done.output} {done.exception}"
    assert not (tmp_path / "page").exists()
