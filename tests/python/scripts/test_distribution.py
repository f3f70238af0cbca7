"""What is said about installing Weir works from a checkout, and never fetches another project's package."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from running import ended

ROOT = Path(__file__).resolve().parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TEXTS = [
    path
    for folder in ("python", "docs", "scripts", "packaging", "src", "examples")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".md", ".jinja", ".cpp", ".hpp", ".in", "") and path.is_file()
] + [*(path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"), ROOT / "pyproject.toml"]
INSTALLED = re.compile(r"""pip install [^\n`]*?\[([\w,{}()' ]+)\]""")


def test_no_text_names_the_package_of_another_project() -> None:
    """On PyPI, `weir` is a library that is no relative of this one."""
    named = [str(path) for path in TEXTS if re.search(r"\bweir\[|pip install weir\b", path.read_text())]
    assert named == []
    assert PROJECT["name"] != "weir"


def test_the_extras_that_texts_name_are_there() -> None:
    named = {
        extra for path in TEXTS for match in INSTALLED.findall(path.read_text()) for extra in match.split(",")
    }
    named |= {
        extra
        for path in TEXTS
        for extra in re.findall(r"how_to_install\(['\"](\w+)['\"]\)", path.read_text())
    }
    named.discard("{extra}")
    assert {"aquifer", "array", "cloud", "darshan", "figures", "flash", "parquet", "trace"} <= named
    assert named <= set(PROJECT["optional-dependencies"])


@pytest.mark.parametrize("extra", ["aquifer", "cloud", "flash", "trace"])
def test_the_command_in_messages_works_in_a_checkout(extra: str) -> None:
    """All but fetching what is not installed here: pip says what it would do."""
    here = ("--dry-run", "--no-index", "--no-build-isolation", "--disable-pip-version-check")
    done = ended(sys.executable, "-m", "pip", "install", *here, "-e", f".[{extra}]", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert f"{PROJECT['name']}-{PROJECT['version']}" in done.stdout
    assert "does not provide" not in done.stderr
