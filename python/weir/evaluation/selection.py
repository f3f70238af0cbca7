"""What of the machine's study is measured: some of its parts, in other shares of the time, or with the
comparisons of a paper besides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from weir.errors import WeirError, did_you_mean
from weir.study.load import Study, find_study, load_study
from weir.study.parts import shares_of
from weir.study.schema import ComparisonSection, PartSection
from weir.units import parse_share, spell_seconds

WHOLE, STORAGE_ALONE = "machine", "quick"
STORAGE = "storage"
PAPERS = {"hpcc": "HPC Challenge", "imb": "Intel MPI Benchmarks"}
"""Studies that `full` adds, each as a part of that title."""


@dataclass(frozen=True)
class Selection:
    """`only`: parts by their names, none for all; `shares`: of the time, by part; `full`: with all
    comparisons of the papers."""

    only: tuple[str, ...] = ()
    shares: Mapping[str, float] = field(default_factory=dict)
    full: bool = False

    @property
    def study(self) -> str:
        """The name of the study: the storage alone has one of its own, which looks closer."""
        alone = self.only == (STORAGE,) and not self.full
        return STORAGE_ALONE if alone else WHOLE


def read_selection(only: str | None, shares: Sequence[str], *, full: bool) -> Selection:
    """From the command line: "memory,network", and "storage=50%" each. Raises WeirError for what is not
    that."""
    names = tuple(dict.fromkeys(name.strip() for name in only.split(","))) if only is not None else ()
    found: dict[str, float] = {}
    for text in shares:
        name, equals, share = text.partition("=")
        if not equals or name.strip() in found:
            why = "it has one share" if equals else "it has no ="
            raise WeirError(f"--time is '{text}'", why, "write for example --time storage=50%")
        found[name.strip()] = parse_share(share)
    return Selection(names, found, full)


def selected(study: Study, selection: Selection) -> Study:
    """The study of that selection. Raises WeirError for a part that there is not, and for shares that leave
    nothing to others."""
    if selection.full:
        study = _with_papers(study)
    known = [part.name for part in study.file.part]
    if selection.shares and not known:
        raise WeirError(f"--time shares the time of no part of study '{study.name}'", "", "leave it out")
    if not known:
        return study
    for name in (*selection.only, *selection.shares):
        if name not in known:
            raise WeirError(
                f"there is no part '{name}'", f"known are {', '.join(known)}", did_you_mean(name, known)
            )
    asked = [name for name in known if name in selection.only or not selection.only]
    before = shares_of(study.file)
    shares = _shared({name: before[name] for name in asked}, selection.shares)
    parts = [
        msgspec.structs.replace(part, share=f"{100 * shares.get(part.name, before[part.name]):.6g}%")
        for part in study.file.part
    ]
    comparisons = [
        part if part.part in asked else msgspec.structs.replace(part, optional=True)
        for part in study.comparisons
    ]
    budget_s = study.budget_s * sum(before[name] for name in asked) / sum(before.values())
    section = msgspec.structs.replace(study.file.study, budget=spell_seconds(round(budget_s)))
    file = msgspec.structs.replace(study.file, study=section, part=parts, comparison=comparisons)
    return replace(study, file=file, budget_s=float(round(budget_s)))


def _shared(before: Mapping[str, float], stated: Mapping[str, float]) -> dict[str, float]:
    """The stated shares, and the rest of the time for the others in proportion to theirs."""
    for name in stated:
        if name not in before:
            raise WeirError(f"--time gives '{name}' time", "--only leaves it out", "leave out one of the two")
    others = {name: share for name, share in before.items() if name not in stated}
    rest = 1 - sum(stated.values())
    if min(stated.values(), default=1.0) <= 0 or rest < -1e-9 or (others and rest <= 1e-9):
        asked = ", ".join(f"{name}={100 * share:g}%" for name, share in stated.items())
        why = (
            f"it leaves nothing for {', '.join(others)}"
            if others and min(stated.values()) > 0
            else "a part gets no time, or all more than 100 %"
        )
        raise WeirError(f"--time {asked} cannot be", why, "give less, or leave out parts by --only")
    if not stated:
        return dict(before)
    if not others:
        return {name: share / sum(stated.values()) for name, share in stated.items()}
    all_others = sum(others.values())
    return {**stated, **{name: rest * share / all_others for name, share in others.items()}}


def _with_papers(study: Study) -> Study:
    """With a part for each of the papers' studies, which has its time in addition."""
    papers = {name: load_study(find_study(name)) for name in PAPERS}
    all_s = study.budget_s + sum(paper.budget_s for paper in papers.values())
    whole = sum(shares_of(study.file).values())
    parts = [
        msgspec.structs.replace(part, share=f"{100 * share / whole * study.budget_s / all_s:.6g}%")
        for part, share in zip(study.file.part, shares_of(study.file).values(), strict=True)
    ]
    parts += [
        PartSection(name=name, share=f"{100 * paper.budget_s / all_s:.6g}%", title=PAPERS[name])
        for name, paper in papers.items()
    ]
    comparisons = [*study.comparisons]
    for name, paper in papers.items():
        comparisons += [_as_part(one, paper, name) for one in paper.comparisons]
    source = next(iter(papers.values())).file.study.source
    section = msgspec.structs.replace(study.file.study, budget=spell_seconds(all_s), source=source)
    file = msgspec.structs.replace(study.file, study=section, part=parts, comparison=comparisons)
    return replace(study, file=file, budget_s=all_s)


def _as_part(one: ComparisonSection, paper: Study, part: str) -> ComparisonSection:
    """Also if it is optional there: what the machine has no cores or memory for is left out."""
    return msgspec.structs.replace(
        one,
        part=part,
        fixed={**{key: value for key, value in paper.file.fixed.items() if key not in one.axes}, **one.fixed},
        optional=False,
        if_crowded="leave out",
        if_too_large="leave out",
    )
