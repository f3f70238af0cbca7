"""The parts of a study, each with a share of its time."""

import pytest

from weir.errors import WeirError
from weir.study.load import parse_study, render_study
from weir.study.parts import shares_of

STUDY = """
[study]
name = "small"

[[part]]
name = "memory"
title = "Memory"
share = "20%"

[[part]]
name = "storage"
share = "60%"

[[comparison]]
name = "copy"
part = "memory"
fixed = { benchmark = "stream" }

[[comparison]]
name = "transfer"
part = "storage"
fixed = { benchmark = "storage" }
"""


def test_parts_have_shares_and_survive_being_written() -> None:
    study = parse_study(STUDY, "small.toml")
    assert shares_of(study.file) == {"memory": 0.2, "storage": 0.6}
    assert parse_study(render_study(study), "again").file == study.file


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('part = "memory"', 'part = "memry"', 16, "there is no part 'memry'.*[Dd]id you mean"),
        ('part = "memory"', "", 14, "comparison 'copy' belongs to no part"),
        ('name = "storage"', 'name = "memory"', 11, "two parts are called 'memory'"),
        ('share = "60%"', 'share = "0%"', 12, "share is 0%"),
        ('share = "60%"', 'share = "much"', 12, "'much' is not a share"),
        ('share = "60%"', "", 10, "'share' is missing"),
    ],
)
def test_parts_that_contradict_are_refused_with_their_line(old: str, new: str, line: int, said: str) -> None:
    with pytest.raises(WeirError, match=rf"(?s)small\.toml:{line}: {said}"):
        parse_study(STUDY.replace(old, new, 1), "small.toml")


def test_a_part_without_parts_is_refused() -> None:
    start = STUDY.index("[[part]]")
    text = STUDY[:start] + STUDY[STUDY.index("[[comparison]]") :]
    with pytest.raises(WeirError, match=r"the study has no \[\[part\]\]"):
        parse_study(text, "small.toml")
