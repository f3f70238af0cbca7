"""What a person sees first of a run: the numbers that speak for it, what its figures found, and what changes
either."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.answers.answer import Answer, Caveat, Certainty, Changes, Tally
from weir.answers.quantities import QUANTITY, quantity_answer
from weir.answers.screen import Screen, chosen_rows
from weir.machine.summary import machine_summary
from weir.questions.claim import Verdict
from weir.report.crowding import CODE as CROWDED
from weir.report.data_sizes import differing_with_size
from weir.report.gather import Contents
from weir.report.headline import headlines
from weir.report.headline_rows import WRITE
from weir.report.model import storage_is_assumed
from weir.report.part_rows import missing_parts
from weir.report.section import Section, verdicts_of
from weir.results.row import Row, measured
from weir.results.words import cached_action, capital
from weir.store.records import LaunchRecord
from weir.store.run_directory import host_of
from weir.study.patterns import IMITATION
from weir.units import count_words

MOST_QUANTITIES = 4
"""Of the rows of a screen, where figures have found something too."""
CLAIMS = 50.0
"""They come before what the run's own figures found."""


def first_screen(
    contents: Contents, sections: Sequence[Section], headline: Mapping[str, Row | None]
) -> Screen:
    """That of a run, whose headline_rows() these are; a figure of all its cases speaks in their place.
    Pure."""
    spoken = any(section.name == contents.figure and section.drawing for section in sections)
    numbers = [] if spoken else [_number(label, row, contents.rows) for label, row in headline.items()]
    if _in_memory(contents):
        numbers = [_doubted(one) for one in numbers]
    found = [*_claims(contents, sections), *missing_parts(contents)]
    told = [one.value for one in numbers if one.value]
    drawings = (section.drawing for section in sections if section.drawing)
    found += [one for drawing in drawings for one in drawing.finding.answers if one.value not in told]
    rows, others = chosen_rows([*numbers[: MOST_QUANTITIES if found else None], *found])
    shown = [row for row in headline.values() if row]
    return Screen(
        place=tuple(_place(contents)),
        rows=rows,
        others=others + (max(0, len(numbers) - MOST_QUANTITIES) if found else 0),
        caveats=tuple(one for one in _caveats(contents, shown) if one.count),
        machine=machine_summary(contents.machine, storage=contents.on_storage, nodes=_hosts(contents)),
    )


def _hosts(contents: Contents) -> list[str]:
    """Of all ranks, in the order in which launches told them."""
    return [node.host for one in contents.summary.launches for node in one.nodes if node.host]


def _number(label: str, row: Row | None, rows: list[Row]) -> Answer:
    if row is not None:
        return quantity_answer(label, row)
    none = [one for one in measured(rows) if capital(one.phase) == label and one.moves]
    action = cached_action(none) if all(one.suspect for one in none) else "tell-source"
    if label == WRITE:
        action = "sync"
    return Answer("quantity", (label,), None, Certainty.NOT_MEASURED, action, weight=QUANTITY)


def _in_memory(contents: Contents) -> bool:
    """Whether what is called storage is none."""
    return contents.on_storage and (contents.machine.get("file_system") or {}).get("nature") == "memory"


def _doubted(answer: Answer) -> Answer:
    return replace(answer, certainty=Certainty.WITHIN) if answer.certainty is Certainty.SURE else answer


def _claims(contents: Contents, sections: Sequence[Section]) -> Iterator[Answer]:
    """How many statements of a paper hold; none where the study has none."""
    verdicts = verdicts_of(sections)
    if not verdicts:
        return
    hold, do_not, left = (
        verdicts[one] for one in (Verdict.HOLDS, Verdict.DOES_NOT_HOLD, Verdict.CANNOT_BE_TOLD)
    )
    yield Answer(
        "claims",
        (),
        Tally(hold, do_not, left),
        _certainty(hold + do_not, left),
        weight=CLAIMS,
        figure="figures",
        setting=contents.source,
        title="Statements of the paper" if contents.source else "Statements of the study",
    )


def _certainty(told: int, left: int) -> Certainty:
    """Of statements, some of which are left open."""
    return Certainty.OPEN if not told else Certainty.WITHIN if left else Certainty.SURE


def _place(contents: Contents) -> Iterator[str]:
    """ "ext4 on vda", "1 node, 2 ranks"; of a run that others measured, whose it is;
    of one that was simulated, on which machine."""
    if contents.info.read_from:
        yield from _printed_by(contents.info.read_from)
        return
    if contents.info.simulated_on:
        yield f"Simulated on {contents.info.simulated_on}"
        yield from filter(None, [_ranks(contents)])
        return
    if nodes := {row.node for row in contents.rows if row.node}:
        yield f"{count_words(len(nodes), 'node')}, each by itself"
        return
    system, device = contents.machine.get("file_system") or {}, contents.machine.get("block_device") or {}
    if contents.on_storage and system and not contents.parts:
        on = f" on {device['name']}" if device.get("name") else ""
        yield "in memory" if system.get("nature") == "memory" else f"{system['type']}{on}"
    else:
        yield host_of(contents.machine) or "this machine"
    yield from filter(None, [_ranks(contents), where_ranks_were(contents.summary.launches)])


def _printed_by(outputs: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The tool and the machine of results that Weir did not measure."""
    found = list(outputs)
    for keys, before in ((("tool", "version"), "printed by "), (("machine", "system", "release"), "")):
        names = (" ".join(str(one[key]) for key in keys if one.get(key)) for one in found)
        if said := ", ".join(dict.fromkeys(filter(None, names))):
            yield before + said


def _ranks(contents: Contents) -> str:
    counts = sorted({row.ranks for row in measured(contents.rows)})
    nodes = max((len(one.nodes) for one in contents.summary.launches), default=0)
    of_nodes = [count_words(nodes, "node")] if nodes else []
    if not counts:
        return ", ".join(of_nodes)
    ranks = count_words(counts[0], "rank") if len(counts) == 1 else f"{counts[0]} to {counts[-1]} ranks"
    return ", ".join([*of_nodes, ranks])


def where_ranks_were(launches: Iterable[LaunchRecord]) -> str:
    """ "same core" where ranks of a launch had one core to share, and no other; else empty."""
    several = [one.placement for one in launches if (one.ranks or 1) > 1 and one.placement]
    same = [len({(rank.host, rank.cpus) for rank in ranks}) == 1 and ranks[0].cores == 1 for ranks in several]
    return "same core" if same and all(same) else ""


def _caveats(contents: Contents, shown: list[Row]) -> Iterator[Caveat]:
    """All that makes numbers worth less; of these rows, on the screen, it changes the verdict."""
    summary, rows = contents.summary, measured(contents.rows)
    cases = len(summary.cases)
    failures = max(len(summary.failures), len(summary.failed))
    yield Caveat("failures", failures, max(cases, failures), Changes.VERDICT)
    if contents.cut is None:
        yield Caveat("never-began", len(summary.unmeasured), cases, Changes.VERDICT)
    else:
        yield Caveat("cut-samples", contents.cut, max(cases, contents.cut), Changes.VERDICT)
    left_out = len(summary.left_out)
    yield Caveat("left-out", left_out, cases + left_out)
    yield Caveat("damaged", len(contents.damaged_lines), contents.samples, Changes.VERDICT)
    yield Caveat("inexact", sum(bool(one.inexact) for one in summary.cases.values()), cases, Changes.VERDICT)
    yield Caveat("memory", int(_in_memory(contents)), 1, Changes.VERDICT)
    yield _of_rows("cached", [row for row in rows if row.suspect], rows, shown)
    reads = [row for row in rows if row.moves == "read" and not row.application]
    yield _of_rows("unknown-source", [row for row in reads if row.suspect is None], reads, shown)
    yield _of_rows("processor-caches", [row for row in rows if row.in_caches], rows, shown)
    few = [row for row in rows if row.n < FEWEST_SAMPLES and not row.simulated]
    yield _of_rows("few", few, rows, shown)
    yield Caveat("simulated", sum(row.simulated for row in rows), len(rows), Changes.VERDICT)
    yield Caveat("assumed-storage", int(storage_is_assumed(contents.model)), 1, Changes.VERDICT)
    yield _of_rows("crowded", [row for row in rows if CROWDED in row.warnings], rows, shown)
    yield Caveat("busy", int(any(one["code"] == "busy" for one in contents.warnings)), 1, Changes.VERDICT)
    yield Caveat("sizes", len(differing_with_size(shown, rows)), len(shown), Changes.VERDICT)
    for kind in headlines():
        yield from kind.caveats(rows)
    yield Caveat("imitated", sum(IMITATION in row.options for row in rows), len(rows))
    yield Caveat("states", len(summary.states.aside), summary.states.samples)
    yield Caveat("mixed-states", len(summary.states.mixed), summary.states.samples)
    yield Caveat("died", len(summary.died), cases)


def _of_rows(code: str, some: list[Row], rows: list[Row], shown: list[Row]) -> Caveat:
    named = {(row.case, row.phase) for row in shown}
    changes = any((row.case, row.phase) in named for row in some)
    return Caveat(code, len(some), len(rows), Changes.VERDICT if changes else Changes.WIDTH)
