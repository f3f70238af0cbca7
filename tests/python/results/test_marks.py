"""Marks of a study are checked before anything runs, and keep what was printed."""

import pytest

from fakes import study_text
from weir.errors import WeirError
from weir.questions.asked import check_asked
from weir.results.marks import marks_of
from weir.study.load import parse_study, render_study

MARK = """figure = "ranks"
[[comparison.mark]]
machine = "Columbia"
source = "figure 9"
columns = ["phase", "block", "ranks", "mb_per_s"]
rows = [["checkpoint", 8, 16, 152]]
"""


def test_marks_keep_what_was_printed() -> None:
    study = check_asked(parse_study(study_text(more=MARK), "s.toml"))
    again = parse_study(render_study(study), "s.toml")
    assert again.file == study.file
    part = {"mark": [vars_of(mark) for mark in study.comparisons[0].mark]}
    (mark,) = marks_of(part)
    assert (mark.phase, mark.ranks, mark.bytes_per_s, mark.of("block")) == ("checkpoint", 16, 152e6, 8)
    assert mark.words() == "152 MB/s with 16 ranks, Columbia: figure 9"


def vars_of(mark: object) -> dict[str, object]:
    return {name: getattr(mark, name) for name in ("machine", "source", "columns", "rows")}


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('"ranks", "mb_per_s"', '"mb_per_s"', "there is no ranks"),
        ('"block"', '"ranks"', "one of them is there twice"),
        ("8, 16, 152", "8, 16", "is no mark"),
        ("8, 16, 152", '8, "16", 152', "is no mark"),
        ('"checkpoint", 8', "8, 8", "is no mark"),
        ('source = "figure 9"\n', "", "'source' is missing"),
    ],
)
def test_what_is_no_mark_is_refused_with_its_line(before: str, after: str, says: str) -> None:
    with pytest.raises(WeirError) as caught:
        check_asked(parse_study(study_text(more=MARK.replace(before, after)), "s.toml"))
    assert str(caught.value).startswith("s.toml:") and says in str(caught.value)
