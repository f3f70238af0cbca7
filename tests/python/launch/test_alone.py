"""One rank without a launcher."""

from pathlib import Path

import pytest

from verbs import weir_here
from weir.launch.base import LaunchSpec, find_launcher


def test_it_starts_the_program_itself_with_its_environment() -> None:
    command = find_launcher("alone").command(LaunchSpec(1, env=(("A", "b"),)), ("weir-core", "cases.json"))
    assert command.argv == ("weir-core", "cases.json") and command.env == {"A": "b"}


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (LaunchSpec(1), None),
        (LaunchSpec(2), "2 ranks take mpirun, and there is none"),
        (LaunchSpec(1, mpi_io="romio"), "an implementation of MPI-IO is chosen by mpirun, and there is none"),
    ],
)
def test_it_lacks_what_takes_a_launcher(spec: LaunchSpec, why: str | None) -> None:
    assert find_launcher("alone").lacks(spec) == why


def test_what_one_rank_can_is_measured_and_the_rest_left_out(
    fake_core: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = tmp_path / "one.toml"
    study.write_text(
        '[study]\nname = "one"\nbudget = "10s"\nmax_samples = 6\n[fixed]\nbenchmark = "storage"\n'
        '[[comparison]]\nname = "ranks"\naxes = { ranks = [1, 2] }\n'
    )
    run = tmp_path / "run"
    done = weir_here("run", study, "--dir", tmp_path, "--out", run, "--launcher", "alone")
    assert done.exit_code in (0, 5), done.output
    assert "2 ranks take mpirun, and there is none" in done.stderr
    assert (run / "samples.jsonl").read_text().count('"kind":"sample"') > 0


def test_it_starts_nothing_on_another_node() -> None:
    assert (
        find_launcher("alone").lacks(LaunchSpec(1, host="n3")) == "to start on node n3 takes mpirun or srun"
    )
