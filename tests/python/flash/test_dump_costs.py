"""The sizes of FLASH-IO's files by formula are those of files that the original benchmarks wrote."""

import pytest

from weir.flash.dump_costs import FILES, PAPER_RANKS, all_blocks, data_bytes, data_bytes_of_all

NETCDF_HEADER = {"checkpoint": 3072, "plot": 1536, "corner": 1536}
OWN_HEADER = {"checkpoint": 196, "plot": 104, "corner": 104}
"""In netCDF files attributes hold what HDF5 files have in datasets, and the header contains them."""
OF_PNETCDF = {
    (8, 2): (15_856_420, 1_339_124, 1_898_116),
    (8, 4): (31_808_236, 2_685_020, 3_806_476),
    (16, 2): (126_645_028, 10_571_508, 12_676_100),
    (16, 4): (254_073_580, 21_207_132, 25_429_388),
    (32, 2): (1_012_953_892, 84_430_580, 92_593_924),
    (32, 4): (2_032_196_332, 169_384_028, 185_761_420),
    (16, 512): (32_620_925_788, 2_722_655_628, 3_264_764_540),
}
"""Sizes of the files that PnetCDF's version wrote, all with 80 blocks on rank 0, by side and ranks."""
OF_HDF5 = {
    (8, 1): (7_893_312, 673_280, 951_040),
    (8, 3): (23_943_136, 2_027_140, 2_870_836),
    (16, 1): (125_870_464, 10_513_408, 12_604_928),
}
"""The same of the original, with its own blocks."""


@pytest.mark.parametrize(("place", "sizes"), OF_PNETCDF.items(), ids=str)
def test_data_and_header_are_the_netcdf_file_byte_for_byte(
    place: tuple[int, int], sizes: tuple[int, ...]
) -> None:
    side, ranks = place
    for file, size in zip(FILES, sizes, strict=True):
        data = data_bytes(file, ranks, side, first=80) - OWN_HEADER[file]
        assert data + NETCDF_HEADER[file] == size


@pytest.mark.parametrize(("place", "sizes"), OF_HDF5.items(), ids=str)
def test_an_hdf5_file_has_the_data_and_little_metadata(
    place: tuple[int, int], sizes: tuple[int, ...]
) -> None:
    side, ranks = place
    most = {"checkpoint": 16_000, "plot": 9_000, "corner": 9_000}
    for file, size in zip(FILES, sizes, strict=True):
        assert 8_000 < size - data_bytes(file, ranks, side) < most[file]


def test_ranks_have_up_to_two_blocks_more() -> None:
    assert [all_blocks(ranks, 8) for ranks in (1, 2, 3, 4)] == [80, 161, 243, 323]
    assert [all_blocks(ranks, 32) for ranks in (1, 2, 3, 4)] == [160, 321, 483, 643]
    assert all_blocks(512, 16, first=80) == 41_471
    for ranks in range(1, 100):
        assert all_blocks(ranks, 8) == sum(80 + rank % 3 for rank in range(ranks))


def test_the_ratios_are_those_of_the_paper() -> None:
    for ranks in PAPER_RANKS:
        checkpoint = {side: data_bytes("checkpoint", ranks, side) for side in (8, 16, 32)}
        assert checkpoint[32] / checkpoint[16] == pytest.approx(8.0, abs=0.01)
        assert checkpoint[16] / checkpoint[8] == pytest.approx(15.9, abs=0.15)
    per_rank = {side: data_bytes("checkpoint", 3, side) / 3 / 2**20 for side in (8, 16)}
    assert per_rank[8] == pytest.approx(7.6, abs=0.01) and per_rank[16] == pytest.approx(121, abs=0.5)


def test_the_paper_s_quota_does_not_suffice_for_its_largest_case() -> None:
    assert data_bytes_of_all(508, 32) > 400e9 > data_bytes_of_all(128, 32)
