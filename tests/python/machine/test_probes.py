"""Each probe on a machine made of files."""

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from machine.fake_system import fake_system
from weir.machine.card import collect
from weir.machine.describe import describe
from weir.machine.rules import judge

GETSTRIPE = "/scratch/x\nstripe_count:  4 stripe_size:   1048576 pattern: raid0 stripe_offset: -1\n"


def test_the_smallest_limit_up_the_control_groups_holds(tmp_path: Path) -> None:
    card = collect(fake_system(tmp_path))
    assert card["cgroup"] == {"version": 2, "memory_limit_bytes": 204800, "cpu_limit": 1.5}


def test_version_1_writes_no_limit_as_a_huge_number(tmp_path: Path) -> None:
    files = {
        "/proc/self/cgroup": "4:memory:/job\n1:cpu,cpuacct:/job\n",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
        "/sys/fs/cgroup/memory/job/memory.limit_in_bytes": "1048576",
        "/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us": "-1",
        "/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us": "100000",
    }
    card = collect(fake_system(tmp_path, files=files))
    assert card["cgroup"] == {"version": 1, "memory_limit_bytes": 1048576, "cpu_limit": None}


def test_hardware_threads_of_one_core_count_once(tmp_path: Path) -> None:
    cpu = collect(fake_system(tmp_path))["cpu"]
    assert (cpu["sockets"], cpu["cores"], cpu["threads"]) == (1, 1, 2)


def test_mounts_with_spaces_and_optional_fields_are_read(tmp_path: Path) -> None:
    card = collect(fake_system(tmp_path, "/data big/x"))
    assert card["file_system"]["mount_point"] == "/data big"
    assert card["file_system"]["type"] == "xfs"
    assert "/proc" not in {mount["mount_point"] for mount in card["mounts"]["shown"]}


def test_a_partition_is_described_by_its_disk(tmp_path: Path) -> None:
    files = {
        "/sys/devices/pci/sda/queue/rotational": "0",
        "/sys/devices/pci/sda/queue/scheduler": "none [mq-deadline] kyber",
        "/sys/devices/pci/sda/queue/max_sectors_kb": "256",
        "/sys/devices/pci/sda/size": "2048",
        "/sys/devices/pci/sda/sda1/partition": "1",
    }
    system = fake_system(tmp_path, files=files)
    link = tmp_path / "sys/dev/block/8:1"
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "sys/devices/pci/sda/sda1")
    device = collect(system)["block_device"]
    assert (device["name"], device["rotational"], device["scheduler"]) == ("sda", False, "mq-deadline")
    assert (device["max_request_bytes"], device["size_bytes"]) == (256 * 1024, 2048 * 512)


def test_lustre_is_asked_for_its_stripes(tmp_path: Path) -> None:
    card = collect(fake_system(tmp_path, "/scratch/x", answers={"lfs": GETSTRIPE}))
    assert card["stripe"]["stripe_count"] == 4
    assert card["stripe"]["stripe_bytes"] == 1048576
    assert card["file_system"]["nature"] == "parallel"


def test_lustre_without_its_program_leaves_a_note(tmp_path: Path) -> None:
    card = collect(fake_system(tmp_path, "/scratch/x"))
    assert card["stripe"] is None
    assert "stripe" in {note["probe"] for note in card["notes"]}


def test_mpi_io_component_asked_for_by_the_environment_is_the_one_named(tmp_path: Path) -> None:
    info = "mca:io:ompio:version:x\nmca:io:romio321:version:x\n"
    answers = {"mpirun": "mpirun (Open MPI) 4.1.4\n", "ompi_info": info}
    mpi = collect(fake_system(tmp_path, answers=answers))["mpi"]
    assert mpi["io_components"] == ["ompio", "romio321"]
    assert mpi["io"] == "romio321"


def test_the_launcher_of_mpich_is_named_with_its_version(tmp_path: Path) -> None:
    said = "HYDRA build details:\n    Version:        4.0.2\n    Release Date: 2022\n"
    mpi = collect(fake_system(tmp_path, answers={"mpirun": said}))["mpi"]
    assert mpi["launcher"] == "mpirun (MPICH, Hydra) 4.0.2"


@pytest.mark.parametrize(
    ("times_ns", "median", "states", "words"),
    [
        (
            [41, 42, 43, 44, 45, 46],
            43.5,
            [43.5],
            "43.5 ns [41.0, 46.0], from CPU 0 to CPU 2 (6 probes): one state",
        ),
        ([42, 43], 42.5, [42.5], "42.5 ns, from CPU 0 to CPU 2 (2 probes): one state"),
        (
            [42, 43, 44, 250, 251, 252],
            None,
            [43, 251],
            "43.0 ns (3) or 251 ns (3), from CPU 0 to CPU 2: the machine",
        ),
        ([], None, [], "not measured, as the CPUs were busy"),
    ],
)
def test_hand_offs_tell_the_states_of_the_machine(
    tmp_path: Path, times_ns: list[float], median: float | None, states: list[float], words: str
) -> None:
    core = {"hand_off": {"cpus": [0, 2], "probes": 6, "times_ns": times_ns}}
    card = collect(fake_system(tmp_path, core=core))
    assert card["hand_off"]["median_ns"] == median
    assert [state["handoff_ns"] for state in card["hand_off"]["states"]] == states
    facts = {fact.label: fact.value for group in describe(card) for fact in group.facts}
    assert words in facts["core to core"]
    assert ("states" in [warning["code"] for warning in card["warnings"]]) == (len(states) > 1)


def test_one_core_hands_nothing_to_another(tmp_path: Path) -> None:
    card = collect(fake_system(tmp_path, core={"hand_off": None}))
    assert card["hand_off"] is None
    assert "core to core" not in {fact.label for group in describe(card) for fact in group.facts}


def test_the_environment_keeps_what_steers_and_leaves_out_secrets(tmp_path: Path) -> None:
    assert collect(fake_system(tmp_path))["environment"]["set"] == {"OMPI_MCA_io": "romio321"}


def test_copies_are_told_as_measured_and_by_none_where_nothing_measured(tmp_path: Path) -> None:
    found = {"bytes": 65536, "offset": 16, "batches": 15, "same_s": 2e-6, "behind_s": 3e-6}
    assert collect(fake_system(tmp_path, core={"copies": found}))["copies"] == found
    assert collect(fake_system(tmp_path, core=None))["copies"] is None


def test_a_launcher_that_hangs_is_not_called_missing(tmp_path: Path) -> None:
    def hang(command: Sequence[str]) -> str:
        raise subprocess.TimeoutExpired(list(command), 10)

    mpi = collect(replace(fake_system(tmp_path), run=hang))["mpi"]
    assert (mpi["launcher"], mpi["launcher_fails"]) == (None, "it has not answered within 10 s")
    assert "has not answered within 10 s" in str(judge({"mpi": mpi, "core": {}}))
