"""Nothing in `weir` writes, makes, moves or removes a file but by `weir.files`."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[3] / "python" / "weir"
WRITES = frozenset(
    {"write_text", "write_bytes", "touch", "mkdir", "makedirs", "rename", "unlink", "rmdir", "rmtree"}
    | {"symlink_to", "hardlink_to", "chmod", "copyfile", "copytree", "move", "mkstemp"}
)
MODES = frozenset("wax+")
OTHERS = {
    "trace/record/run.py": "the folder that it made is taken back",
    "compare/series.py": "the mark that it made is taken back",
    "store/lock.py": "a lock is made and moved by the descriptor of its folder",
    "trace/redact.py": "a trace's files are renamed by the descriptor of their folder",
    "trace/importers/_darshan/decode.py": "in a temporary folder of its own",
}


def _calls(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        modes = [
            one.value
            for one in [*node.args, *(word.value for word in node.keywords)]
            if isinstance(one, ast.Constant) and isinstance(one.value, str)
        ]
        if name in WRITES or (
            name == "open" and any(set(mode) & set("wax+") for mode in modes if len(mode) < 4)
        ):
            yield name


def test_no_module_opens_files_for_writing_by_itself() -> None:
    found = {
        str(path.relative_to(PACKAGE)): names
        for path in PACKAGE.rglob("*.py")
        if path.parent.name != "files" and (names := list(_calls(ast.parse(path.read_text()))))
    }
    assert set(found) == set(OTHERS), found
