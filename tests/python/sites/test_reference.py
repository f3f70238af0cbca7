"""The reference page has every key and every field."""

import re
from pathlib import Path
from typing import get_type_hints

import msgspec

from weir.site.schema import SiteFile
from weir.site.template import OPTIONAL, LauncherSection

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "site.md"


def keys(kind: type[msgspec.Struct], above: str = "") -> set[str]:
    found = set[str]()
    for name, hint in get_type_hints(kind).items():
        is_table = isinstance(hint, type) and issubclass(hint, msgspec.Struct)
        found |= keys(hint, f"{above}{name}.") if is_table else {f"{above}{name}"}
    return found


def test_every_key_and_field_stands_there() -> None:
    rows = set(re.findall(r"^\| `([^`]+)` \|", PAGE.read_text(), re.MULTILINE))
    fields = {f"{{{name}}}" for name in ("ranks", *OPTIONAL, "program")}
    expected = (keys(SiteFile) - {"launchers"}) | keys(LauncherSection, "launchers.NAME.") | fields
    assert rows == expected
