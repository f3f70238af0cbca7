from pathlib import Path

import pytest

from fakes import study_text
from weir.errors import WeirError
from weir.study.load import find_study, load_study, own_studies, parse_study, render_study


def refusal(text: str, name: str = "s.toml") -> WeirError:
    with pytest.raises(WeirError) as caught:
        parse_study(text, name)
    return caught.value


def test_defaults_are_filled_in() -> None:
    study = parse_study('[study]\nname = "x"\n', "s.toml")
    assert (study.budget_s, study.precision) == (300.0, 0.05)
    assert (study.file.study.min_samples, study.file.study.max_samples) == (6, 30)


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ('[study]\nname = "x"\nbugdet = "1m"', "s.toml:3: unknown key 'bugdet'", "Did you mean 'budget'?"),
        ('[study]\nname = "x"\n\n[comparisons]', "s.toml:4: unknown key", "Did you mean 'comparison'?"),
        ('[study]\nname = "x"\nbudget = 300', "s.toml:3: wrong value for 'budget'", 'budget = "5m"'),
        ('[study]\nname = "x"\nbudget = "300"', "s.toml:3: '300' is not a time", '"1h30m"'),
        ('[study]\nname = "x"\nbudget = "0s"', "s.toml:3: budget is 0s", "greater than 0"),
        ('[study]\nname = "x"\nbudget = 01:30:00', "s.toml:3: wrong value for 'budget'", 'budget = "5m"'),
        ('[study]\nname = "x"\nprecision = 0.05', "s.toml:3: wrong value for", 'precision = "5%"'),
        ('[study]\nname = "x"\nmax_samples = "30"', "s.toml:3: wrong value for", "max_samples = 30"),
        ('[study]\nname = "x"\nmax_samples = 0', "s.toml:3: wrong value for 'max_samples'", ">= 1"),
        ('[study]\nname = "x"\nmax_samples = 3', "s.toml:3: max_samples 3 contradicts", "max_samples = 30"),
        ('[study]\ntitle = "x"', "s.toml:1: 'name' is missing", 'name = "transfer-size"'),
        ('[fixed]\nranks = 2', "s.toml: 'study' is missing", "[study]"),
        ('[study]\nname = "a b"', "s.toml:2: wrong value for 'name'", "transfer-size"),
        ('[study]\nname = "x"\nname = "y"', "s.toml:3: not TOML", "block ="),
        ('[study\nname = "x"', "s.toml:1: not TOML", ""),
        (study_text(axes="axes = { ranks = 2 }"), "s.toml:14: the axis 'ranks' is 2", "list of values"),
        (study_text(axes="axes = { ranks = [] }"), "s.toml:14: the axis 'ranks' is empty", ""),
        (study_text(axes='axes = { ranks = [1] }\nfixed = { ranks = 2 }'), "s.toml:15: 'ranks' is both", ""),
        (study_text(more='figur = "x"'), "s.toml:15: unknown key 'figur'", "Did you mean 'figure'?"),
        (study_text(more='[[comparison]]\nname = "only"'), "s.toml:16: two comparisons are", "'only'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_line_reason_and_example(text: str, place: str, says: str) -> None:
    message = str(refusal(text))
    assert message.startswith(place)
    assert says in message


CLAIM = """figure = ["layout", "latency"]
[[comparison.claim]]
machine = "Bassi"
source = "figure 5"
says = "alike"
test = { rule = "ratio", one = { layout = "shared" }, other = { layout = "file-per-process" }, within = 1.25 }
"""


@pytest.mark.parametrize(
    ("before", "after", "place", "says"),
    [
        (
            'rule = "ratio"',
            'rule = "ration"',
            "s.toml:20: there is no rule 'ration'",
            "Did you mean 'ratio'?",
        ),
        ("within = 1.25", "withn = 1.25", "s.toml:20: the rule 'ratio' cannot be used so", "It takes"),
        ('machine = "Bassi"\n', "", "s.toml:16: 'machine' is missing", 'machine = "Bassi"'),
        (
            'figure = ["layout", "latency"]\n',
            "",
            "s.toml:15: a claim of 'only' can be shown nowhere",
            "layout",
        ),
        ("test =", 'also = ["onyl"]\ntest =', "s.toml:20: there is no comparison 'onyl'", "mean 'only'?"),
    ],
)
def test_a_claim_that_cannot_be_decided_is_refused(before: str, after: str, place: str, says: str) -> None:
    parse_study(study_text(more=CLAIM), "s.toml")
    message = str(refusal(study_text(more=CLAIM.replace(before, after))))
    assert message.startswith(place)
    assert says in message


def test_claims_survive_being_written_again() -> None:
    study = parse_study(study_text(more=CLAIM), "s.toml")
    again = parse_study(render_study(study), "s.toml")
    assert again.file == study.file


def test_a_study_written_again_is_the_same() -> None:
    text = study_text(
        fixed='hint = ["a=b"]\nenv = { "X.Y" = "a \\" \\\\ é\\u007f" }\nratio = 1.5\ndirect = true'
    )
    study = parse_study(text, "s.toml")
    again = parse_study(render_study(study), "s.toml")
    assert again.file == study.file
    assert 'budget = "20s"' in render_study(study)


@pytest.mark.parametrize("name", ["s.yaml", "s.yml"])
def test_a_study_in_yaml_is_to_be_written_as_toml(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("study: {name: x}\n")
    with pytest.raises(WeirError) as error:
        load_study(find_study(str(tmp_path / name)))
    assert "(it is YAML, and studies are TOML) Write it as TOML, in a file 's.toml'" in str(error.value)
    assert error.value.exit_code == 2


def test_files_that_are_not_there_and_unknown_names(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="no such file"):
        load_study(tmp_path / "no.toml")
    with pytest.raises(WeirError, match="Did you mean 'example'"):
        find_study("exmaple")


@pytest.mark.parametrize("name", sorted(own_studies()))
def test_weirs_own_studies_are_right_in_shape(name: str) -> None:
    assert load_study(find_study(name)).comparisons


def test_names_that_there_are_not_are_refused_with_what_was_meant() -> None:
    for figure in ('"transfr"', '["layout", "transfr"]'):
        text = f'[study]\nname = "x"\n[[comparison]]\nname = "c"\nfigure = {figure}\n'
        error = refusal(text)
        assert "s.toml:5: there is no figure 'transfr'" in str(error)
        assert "Did you mean 'transfer'?" in str(error)


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
        (
            'table = "calls"\n[[',
            "[[",
            "s.toml:19: there is no table 'calls' of this run to compare the printed one with",
            "table =",
        ),
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
