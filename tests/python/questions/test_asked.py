"""What a study asks for and there is not, or can be shown nowhere, is refused with its line."""

import pytest

from fakes import study_text
from weir.errors import WeirError
from weir.questions.asked import check_asked
from weir.study.load import find_study, load_study, own_studies, parse_study, render_study
from weir.study.schema import names_asked

CLAIM = """figure = ["layout", "latency"]
[[comparison.claim]]
machine = "Bassi"
source = "figure 5"
says = "alike"
test = { rule = "ratio", one = { layout = "shared" }, other = { layout = "file-per-process" }, within = 1.25 }
"""
PRINTED = """figure = "io-time"
table = "calls"
[[comparison.printed]]
machine = "IBM SP"
source = "table 1"
table = "calls"
columns = ["operation", "count", "total_s", "average_s"]
rows = [["open", 200, 31.35, 3.919]]
"""


FIGURES, FIGURE, TABLE = 'figure = ["layout", "latency"]\n', 'figure = "io-time"\n', 'table = "calls"\n[['


def refusal(text: str) -> str:
    with pytest.raises(WeirError) as caught:
        check_asked(parse_study(text, "s.toml"))
    return str(caught.value)


@pytest.mark.parametrize(
    ("more", "before", "after", "place", "says"),
    [
        (CLAIM, 'rule = "ratio"', 'rule = "ration"', "20: there is no rule 'ration'", "mean 'ratio'?"),
        (CLAIM, "within = 1.25", "withn = 1.25", "20: the rule 'ratio' cannot be used so", "It takes"),
        (CLAIM, 'machine = "Bassi"\n', "", "16: 'machine' is missing", 'machine = "Bassi"'),
        (CLAIM, FIGURES, "", "15: a claim of 'only' can be shown nowhere", "layout"),
        (CLAIM, "test =", 'also = ["onyl"]\ntest =', "20: there is no comparison 'onyl'", "mean 'only'?"),
        (PRINTED, TABLE, 'table = "cals"\n[[', "16: there is no table 'cals'", "mean 'calls'?"),
        (PRINTED, FIGURE, "", "15: a table of 'only' can be shown nowhere", "figure ="),
        (
            PRINTED,
            TABLE,
            "[[",
            "19: there is no table 'calls' of this run to compare the printed one",
            "table =",
        ),
        (PRINTED, '"total_s", ', "", "22: a printed table 'calls' cannot have", "it takes operation, count"),
        (PRINTED, "31.35, ", "", "22: the row", "a number for every other column"),
        (PRINTED, 'source = "table 1"\n', "", "17: 'source' is missing", 'source = "table 1"'),
        (PRINTED, "200, ", "[200], ", "22: wrong value for 'rows'", "31.35"),
    ],
)
def test_a_claim_or_table_that_cannot_be_shown_is_refused(
    more: str, before: str, after: str, place: str, says: str
) -> None:
    check_asked(parse_study(study_text(more=more), "s.toml"))
    message = refusal(study_text(more=more.replace(before, after)))
    assert message.startswith(f"s.toml:{place}")
    assert says in message


@pytest.mark.parametrize("more", [CLAIM, PRINTED])
def test_claims_and_tables_survive_being_written_again(more: str) -> None:
    study = parse_study(study_text(more=more), "s.toml")
    assert parse_study(render_study(study), "s.toml").file == study.file


@pytest.mark.parametrize("figure", ['"transfr"', '["layout", "transfr"]'])
def test_figures_that_there_are_not_are_refused_with_what_was_meant(figure: str) -> None:
    message = refusal(f'[study]\nname = "x"\n[[comparison]]\nname = "c"\nfigure = {figure}\n')
    assert "s.toml:5: there is no figure 'transfr'" in message
    assert "Did you mean 'transfer'?" in message


@pytest.mark.parametrize("name", sorted(own_studies()))
def test_weirs_own_studies_ask_for_what_there_is(name: str) -> None:
    check_asked(load_study(find_study(name)))


def test_the_figure_of_a_whole_study_is_checked_with_its_line() -> None:
    text = study_text().replace('name = "small"', 'name = "small"\nfigure = "whole-machin"')
    assert refusal(text).startswith("s.toml:3: there is no figure 'whole-machin'")


def test_figures_and_tables_are_one_several_or_none() -> None:
    assert names_asked("calls") == ["calls"]
    assert names_asked(["calls", "requests"]) == ["calls", "requests"]
    assert names_asked(None) == []
