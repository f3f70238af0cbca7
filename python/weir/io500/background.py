"""Submissions as profiles: a file each, in a folder that comparisons take."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import weir
from weir.compare.profile import Profile, ProfileMetric, ProfileRow, encode
from weir.core.vocabulary import NO_WORDS
from weir.io500.phases import BENCHMARK, PHASES, Phase
from weir.io500.submissions import Submission

STUDY = "IO500"
ENDING = ".profile.json"
MOST_NAME = 120
NODES, INTERFACE, SECONDS, VERSION = "nodes", "interface", "seconds", "version"
"""Options of the rows: clients, IOR's interface, the length of the phase, and which IO500 it was."""


def profile_of(one: Submission) -> Profile:
    """That of a submission: a row a phase, each of one printed number."""
    return Profile(
        name=one.name,
        study=STUDY,
        created_at=_year(one.name),
        weir_version=weir.__version__,
        source=f"IO500, {one.name}",
        vocabularies={BENCHMARK: NO_WORDS},
        rows=tuple(_row(one, phase) for phase in PHASES.values()),
    )


def _row(one: Submission, phase: Phase) -> ProfileRow:
    metric, found = phase.metric, one.summary.results[phase.name]
    return ProfileRow(
        benchmark=BENCHMARK,
        phase=phase.name,
        ranks=one.clients.processes or 0,
        metric=ProfileMetric(metric.key, metric.unit, metric.noun, "higher"),
        samples=(found.value,),
        label=phase.title,
        options=_options(one, found.seconds),
        comparisons=(BENCHMARK,),
        place="result_summary.txt",
    )


def _options(one: Submission, seconds: float) -> dict[str, Any]:
    return {
        NODES: one.clients.nodes,
        INTERFACE: one.clients.interface,
        SECONDS: seconds,
        VERSION: one.summary.version or None,
    }


def _year(name: str) -> str:
    """Which stands among its folders, and is all that is known of the time; empty where none does."""
    years = [part for part in name.split("/") if part.isdecimal() and len(part) == len("2019")]
    return years[-1] if years else ""


def files_of(submissions: tuple[Submission, ...]) -> Iterator[tuple[Path, bytes]]:
    """Name and content of each; a name is that of one submission alone."""
    taken: set[str] = set()
    for one in submissions:
        name = base = _file_name(one.name)
        number = 1
        while name in taken:
            number += 1
            name = f"{base}-{number}"
        taken.add(name)
        yield Path(f"{name}{ENDING}"), encode(profile_of(one))


def _file_name(name: str) -> str:
    plain = "".join(one if one.isascii() and (one.isalnum() or one in "-_.") else "-" for one in name)
    return plain.strip(".-")[-MOST_NAME:] or "submission"
