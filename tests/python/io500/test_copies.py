"""A submission may have its results more than once."""

from pathlib import Path

from weir.io500.submissions import find_submissions

from .made_submissions import submit, summary


def test_two_copies_of_the_same_results_are_one(tmp_path: Path) -> None:
    submit(tmp_path / "submission-1", summary(), place="a")
    submit(tmp_path / "submission-1", summary(), place="b")
    found = find_submissions(tmp_path)
    assert [one.name for one in found.submissions] == ["submission-1"] and not found.left_out
