"""What programs of parallel file systems print, in several versions, and what they are told."""

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from machine.fake_system import fake_system
from weir.machine.card import collect
from weir.machine.describe import describe
from weir.machine.mount_table import Mount
from weir.machine.striping.base import ALL, CannotSet, Part, Stripes, stripings
from weir.machine.striping.beegfs import BeeGfs, stripes_in
from weir.machine.striping.gpfs import Gpfs
from weir.machine.striping.lustre import Lustre, parts_in

MIB = 1 << 20
LUSTRE_2_10 = "/scratch/x\nstripe_count:   1 stripe_size:    1048576 stripe_offset:  -1\n"
LUSTRE_2_12 = "stripe_count:  -1 stripe_size:   1048576 pattern:       raid0 stripe_offset: -1\n"
LUSTRE_2_15 = (
    "stripe_count:  8 stripe_size:   4194304 pattern:       raid0,overstriped stripe_offset: -1 "
    "pool:          hdd\n"
)
LUSTRE_RAW = "stripe_count:  0 stripe_size:   0 pattern:       0 stripe_offset: -1\n"
LUSTRE_FILE = """\
/scratch/x/file
lmm_stripe_count:  2
lmm_stripe_size:   1048576
lmm_pattern:       raid0
lmm_layout_gen:    0
lmm_stripe_offset: 1
\tobdidx\t\t objid\t\t objid\t\t group
\t     1\t             2\t          0x2\t             0
\t     0\t             3\t          0x3\t             0

"""
PROGRESSIVE = """\
/scratch/x
  lcm_layout_gen:    0
  lcm_mirror_count:  1
  lcm_entry_count:   2
    lcme_id:             N/A
    lcme_mirror_id:      N/A
    lcme_flags:          0
    lcme_extent.e_start: 0
    lcme_extent.e_end:   65536
      stripe_count:  0       stripe_size:   65536       pattern:       mdt       stripe_offset: -1

    lcme_id:             N/A
    lcme_mirror_id:      N/A
    lcme_flags:          0
    lcme_extent.e_start: 65536
    lcme_extent.e_end:   EOF
      stripe_count:  -1       stripe_size:   1048576       pattern:       raid0       stripe_offset: -1

"""
PROGRESSIVE_FILE = """\
/scratch/x/file
  lcm_layout_gen:  3
  lcm_entry_count: 2
    lcme_id:             1
    lcme_flags:          init
    lcme_extent.e_start: 0
    lcme_extent.e_end:   4194304
      lmm_stripe_count:  2
      lmm_stripe_size:   4194304
      lmm_pattern:       1
      lmm_layout_gen:    0
      lmm_stripe_offset: 0
      lmm_objects:
      - 0: { l_ost_idx: 0, l_fid: [0x100000000:0x45:0x0] }
      - 1: { l_ost_idx: 1, l_fid: [0x100010000:0x45:0x0] }

    lcme_id:             2
    lcme_flags:          init
    lcme_extent.e_start: 4194304
    lcme_extent.e_end:   EOF
      lmm_stripe_count:  1
      lmm_stripe_size:   1048576
      lmm_pattern:       1
"""
BEEGFS_7 = """\
Entry type: directory
EntryID: 0-5D36F5EC-1
Metadata node: gXXXX.abci.local [ID: 1]
Stripe pattern details:
+ Type: RAID0
+ Chunksize: 4M
+ Number of storage targets: desired: 8
+ Storage Pool: 1 (Default)
"""
BEEGFS_7_FILE = """\
Entry type: file
EntryID: 1-63DB17BC-1
Metadata node: devmaster [ID: 1]
Stripe pattern details:
+ Type: RAID0
+ Chunksize: 512K
+ Number of storage targets: desired: 4; actual: 3
+ Storage targets:
  + 1201 @ devnode2 [ID: 3]
"""
BEEGFS_8 = """\
Entry type: directory
EntryID: root
ParentID:
Stripe pattern details:
+ Type: RAID0
+ Chunksize: 1M
+ Number of storage targets: desired: 4
+ Storage Pool: 1  (default)
Inlined inode: no
"""
MMLSFS = """\
flag                value                    description
------------------- ------------------------ -----------------------------------
 -B                 4194304                  Block size
"""
MMLSFS_POOLS = """\
flag                value                    description
------------------- ------------------------ -----------------------------------
 -B                 262144                   Block size (system pool)
 -B                 4194304                  Block size (other pools)
"""
MOUNT = Mount("/scratch", "lustre", "10.0.0.1@tcp:/fs", (), "0:40")


@pytest.mark.parametrize(
    ("text", "count", "size"),
    [
        (LUSTRE_2_10, 1, MIB),
        (LUSTRE_2_12, ALL, MIB),
        (LUSTRE_2_15, 8, 4 * MIB),
        (LUSTRE_RAW, 0, None),
        (LUSTRE_FILE, 2, MIB),
    ],
)
def test_a_plain_layout_of_lustre_is_one_part(text: str, count: int, size: int | None) -> None:
    assert list(parts_in(text)) == [Part(None, Stripes(count, size))]


def test_a_layout_in_parts_is_read_part_by_part() -> None:
    assert list(parts_in(PROGRESSIVE)) == [
        Part(65536, Stripes(0, 65536)),
        Part(None, Stripes(ALL, MIB)),
    ]
    assert [part.end_bytes for part in parts_in(PROGRESSIVE_FILE)] == [4 * MIB, None]
    assert [part.stripes.count for part in parts_in(PROGRESSIVE_FILE)] == [2, 1]


@pytest.mark.parametrize(
    "text", ["", "garbage", "stripe_count: many stripe_size: 1048576", "stripe_count: 4x stripe_size: 1M"]
)
def test_what_is_no_layout_is_unknown(text: str) -> None:
    assert list(parts_in(text)) == []
    assert stripes_in(text) == Stripes()


@pytest.mark.parametrize(
    ("text", "stripes"),
    [
        (BEEGFS_7, Stripes(8, 4 * MIB)),
        (BEEGFS_7_FILE, Stripes(3, 512 << 10)),
        (BEEGFS_8, Stripes(4, MIB)),
        ("+ Chunksize: 524288\n", Stripes(None, 524288)),
        ("+ Chunksize: 4X\n", Stripes()),
    ],
)
def test_chunks_of_beegfs_are_read(text: str, stripes: Stripes) -> None:
    assert stripes_in(text) == stripes


def test_a_card_tells_the_last_part_and_all_of_them(tmp_path: Path) -> None:
    card = collect(fake_system(tmp_path, "/scratch/x", answers={"lfs": PROGRESSIVE}))
    assert card["stripe"]["command"] == "lfs getstripe -d"
    assert (card["stripe"]["stripe_count"], card["stripe"]["stripe_bytes"]) == (ALL, MIB)
    assert [part["end_bytes"] for part in card["stripe"]["parts"]] == [65536, None]
    storage = {fact.label: fact.value for fact in describe(card)[0].facts}
    assert (storage["stripe count"], storage["stripe size"]) == ("all, of the last of 2 parts", "1 MiB")


def test_an_odd_answer_is_kept_and_nothing_read_out_of_it(tmp_path: Path) -> None:
    card = collect(fake_system(tmp_path, "/scratch/x", answers={"lfs": "stripes? what stripes?"}))
    assert card["stripe"] == {
        "command": "lfs getstripe -d",
        "text": "stripes? what stripes?",
        "stripe_count": None,
        "stripe_bytes": None,
    }


class Programs:
    """Those that are there, and what each prints; notes what they were told."""

    def __init__(self, answers: dict[str, str | Callable[[Sequence[str]], str]]) -> None:
        self.answers = answers
        self.told: list[list[str]] = []

    def __call__(self, command: Sequence[str]) -> str:
        if command[0] not in self.answers:
            raise FileNotFoundError(command[0])
        self.told.append(list(command))
        answer = self.answers[command[0]]
        return answer if isinstance(answer, str) else answer(command)


def _refused(command: Sequence[str]) -> str:
    raise subprocess.CalledProcessError(1, list(command), output="", stderr="\nPermission denied\nmore")


def test_lustre_is_told_only_what_is_asked_for(tmp_path: Path) -> None:
    programs = Programs({"lfs": ""})
    Lustre(programs).set(tmp_path, Stripes(4, 4 * MIB))
    Lustre(programs).set(tmp_path, Stripes(count=2))
    Lustre(programs).set(tmp_path, Stripes(bytes=65536))
    assert programs.told == [
        ["lfs", "setstripe", "-c", "4", "-S", "4194304", str(tmp_path)],
        ["lfs", "setstripe", "-c", "2", str(tmp_path)],
        ["lfs", "setstripe", "-S", "65536", str(tmp_path)],
    ]


def test_beegfs_is_told_by_the_program_that_is_there(tmp_path: Path) -> None:
    new, old = Programs({"beegfs": BEEGFS_8, "beegfs-ctl": BEEGFS_7}), Programs({"beegfs-ctl": BEEGFS_7})
    for programs in (new, old):
        BeeGfs(programs).set(tmp_path, Stripes(4, 4 * MIB))
        BeeGfs(programs).look(tmp_path, MOUNT)
    assert new.told == [
        ["beegfs", "entry", "set", "--num-targets=4", "--chunk-size=4096KiB", str(tmp_path)],
        ["beegfs", "entry", "info", "--retro", str(tmp_path)],
    ]
    assert old.told == [
        ["beegfs-ctl", "--setpattern", "--numtargets=4", "--chunksize=4096K", str(tmp_path)],
        ["beegfs-ctl", "--getentryinfo", str(tmp_path)],
    ]


def test_the_block_of_storage_scale_is_the_one_of_all_pools_or_of_statfs(tmp_path: Path) -> None:
    mount = Mount(str(tmp_path), "gpfs", "/dev/fs1", (), "0:40")
    programs = Programs({"mmlsfs": MMLSFS})
    assert Gpfs(programs).look(tmp_path, mount).stripes == Stripes(ALL, 4 * MIB)
    assert programs.told == [["mmlsfs", "fs1", "-B"]]
    here = os.statvfs(tmp_path).f_bsize
    for other in (Programs({}), Programs({"mmlsfs": _refused}), Programs({"mmlsfs": MMLSFS_POOLS})):
        assert Gpfs(other).look(tmp_path, mount).stripes == Stripes(ALL, here)
    with pytest.raises(CannotSet, match="Storage Scale has no stripes that can be set"):
        Gpfs(programs).set(tmp_path, Stripes(4))


@pytest.mark.parametrize("kind", ["lustre", "beegfs"])
def test_a_refusal_is_passed_on_and_a_missing_program_is_named(kind: str, tmp_path: Path) -> None:
    program = {"lustre": "lfs", "beegfs": "beegfs"}[kind]
    found = stripings()[kind]
    with pytest.raises(CannotSet, match=f"{program} .* says: Permission denied$"):
        found(Programs({program: _refused})).set(tmp_path, Stripes(4))
    with pytest.raises(CannotSet, match=f"there is no {program}.* in PATH"):
        found(Programs({})).set(tmp_path, Stripes(4))
