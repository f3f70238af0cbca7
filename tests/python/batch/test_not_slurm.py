"""Jobs of PBS, LSF and Flux: their scripts, and what their commands print by their documents, played by
scripts in PATH."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from batch.test_slurm import calls, job, play
from fakes import study_text
from verbs import weir_here as weir
from weir.batch.base import JobPlace, JobRequest, Phase, Size, find_batch_system, job_of_process
from weir.errors import WeirError

FOLDER = Path("/shared/me")
SENTINELS = {"pbs": "#PBS ", "lsf": "#BSUB ", "flux": "# flux: "}
PLACED = Size(8, nodes=4, ranks_per_node=2, threads=3)
FREE = Size(8, threads=3)
NAMED = Size(2, nodes=2, ranks_per_node=1, hosts=("n1", "n2"))
UNEVEN = Size(7, nodes=2)
OF_SIZE = re.compile(r"-l (select|place)|-n |-R|-m |--nodes|--nslots|--cores|--requires")


def options(name: str, request: JobRequest) -> list[str]:
    """The lines of the batch system, which must stand before all others (flux-batch(1))."""
    first, *lines = find_batch_system(name).script(request).splitlines()
    end = lines.index("")
    assert first == "#!/bin/bash" and not any(SENTINELS[name] in line for line in lines[end:])
    assert all(line.startswith(SENTINELS[name]) for line in lines[:end])
    return [line.removeprefix(SENTINELS[name]) for line in lines[:end]]


@pytest.mark.parametrize(
    ("name", "size", "wanted"),
    [
        ("pbs", PLACED, ["-l select=4:ncpus=6:mpiprocs=2", "-l place=scatter"]),
        ("pbs", FREE, ["-l select=8:ncpus=3:mpiprocs=1", "-l place=free"]),
        ("pbs", UNEVEN, ["-l select=2:ncpus=4:mpiprocs=4", "-l place=scatter"]),
        (
            "pbs",
            NAMED,
            ["-l select=1:host=n1:ncpus=1:mpiprocs=1+1:host=n2:ncpus=1:mpiprocs=1", "-l place=scatter"],
        ),
        ("lsf", PLACED, ["-n 24", '-R "span[ptile=6]"']),
        ("lsf", FREE, ["-n 24"]),
        ("lsf", UNEVEN, ["-n 8", '-R "span[ptile=4]"']),
        ("lsf", NAMED, ["-n 2", '-R "span[ptile=1]"', '-m "n1 n2"']),
        ("flux", PLACED, ["--nodes=4", "--nslots=8", "--cores-per-slot=3"]),
        ("flux", FREE, ["--nslots=8", "--cores-per-slot=3"]),
        ("flux", UNEVEN, ["--nodes=2", "--nslots=8"]),
        ("flux", NAMED, ["--nodes=2", "--nslots=2", "--requires=host:n1,n2"]),
    ],
)
def test_a_script_asks_for_the_size(name: str, size: Size, wanted: list[str]) -> None:
    assert [one for one in options(name, job(FOLDER, size=size)) if OF_SIZE.match(one)] == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("pbs", "-N weir-x|-l walltime=1:05:00|-A phys|-q debug|-j oe|-o {}|-r n|-x"),
        ("lsf", "-J weir-x|-W 65|-P phys|-q debug|-cwd /shared/me|-o {}|-rn|-x"),
        (
            "flux",
            "--job-name=weir-x|--time-limit=3900s|--bank=phys|--queue=debug|--cwd=/shared/me|--output={}|-x",
        ),
    ],
)
def test_a_script_asks_for_time_account_and_queue(name: str, wanted: str) -> None:
    request = job(FOLDER, size=Size(1), account="phys", partition="debug", options=("-x",))
    found = [one for one in options(name, request) if not OF_SIZE.match(one)]
    assert found == wanted.format("/shared/me/job-0001.log").split("|")


@pytest.mark.parametrize("name", SENTINELS)
@pytest.mark.parametrize("text", ["a b", "a\nb", "it's", "{{id}}", "%J", "a:b", "é"])
def test_names_that_its_lines_might_not_hold_are_refused(name: str, text: str) -> None:
    system = find_batch_system(name)
    for request in (job(FOLDER, account=text), job(FOLDER, partition=text), job(FOLDER / text)):
        with pytest.raises(WeirError, match="cannot name"):
            system.script(request)


@pytest.mark.parametrize("name", SENTINELS)
def test_a_script_becomes_the_command(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, tmp_path, flux="echo f23")
    request = job(tmp_path, command=("/bin/sh", "-c", 'echo "$PWD $WEIR_FLUX_JOB $$"'))
    request.script.write_text(find_batch_system(name).script(request))
    begun_in = "/" if name == "pbs" else tmp_path  # the others are told the folder
    with subprocess.Popen(
        ["bash", str(request.script)], stdout=subprocess.PIPE, text=True, cwd=begun_in
    ) as started:
        said = started.communicate()[0]
    assert said == f"{tmp_path} {'f23' if name == 'flux' else ''} {started.pid}\n"


PRINTED = {
    "pbs": ("qsub", "echo 1234.server", "1234.server", "-W depend=afterany:7 {}"),
    "lsf": ("bsub", "grep -q 'BSUB -n' && echo 'Job <12> is submitted to queue <a>.'", "12", "-w ended(7)"),
    "flux": ("flux", "echo ƒM7Zq9AKHno", "fM7Zq9AKHno", "batch --dependency=afterany:7 {}"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_a_job_is_handed_in_behind_another(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, does, number, words = PRINTED[name]
    play(monkeypatch, tmp_path, **{program: does})
    request, system = job(tmp_path), find_batch_system(name)
    request.script.write_text(system.script(request))
    assert system.submit(request, "7") == number
    assert system.submit(request) == number
    behind, alone = calls(tmp_path, program)
    assert behind == words.format(request.script) and "7" not in alone.replace(str(request.script), "")


@pytest.mark.parametrize("name", PRINTED)
def test_refusals_and_what_is_no_number_are_told(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, request, system = PRINTED[name][0], job(tmp_path), find_batch_system(name)
    request.script.touch()
    play(monkeypatch, tmp_path, **{program: f"echo '{program}: Unknown queue' >&2; exit 1"})
    with pytest.raises(WeirError, match=r"refuses .Unknown queue"):
        system.submit(request)
    play(monkeypatch, tmp_path, **{program: "echo '<html>'"})
    with pytest.raises(WeirError, match="gave no job"):
        system.submit(request)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(WeirError, match=f"no {program} in PATH"):
        system.prepare()


QSTAT = {
    "timestamp": 1700000000,
    "pbs_version": "23.06.06",
    "pbs_server": "server",
    "Jobs": {
        "1.s": {"job_state": "F", "Exit_status": 0, "exec_host": "n1/0*2+n2/0*2", "comment": "Job run"},
        "2.s": {"job_state": "R", "exec_host": "n1/0*2+n1/1*2"},
        "3.s": {"job_state": "Q", "comment": "Not Running: Insufficient amount of resource: ncpus"},
        "4.s": {"job_state": "F", "Exit_status": 271, "exec_host": "n1/0"},
        "5.s": {"job_state": "F", "comment": "Job deleted"},
        "6.s": {"job_state": "H"},
    },
}
BJOBS = {
    "COMMAND": "bjobs",
    "JOBS": 5,
    "RECORDS": [
        {"JOBID": "1", "STAT": "DONE", "EXEC_HOST": "2*n1:2*n2", "PEND_REASON": ""},
        {"JOBID": "2", "STAT": "RUN", "EXEC_HOST": "n1", "PEND_REASON": ""},
        {"JOBID": "3", "STAT": "PEND", "EXEC_HOST": "", "PEND_REASON": "Job dependency not satisfied;"},
        {"JOBID": "4", "STAT": "EXIT", "EXEC_HOST": "n1", "PEND_REASON": ""},
        {"JOBID": "5", "STAT": "EXIT", "EXEC_HOST": "", "PEND_REASON": ""},
        {"JOBID": "9", "ERROR": "Job <9> is not found"},
    ],
}
JOBS = "ƒ1|COMPLETED|n[1-2]\nƒ2|RUN|n1\nƒ3|DEPEND|\nƒ4|TIMEOUT|n1\nƒ5|CANCELED|\n"
STATES = [
    ("pbs", "qstat", json.dumps(QSTAT), "qstat: Unknown Job Id 9.s", "{}.s", "-x -f -F json "),
    (
        *("lsf", "bjobs", json.dumps(BJOBS), "Job <9> is not found", "{}"),
        "-a -o jobid stat exec_host pend_reason -json ",
    ),
    (
        *("flux", "flux", JOBS, "flux-jobs: ERROR: JobID f9 unknown", "f{}"),
        "jobs -n -o {id.f58}|{status}|{nodelist} ",
    ),
]


@pytest.mark.parametrize(("name", "program", "said", "unknown", "number", "words"), STATES)
def test_states_are_read(  # noqa: PLR0913, PLR0917
    name: str,
    program: str,
    said: str,
    unknown: str,
    number: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "said").write_text(said)
    play(monkeypatch, tmp_path, **{program: f"cat {tmp_path}/said; echo '{unknown}' >&2; exit 153"})
    ids = [number.format(one) for one in (1, 2, 3, 4, 5, 9)]
    found = find_batch_system(name).states("weir-x", ids)
    assert [state.phase for state in found.values()] == [
        *(Phase.ENDED, Phase.RUNNING, Phase.WAITING),
        *(Phase.FAILED, Phase.FAILED),
    ]
    assert list(found) == ids[:5]
    nodes = [state.nodes for state in found.values()]
    assert nodes == ["n[1-2]" if name == "flux" else "n1,n2", "n1", "", "n1", ""]
    assert bool(found[ids[2]].reason) == (name != "flux") and not found[ids[0]].reason
    assert calls(tmp_path, program) == [words + " ".join(ids)]


def test_jobs_of_pbs_that_are_held_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, tmp_path, qstat=f"echo '{json.dumps(QSTAT)}'")
    assert find_batch_system("pbs").states("", ["6.s"])["6.s"].word == "held"


@pytest.mark.parametrize(("name", "program", "unknown"), [(one[0], one[1], one[3]) for one in STATES])
def test_a_server_that_is_down_is_told_and_an_unknown_job_is_not_there(
    name: str, program: str, unknown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = find_batch_system(name)
    play(monkeypatch, tmp_path, **{program: "echo 'cannot connect to server' >&2; exit 255"})
    with pytest.raises(WeirError, match="cannot connect"):
        system.states("weir-x", ["1"])
    play(monkeypatch, tmp_path, **{program: f"echo '{unknown}' >&2; exit 153"})
    assert system.states("weir-x", ["9"]) == {}


@pytest.mark.parametrize(("name", "program"), [("pbs", "qstat"), ("lsf", "bjobs")])
@pytest.mark.parametrize("said", ["{", "[]", "no JSON"])
def test_what_is_no_json_is_told(
    name: str, program: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch, tmp_path, **{program: f"echo '{said}'"})
    with pytest.raises(WeirError, match="gave no JSON"):
        find_batch_system(name).states("weir-x", ["1"])


def test_the_job_of_a_process() -> None:
    assert job_of_process({"PBS_JOBID": "12.server"}) == JobPlace("pbs", "12.server")
    assert job_of_process({"LSB_JOBID": "12"}) == JobPlace("lsf", "12")
    assert job_of_process({"WEIR_FLUX_JOB": "ƒM7Zq"}) == JobPlace("flux", "fM7Zq")


PLAYED = {
    "pbs": {
        "qsub": 'begin "${@: -1}" PBS_JOBID .server; echo $number.server',
        "qstat": """
each='"%s.server": {"job_state": "%s", "Exit_status": 0, "exec_host": "n1/0"}\\n'
echo "{\\"Jobs\\": {$(list "$each" R F | paste -sd,)}}" """,
        "qdel": "exit 1",
    },
    "lsf": {
        "bsub": 'cat >"$RAN.$$"; begin "$RAN.$$" LSB_JOBID; echo "Job <$number> is submitted to queue <a>."',
        "bjobs": """
each='{"JOBID": "%s", "STAT": "%s", "EXEC_HOST": "n1"}\\n'
echo "{\\"RECORDS\\": [$(list "$each" RUN DONE | paste -sd,)]}" """,
        "bkill": "exit 1",
    },
    "flux": {
        "flux": """case $1 in
batch) begin "${@: -1}"; echo f$number;;
getattr) echo f$number;;
jobs) list 'f%s|%s|n1\\n' RUN COMPLETED;;
esac""",
    },
}
HELPERS = """#!/bin/bash
begin() { # SCRIPT [VARIABLE] [SUFFIX]: one after the other, each when the run knows of it
    export number=$(($(ls "$RAN" | wc -l) + 11))
    touch "$RAN/$number"
    [ -z "$2" ] || export "$2=$number$3"
    flock "$RAN.lock" bash -c '
        until grep -q "\\"id\\":\\"f\\?$number" run/jobs/jobs.jsonl; do sleep 0.1; done
        bash "$0"; echo over >"$RAN/$number"' "$1" >>"$RAN.log" 2>&1 &
}
list() { # FORMAT RUNNING OVER
    for job in "$RAN"/*; do
        state=$2; [ -s "$job" ] && state=$3
        printf "$1" "${job##*/}" $state
    done
}
"""


@pytest.mark.usefixtures("fake_core")
@pytest.mark.parametrize("name", PLAYED)
def test_a_study_is_carried_out_by_jobs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs, ran, site = tmp_path / "programs", tmp_path / "ran", tmp_path / "site.toml"
    for folder in (programs, ran, tmp_path / "store"):
        folder.mkdir()
    for program, does in PLAYED[name].items():
        (programs / program).write_text(f"{HELPERS}{does}\n")
        (programs / program).chmod(0o755)
    site.write_text(f'launcher = "alone"\n[job]\nsystem = "{name}"\n')
    site.chmod(0o600)
    (tmp_path / "small.toml").write_text(study_text(samples="min_samples = 1\nmax_samples = 1"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEIR_SITE", str(site))
    monkeypatch.setenv("RAN", str(ran))
    monkeypatch.setattr("weir.cli.status.LOOK_EVERY_S", 0.2)
    words = ("submit", "./small.toml", "--out", "run", "--dir", "store", "--jobs", "2", "--json")
    refused = weir(*words)
    assert refused.exit_code == 2 and f"{site}:3: cannot hand in a job" in refused.output
    assert not Path("run").exists()
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    done = weir(*words)
    assert done.exit_code == 0, done.output
    found = json.loads(weir("status", "run", "--wait", "--json").stdout)
    log = Path("ran.log").read_text()
    assert (found["course"], found["settled"]) == ("complete", found["cases"]), log
    assert [one["id"] for one in found["jobs"]] == json.loads(done.stdout)["jobs"]
    assert [(one["system"], one["begun"], one["phase"]) for one in found["jobs"]] == [(name, 1, "ended")] * 2
