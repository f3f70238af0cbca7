"""Plans of more cases than anybody reads."""

import json
import re
from pathlib import Path

import pytest

from fakes import study_text
from verbs import weir_here
from weir.cli._dry_run import MOST_CASES

CASES = MOST_CASES + 7


@pytest.mark.usefixtures("place")
def test_the_table_ends_and_json_has_all() -> None:
    sizes = json.dumps([f"{1 << 12 + at % 8}B" for at in range(8)])
    segments = json.dumps([*range(1, -(-CASES // 8) + 1)])
    Path("large.toml").write_text(study_text(axes=f"axes = {{ transfer = {sizes}, segments = {segments} }}"))
    shown = weir_here("plan", "large.toml", "--dir", "store").output
    cases = json.loads(weir_here("plan", "large.toml", "--dir", "store", "--json").output)["cases"]
    assert len(re.findall(r"^only +transfer \w+, segments \d+", shown, re.MULTILINE)) == MOST_CASES
    assert f"… {len(cases) - MOST_CASES} more cases: weir plan --json has all" in shown
    assert len(cases) >= CASES
