"""The package with the real library: all of `cases` in one launch of four ranks, each case a test here."""

import json

import pytest

from .launching import FOLDER, launched

NAMES = [
    line.removeprefix("def case_").partition("(")[0]
    for line in (FOLDER / "cases.py").read_text().splitlines()
    if line.startswith("def case_")
]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What went wrong in each case, on each rank: nothing, or a traceback."""
    folder = tmp_path_factory.mktemp("ranks")
    done = launched("cases.py", ranks=4, folder=folder, limit_s=600)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["case"]: line["failures"] or [] for line in lines} | {
        name: [f"it did not end; exit code {done.returncode}: {done.stderr[-2000:]}"]
        for name in NAMES
        if name not in {line["case"] for line in lines}
    }


@pytest.mark.parametrize("name", NAMES)
def test_on_four_ranks(name: str, outcomes: dict[str, list[str]]) -> None:
    assert not outcomes[name], "\n".join(outcomes[name])
