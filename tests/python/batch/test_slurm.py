"""Jobs of Slurm: their scripts, and what its commands say, played by scripts in PATH."""

import os
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from weir.batch.base import JobPlace, JobRequest, Phase, Size, find_batch_system, is_over, job_of_process
from weir.batch.slurm import WARNING_S, Slurm
from weir.errors import WeirError


def job(folder: Path, **changes: object) -> JobRequest:
    size = changes.pop("size", Size(8, nodes=4, ranks_per_node=2))
    settings: dict[str, object] = {"command": ("/bin/echo", "measured", "a b"), **changes}
    script = folder / "job-0001.sh"
    return JobRequest("weir-x", size, 3900.0, folder, script.with_suffix(".log"), script, **settings)  # type: ignore[arg-type]


def options(request: JobRequest) -> list[str]:
    lines = Slurm().script(request).splitlines()
    return [line.removeprefix("#SBATCH ") for line in lines if line.startswith("#SBATCH ")]


def play(monkeypatch: pytest.MonkeyPatch, folder: Path, **programs: str) -> None:
    """Only these programs are in PATH: each notes its arguments beside itself, and then does that."""
    for name, does in programs.items():
        path = folder / name
        path.write_text(f'#!/bin/sh\necho "$@" >>"{folder}/{name}.calls"\n{does}\n')
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin" if programs else str(folder))


def calls(folder: Path, name: str) -> list[str]:
    path = folder / f"{name}.calls"
    return path.read_text().splitlines() if path.exists() else []


def test_a_script_asks_for_the_size_and_the_time(tmp_path: Path) -> None:
    found = options(job(tmp_path, account="phys", partition="debug", options=("--exclusive",)))
    for wanted in (
        "--nodes=4",
        "--ntasks-per-node=2",
        "--time=1:05:00",
        "--account=phys",
        "--partition=debug",
        "--exclusive",
        "--requeue",
        "--dependency=singleton",
        "--job-name=weir-x",
    ):
        assert wanted in found
    assert not any(option.startswith(("--ntasks=", "--nodelist", "--cpus")) for option in found)


def test_without_nodes_slurm_spreads_the_ranks(tmp_path: Path) -> None:
    found = options(job(tmp_path, size=Size(8, threads=3)))
    assert "--ntasks=8" in found and "--cpus-per-task=3" in found
    assert not any(option.startswith("--nodes") for option in found)


def test_named_nodes_are_asked_for(tmp_path: Path) -> None:
    found = options(job(tmp_path, size=Size(2, nodes=2, ranks_per_node=1, hosts=("n1", "n2"))))
    assert "--nodelist=n1,n2" in found and "--nodes=2" in found


def test_a_script_becomes_the_command(tmp_path: Path) -> None:
    folder = tmp_path / "with blank and 'quote'"
    folder.mkdir()
    request = job(folder, setup=("export GREETING=hello",), command=("/bin/echo", "a  b", "$HOME"))
    request.script.write_text(Slurm().script(request))
    done = subprocess.run(["bash", str(request.script)], capture_output=True, text=True, check=True)
    assert done.stdout == "a  b $HOME\n"


def test_a_node_that_lacks_the_run_or_weir_says_so(tmp_path: Path) -> None:
    request = job(tmp_path, command=("/no/such/weir",))
    request.script.write_text(Slurm().script(request))
    environment = {**os.environ, "SLURMD_NODENAME": "n7"}

    def said() -> subprocess.CompletedProcess[str]:
        text = request.script.read_text() if request.script.exists() else Slurm().script(request)
        return subprocess.run(
            ["bash", "-c", text], capture_output=True, text=True, env=environment, check=False
        )

    lacking = said()
    assert lacking.returncode == 2 and "n7 has no Weir: there is no /no/such/weir" in lacking.stderr
    request.script.unlink()
    unseen = said()
    assert unseen.returncode == 2 and "n7 does not see the run" in unseen.stderr


def test_a_module_that_is_not_there_ends_the_job(tmp_path: Path) -> None:
    request = job(tmp_path, modules=("openmpi/9 x",))
    request.script.write_text("module() { return 1; }\n" + Slurm().script(request))
    done = subprocess.run(["bash", str(request.script)], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "there is no module openmpi/9 x" in done.stderr


def test_a_job_is_handed_in_and_its_number_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, tmp_path, sbatch="echo '12;cluster'")
    assert Slurm().submit(job(tmp_path)) == "12"
    assert calls(tmp_path, "sbatch") == [f"--parsable {tmp_path}/job-0001.sh"]


def test_what_slurm_refuses_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "sbatch: error: invalid partition specified: nowhere"
    play(monkeypatch, tmp_path, sbatch=f"echo '{said}' >&2; exit 1")
    with pytest.raises(WeirError, match="invalid partition specified: nowhere"):
        Slurm().submit(job(tmp_path))


def test_an_answer_that_is_no_number_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, tmp_path, sbatch="echo Submitted")
    with pytest.raises(WeirError, match="no job number"):
        Slurm().submit(job(tmp_path))


def test_without_slurm_its_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, tmp_path)
    with pytest.raises(WeirError, match="no sbatch in PATH"):
        Slurm().prepare()


def test_states_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "1|COMPLETED|None|n1",
        "2|RUNNING|None|n[1-2]",
        "3|PENDING|Resources|",
        "4|TIMEOUT|TimeLimit|n1",
        "9|RUNNING|None|n3",
    ]
    play(monkeypatch, tmp_path, squeue="".join(f"echo '{line}'\n" for line in lines), sacct="exit 1")
    found = Slurm().states("weir-x", ["1", "2", "3", "4", "5"])
    phases = {number: state.phase for number, state in found.items()}
    assert phases == {"1": Phase.ENDED, "2": Phase.RUNNING, "3": Phase.WAITING, "4": Phase.FAILED}
    assert (found["2"].nodes, found["2"].reason, found["3"].reason) == ("n[1-2]", "", "Resources")
    assert "--name=weir-x" in calls(tmp_path, "squeue")[0]


def test_the_accounting_remembers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(
        monkeypatch,
        tmp_path,
        squeue="",
        sacct="printf '7|CANCELLED by 0|None|None assigned\\n8|COMPLETED|None|n2\\n'",
    )
    found = Slurm().states("weir-x", ["7", "8", "9"])
    assert (found["7"].word, found["7"].phase, found["8"].phase) == ("cancelled", Phase.FAILED, Phase.ENDED)
    assert (found["7"].nodes, found["8"].nodes) == ("", "n2")
    assert "9" not in found


def test_a_controller_that_is_down_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, tmp_path, squeue="echo 'Unable to contact slurm controller' >&2; exit 1")
    with pytest.raises(WeirError, match="Unable to contact"):
        Slurm().states("weir-x", ["1"])


def test_the_job_of_a_process() -> None:
    assert job_of_process({}) is None
    assert job_of_process({"SLURM_JOB_ID": "12"}) == JobPlace("slurm", "12", 0)
    assert job_of_process({"SLURM_JOB_ID": "12", "SLURM_RESTART_COUNT": "2"}) == JobPlace("slurm", "12", 2)
    placed = {"SLURM_JOB_ID": "12", "SLURM_JOB_NODELIST": "n[1-4]"}
    assert job_of_process(placed) == JobPlace("slurm", "12", 0, "n[1-4]")


def test_an_earlier_beginning_of_a_job_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, tmp_path, squeue="echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1")
    mine = JobPlace("slurm", "12", 1)
    assert is_over(JobPlace("slurm", "12", 0), mine) is True
    assert is_over(JobPlace("slurm", "12", 1), mine) is None
    assert is_over(JobPlace("slurm", "11", 0), mine) is None  # which nobody knows any more


def test_another_job_is_over_where_slurm_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, tmp_path, squeue="printf '11|FAILED|None|n1\\n13|RUNNING|None|n1\\n'")
    assert is_over(JobPlace("slurm", "11"), None) is True
    assert is_over(JobPlace("slurm", "13"), None) is False


def test_it_is_found_by_its_name() -> None:
    assert isinstance(find_batch_system("slurm"), Slurm)
    with pytest.raises(WeirError, match="there is no batch system 'sge'"):
        find_batch_system("sge")


@pytest.mark.parametrize("name", ["a\\b", "a\nb", "a\tb"])
def test_names_that_no_line_of_sbatch_can_hold_are_refused(tmp_path: Path, name: str) -> None:
    for changes in ({"account": name}, {"partition": name}):
        with pytest.raises(WeirError, match="cannot name"):
            Slurm().script(job(tmp_path, **changes))
    with pytest.raises(WeirError, match="cannot name"):
        Slurm().script(job(tmp_path / name))


def test_other_names_are_one_word(tmp_path: Path) -> None:
    found = options(job(tmp_path / "a b'%", account="phys --wrap=x"))
    assert "--account='phys --wrap=x'" in found
    (output,) = (option for option in found if option.startswith("--output="))
    assert shlex.split(output) == [f"--output={tmp_path}/a b'%%/job-0001.log"]


def test_a_job_is_told_before_its_end_and_has_no_second_less_than_asked_for(tmp_path: Path) -> None:
    request = job(tmp_path)
    assert f"--signal=B:TERM@{WARNING_S}" in options(request)
    assert "--time=0:01:31" in options(replace(request, time_s=90.2))


def test_a_script_becomes_its_command_which_gets_the_signals(tmp_path: Path) -> None:
    request = job(tmp_path, command=("/bin/sh", "-c", "echo $$"))
    request.script.write_text(Slurm().script(request))
    with subprocess.Popen(["bash", str(request.script)], stdout=subprocess.PIPE, text=True) as started:
        assert started.communicate()[0] == f"{started.pid}\n"


@pytest.mark.parametrize(
    ("words", "phase"),
    [
        (("PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD"), Phase.WAITING),
        (("RUNNING", "COMPLETING", "SUSPENDED"), Phase.RUNNING),
        (("COMPLETED",), Phase.ENDED),
        (("FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY"), Phase.FAILED),
    ],
)
def test_words_of_slurm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], phase: Phase
) -> None:
    lines = [f"echo '{number}|{word}|None|'\n" for number, word in enumerate(words)]
    play(monkeypatch, tmp_path, squeue="".join(lines))
    found = Slurm().states("weir-x", [str(number) for number in range(len(words))])
    assert {state.word: state.phase for state in found.values()} == dict.fromkeys(
        map(str.lower, words), phase
    )


def test_of_a_controller_that_gives_no_answer_it_is_told_how_to_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("weir.batch.base.LONGEST_ANSWER_S", 0.1)
    play(monkeypatch, tmp_path, sbatch="exec sleep 60")
    with pytest.raises(WeirError, match="no answer") as told:
        Slurm().submit(job(tmp_path))
    assert told.value.suggestion.endswith("squeue --me --name=weir-x")
