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
        ('[study]\nname = "x"\nname = "y"', "s.toml:3: not TOML (a key stands there twice)", "block ="),
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
    assert "(it is YAML, and studies are TOML). Write it as TOML, in a file 's.toml'" in str(error.value)
    assert error.value.exit_code == 2


def test_files_that_are_not_there_and_unknown_names(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="no such file"):
        load_study(tmp_path / "no.toml")
    with pytest.raises(WeirError, match="Did you mean 'example'"):
        find_study("exmaple")


@pytest.mark.parametrize("name", sorted(own_studies()))
def test_weirs_own_studies_are_right_in_shape(name: str) -> None:
    assert load_study(find_study(name)).comparisons
