"""What a site's configuration does for options that nobody gives, and how `weir doctor` shows it."""

import json
import re
from pathlib import Path

import pytest

from cli.test_compare import place as two_runs
from fakes import study_text
from verbs import weir_here as weir
from weir.core.client import Core
from weir.site.load import site
from weir.store.runs_here import latest_run
from weir.study.load import parse_study
from weir.study.storage import leaves_directory

__all__ = ["two_runs"]
OTHER = ("--matters", "7%", "--assume", "6%")


@pytest.fixture
def site_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "site.toml"
    monkeypatch.setenv("WEIR_SITE", str(path))
    return path


def write(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o600)


@pytest.fixture
def ready(site_file: Path, fake_core: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a study, and a site that names storage and a folder of runs."""
    folder = site_file.parent
    (folder / "work").mkdir(), (folder / "scratch").mkdir(), (folder / "mine").mkdir()
    monkeypatch.chdir(folder / "work")
    monkeypatch.setenv("PROJECTS", str(folder))
    (folder / "work" / "small.toml").write_text(study_text(budget='budget = "2s"'))
    text = '[directories]\nscratch = "$PROJECTS/scratch"\nruns = "$PROJECTS/runs"\n'
    write(site_file, 'launcher = "alone"\n' + text)
    return folder


def test_a_run_goes_to_the_sites_folders_by_its_launcher(ready: Path) -> None:
    done = weir("run", "./small.toml", "--json")
    (run,) = (ready / "runs").iterdir()
    assert json.loads((run / "run.json").read_text())["directory"] == str(ready / "scratch")
    assert f"measuring in '{ready}/scratch'" in done.stderr and f"({ready}/site.toml:3)" in done.stderr
    assert not list((ready / "scratch").iterdir()) and not list((ready / "work").glob("runs"))
    assert latest_run() == run
    assert [one["run"] for one in json.loads(weir("list", "runs", "--json").output)["runs"]] == [str(run)]
    assert weir("history", "small", "--json").exit_code == 0


@pytest.mark.usefixtures("two_runs")
def test_the_least_difference_that_counts(site_file: Path) -> None:
    write(site_file, '[thresholds]\nmatters = "3%"\nassume = "2%"\n')
    found = [json.loads(weir("compare", "a", "half", "--json", *more).output) for more in ((), OTHER)]
    assert [(one["matters"], one["assumed_deviation"]) for one in found] == [(1.03, 0.02), (1.07, 0.06)]


def planned(*options: str) -> tuple[str, str, str]:
    """The storage and the first program of the first command of the plan, and what is told beside it."""
    done = weir("plan", "./small.toml", "--json", *options)
    found = json.loads(done.stdout)
    program = next(word for word in found["commands"][0].split() if "=" not in word)
    return found["directory"], Path(program).name, done.stderr


def test_an_option_goes_before_the_site(ready: Path) -> None:
    assert planned()[:2] == (str(ready / "scratch"), "weir-core")
    given = planned("--dir", str(ready / "mine"), "--launcher", "mpirun")
    assert given == (str(ready / "mine"), "mpirun", "")


def test_without_a_site_it_is_mpirun_in_the_current_folder(ready: Path, site_file: Path) -> None:
    write(site_file, "")
    assert planned() == (str(ready / "work"), "mpirun", "")


def test_a_study_that_names_its_storage_keeps_it(ready: Path) -> None:
    Path("small.toml").write_text(study_text(fixed=f'dir = "{ready}/mine"'))
    assert planned()[2] == ""


def test_scratch_is_for_studies_that_leave_the_storage_open(fake_core: Path) -> None:
    schema = Core(fake_core).schema()
    assert leaves_directory(parse_study(study_text(), "s"), schema)
    assert not leaves_directory(parse_study(study_text(fixed='dir = "/fast"'), "s"), schema)
    optional = parse_study(study_text(more="optional = true"), "s")
    assert not leaves_directory(optional, schema)
    assert leaves_directory(optional.asking_for(["only"]), schema)
    other = study_text().replace('"storage"', '"of which nobody knows"')
    assert not leaves_directory(parse_study(other, "s"), schema)


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    "words", [("run", "./small.toml"), ("plan", "./small.toml"), ("list", "runs"), ("show", "latest")]
)
def test_a_broken_file_is_told_with_its_line(site_file: Path, words: tuple[str, ...]) -> None:
    write(site_file, "\n\nlauncer = 3")
    done = weir(*words)
    assert done.exit_code == 2
    told = re.sub(r"\s+", " ", done.output)
    assert f"{site_file}:3: unknown key 'launcer'. Did you mean 'launcher'?" in told


@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("", (), 0),
        ('fail_on = "worse"', (), 1),
        ('fail_on = "worse"', ("--fail-on", "never"), 0),
        ('fail_on = "worse"\nassume = "60%"', (), 5),
        ('fail_on = "worse"\nassume = "60%"', ("--assume", "5%"), 1),
    ],
)
def test_thresholds_of_a_comparison(site_file: Path, text: str, options: tuple[str, ...], code: int) -> None:
    write(site_file, f"[thresholds]\n{text}\n")
    done = weir("compare", "a", "half", *options)
    assert done.exit_code == code, done.output


@pytest.mark.usefixtures("fake_core")
def test_doctor_shows_each_setting_with_its_file(site_file: Path) -> None:
    write(site_file, '[job]\naccount = "phys01"\n')
    found = json.loads(weir("doctor", "--json").stdout)["site"]
    assert found["problem"] is None and found["files"] == [str(path) for path in site().files]
    assert {"key": "job.account", "value": "phys01", "file": str(site_file), "line": 2} in found["settings"]
    told = re.sub(r"\s+", "", weir("doctor").stdout)
    assert f'job.account"phys01"({site_file}:2)' in told


def test_a_launcher_that_there_is_not_is_told_with_its_line(ready: Path, site_file: Path) -> None:
    write(site_file, '\nlauncher = "sruun"')
    told = f"{site_file}:2: there is no launcher 'sruun'"
    for done in (weir("plan", "./small.toml"), weir("doctor")):
        assert "".join(told.split()) in "".join(done.output.split()) and "'srun'?" in done.output
    assert weir("plan", "./small.toml", "--launcher", "mpirun").exit_code == 0


@pytest.mark.usefixtures("fake_core")
def test_doctor_says_what_is_wrong_of_a_file(site_file: Path) -> None:
    write(site_file, "launcher = 3")
    done = weir("doctor", "--json")
    found = json.loads(done.stdout)["site"]
    assert done.exit_code == 0 and found["files"][0] == str(site_file)
    assert found["settings"] == [] and found["problem"]["problem"].startswith(f"{site_file}:1:")
    told = weir("doctor")
    assert told.exit_code == 0 and "wrongvaluefor'launcher'" in re.sub(r"\s+", "", told.stdout)


@pytest.mark.usefixtures("fake_core")
def test_doctor_looks_at_the_sites_directories(site_file: Path, tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    text = f'[directories]\nscratch = "{tmp_path}/scratch"\nruns = "{tmp_path}/new/runs"\n'
    write(site_file, text)
    found = json.loads(weir("doctor", "--json").stdout)["site"]
    scratch, runs = found["directories"]
    assert (scratch["name"], scratch["exists"], scratch["problem"]) == ("scratch", True, None)
    assert scratch["shared"] is (False if scratch["file_system"] == "tmpfs" else None)
    assert scratch["available_bytes"] > 0
    assert (runs["exists"], runs["problem"]) == (False, None) and not (tmp_path / "new").exists()
    assert list((tmp_path / "scratch").iterdir()) == []
    told = re.sub(r"\s+", "", weir("doctor").stdout)
    assert f"scratch{tmp_path}/scratch:{scratch['file_system']}," in told and "madewiththefirstrun" in told


@pytest.mark.usefixtures("fake_core")
def test_doctor_says_which_of_the_sites_directories_is_missing(site_file: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    write(site_file, f'[directories]\nscratch = "{tmp_path}/none"\nruns = "{tmp_path}/file/runs"\n')
    done = weir("doctor", "--json")
    found = json.loads(done.stdout)["site"]
    assert done.exit_code == 0 and found["problem"] is None
    missing, no_folder = (one["problem"]["problem"] for one in found["directories"])
    assert missing == f"{site_file}:2: scratch is '{tmp_path}/none', which cannot be used"
    assert no_folder.startswith(f"{site_file}:3: runs is ")
    told = weir("doctor")
    assert told.exit_code == 0 and "nameanotheronethere" in re.sub(r"\s+", "", told.stdout)


def test_a_launcher_that_is_not_there_is_told_before_a_job_waits(ready: Path, site_file: Path) -> None:
    submit = ("submit", "./small.toml", "--dry-run", "--dir", str(ready / "mine"))
    assert "--launcher alone" in weir(*submit).stdout
    done = weir(*submit, "--launcher", "alnoe")
    assert done.exit_code == 2 and "there is no launcher 'alnoe'" in done.stderr
    write(site_file, 'launcher = "alnoe"\n')
    done = weir(*submit)
    assert done.exit_code == 2 and f"{site_file}:1: there is no launcher 'alnoe'" in done.stderr
    write(site_file, "")
    assert "--launcher srun" in weir(*submit).stdout


@pytest.mark.parametrize(
    ("launcher", "place"),
    [
        ("srun", "job of Slurm"),
        ("jsrun", "job of LSF"),
        ("aprun", "job of PBS"),
        ("pbs", "job of PBS"),
        ("flux", "instance of Flux"),
    ],
)
def test_a_plan_needs_no_job(ready: Path, site_file: Path, launcher: str, place: str) -> None:
    write(site_file, f'launcher = "{launcher}"\n')
    program = "mpirun" if launcher == "pbs" else launcher
    for verb in (("plan", "./small.toml"), ("run", "./small.toml", "--dry-run")):
        done = weir(*verb, "--json")
        found = json.loads(done.stdout)
        assert done.exit_code == 0 and found["obstacle"] is None, done.output
        first = next(word for word in found["commands"][0].split() if "=" not in word)
        assert Path(first).name == program
        assert done.stderr == f"weir: this is no {place}: its nodes are not known yet\n"
    refused = weir("run", "./small.toml", "--out", str(ready / "run"))
    assert refused.exit_code == 2 and not (ready / "run").exists()


def test_the_commands_above_a_script_are_those_of_its_jobs(ready: Path, site_file: Path) -> None:
    write(site_file, f'[directories]\nscratch = "{ready}/scratch"\n')
    shown = weir("plan", "./small.toml", "--script").stdout
    assert "--launcher srun" in shown and "srun --ntasks" in shown and "mpirun" not in shown
    assert "mpirun" in weir("plan", "./small.toml").stdout


def test_scripts_stand_below_the_plan_whose_study_is_planned_once(ready: Path, site_file: Path) -> None:
    write(site_file, f'launcher = "srun"\n[directories]\nscratch = "{ready}/scratch"\n')
    done = weir("plan", "./small.toml", "--script")
    assert done.exit_code == 0 and "#SBATCH --ntasks=" in done.stdout, done.output
    assert "--launcher srun" in done.stdout and done.stderr.count("measuring in") == 1
    assert "--launcher alone" in weir("plan", "./small.toml", "--script", "--launcher", "alone").stdout
