"""What a study says by the cores of the machine."""

import pytest

from weir.errors import WeirError
from weir.study.load import parse_study, render_study
from weir.study.of_cores import counts_of, settled

STUDY = """
[study]
name = "small"

[fixed]
benchmark = "storage"
block = "4MiB a core"

[[comparison]]
name = "ranks"
if_crowded = "leave out"
axes = { ranks = "1 to cores", transfer = ["64KiB", "32KiB a core"] }

[[comparison]]
name = "all"
fixed = { ranks = "cores" }
"""


@pytest.mark.parametrize(
    ("text", "cores", "counts"),
    [
        ("1 to cores", 1, [1]),
        ("1 to cores", 2, [1, 2]),
        ("1 to cores", 6, [1, 2, 4, 6]),
        ("1 to cores", 64, [1, 2, 4, 8, 16, 32, 64]),
        ("2 to cores", 1, [2]),  # such cases are left out where more ranks than cores are
        ("2 to cores", 48, [2, 4, 8, 16, 32, 48]),
        ("1 to 8 cores", 48, [1, 2, 4, 8]),
        ("1 to 8 cores", 3, [1, 2, 3]),
        ("1 to 6 cores", 48, [1, 2, 4, 6]),
    ],
)
def test_ranks_follow_the_cores(text: str, cores: int, counts: list[int]) -> None:
    assert counts_of(text, cores) == counts


def test_the_settled_study_has_plain_numbers() -> None:
    study = parse_study(STUDY, "small.toml")
    file = settled(study.file, study.source, 6)
    assert file.fixed == {"benchmark": "storage", "block": "24MiB"}
    assert file.comparison[0].axes == {"ranks": [1, 2, 4, 6], "transfer": ["64KiB", "192KiB"]}
    assert file.comparison[1].fixed == {"ranks": 6}
    assert parse_study(render_study(study), "again").file == study.file


@pytest.mark.parametrize("axis", ['"1 to"', '"some cores"', '"0 to cores"', '"cores"'])
def test_other_texts_are_no_ranks(axis: str) -> None:
    with pytest.raises(WeirError, match="the axis 'ranks' is"):
        parse_study(STUDY.replace('"1 to cores"', axis), "small.toml")


def test_a_size_that_is_none_is_refused_with_its_line() -> None:
    study = parse_study(STUDY.replace("4MiB a core", "4Mib a core"), "small.toml")
    with pytest.raises(WeirError, match=r"small\.toml:7: '4Mib' is not a size"):
        settled(study.file, study.source, 2)
