"""The release build joins the sources of a layer (docs/adr/0032): a private name of one then hides a name
of a header from all that are joined with it, and no compiler says so."""

import re
from pathlib import Path

SOURCES = Path(__file__).parents[3] / "src"
CONSTANT = re.compile(r"^(?:inline )?(?:constexpr|const|auto const)\b[\w:<>, *&]*? (\w+)(?:\[\])? ?[={]")
FUNCTION = re.compile(r"^(?!return|using|struct|class|namespace)[A-Za-z_[][\w:<>, *&[\]]*?[ &*](\w+)\(")
PRIVATE = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.M | re.S)


def _names(kind: re.Pattern[str], text: str) -> set[str]:
    return {match[1] for line in text.splitlines() if (match := kind.match(line))}


def _hidden(kind: re.Pattern[str], headers: set[str], sources: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(SOURCES)}: {name}"
        for path in sources
        for block in PRIVATE.findall(path.read_text())
        for name in sorted(_names(kind, block) & headers)
    ]


def test_no_private_name_hides_one_of_a_header() -> None:
    headers = {path: path.read_text() for path in SOURCES.rglob("*.hpp*")}
    shared = {path: text for path, text in headers.items() if "\nnamespace weir {" in text}
    constants = set().union(*(_names(CONSTANT, text) for text in shared.values()))
    low = (text for path, text in shared.items() if path.parent.name in ("core", "comm"))
    functions = set().union(*(_names(FUNCTION, text) for text in low))
    assert "version" in constants and "validate" in functions
    sources = [path for path in SOURCES.rglob("*.cpp") if "trace/" not in str(path.relative_to(SOURCES))]
    # A function hides others from an inner namespace only; in the same one, both are overloads.
    inner = [path for path in sources if "\nnamespace weir::" in path.read_text()]
    assert _hidden(CONSTANT, constants, sources) + _hidden(FUNCTION, functions, inner) == []


def test_no_private_name_of_the_recorder_hides_one_of_its_headers() -> None:
    texts = [path.read_text() for path in (SOURCES / "trace").rglob("*.hpp")]
    constants = set().union(
        *(_names(CONSTANT, text) for text in texts if "\nnamespace weir::trace {" in text)
    )
    assert {"head_page", "most_descriptors"} <= constants
    joined = [*SOURCES.glob("trace/recorder/*.cpp"), *SOURCES.glob("trace/wrappers/*/*.cpp")]
    assert _hidden(CONSTANT, constants, joined) == []
