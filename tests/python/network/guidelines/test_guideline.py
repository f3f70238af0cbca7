"""The sizes of guidelines, by IMB's definitions."""

import pytest

from weir.network.guidelines.guideline import Part, Size, all_guidelines, share, whole

KIB = 1024


@pytest.mark.parametrize(
    ("part", "imb", "message"),
    [
        (whole("Bcast"), "2021", 16 * KIB),
        (share("Allgather"), "2021", 4 * KIB),
        (share("Allgather"), "2.3", 4 * KIB),
        (share("Reduce_scatter"), "2021", 4 * KIB),
        (share("Reduce_scatter"), "2.3", 16 * KIB),
        (Part("Allreduce", Size.FLOAT), "2021", 4),
        (Part("Barrier", Size.NONE), "2021", 0),
    ],
)
def test_a_vector_of_16_kib_on_4_ranks(part: Part, imb: str, message: int) -> None:
    assert part.message(16 * KIB, 4, imb) == message
    if part.size in (Size.WHOLE, Size.SHARE):
        assert part.vector(message, 4, imb) == 16 * KIB


def test_a_vector_that_cannot_be_split_has_no_share() -> None:
    assert share("Allgather").message(10, 4, "2021") is None
    assert share("Allgather").message(12, 4, "2021") == 3
    assert share("Reduce_scatter").message(12, 4, "2021") is None  # 3 bytes are no float


def test_each_guideline_is_said_with_its_sizes() -> None:
    words = [one.words() for one in all_guidelines()]
    assert len(set(words)) == len(words) >= 12
    assert "Allreduce(m) ≤ Reduce(m) + Bcast(m)" in words
    assert "Allgather(m/n) ≤ Gather(m/n) + Bcast(m)" in words
    assert "Barrier(no data) ≤ Allreduce(4 B)" in words
