"""What the page says of a call below the pointer."""

import json
from typing import Any

import pytest

from .browser import in_node

HEAD = {
    "kinds": ["read", "write"],
    "calls": [["POSIX", "pread", 0], ["MPI-IO", "MPI_File_iwrite_at", 1]],
    "files": [["", 0], ["/a", 0]],
    "errors": {"5": "Input/output error"},
    "runNs": 10**9,
}
MIB = 1 << 20


def lines(**call: Any) -> dict[str, str]:
    whole = {"call": 0, "file": 1, "lane": 0, "begin": 0, "end": 10**6, "offset": 0, "flags": 0} | call
    script = f"answer = describeCall({json.dumps(HEAD)}, ['rank 0'], {json.dumps(whole)});"
    return dict(in_node(["describe.js"], script))


def test_the_bandwidth_is_of_what_was_moved() -> None:
    """The end of a file came after a quarter of what was asked for."""
    assert lines(length=MIB, result=MIB // 4)["bandwidth"] == "250 MiB/s"
    assert lines(length=MIB, result=MIB)["bandwidth"] == "1000 MiB/s"


@pytest.mark.parametrize(
    "call",
    [
        {"result": -5, "length": MIB},
        {"result": 0, "length": MIB},
        {"call": 1, "flags": 4, "result": MIB, "length": MIB},
    ],
)
def test_what_moved_nothing_or_only_began_has_none(call: dict[str, int]) -> None:
    assert "bandwidth" not in lines(**call)
