"""How files lie on their file systems: what is noted when a traced program has ended."""

import json
import os
import struct
from pathlib import Path

import pytest

from weir.machine.mount_table import Mount
from weir.trace.record.layouts import Asking, Stripes, facts_of, stripes_in

from ..programs import compiled, weir

V1, V3, COMPOSITE = 0x0BD10BD0, 0x0BD30BD0, 0x0BD60BD0
MIB = 1 << 20


def plain(size: int, *targets: int, pool: str | None = None) -> bytes:
    """A layout as the kernel gives it: struct lov_user_md_v1, or v3 with a pool."""
    head = struct.pack("<II16xIHH", V1 if pool is None else V3, 1, size, len(targets), 0)
    name = b"" if pool is None else pool.encode().ljust(16, b"\0")
    return head + name + b"".join(struct.pack("<16xII", 7, target) for target in targets)


def composite(*parts: tuple[int, bytes]) -> bytes:
    """A layout of several parts, each with its flags: struct lov_comp_md_v1."""
    at, entries = 32 + 48 * len(parts), b""
    for number, (flags, part) in enumerate(parts):
        entries += struct.pack("<IIQQIII12x", number, flags, 0, 1, at, len(part), 0)
        at += len(part)
    return (
        struct.pack("<IIIHHH14x", COMPOSITE, at, 0, 0, len(parts), 0)
        + entries
        + b"".join(p for _, p in parts)
    )


USED, UNUSED = 0x10, 0


@pytest.mark.parametrize(
    ("layout", "found"),
    [
        (plain(MIB, 14), Stripes(MIB, (14,))),
        (plain(4 * MIB, 3, 900, pool="flash"), Stripes(4 * MIB, (3, 900))),
        (composite((USED, plain(MIB, 5)), (UNUSED, plain(MIB, 6))), Stripes(MIB, (5,))),
        (composite((USED, plain(MIB, 5)), (USED, plain(MIB, 5, 6))), Stripes(MIB, (5, 6))),
        (composite((USED, plain(MIB, 5)), (USED, plain(4 * MIB, 6))), Stripes(0, (5, 6))),
        (composite((USED, plain(MIB))), None),  # on the server of names
        (plain(MIB, 1, 2)[:70], Stripes(MIB, (1,))),
        (composite((USED, plain(MIB, 5)))[:60], None),
        (b"\xd0", None),
        (bytes(64), None),
    ],
)
def test_stripes_of_lustre(layout: bytes, found: Stripes | None) -> None:
    assert stripes_in(layout) == found


def mount(point: str, kind: str) -> Mount:
    return Mount(point, kind, "source", (), "0:1")


MOUNTS = [mount("/", "ext4"), mount("/dev/shm", "tmpfs"), mount("/lustre", "lustre"), mount("/nfs", "nfs4")]
FILES = ["/a/b", "/dev/shm/c", "/lustre/d/e", "/lustre/d/gone", "/nfs/f"]
ON_LUSTRE = {"/lustre/d/e": Stripes(MIB, (3, 4))}


def facts(files: list[str], *, alone: bool = True) -> dict[str, object]:
    sizes = {"/": 4096, "/lustre": 4096, "/nfs": MIB}
    return facts_of(files, MOUNTS, Asking(alone, sizes.get, ON_LUSTRE.get))


def test_blocks_are_noted_once_for_each_file_system_and_stripes_for_each_file() -> None:
    assert facts(FILES) == {
        "block_folders": ["/", "/dev/shm", "/lustre", "/nfs"],
        "block_bytes": [4096, 0, 4096, MIB],
        "striped_files": ["/lustre/d/e"],
        "stripe_bytes": [MIB],
        "stripe_counts": [2],
        "stripe_targets": [3, 4],
    }


def test_with_other_hosts_only_what_all_of_them_see_counts() -> None:
    found = facts(FILES, alone=False)
    assert found["block_bytes"] == [0, 0, 4096, MIB]
    assert found["striped_files"] == ["/lustre/d/e"]


def test_without_files_there_is_nothing_to_note() -> None:
    assert facts([]) == {}


SCATTERED = """
int file = open("a", O_RDWR | O_CREAT, 0644);
for (int i = 0; i < 1200; ++i) if (pwrite(file, data, 1000, (i * 7 % 1200) * 5000 + 1) != 1000) return 1;
close(file);
return 0;
"""


def test_a_trace_knows_the_blocks_of_its_files(tmp_path: Path) -> None:
    program = compiled(tmp_path, SCATTERED)
    weir("trace", "-o", "T", "--", str(program), cwd=tmp_path)
    head = json.loads((tmp_path / "T" / "head.json").read_text())
    known = dict(zip(head["block_folders"], head["block_bytes"], strict=True))
    holding = max((one for one in known if str(tmp_path).startswith(one)), key=len)
    size = known[holding]
    if not size:
        pytest.skip(f"{tmp_path} lies in memory, where blocks do not matter")
    assert size == os.statvfs(tmp_path).f_bsize
    packed = tmp_path / "T.weir"
    weir("pack", "T", "-o", str(packed), cwd=tmp_path)
    for trace in ("T", str(packed)):
        rows = json.loads(weir("explain", "--json", trace, cwd=tmp_path).stdout)["files"]
        (row,) = (row for row in rows if row["file"].endswith("/a"))
        assert row["alignment_bytes"] == size
        assert 1000 <= row["unaligned"] <= 1200


def test_names_that_are_no_text_are_left_out(tmp_path: Path) -> None:
    body = 'close(open("b\\xff", O_RDWR | O_CREAT, 0644)); close(open("a", O_RDWR | O_CREAT, 0644));'
    done = weir("trace", "-o", "T", "--", str(compiled(tmp_path, body)), cwd=tmp_path)
    head = json.loads((tmp_path / "T" / "head.json").read_text())
    assert head["block_folders"], done.stderr
