"""Comparisons that are run only if asked for."""

import pytest

from fakes import FAKE_CORE, study_text
from weir.core.client import Core
from weir.core.schema import Schema
from weir.drive.plan import make_plan
from weir.errors import WeirError
from weir.exit_codes import ExitCode
from weir.study.expand import expand
from weir.study.load import Study, parse_study

MORE = '[[comparison]]\nname = "large"\noptional = true\nfixed = { segments = 4 }'


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Schema:
    return Core(FAKE_CORE, tmp_path_factory.mktemp("cache")).schema()


def study(**changes: str) -> Study:
    return parse_study(study_text(**({"axes": "", "more": MORE} | changes)), "s.toml")


def test_an_optional_comparison_is_run_only_if_asked_for(schema: Schema) -> None:
    assert [case.comparisons for case in expand(study(), schema).cases] == [("only",)]
    asked = study().asking_for(["large"])
    assert [case.comparisons for case in expand(asked, schema).cases] == [("only",), ("large",)]
    assert (study().not_asked, asked.not_asked) == (["large"], [])


def test_one_that_runs_anyway_may_be_asked_for(schema: Schema) -> None:
    assert len(expand(study().asking_for(["only"]), schema).cases) == 1


def test_there_must_be_such_a_comparison() -> None:
    with pytest.raises(WeirError, match=r"has no comparison 'larg'.*Did you mean 'large'"):
        study().asking_for(["larg"])


def test_a_study_of_optional_comparisons_says_how_to_ask(tmp_path_factory: pytest.TempPathFactory) -> None:
    only_optional = study(axes="optional = true", more="")
    with pytest.raises(WeirError) as caught:
        make_plan(only_optional, Core(FAKE_CORE, tmp_path_factory.mktemp("cache")), None)
    assert caught.value.exit_code is ExitCode.NOTHING_SELECTED
    assert "--with only" in str(caught.value)
