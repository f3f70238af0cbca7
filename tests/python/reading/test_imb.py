"""What IMB printed, in all its versions, becomes the samples that it was, and nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_cases import random_cases
from reading.made_output import (
    COLLECTIVE,
    ONE_WAY,
    OVERLAP,
    PARALLEL,
    RATE,
    SYNC,
    Table,
    output,
    rated,
    spread,
)
from weir.reading.readers.imb import Imb
from weir.reading.result import ReadLaunch, ReadSample

MIB = float(1 << 20)
SIZES = (0, 1, 4096, 1 << 20)
ROWS = rated(SIZES, (0.52, 0.55, 1.87, 114.95))
FIRST = 30
"""The line of the first row of the first table."""


def read(text: str) -> ReadLaunch:
    assert Imb().recognises(text)
    (launch,) = Imb().read(text)
    return launch


def numbers(sample: ReadSample) -> dict[str, float | None]:
    return {metric.key: metric.value for metric in sample.metrics}


def options(launch: ReadLaunch, *keys: str) -> list[list[Any]]:
    return [[sample.case.options.get(key) for key in keys] for sample in launch.samples]


def ping(*rows: Any, **changes: Any) -> Table:
    return Table("PingPong", ONE_WAY, rows or ROWS, **changes)


def test_a_row_is_a_sample_in_the_numbers_that_were_printed() -> None:
    launch = read(output(ping()))
    assert options(launch, "function", "bytes", "imb", "imb_version", "part", "active", "group") == [
        ["PingPong", size, "2021", "2021.11", "MPI-1", 2, 2] for size in SIZES
    ]
    first, second, *_, last = launch.samples
    assert numbers(first) == {"time_us": 0.52, "bandwidth_bytes_per_s": None}
    assert numbers(second) == {"time_us": 0.55, "bandwidth_bytes_per_s": 1.82e6}
    assert numbers(last) == {"time_us": 114.95, "bandwidth_bytes_per_s": 9122.02e6}
    assert last.case.ranks == 2 and last.case.label == "1 MiB" and last.phase == "call"
    assert last.details == {"repetitions": 1000, "resolution_us": 0.01, "line": FIRST + 3}
    assert [[one.code for one in sample.warnings] for sample in (first, last)] == [["few-digits"], []]
    assert not (launch.failures or launch.left_out or launch.notes)


def test_the_slowest_rank_is_the_result_beside_the_fastest_and_the_mean() -> None:
    sample = read(output(Table("Allreduce", COLLECTIVE, [(8, 1000, 1.5, 3.25, 2.0)]))).samples[0]
    assert [(one.key, one.value, one.noun) for one in sample.metrics] == [
        ("time_us", 3.25, "time"),
        ("t_min_us", 1.5, "time of the fastest rank"),
        ("t_avg_us", 2.0, "mean time of the ranks"),
    ]
    assert [one.better for one in sample.metrics] == ["lower"] * 3


@pytest.mark.parametrize(
    ("version", "megabyte", "imb"),
    [
        ("2.2", MIB, "2.3"),
        ("2.3", MIB, "2.3"),
        ("3.2.2", MIB, "2.3"),
        ("4.0 Update 1", MIB, "2.3"),
        ("4.1", MIB, "2.3"),
        ("2017 update 2", MIB, "2017"),
        ("2017 update 2", 1e6, "2017"),
        ("2018", 1e6, "2018"),
        ("2019 Update 6", 1e6, "2021"),
        ("2021.3", 1e6, "2021"),
    ],
)
def test_a_megabyte_is_that_of_the_version(version: str, megabyte: float, imb: str) -> None:
    rows = rated(SIZES, (0.52, 0.55, 1.87, 114.95), megabyte=megabyte)
    launch = read(output(ping(*rows, old=version == "2.2"), version=version))
    assert options(launch, "imb", "imb_version") == [[imb, version]] * 4
    found = numbers(launch.samples[-1])["bandwidth_bytes_per_s"]
    assert found == pytest.approx((1 << 20) / 114.95e-6, rel=1e-5)
    assert launch.machine == "ia64 Linux 2.6.9" and launch.started_at == "2006-03-14T15:09:26"


def test_lines_outweigh_the_version() -> None:
    rows = rated((4096, 8192, 16384), (1.87, 3.0, 6.0), megabyte=MIB)
    launch = read(output(ping(*rows)))
    assert "agree with MB of 2^20 bytes, and not with those of version 2021.11" in launch.notes[0]
    assert numbers(launch.samples[0])["bandwidth_bytes_per_s"] == pytest.approx(4096 / 1.87e-6, rel=1e-4)


def test_what_says_nothing_of_its_megabyte_has_no_bandwidth() -> None:
    (launch,) = Imb().read(ping((8, 1000, 1.87, 4.28)).text())
    assert numbers(launch.samples[0]) == {"time_us": 1.87, "bandwidth_bytes_per_s": None}
    assert "whether a MB is 2^20 or 10^6 bytes" in launch.notes[0]
    assert launch.facts["version"] is None and launch.machine is None
    assert options(launch, "imb", "part") == [[None, None]]


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (ping((4096, 1000, 1.87, 2091.0)), "4096 bytes in 1.87 µs are not 2091.00 MB/s with MB of 10^6"),
        (Table("Sendrecv", PARALLEL, spread(rated([4096], [4.0]))), "4096 bytes in 4.00 µs are not"),
        (Table("Exchange", PARALLEL, spread(rated([64], [4.0], moves=2))), "are not 32.00 MB/s"),
        (Table("Uniband", RATE, [(64, 1000, 65.0, 1000000)]), "64 bytes in 1000000 messages/s are not"),
        (Table("Bcast", COLLECTIVE, [(64, 1000, 2.0, 1.5, 1.5)]), "t_min[usec] 2.00, t_max[usec] 1.50"),
        (Table("Bcast", COLLECTIVE, [(64, 1000, 1.0, 1.5, 1.8)]), "are not in order"),
        (Table("Ibcast", OVERLAP, [(64, 1000, 2.0, 1.5, 1.5, 100.5)]), "an overlap of 100.50 %"),
    ],
)
def test_a_row_that_contradicts_itself_is_told_with_its_line(table: Table, why: str) -> None:
    launch = read(output(table))
    (failure,) = launch.failures
    assert failure.problem == f"line {FIRST} of '{{file}}' contradicts itself" and why in failure.reason
    assert failure.exit_code == 3 and not launch.samples


@pytest.mark.parametrize(
    ("function", "columns", "processes", "moves"),
    [
        ("PingPing", ONE_WAY, 2, 1),
        ("PingPongAnySource", ONE_WAY, 2, 1),
        ("Sendrecv", PARALLEL, 4, 2),
        ("Exchange", PARALLEL, 4, 4),
        ("Unidir_Put", ONE_WAY, 2, 1),
        ("Bidir_get", ONE_WAY, 2, 1),
        ("One_put_all", ONE_WAY, 4, 3),
        ("Fetch_and_op", ONE_WAY, 2, 1),
        ("P_Write_Indv", PARALLEL, 4, 1),
        ("S_Read_Expl", ONE_WAY, 1, 1),
    ],
)
def test_each_function_has_its_formula(
    function: str, columns: tuple[str, ...], processes: int, moves: float
) -> None:
    rows = rated((4096, 65536), (3.21, 17.5), moves=moves)
    table = Table(function, columns, rows if columns is ONE_WAY else spread(rows), processes=processes)
    launch = read(output(table))
    assert len(launch.samples) == 2 and not launch.failures and not launch.notes
    wrong = rated((4096, 65536), (3.21, 17.5), moves=moves * 1.5)
    launch = read(output(Table(function, columns, wrong if columns is ONE_WAY else spread(wrong), processes)))
    assert len(launch.failures) == 2


def test_a_function_without_a_known_formula_is_not_checked() -> None:
    launch = read(output(Table("Halo", ONE_WAY, [(8, 10, 2.0, 7.0)])))
    assert numbers(launch.samples[0])["bandwidth_bytes_per_s"] == 7e6
    assert "the bandwidths of Halo in '{file}' are not checked" in launch.notes[0]


def test_rates_of_messages() -> None:
    (sample,) = read(output(Table("Biband", RATE, [(64, 1000, 64.0, 1000000)]))).samples
    assert numbers(sample) == {"bandwidth_bytes_per_s": 64e6, "messages_per_s": 1e6}


def test_a_table_without_its_title_is_of_no_function() -> None:
    tables = [Table(name, ONE_WAY, [(8, 1000, 0.5, 16.0)]) for name in ("PingPong", "PingPing")]
    lines = output(*tables).split("\n")
    found = read("\n".join(line for line in lines if "Benchmarking PingPing" not in line))
    assert [sample.case.options["function"] for sample in found.samples] == ["PingPong"]
    assert any("does not say its function" in one.why for one in found.left_out)


def test_overlap_of_calls_that_do_not_block() -> None:
    text = output(Table("Iallreduce", OVERLAP, [(64, 9, 2.5, 1.5, 1.25, 16.67)]), part="MPI-NBC")
    assert numbers(read(text).samples[0]) == {
        "time_us": 2.5,
        "t_pure_us": 1.5,
        "t_cpu_us": 1.25,
        "overlap_percent": 16.67,
    }


def test_what_was_printed_as_nothing_is_unknown() -> None:
    sample = read(output(Table("Bcast", COLLECTIVE, [(0, 1000, 0.0, 0.004, 0.001)]))).samples[0]
    assert set(numbers(sample).values()) == {None}


def test_ranks_that_wait_and_groups_at_once() -> None:
    tables = [
        ping(idle=6),
        ping(groups=4),
        Table("Barrier", SYNC, [(1000, 0.5, 1.5, 1.0)], processes=3, groups=2, idle=1),
    ]
    launch = read(output(*tables))
    found = [
        (one.case.ranks, one.case.options["active"], one.case.options["group"]) for one in launch.samples
    ]
    assert found == [(8, 2, 2)] * 4 + [(8, 8, 2)] * 4 + [(7, 6, 3)]
    labels = [launch.samples[at].case.label for at in (0, 4, 8)]
    assert labels == ["0 B, 2 of 8 ranks", "0 B, 4 groups of 2", "2 groups of 3"]
    assert launch.samples[-1].case.options["bytes"] is None and launch.ranks == 8


def test_each_group_that_is_printed_is_a_case() -> None:
    rows = [(group, 8, 1000, 2.0 + group, 8 / (2.0 + group)) for group in (0, 1)]
    launch = read(output(Table("PingPong", ("Group", *ONE_WAY), rows, groups=2)))
    assert options(launch, "group_number") == [[0], [1]]
    assert [numbers(sample)["time_us"] for sample in launch.samples] == [2.0, 3.0]


def test_modes_and_what_the_command_line_changes_set_cases_apart() -> None:
    tables = [Table("Accumulate", COLLECTIVE, [(8, 9, 1.0, 1.0, 1.0)], mode=mode) for mode in MODES]
    command = "/opt/IMB-EXT -npmin 2 -off_cache -1 -msglog 3:4 Accumulate -root_shift on -time 0.5"
    launch = read(output(*tables, command=command, part="MPI-2"))
    assert options(launch, "mode", "off_cache", "root_shift") == [
        [mode.lower(), "-1", "on"] for mode in MODES
    ]
    assert {"npmin", "msglog", "time", "Accumulate"}.isdisjoint(launch.samples[0].case.options)
    assert launch.facts["command"] == command.split()


MODES = ("AGGREGATE", "NON-AGGREGATE")


def test_a_command_line_of_several_lines() -> None:
    wrapped = "IMB-MPI1 -npmin 2 -off_cache 4,64 \n#      -sync off PingPong"
    launch = read(output(ping(), command=wrapped))
    assert options(launch, "off_cache", "sync")[0] == ["4,64", "off"]


def test_data_that_imb_found_wrong_is_a_failure_and_checking_sets_a_case_apart() -> None:
    rows = [(8, 9, 1.0, 1.0, 1.0, defect) for defect in (0.0, 0.5)]
    launch = read(output(Table("Bcast", (*COLLECTIVE, "defects"), rows)))
    assert options(launch, "check") == [[True]]
    (failure,) = launch.failures
    assert failure.exit_code == 4 and f"Bcast moved wrong data, line {FIRST + 1}" in failure.problem


@pytest.mark.parametrize(
    "said",
    [
        'out-of-mem.; needed X=   1.234 GB; use flag "-mem X" or MAX_MEM_USAGE>=X (IMB_mem_info.h)',
        "int-overflow.; The production rank*size caused int overflow for given sample",
        'int-overflow; The production rank*size caused int overflow; use "-data_type double"',
        'time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use "-time X"',
    ],
)
def test_what_imb_did_not_measure_is_left_out_with_its_reason(said: str) -> None:
    row = f"{1 << 30:13} {said}\n"
    launch = read(output(Table("Alltoall", COLLECTIVE, [(8, 9, 1.0, 1.0, 1.0)]), row))
    (left,) = launch.left_out
    size = "from 1 GiB on" if said.startswith("time-out") else "1 GiB"
    assert (left.comparison, left.label) == ("Alltoall", f"{size}, 2 processes")
    assert left.why == f"IMB printed: {said}"
    assert len(launch.samples) == 1


def test_what_others_print_between_is_passed_over() -> None:
    lines = output(ping(), ping(processes=2, idle=2)).split("\n")
    noise = ["[n01:77] *** a warning", "", "libfabric: 2 providers", "# a comment", "3", "srun: 12 34"]
    noisy = "\r\n".join(part for line in lines for part in (line, *noise[:1], noise[2]))
    assert samples_of(noisy) == samples_of("\n".join(lines))


def samples_of(text: str) -> list[Any]:
    return [(sample.case, sample.metrics) for sample in read(text).samples]


def test_noise_before_a_heading_on_its_line_loses_nothing() -> None:
    text = (
        output(ping())
        .replace("#------", "LID = 786#------")
        .replace("# Benchmarking", "[n1] up # Benchmarking")
    )
    assert len(read(text).samples) == 4


def test_the_part_of_files_whose_heading_lacks_an_end() -> None:
    table = Table("S_Write_Indv", ONE_WAY, rated([8], [48.16]), processes=1, idle=1, mode="AGGREGATE")
    text = output(table, part="MPI-IO").replace("MPI-IO part    \n#---", "MPI-IO partn#---")
    (sample,) = read(text).samples
    assert (sample.case.benchmark, sample.case.options["part"]) == ("imb-io", "MPI-IO")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("            8         1000         0.55", "3 words are not 4 numbers"),
        ("            8         1000         0.55[n01] up", "'0.55[n01]' under 't[usec]'"),
        ("            8         1000         0.55        14.551", "'14.551' under 'Mbytes/sec'"),
        (
            "            8         1000         0.5         14.55",
            "'0.5' under 't[usec]' is no number with two",
        ),
        ("            8       1000.0         0.55        14.55", "'1000.0' under '#repetitions' is no whole"),
    ],
)
def test_a_damaged_row_is_left_out_with_its_line(row: str, why: str) -> None:
    launch = read(output(ping(), row + "\n"))
    (left,) = launch.left_out
    assert left.label == f"line {FIRST + 4}, 2 processes" and why in left.why
    assert len(launch.samples) == 4


def test_columns_that_are_not_known_are_told_once() -> None:
    launch = read(
        output(Table("New", ("#bytes", "#repetitions", "t_p99[usec]"), [(8, 9, 1.0), (16, 9, 1.0)]))
    )
    (left,) = launch.left_out
    assert "the column 't_p99[usec]' is not known" in left.why and not launch.samples


def test_an_output_that_ends_early_says_what_is_missing() -> None:
    text = output(ping(), listed=["PingPong", "Bcast"], complete=False)
    cut = text[: text.rindex("114.95") + 3]
    launch = read(cut)
    assert len(launch.samples) == 3
    assert [(left.comparison, left.label) for left in launch.left_out] == [
        ("PingPong", f"line {FIRST + 4}, 2 processes"),
        ("PingPong", "what would follow"),
        ("Bcast", "all sizes"),
    ]
    assert "the file ends within this line" in launch.left_out[0].why


def test_outputs_one_behind_the_other() -> None:
    old = rated(SIZES, (0.52, 0.55, 1.87, 114.95), megabyte=MIB)
    first, second = Imb().read(output(ping()) + output(ping(*old), version="2.3"))
    assert [len(one.samples) for one in (first, second)] == [4, 4]
    found = [numbers(one.samples[-1])["bandwidth_bytes_per_s"] for one in (first, second)]
    assert found == [9122.02e6, pytest.approx(9122.02e6, rel=1e-5)]


def test_one_damaged_line_outweighs_no_version() -> None:
    rows = [*ROWS[:3], (1 << 20, 1000, 114.95, ROWS[3][3] * 1e6 / MIB)]
    launch = read(output(ping(*rows)))
    assert len(launch.samples) == 3 and len(launch.failures) == 1 and not launch.notes


TIMES = st.floats(0.005, 1e7)
SHORTEST_US_PER_BYTE = 1e-7
"""Beyond, a bandwidth would be wider than its column."""
TABLES = {
    "PingPong": (ONE_WAY, 1.0),
    "Sendrecv": (PARALLEL, 2.0),
    "Exchange": (PARALLEL, 4.0),
    "Allreduce": (COLLECTIVE, None),
    "Barrier": (SYNC, None),
}


@st.composite
def tables(draw: st.DrawFn, megabyte: float) -> Table:
    function = draw(st.sampled_from(sorted(TABLES)))
    columns, moves = TABLES[function]
    rows: list[tuple[float, ...]] = []
    for size in draw(st.lists(st.integers(0, 1 << 31), min_size=1, max_size=6, unique=True)):
        time = draw(TIMES) + size * SHORTEST_US_PER_BYTE
        (made,) = rated([size], [time], moves=moves or 1.0, megabyte=megabyte)
        wide = made if columns is ONE_WAY else spread([made])[0]
        rows.append(wide[1:5] if columns is SYNC else wide[: len(columns)])
    groups, idle = draw(st.integers(1, 3)), draw(st.integers(0, 3))
    return Table(function, columns, rows, draw(st.integers(2, 500)), groups, idle)


@random_cases(60)
@given(st.data())
def test_any_tables_are_read_back_as_they_were(data: st.DataObject) -> None:
    version, megabyte = data.draw(
        st.sampled_from([("2.3", MIB), ("4.1", MIB), ("2018", 1e6), ("2021.9", 1e6)])
    )
    made = data.draw(st.lists(tables(megabyte), min_size=1, max_size=4))
    noise = data.draw(st.lists(st.sampled_from(["[n1] warning\n", "\n", "# note\n"]), max_size=4))
    mixed = [part for one, line in zip(made, [*noise, *([""] * 9)], strict=False) for part in (one, line)]
    launch = read(output(*mixed, version=version))
    assert not (launch.failures or launch.left_out or launch.notes)
    rows = [(one, row) for one in made for row in one.rows]
    assert len(launch.samples) == len(rows)
    for sample, (one, row) in zip(launch.samples, rows, strict=True):
        printed = dict(zip(one.columns, row, strict=True))
        time = float(f"{printed.get('t[usec]', printed.get('t_max[usec]')):.2f}")
        rate = float(f"{printed.get('Mbytes/sec', 0):.2f}") * megabyte
        assert sample.case.options["function"] == one.function
        assert sample.case.options["bytes"] == printed.get("#bytes")
        assert sample.case.ranks == one.groups * one.processes + one.idle
        found = numbers(sample)
        assert found["time_us"] == (time or None)
        assert found.get("bandwidth_bytes_per_s") == (rate or None)
