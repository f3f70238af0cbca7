"""Tables in a study: what cannot be shown is refused, with its line."""

import pytest

from fakes import study_text
from weir.errors import WeirError
from weir.study.load import parse_study
from weir.study.render import render_study

PRINTED = """figure = "io-time"
table = "calls"
[[comparison.printed]]
machine = "IBM SP"
source = "table 1"
table = "calls"
columns = ["operation", "count", "total_s", "average_s"]
rows = [["open", 200, 31.35, 3.919]]
"""


@pytest.mark.parametrize(
    ("before", "after", "place", "says"),
    [
        ('table = "calls"\n[[', 'table = "cals"\n[[', "s.toml:16: there is no table 'cals'", "mean 'calls'?"),
        ('figure = "io-time"\n', "", "s.toml:15: a table of 'only' can be shown nowhere", "figure ="),
        ('table = "calls"\n[[', "[[", "s.toml:19: the printed table 'calls' stands beside none", "table ="),
        ('"total_s", ', "", "s.toml:22: a printed table 'calls' cannot have", "it takes operation, count"),
        ("31.35, ", "", "s.toml:22: the row", "a number for every other column"),
        ('source = "table 1"\n', "", "s.toml:17: 'source' is missing", 'source = "table 1"'),
        ("200, ", "[200], ", "s.toml:22: wrong value for 'rows'", "31.35"),
    ],
)
def test_a_printed_table_that_cannot_be_shown_is_refused(
    before: str, after: str, place: str, says: str
) -> None:
    parse_study(study_text(more=PRINTED), "s.toml")
    with pytest.raises(WeirError) as caught:
        parse_study(study_text(more=PRINTED.replace(before, after)), "s.toml")
    assert str(caught.value).startswith(place)
    assert says in str(caught.value)


def test_printed_tables_survive_being_written_again() -> None:
    study = parse_study(study_text(more=PRINTED), "s.toml")
    assert parse_study(render_study(study), "s.toml").file == study.file
