"""Files of dumps: what they hold, and those that are refused."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cloud.made_dump import GAMMA, ORDER, STEP, TIME, header, write_scaled, write_state
from weir.cloud.dump import SCALED, newest_in, open_dump
from weir.cloud.fields import field_of, values
from weir.errors import ExitCode, WeirError

CELLS = (4, 3, 2)
NUMBERS = np.arange(24.0).reshape(CELLS, order="F")
EVERYWHERE = (slice(None),)


def fields() -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    return {name: NUMBERS + 100 * place for place, name in enumerate(ORDER, 1)}


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_state_is_read_in_either_byte_order(tmp_path: Path, order: str) -> None:
    dump = open_dump(write_state(tmp_path / "analysis-000005", fields(), order))
    head = dump.header
    assert (head.cells, head.step, head.time, head.gamma) == (CELLS, STEP, TIME, GAMMA)
    assert head.byte_order == {"<": "little", ">": "big"}[order]
    assert dump.kind == "state" and tuple(dump.arrays) == ORDER
    for name, field in fields().items():
        np.testing.assert_array_equal(values(dump, name, EVERYWHERE), field.T)


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_visualisation_file_is_told_by_its_size(tmp_path: Path, order: str) -> None:
    bytes_ = NUMBERS.astype(np.uint8)
    dump = open_dump(write_scaled(tmp_path / "speed-000005", bytes_, order))
    assert dump.kind == "visualisation" and dump.header.cells == CELLS
    np.testing.assert_array_equal(dump.arrays[SCALED], bytes_.T)
    assert field_of(dump, None) == "speed" == field_of(dump, "speed")


def test_speed_is_made_of_all_velocities(tmp_path: Path) -> None:
    part = {"u": np.full(CELLS, 2.0), "v": np.full(CELLS, -3.0), "w": np.full(CELLS, 6.0)}
    dump = open_dump(write_state(tmp_path / "restart", part))
    np.testing.assert_array_equal(values(dump, "speed", EVERYWHERE), np.full(CELLS[::-1], 7.0))


def test_a_file_without_a_cell_is_none(tmp_path: Path) -> None:
    path = tmp_path / "analysis-000005"
    path.write_bytes(header((0, 0, 0)))
    assert "is no dump" in refusal(path)


def refusal(path: Path) -> str:
    with pytest.raises(WeirError) as caught:
        open_dump(path)
    assert caught.value.exit_code == ExitCode.USAGE
    assert str(path) in caught.value.problem and caught.value.suggestion
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda whole: whole[:23], "it has 23 bytes, and a header alone has 24"),
        (lambda whole: b"", "it has 0 bytes"),
        (lambda whole: whole[:24], "is truncated"),
        (lambda whole: whole[:-1], "is truncated, or too long"),
        (lambda whole: whole + b"\0", "is too long (it has 601 bytes; with 4 x 3 x 2 cells"),
        (lambda whole: b"PNG " * 6 + whole[24:], "is no dump of the gas cloud (its first six reals"),
        (lambda whole: np.float32(4.5).tobytes() + whole[4:], "is no dump"),
        (lambda whole: np.float32(np.nan).tobytes() + whole[4:], "is no dump"),
        (lambda whole: whole[:12] + np.float32(-1).tobytes() + whole[16:], "is no dump"),
        (lambda whole: whole[:16] + np.float32(np.inf).tobytes() + whole[20:], "is no dump"),
        (lambda whole: np.float32(2**24).tobytes() * 3 + whole[12:], "is truncated"),
    ],
)
def test_a_file_that_is_no_whole_dump_is_refused(
    tmp_path: Path, change: Callable[[bytes], bytes], said: str
) -> None:
    path = write_state(tmp_path / "analysis-000005", fields())
    path.write_bytes(change(path.read_bytes()))
    assert said in refusal(path)


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "there is no such file" in refusal(tmp_path / "nowhere")
    assert "it is a device, not a file" in refusal(Path("/dev/null"))


def test_fields_that_a_file_does_not_have_are_refused(tmp_path: Path) -> None:
    state = open_dump(write_state(tmp_path / "restart", fields()))
    named = open_dump(write_scaled(tmp_path / "density-000005", NUMBERS.astype(np.uint8)))
    unnamed = open_dump(write_scaled(tmp_path / "picture", NUMBERS.astype(np.uint8)))
    assert field_of(state, None) == "density" == field_of(unnamed, "density")
    assert field_of(state, "rho") == "density" and field_of(state, "p") == "pressure"
    with pytest.raises(WeirError, match="no variable 'vorticity'"):
        field_of(state, "vorticity")
    with pytest.raises(WeirError, match=r"holds no pressure .* pressure-000005"):
        field_of(named, "pressure")
    with pytest.raises(WeirError, match="cannot tell which field"):
        field_of(unnamed, None)


def test_the_newest_state_of_a_directory(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="there is no dump in"):
        newest_in(tmp_path)
    for name in ("analysis-000002", "analysis-000011", "analysis-new", "density-000020"):
        write_state(tmp_path / name, fields())
    assert newest_in(tmp_path).name == "analysis-000011"
    restart = write_state(tmp_path / "restart", fields())
    assert newest_in(tmp_path) == restart
    write_state(tmp_path / f"analysis-{STEP:06d}", fields())
    assert newest_in(tmp_path).name == f"analysis-{STEP:06d}"
