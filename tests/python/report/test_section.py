"""Figures with the claims beside them, over the NERSC study on made-up machines."""

from pathlib import Path

import pytest

import synthetic_run
from weir.answers.answer import Ratio
from weir.questions.claim import Answer, Verdict
from weir.report.build import as_data, build
from weir.report.gather import Contents, gather
from weir.report.page import render
from weir.report.section import Section, claims_in_short, make_sections
from weir.store.run_directory import RunDirectory


def contents(folder: Path, **world: object) -> Contents:
    run = synthetic_run.write_run(folder, synthetic_run.World(**world), "ior-nersc")  # type: ignore[arg-type]
    return gather(RunDirectory(run))


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    return contents(tmp_path_factory.mktemp("run"), noise=0.01)


def answers(sections: list[Section], words: str) -> Answer:
    return next(found for part in sections for found in part.answers if words in found.says)


def test_the_figures_come_in_the_order_of_the_study(healthy: Contents) -> None:
    names = [section.name for section in make_sections(healthy)]
    assert names == ["size", "transfer", "layout", "ranks", "timeline", "backend", "latency", "mpi-io"]


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        ("Small files are read from memory", Verdict.HOLDS),
        ("As files outgrow the memory", Verdict.CANNOT_BE_TOLD),
        ("Writing shows no effect of caching", Verdict.DOES_NOT_HOLD),
        ("Large transfers are critical", Verdict.DOES_NOT_HOLD),
        ("Writing is best at a low concurrency", Verdict.HOLDS),
        ("(256 processors) writing degrades", Verdict.HOLDS),
        ("MPI-IO writes very much like POSIX", Verdict.HOLDS),
        ("Parallel NetCDF falls far behind", Verdict.HOLDS),
    ],
)
def test_verdicts_follow_from_the_machine(healthy: Contents, says: str, verdict: Verdict) -> None:
    assert answers(make_sections(healthy), says).verdict is verdict


def test_another_machine_gets_other_verdicts(tmp_path: Path) -> None:
    """Slow requests and no honest cache: what held before does not, and the other way round."""
    other = make_sections(contents(tmp_path, noise=0.01, operation_s=4e-4, cache_bytes_per_s=1.1 * 2**30))
    assert answers(other, "Large transfers are critical").verdict is Verdict.HOLDS
    assert answers(other, "Small files are read from memory").verdict is Verdict.DOES_NOT_HOLD


def test_noise_leaves_claims_open(tmp_path: Path) -> None:
    noisy = make_sections(contents(tmp_path, noise=0.5))
    assert answers(noisy, "MPI-IO writes very much like POSIX").verdict is Verdict.CANNOT_BE_TOLD


def test_what_is_left_out_is_said_beside_its_figure_and_decides_nothing(tmp_path: Path) -> None:
    found = contents(tmp_path, without=frozenset({"hdf5", "pnetcdf"}))
    sections = make_sections(found)
    assert answers(sections, "Parallel NetCDF").why.startswith("because nothing was measured with")
    backend = next(section for section in sections if section.name == "backend")
    assert len(backend.left_out) == 2
    assert backend.drawing is not None
    assert "This build has no back-end hdf5" in render(build(found), None).replace("since this", "This")


def test_a_study_of_which_nothing_was_measured_still_answers(tmp_path: Path) -> None:
    found = contents(tmp_path, failing=frozenset({"caching", "transfer", "layout", "ranks", "mpi-io"}))
    sections = make_sections(found)
    assert any(section.drawing is None for section in sections)
    assert answers(sections, "Large transfers are critical").verdict is Verdict.CANNOT_BE_TOLD
    assert "This figure cannot be drawn" in render(build(found), None)


def test_the_count_of_verdicts_is_said_and_each_is_in_the_page_and_the_data(healthy: Contents) -> None:
    sections = make_sections(healthy)
    total = sum(len(section.answers) for section in sections)
    assert claims_in_short(sections).startswith(f"Of {total} statements of the study, ")
    assert claims_in_short([]) == ""
    report = build(healthy)
    page = render(report, None)
    assert page.count('<span class="verdict') == total == len(as_data(report)["claims"])
    assert "H. Shan and J. Shalf" in page
    assert "Rule: it holds where" in page


def test_ompio_with_more_ranks_than_cores_is_explained_from_counts(healthy: Contents) -> None:
    section = next(section for section in make_sections(healthy) if section.name == "mpi-io")
    assert section.drawing is not None
    told = {
        one.subject[2]: (one.value.times, one.remark)
        for one in section.drawing.finding.numbers
        if isinstance(one.value, Ratio) and one.subject[2].startswith("read, ")
    }
    assert told["read, requests of the system"][0] == 4.0
    assert told["read, active ranks"] == (0.5, "1 against 2")
