"""Damaged lines in words."""

import pytest

from weir.store.lines import damaged_words


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([89], "line 89 of samples.jsonl is left out, since it cannot be read"),
        ([3, 5], "lines 3, 5 of samples.jsonl are left out, since they cannot be read"),
        (range(1, 13), "lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more of samples.jsonl are left out, "),
    ],
)
def test_one_line_is_not_several(lines: list[int], said: str) -> None:
    assert damaged_words(lines).startswith(said)
