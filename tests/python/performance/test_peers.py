"""What is asked of peers and read from them. The texts are theirs in form only."""

from pathlib import Path

import pytest
from peers.ior import bandwidths, interfaces_of
from peers.launch import LaunchFailed
from peers.mdtest import rates
from peers.storage_cases import INTERFACES, LAYOUTS, TRANSFERS, StorageCase, storage_cases

HELP = "Optional arguments\n  -a=POSIX   API for I/O [POSIX|DUMMY|MPIIO]\n  -b=1   block\n"
TABLE = """Results:
access bw(MiB/s) IOPS Latency(s) block(KiB) xfer(KiB) open(s) wr/rd(s) close(s) total(s) iter
------ --------- ---- ---------- ---------- --------- ------- -------- -------- -------- ----
WARNING: something in between
write  2.50  1.0  0.003  4096  1024.00  0.001  0.012  0.000  0.014  0
read   8.00  1.0  0.001  4096  1024.00  0.066  0.003  0.034  0.101  0
write  3.00  1.0  0.008  4096  1024.00  0.028  0.035  0.036  0.092  1
read   9.00  1.0  0.001  4096  1024.00  0.147  0.006  0.024  0.168  1

Summary of all tests:
Operation Max(MiB) Min(MiB) Mean(MiB) StdDev
write     3.00     2.50     2.75      0.25  1 1 1 1 1 NA NA 0 2 2 2 0
"""
RATES = """SUMMARY rate (in ops/sec): (of 1 iterations)
   Operation          Max       Min      Mean   Std Dev
   File creation  10183.402  5739.022  8503.445  2412.505
   File stat     1212139.007 469214.006 932064.091  0.0
   File read      763781.116 299716.241 607984.992  0.0
   File removal   294548.991 186872.387 255468.023  0.0
"""


def test_interfaces_come_from_the_help() -> None:
    assert interfaces_of(HELP) == {"POSIX", "DUMMY", "MPIIO"}
    assert interfaces_of("another program") == set()


def test_bandwidths_come_in_bytes_by_phase() -> None:
    mib = 1 << 20
    assert bandwidths(TABLE) == {"write": [2.5 * mib, 3.0 * mib], "read": [8.0 * mib, 9.0 * mib]}


def test_without_a_result_the_launch_has_failed() -> None:
    with pytest.raises(LaunchFailed, match="printed no result"):
        bandwidths(TABLE.partition("write")[0])


def test_rates_come_by_our_phases() -> None:
    assert rates(RATES) == {"create": 8503.445, "stat": 932064.091, "open": 607984.992, "unlink": 255468.023}
    with pytest.raises(LaunchFailed, match="File removal"):
        rates(RATES.replace("File removal", "File deletion"))


def test_both_sides_are_told_the_same() -> None:
    case = StorageCase("pnetcdf", "file-per-process", 65536, 1 << 20, 3, "storage")
    ours, theirs = case.our_options(Path("/d")), case.their_arguments(Path("/d"))
    assert " ".join(theirs) == "-a NCMPI -t 65536 -b 1048576 -s 1 -i 3 -o /d/weir-data -F -w -r -e"
    expected = {"transfer": 65536, "block": 1 << 20, "repetitions": 3, "sync": "close", "cache": "keep"}
    assert ours.items() >= {**expected, "layout": "file-per-process", "backend": "pnetcdf"}.items()


def test_dropped_files_are_read_by_both_and_written_once() -> None:
    case = StorageCase("mpiio", "shared", 65536, 1 << 20, 1, "storage", dropped=True)
    assert case.their_arguments(Path("/d"))[-2:] == ["-r", "-k"]
    assert case.our_options(Path("/d"))["write"] is False
    assert "write" not in case.writing_options(Path("/d"))
    assert case.files(Path("/d"), 2) == [Path("/d/weir-data")]


def test_every_interface_layout_and_transfer_is_compared() -> None:
    cases = storage_cases(quick=False, memory=Path("/dev/shm"))
    kept = {(c.backend, c.layout, c.transfer) for c in cases if c.where == "storage" and not c.dropped}
    assert kept == {(b, layout, t) for b in INTERFACES for layout in LAYOUTS for t in TRANSFERS}
    assert len({(case.folder, case.where) for case in cases if not case.dropped}) == len(kept) + len(LAYOUTS)
    assert {case.sync for case in cases if case.counts_operations} == {False}
