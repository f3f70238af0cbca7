"""Names of rows: no two alike."""

from pathlib import Path

from weir.compare.naming import name_by_label
from weir.compare.sides import side_of

from .runs import run


def test_rows_that_differ_in_what_was_done_about_caches_have_other_names(tmp_path: Path) -> None:
    rows = [*side_of(run(tmp_path / "a")).last.rows]
    name = name_by_label(rows)
    assert len({name(row) for row in rows}) == len(rows)
    assert any("cache" in name(row) for row in rows)


def test_rows_of_one_setting_have_their_cases_names(tmp_path: Path) -> None:
    one = side_of(run(tmp_path / "a")).last.rows[0]
    assert f"case {one.case}" in name_by_label([one, one])(one)
