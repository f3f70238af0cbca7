"""The library is found in a prefix and in a checkout, and what is no library is refused with the way out; the
codes of errors are the same in every language."""

import re
import shutil
import sys
from pathlib import Path

import pytest

import weir_array
from running import ended
from weir_array import Code
from weir_array.library import NAME, VARIABLE, library

PACKAGE = Path(weir_array.__file__).parent


def find_from(package: Path, **env: str) -> str:
    """What find_library says in a Python that has the package from this folder."""
    script = "import sys, weir_array; sys.stdout.write(weir_array.find_library())"
    found = ended(sys.executable, "-c", script, env={"PYTHONPATH": str(package), **env})
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.mark.parametrize(
    ("package", "place"),
    [("lib/weir/python", "lib"), ("lib/x86/weir/python", "lib/x86"), ("python", "build/release/lib")],
)
def test_found_where_the_package_is(package: str, place: str, tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / package / "weir_array")
    (tmp_path / place).mkdir(parents=True, exist_ok=True)
    (tmp_path / place / NAME).touch()
    assert find_from(tmp_path / package) == str(tmp_path / place / NAME)
    assert find_from(tmp_path / package, **{VARIABLE: "/mine.so"}) == "/mine.so"


def test_left_to_the_system_where_it_is_nowhere(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "weir_array")
    assert find_from(tmp_path) == NAME


def test_what_is_no_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no library")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "text"))
    library.cache_clear()
    with pytest.raises(weir_array.Error, match=f"cannot load .*text .*set {VARIABLE}"):
        weir_array.block((4,), "f8")
    library.cache_clear()


ROOT = Path(__file__).resolve().parents[3]


def codes(text: str, between: str) -> dict[str, int]:
    """The names and numbers in a part of a source."""
    found = re.search(between, text, re.DOTALL | re.IGNORECASE)
    assert found
    return {
        name.upper(): int(number)
        for name, number in re.findall(r"weir_(\w+) = (\d+)", found[1], re.IGNORECASE)
    }


def test_codes_agree() -> None:
    in_c = codes((ROOT / "include/weir/array.h").read_text(), r"enum weir_code \{(.*?)\} weir_code;")
    in_fortran = codes(
        (ROOT / "fortran/weir.F90").read_text(), r"(parameter, public :: weir_ok.*?)\n  integer"
    )
    assert in_c == in_fortran == {code.name: code.value for code in Code}
    assert len(in_c) > 10
