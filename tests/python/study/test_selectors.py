"""What claims choose rows by is checked before anything runs."""

from pathlib import Path

import pytest

from fakes import study_text
from weir.core.client import Core, find_core
from weir.errors import WeirError
from weir.measure.plan import make_plan
from weir.study.load import parse_study

CLAIM = """
figure = "layout"
[[comparison.claim]]
machine = "M"
source = "s"
says = "x"
[comparison.claim.test]
rule = "ratio"
one = { phase = "write", layout = "shared" }
other = { phase = "write", layout = "file-per-process", block = "largest" }
within = 2
"""
SATURATION = """
figure = "ranks"
[[comparison.claim]]
machine = "M"
source = "s"
says = "x"
test = { rule = "saturation", along = "transfer", shape = "falls", where = { phase = "read" } }
"""


def plan(claim: str, place: Path) -> None:
    study = parse_study(study_text(more=claim), "s.toml")
    make_plan(study, Core(find_core()), place)


@pytest.mark.parametrize(
    ("claim", "change", "told"),
    [
        (CLAIM, ("layout =", "layuot ="), "no case of 'only' has 'layuot'. Did you mean 'layout'?"),
        (CLAIM, ('layout = "shared"', 'layout = "shraed"'), "Did you mean 'shared'?"),
        (CLAIM, ('"write"', '"wriet"'), "no case of 'only' has a phase 'wriet'. Did you mean 'write'?"),
        (CLAIM, ('"largest"', '"largst"'), "'largst' is not a size"),
        (
            SATURATION,
            ('"transfer"', '"transfr"'),
            "no case of 'only' has 'transfr'. Did you mean 'transfer'?",
        ),
        (SATURATION, ("phase =", "phsae ="), "Did you mean 'phase'?"),
    ],
)
def test_a_misspelt_choice_is_refused_with_its_line_and_what_was_meant(
    claim: str, change: tuple[str, str], told: str, fake_core: Path, tmp_path: Path
) -> None:
    plan(claim, tmp_path)
    with pytest.raises(WeirError) as raised:
        plan(claim.replace(*change), tmp_path)
    assert str(raised.value).startswith("s.toml:") and told in str(raised.value)
