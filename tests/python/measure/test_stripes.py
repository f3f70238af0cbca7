"""Stripes that a study asks for, set by an `lfs` that notes what it is told, of a Lustre with three OSTs."""

import json
from pathlib import Path

import pytest

from fakes import read_lines
from verbs import weir_ended
from weir.machine.card import System, collect
from weir.machine.mount_table import parse_mounts

OSTS = 3
LFS = """#!/bin/sh
echo "$*" >>"$LFS_NOTES"
verb=$1
shift
case $verb in
setstripe)
    [ -z "$LFS_REFUSES" ] || { echo "$LFS_REFUSES" >&2; exit 1; }
    while [ $# -gt 1 ]; do
        [ "$1" = -c ] && count=$2
        [ "$1" = -S ] && size=$2
        shift 2
    done
    echo "${count:-1} ${size:-1048576}" >"$LFS_LAYOUT"
    ;;
getstripe)
    read -r count size <"$LFS_LAYOUT" || { count=1 size=1048576; }
    if [ "$1" = -d ]; then
        echo "stripe_count:  1 stripe_size:   1048576 pattern:       raid0 stripe_offset: -1"
    else
        [ -f "$1" ] || exit 2
        [ "$count" -le 3 ] || count=3
        printf '%s\\nlmm_stripe_count:  %s\\n' "$1" $count
        printf 'lmm_stripe_size:   %s\\nlmm_pattern:       raid0\\n' $size
    fi
    ;;
esac
"""
STUDY = """
[study]
name = "striped"
budget = "5s"
min_samples = 1
max_samples = 1

[fixed]
benchmark = "storage"

[[comparison]]
name = "stripes"
axes = { stripe_count = [1, 2, 8], stripe_bytes = ["1MiB"] }

[[comparison]]
name = "usual"
"""


class Place:
    """A directory that is taken for one on Lustre, and a study."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "store"
        self.run = folder / "run"

    def told(self, verb: str) -> list[list[str]]:
        """The arguments of each call of lfs, the path by its last part but for what is random in it."""
        notes = self.folder / "notes"
        lines = notes.read_text().splitlines() if notes.exists() else []
        return [words[1:-1] for line in lines if (words := line.split())[0] == verb]

    def weir(self, verb: str, *more: str) -> tuple[int, str]:
        """Exit code, and what it printed."""
        done = weir_ended(verb, str(self.folder / "study.toml"), "--dir", str(self.store), *more)
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_core: Path) -> Place:
    found = Place(tmp_path.resolve())
    found.store.mkdir()
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "lfs"
    program.write_text(LFS)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    monkeypatch.setenv("LFS_NOTES", str(tmp_path / "notes"))
    monkeypatch.setenv("LFS_LAYOUT", str(tmp_path / "layout"))
    monkeypatch.setenv("LFS_REFUSES", "")
    mounted(monkeypatch, "lustre")
    (tmp_path / "study.toml").write_text(STUDY)
    return found


def mounted(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    mounts = parse_mounts(f"27 1 0:40 / / rw - {kind} 10.0.0.1@tcp:/fs rw")
    monkeypatch.setattr("weir.measure.stripe_settings._mounts_here", lambda: mounts)


def test_stripes_are_set_on_weirs_own_folders_and_read_back(place: Place) -> None:
    code, said = place.weir("run", "--out", str(place.run))
    assert code == 5, said  # one sample has no interval
    assert "a new file has 3 stripes of 1 MiB, and 8 stripes of 1 MiB were asked for" in said
    cases = read_lines(place.run, "case")
    assert [case["options"].get("stripe_count") for case in cases] == [1, 2, None]
    (left,) = read_lines(place.run, "left_out")
    assert left["label"] == "stripe_count 8, stripe_bytes 1MiB"
    # Each once to see whether it can be had, and those that can once in the folder of the files.
    asked = [["-c", str(count), "-S", "1048576"] for count in (1, 2, 8, 1, 2)]
    assert sorted(place.told("setstripe")) == sorted(asked)
    notes = (place.folder / "notes").read_text()
    assert all(f"{place.store}/" in line for line in notes.splitlines() if "setstripe" in line)
    assert list(place.store.iterdir()) == []


def test_a_run_keeps_what_its_directory_had_and_its_files_got(place: Place) -> None:
    place.weir("run", "--out", str(place.run))
    found = json.loads((place.run / "run.json").read_text())["stripes"]
    assert [(one["asked"], one["stripe_count"], one["stripe_bytes"]) for one in found] == [
        (None, 1, 1 << 20),
        ({"stripe_count": 1, "stripe_bytes": 1 << 20}, 1, 1 << 20),
        ({"stripe_count": 2, "stripe_bytes": 1 << 20}, 2, 1 << 20),
    ]
    assert {one["directory"] for one in found} == {str(place.store)}


def test_the_core_works_in_the_folder_and_hears_nothing_of_stripes(place: Place) -> None:
    place.weir("run", "--out", str(place.run), "--keep")
    entries = [
        case
        for path in sorted((place.run / "logs").glob("*.json"))
        for case in json.loads(path.read_text())["cases"]
    ]
    assert {key for case in entries for key in case["options"] if key.startswith("stripe")} == set()
    (scratch,) = place.store.iterdir()
    assert {Path(case["options"]["dir"]) for case in entries} == {scratch / case["id"] for case in entries}


def test_without_keeping_files_cases_of_one_setting_share_a_folder(place: Place) -> None:
    place.weir("run", "--out", str(place.run))
    folders = {
        Path(case["options"]["dir"]).name
        for path in (place.run / "logs").glob("*.json")
        for case in json.loads(path.read_text())["cases"]
    }
    assert {"stripes-1-1048576", "stripes-2-1048576"} < folders and len(folders) == 3


def test_a_file_system_without_stripes_leaves_such_cases_out(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounted(monkeypatch, "ext4")
    code, said = place.weir("run", "--out", str(place.run))
    assert code == 5, said  # one sample has no interval
    assert "ext4 has no stripes to set" in said
    assert len(read_lines(place.run, "left_out")) == 3 and place.told("setstripe") == []


@pytest.mark.parametrize("verb", ["run", "plan"])
def test_where_no_case_is_left_nothing_runs(place: Place, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    (place.folder / "study.toml").write_text(STUDY.rpartition("[[comparison]]")[0])
    monkeypatch.setenv("LFS_REFUSES", "error: setstripe: Permission denied")
    code, said = place.weir(verb, *(["--out", str(place.run)] if verb == "run" else []))
    assert code == 2
    assert "lfs setstripe says: error: setstripe: Permission denied" in said
    assert list(place.store.iterdir()) == []


def test_stripes_that_are_not_to_be_had_any_more_end_the_run(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They could be had when it was tried; two settings were, and the third call is of the run itself."""
    (place.folder / "study.toml").write_text(STUDY.replace("[1, 2, 8]", "[1, 2]"))
    once = place.folder / "bin" / "lfs"
    once.write_text(LFS.replace('[ -z "$LFS_REFUSES" ]', '[ "$(grep -c setstripe "$LFS_NOTES")" -le 2 ]'))
    monkeypatch.setenv("LFS_REFUSES", "error: setstripe: Disk quota exceeded")
    code, said = place.weir("run", "--out", str(place.run))
    assert code == 3
    assert "does not get" in said and "Disk quota exceeded" in said
    assert list(place.store.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("stripe_count = 0", "it must be at least 1"),
        ('stripe_count = "all"', "a whole number"),
        ("stripe_bytes = 1048576", "a bare number has no unit"),
        ('stripe_bytes = "4KiB"', "it must be at least 64KiB"),
        ("stripe_cuont = 4", "stripe_count"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_line(place: Place, line: str, told: str) -> None:
    (place.folder / "study.toml").write_text(STUDY.replace("[fixed]", f"[fixed]\n{line}"))
    code, said = place.weir("plan")
    assert code == 2 and told in said and "study.toml" in said


def test_a_benchmark_without_files_has_no_stripes(place: Place) -> None:
    (place.folder / "study.toml").write_text(STUDY.replace('"storage"', '"stream"'))
    code, said = place.weir("plan")
    assert code == 2 and "unknown key 'stripe_count'" in said


def test_the_card_asks_the_real_program(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    table = place.folder / "root" / "proc" / "self" / "mountinfo"
    table.parent.mkdir(parents=True)
    table.write_text("27 1 0:40 / / rw - lustre 10.0.0.1@tcp:/fs rw\n")
    card = collect(System(place.store, root=place.folder / "root"))
    assert (card["stripe"]["stripe_count"], card["stripe"]["stripe_bytes"]) == (1, 1 << 20)
    assert place.told("getstripe") == [["-d"]]
