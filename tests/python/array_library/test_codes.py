"""The codes of errors are the same in every language, though each writes them down by itself."""

import re
from pathlib import Path

from weir_array import Code

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
