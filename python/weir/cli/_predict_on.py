"""`weir predict --on`: a pattern on a modelled machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.cli._interrupted import nothing_kept
from weir.cli._simulation import (
    HEADINGS,
    OPERATIONS,
    RESOURCES,
    Question,
    caveat_lines,
    operation_rows,
    plan_data,
    question_of,
    resource_rows,
    result_cells,
    result_data,
    settings_of,
    simulated_data,
    verdict_line,
    write_simulated,
)
from weir.cli._streams import print_json, print_lines, print_table, results_told
from weir.errors import ExitCode
from weir.units import count_words

if TYPE_CHECKING:
    from weir.simulate.run import Simulated


def predict_on(
    pattern: Path, machine: str, ranks: str | None, options: dict[str, Any], out: Path | None
) -> ExitCode:
    """Simulate it for each number of ranks, keep that as a run, and show it."""
    from weir.simulate.run import Simulated, Variant
    from weir.simulate.simulate import simulate_all

    question = question_of(pattern, machine, ranks, settings_of(options))
    if options["verify"] and not options["dry_run"]:
        from weir.cli._verify_on import verify_on

        return verify_on(question, options, out)
    if options["dry_run"]:
        if options["json"]:
            print_json(plan_data(question))
        else:
            print_lines([_before(question)])
        return ExitCode.FINE
    with nothing_kept():
        results = list(simulate_all(question.simulate, question.machine, question.asked, question.ranks))
    found = Simulated(question.name, question.asked.settings, [Variant(question.machine, results)])
    run = write_simulated(found, out, "predict")
    with results_told(run):
        if options["json"]:
            print_json(simulated_data(found, run, [result_data(one) for one in results]))
        else:
            _show(found, run, everything=options["everything"])
    return ExitCode.FINE


def _before(question: Question) -> str:
    counts = ", ".join(map(str, question.ranks))
    return f"{question.name} would be simulated on {question.machine.file.title}, ranks: {counts}"


def _show(found: Simulated, run: Path, *, everything: bool) -> None:
    results = found.variants[0].results
    print_lines([verdict_line(found), ""])
    print_table(HEADINGS, [result_cells(one) for one in results])
    for one in results if everything else []:
        print_table(OPERATIONS, list(operation_rows(one)), title=count_words(one.ranks, "rank"))
        print_table(RESOURCES, list(resource_rows(one)))
    print_lines([*caveat_lines(found), f"run: {run}"])
