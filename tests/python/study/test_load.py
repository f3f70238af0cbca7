from pathlib import Path

import pytest

from fakes import study_text
from weir.errors import WeirError
from weir.study.library import find_study, own_studies
from weir.study.load import load_study, parse_study
from weir.study.render import render_study


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


def test_a_study_written_again_is_the_same() -> None:
    text = study_text(
        fixed='hint = ["a=b"]\nenv = { "X.Y" = "a \\" \\\\ é\\u007f" }\nratio = 1.5\ndirect = true'
    )
    study = parse_study(text, "s.toml")
    again = parse_study(render_study(study), "s.toml")
    assert again.file == study.file
    assert 'budget = "20s"' in render_study(study)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("budget: 1:30:00", "YAML reads it as a int"),
        ("max_samples: 010", "YAML reads it as a int"),
        ("title: on", "YAML reads it as a bool"),
        ("title: 2026-11-20", "YAML reads it as a timestamp"),
        ("max_samples: 1e6", "wrong value for 'max_samples'"),
        ("budget: 300", "wrong value for 'budget'"),
        ("name: again", "'name' stands twice"),
        ("bugdet: 3m", "Did you mean 'budget'?"),
        ("budget: '3m", "not YAML"),
    ],
)
def test_traps_of_yaml_are_refused_with_their_line(line: str, says: str) -> None:
    pytest.importorskip("yaml")
    message = str(refusal(f"study:\n  name: x\n  {line}\n", "s.yaml"))
    assert says in message
    assert message.startswith(("s.yaml:3: ", "s.yaml:4: "))


def test_yaml_of_the_same_shape_is_the_same_study() -> None:
    pytest.importorskip("yaml")
    text = "study: {name: x, budget: 20s}\n"
    text += "comparison:\n- name: a\n  axes: {ranks: [1, 2], direct: [true, false]}\n"
    toml = (
        '[study]\nname="x"\nbudget="20s"\n[[comparison]]\nname="a"\naxes={ranks=[1,2], direct=[true,false]}'
    )
    assert parse_study(text, "s.yml").file == parse_study(toml, "s.toml").file


def test_files_that_are_not_there_and_unknown_names(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="no such file"):
        load_study(tmp_path / "no.toml")
    with pytest.raises(WeirError, match="Did you mean 'example'"):
        find_study("exmaple")


@pytest.mark.parametrize("name", sorted(own_studies()))
def test_weirs_own_studies_are_right_in_shape(name: str) -> None:
    assert load_study(find_study(name)).comparisons
