"""`weir read`: files become a run that every verb reads, with the origin of its numbers in it."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from reading.made_output import COLLECTIVE, ONE_WAY, Table, output, rated
from verbs import weir_here as weir

SIZES = (0, 4096, 65536, 1 << 20)


def imb(*, speed: float = 1.0, seconds: int = 26, **changes: Any) -> str:
    """An output with PingPong and Allreduce, `speed` times as fast as usual, of a launch at that second."""
    megabyte = float(1 << 20) if changes.get("version") == "2.3" else 1e6
    times = [one / speed for one in (1.2, 1.88, 21.8, 114.96)]
    rows = [(size, 100, time * 0.9, time, time * 0.95) for size, time in zip(SIZES, times, strict=True)]
    return output(
        Table("PingPong", ONE_WAY, rated(SIZES, times, megabyte=megabyte)),
        Table("Allreduce", COLLECTIVE, rows, processes=4),
        date=f"Tue Mar 14 15:09:{seconds:02} 2006",
        **changes,
    )


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the outputs `a.txt` and `b.txt`."""
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(imb())
    Path("b.txt").write_text(imb(speed=2, seconds=27))
    return tmp_path


def read(*words: str, code: int = 0) -> str:
    done = weir("read", *words, "--out", "RUN")
    assert done.exit_code == code, done.output
    return done.output


def rows(run: str = "RUN") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(weir("show", run, "--json").output)["rows"]
    return found


def lines(kind: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in Path("RUN/samples.jsonl").read_text().splitlines()]
    return [line for line in found if line["kind"] == kind]


def test_every_verb_reads_the_run() -> None:
    said = read("a.txt")
    assert "PingPong" in said and "`weir show RUN`" in said
    shown = weir("show", "--all", "RUN").output
    assert shown.startswith("Results of IMB 2021.11, read from 1 file\n")
    assert "no interval: PingPong: 0 B, and 7 cases more: it was read from the output of IMB" in shown
    done = weir("report", "RUN")
    page = Path("RUN/report.html").read_text()
    assert done.exit_code == 0 and "printed by IMB 2021.11" in page
    assert "ia64 Linux 2.6.9" in page and "Read by:" in page and "this machine" not in page
    for table in ("samples", "cases"):
        text = weir("export", "RUN", "--format", "csv", "--table", table).output
        assert "option_function" in text and "Allreduce" in text
    assert weir("export", "RUN", "--format", "openmetrics").exit_code == 0


def test_the_run_says_where_its_numbers_are_from_and_nothing_of_this_machine() -> None:
    read("a.txt")
    info = json.loads(Path("RUN/run.json").read_text())
    (origin,) = info["read_from"]
    assert origin["sha256"] == sha256(Path("a.txt").read_bytes()).hexdigest()
    known = {key: origin[key] for key in ("tool", "source", "version", "machine", "date", "mpi_standard")}
    assert list(known.values()) == ["IMB", "a.txt", "2021.11", "ia64", "Tue Mar 14 15:09:26 2006", "2.0"]
    assert info["machine"] == {
        "host": {"name": None, "kernel": "ia64 Linux 2.6.9"},
        "mpi": {"standard": "2.0"},
    }
    assert info["core"] is None and info["directory"] is None
    (launch,) = lines("launch")
    assert launch["started_at"] == "2006-03-14T15:09:26" and launch["ranks"] == 4
    assert Path("RUN/logs/read-0001.txt").read_text() == Path("a.txt").read_text()
    sample = lines("sample")[0]
    assert sample["elapsed_s"] is None and sample["started_at"] is None
    row = rows()[0]
    assert (row["samples"], row["low"], row["high"]) == (1, None, None)


def test_the_same_case_in_several_files_has_several_samples() -> None:
    for number in range(6):
        Path(f"{number}.txt").write_text(imb(speed=1 + number / 10, seconds=number))
    read(*(f"{number}.txt" for number in range(6)))
    found = rows()
    assert len(found) == 8 and {row["samples"] for row in found} == {6}
    assert all(row["low"] < row["median"] < row["high"] for row in found)
    assert [line["repetition"] for line in lines("sample")][::8] == list(range(6))


def test_several_outputs_in_one_file_are_several_samples() -> None:
    Path("all.txt").write_text(imb() + imb(seconds=27))
    read("all.txt")
    assert {row["samples"] for row in rows()} == {2} and len(lines("launch")) == 2


def test_named_files_are_compared() -> None:
    read("old=a.txt", "new=b.txt")
    shown = " ".join(weir("show", "--all", "RUN").output.split())
    assert "○ Surely differ, new against old undecided needs more samples" in shown
    assert shown.count("2.00 times") == 8 == shown.count("(n = 1, no interval)")
    assert shown.count("new old Allreduce, 4 ranks") == 4
    labels = [line["label"] for line in lines("case")]
    assert labels[:4] == ["0 B, old", "0 B, new", "4 KiB, old", "4 KiB, new"]


def test_machines_with_other_names_are_kept_apart_without_a_name() -> None:
    Path("b.txt").write_text(imb(release="2.6.18"))
    read("a.txt", "b.txt")
    assert {row["samples"] for row in rows()} == {1}
    assert {row["options"]["source"] for row in rows()} == {"ia64 Linux 2.6.9", "ia64 Linux 2.6.18"}
    assert json.loads(Path("RUN/run.json").read_text())["machine"] is None


def test_only_what_versions_define_alike_is_compared_across_them() -> None:
    Path("b.txt").write_text(imb(version="2.3", speed=0.5))
    read("old=b.txt", "new=a.txt")
    shown = weir("show", "--all", "RUN").output
    assert "Surely differ, new against old" in shown
    compared = [line.split() for line in shown.splitlines() if line.split()[:2] == ["new", "old"]]
    assert len(compared) == 4 and all("PingPong," in line for line in compared)
    assert "Allreduce, 4 ranks: new" not in shown


@pytest.mark.parametrize("words", [("a.txt", "a.txt"), ("x=a.txt", "y=copy.txt"), ("twice.txt",)])
def test_a_result_counts_once(words: tuple[str, ...]) -> None:
    Path("copy.txt").write_text("srun: job 1\n" + imb())
    Path("twice.txt").write_text(imb() + imb())
    assert "they would count twice" in read(*words, code=2)
    assert not Path("RUN").exists()


def test_a_contradiction_ends_with_3_and_the_rest_is_kept() -> None:
    Path("a.txt").write_text(imb().replace("   2178.72", "   2278.72"))
    said = read("a.txt", code=3)
    assert "line 32 of 'a.txt' contradicts itself (4096 bytes in 1.88 µs are not 2278.72 MB/s" in said
    assert len(lines("sample")) == 7 and len(lines("failure")) == 1
    assert "failed: PingPong: 4 KiB: line 32 of 'a.txt'" in weir("show", "--all", "RUN").output


def test_json_says_all_that_was_read() -> None:
    Path("a.txt").write_text(imb(complete=False))
    told = json.loads(read("a.txt", "--json"))
    assert (told["run"], told["exit_code"], told["cases"], told["samples"]) == ("RUN", 0, 8, 8)
    assert told["read_from"][0]["version"] == "2021.11" and told["failures"] == told["notes"] == []
    assert told["left_out"][0]["why"] == "'a.txt' ends before IMB's last line"


def test_redacted_exports_name_no_file_and_no_source() -> None:
    secret = Path("secret.txt").absolute()
    secret.write_text(imb(command="/home/jane/IMB-MPI1"))
    read(f"columbia={secret}", "b.txt")
    redacted = weir("report", "RUN", "--redact")
    page = Path("RUN/report.html").read_text()
    assert redacted.exit_code == 0 and not {"secret", "jane", "columbia"} & set(re.findall(r"\w+", page))
    text = weir("export", "RUN", "--format", "csv", "--redact").output
    assert "columbia" not in text and "Allreduce" in text


def assert_refused(words: str, *files: str) -> None:
    said = read(*files, code=2)
    assert words in said and len(said.splitlines()) == 1, said
    assert not Path("RUN").exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b" \n\n", "it is empty"),
        (bytes(range(256)) * 8, "it is no output of IMB"),
        (b"# OSU MPI Latency Test v5.3\n1 0.30\n", "it is no output of IMB"),
        (output(complete=False).encode(), "it ends before the first one"),
        (
            output(Table("Bcast", COLLECTIVE, []), "   8 time-out.; over\n").encode(),
            "IMB printed: time-out.; over",
        ),
    ],
)
def test_what_is_no_output_is_refused(content: bytes, why: str) -> None:
    Path("c.txt").write_bytes(content)
    assert_refused(why, "c.txt")


def test_one_wrong_file_spoils_nothing() -> None:
    Path("c.txt").write_text("nothing\n")
    assert_refused("cannot read the results 'c.txt' (it is no output of IMB)", "a.txt", "c.txt")


def test_a_huge_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("c.txt").open("wb") as file:
        file.truncate(33 << 20)
    assert_refused("it has more than 32 MiB", "c.txt")


@pytest.mark.parametrize("word", ["=a.txt", "old="])
def test_half_a_name_is_refused(word: str) -> None:
    assert_refused("is no NAME=FILE", word)


def test_a_file_with_an_equals_sign_in_its_name() -> None:
    Path("np=4.txt").write_text(imb())
    read("np=4.txt")
    assert {row["options"]["source"] for row in rows()} == {"ia64 Linux 2.6.9"}


def test_a_run_is_not_added_to() -> None:
    read("a.txt")
    before = Path("RUN/samples.jsonl").read_bytes()
    assert "'RUN' is a run already" in read("b.txt", code=2)
    assert Path("RUN/samples.jsonl").read_bytes() == before


def test_a_folder_that_holds_something_else_is_left_alone(place: Path) -> None:
    Path("RUN").mkdir()
    Path("RUN/thesis.tex").write_text("mine")
    assert "it holds 'thesis.tex' but no run.json" in read("a.txt", code=2)
    assert [path.name for path in Path("RUN").iterdir()] == ["thesis.tex"]


def test_what_an_interrupted_read_left_is_replaced() -> None:
    read("a.txt")
    whole = Path("RUN/samples.jsonl").read_bytes()
    Path("RUN/run.json").unlink()
    Path("RUN/samples.jsonl").write_bytes(whole[:900])
    read("a.txt")
    assert Path("RUN/samples.jsonl").read_bytes() == whole


def test_without_a_place_runs_go_where_others_are() -> None:
    done = weir("read", "a.txt")
    (run,) = Path("runs").iterdir()
    assert done.exit_code == 0 and run.name.startswith("read-") and len(rows(str(run))) == 8
