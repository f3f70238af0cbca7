"""What is named to a verb and is no file or folder, or a damaged one, is refused in one message that says
what it is, and never waited for."""

import errno
import os
from pathlib import Path

import pytest

from cloud.made_dump import sphere, write_state
from damage.verbs import speak
from synthetic_run import write_run

OF_A_FILE = (
    "plan {}",
    "run {} --out RUN --dir store",
    "explain {}",
    "pattern {} --out out",
    "export {} --format csv",
    "pack --unpack {} --out out",
    "picture {}",
    "read {} --out RUN",
)
OF_A_FOLDER = ("show {}", "report {}", "export {} --format csv", "pack {} --out out")


@pytest.fixture(autouse=True)
def _pipe(place: Path) -> None:
    """A pipe that nobody writes to."""
    os.mkfifo("pipe")


def refused(verb: str, name: str) -> str:
    code, said = speak(*verb.format(name).split(), seconds=10)
    assert code == 2 and said.startswith("weir: ") and len(said.splitlines()) == 1, said
    return said


@pytest.mark.parametrize("verb", [*OF_A_FILE, *OF_A_FOLDER])
@pytest.mark.parametrize(
    ("name", "what"), [("./pipe", "it is a pipe, not a "), ("/dev/zero", "it is a device, not a ")]
)
def test_pipes_and_devices_are_refused_without_waiting(verb: str, name: str, what: str) -> None:
    assert what in refused(verb, name)


@pytest.mark.parametrize("verb", OF_A_FILE)
@pytest.mark.parametrize("name", ["/proc/self/mem", "/proc/cpuinfo"])
def test_what_the_kernel_makes_up_is_refused(verb: str, name: str) -> None:
    assert "it is a file that the kernel makes up" in refused(verb, name)


@pytest.mark.parametrize(
    "verb", [*OF_A_FILE, *OF_A_FOLDER, "doctor {}", "evaluate {}", "pattern {} --out {}"]
)
def test_a_name_that_is_too_long_is_no_defect(verb: str) -> None:
    assert "(File name too long)" in refused(verb.replace("{}", 260 * "x"), "")


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.ESTALE])
def test_a_folder_that_may_not_be_entered_is_no_defect(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What root, who may run these tests, is never kept from."""

    def refuse(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        raise OSError(number, os.strerror(number), str(self))

    with monkeypatch.context() as system:
        system.setattr(Path, "stat", refuse)
        assert f"cannot use 'locked' ({os.strerror(number)})" in refused("doctor {}", "locked")


@pytest.mark.parametrize("name", ["/proc", "."])
def test_a_folder_is_no_study(name: str) -> None:
    assert "it is a folder, not a file" in refused("plan {}", name)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"schema": 1, "weir_ver', "Input data was truncated"),
        ('{"schema": 1; }', "(byte 12)"),
        ('{"schema": 1, "weir_version": 7}', "at `$.weir_version`"),
        ("[]", "it is no JSON object"),
        ("{}", "its schema is None"),
    ],
)
def test_a_damaged_run_is_told_as_one_with_the_place(text: str, why: str) -> None:
    Path("RUN").mkdir()
    Path("RUN/run.json").write_text(text)
    said = refused("show {}", "RUN")
    assert "'RUN/run.json' is damaged" in said and why in said and "the Weir that made it" not in said


def test_a_run_of_a_newer_weir_is_no_damaged_one() -> None:
    Path("RUN").mkdir()
    Path("RUN/run.json").write_text('{"schema": 3}')
    assert "(its schema is 3, and this Weir reads 2). Use the Weir that made it" in refused("show {}", "RUN")


@pytest.mark.parametrize(
    "verb",
    [
        "predict {} --parameters --out {}",
        "picture {} --out ./{}",
        "explain {} --page {}",
        "export other {} --format csv --out {}",
    ],
)
def test_what_is_read_is_not_replaced(verb: str, place: Path) -> None:
    (place / "dump.png").write_bytes(b"precious")
    assert "cannot write 'dump.png' (it is read). Choose another --" in refused(
        verb.replace("{}", "dump.png"), ""
    )
    assert (place / "dump.png").read_bytes() == b"precious"


INSIDE = [
    *(("report RUN --out {}", one) for one in ("samples.jsonl", "study.toml", "run.json", "../RUN/run.json")),
    ("export RUN --format csv --out {}", "logs/launch-0001.json"),
    *(("explain RUN --page {}", one) for one in ("vm-1-0.1.records", "vm-1-0.names", "head.json")),
    ("pattern RUN --out {}", "vm-1-0.process"),
    ("pack RUN --out {}", "vm-1-0.process"),
    ("picture RUN --out {}", "analysis-000005"),
]


@pytest.mark.parametrize(("verb", "name"), INSIDE)
def test_no_part_of_what_is_read_is_replaced(verb: str, name: str, place: Path) -> None:
    run = place / "RUN"
    (run / "logs").mkdir(parents=True)
    for file in ("samples.jsonl", "study.toml", "run.json", "logs/launch-0001.json"):
        (run / file).write_text("precious")
    for file in ("vm-1-0.1.records", "vm-1-0.names", "vm-1-0.process", "head.json"):
        (run / file).write_text("precious")
    write_state(run / "analysis-000005", sphere(4, 4, 4))
    if verb.startswith(("explain", "pattern", "pack", "picture")):
        (run / "run.json").unlink()
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    assert "(it is read). Choose another --" in refused(verb.replace("{}", f"RUN/{name}"), "")
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_what_lies_beside_the_parts_may_be_replaced(place: Path) -> None:
    run = write_run(place / "RUN")
    for _ in range(2):
        assert speak("report", "RUN", "--out", "RUN/other.html", seconds=60)[0] == 0
        assert speak("export", "RUN", "--format", "csv", "--out", "RUN/samples.csv", seconds=60)[0] == 0
    assert {"other.html", "samples.csv"} <= {path.name for path in run.iterdir()}
