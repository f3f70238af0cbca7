"""What jobs a study needs: how large, how many, how long."""

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from weir.batch.base import JobRequest, Size
from weir.errors import WeirError
from weir.measure.plan import Plan, only_on
from weir.site.load import JobDefaults
from weir.study.case import Case
from weir.units import count_words, format_seconds, spell_seconds

SPARE_S = 240.0
"""Of each job, for its start, its last launch, and the time before its end at which it is told to finish."""
SPARE_SHARE = 0.1
MOST_JOBS = 1000


@dataclass(frozen=True)
class Wishes:
    """What the command line says of the jobs; None leaves it to the site and the study."""

    time_s: float | None = None
    """Of each job."""
    jobs: int | None = None
    account: str | None = None
    partition: str | None = None


@dataclass(frozen=True)
class Share:
    """How a study's time is shared: so many jobs, each that long, each measuring for so long."""

    jobs: int
    time_s: float
    budget_s: float


def share_of(budget_s: float, wishes: Wishes, longest_s: float | None) -> Share:
    """As few jobs as the longest time of one allows. Raises WeirError for times that leave nothing to
    measure in."""
    needed_s = SPARE_S + (1 + SPARE_SHARE) * budget_s / (wishes.jobs or 1)
    in_minutes_s = 60.0 * math.ceil(needed_s / 60 - 1e-9)
    time_s = wishes.time_s if wishes.time_s is not None else min(in_minutes_s, longest_s or math.inf)
    most_s = (time_s - SPARE_S) / (1 + SPARE_SHARE)
    if most_s <= 0:
        raise WeirError(
            f"a job of {format_seconds(time_s)} is too short",
            f"its start and its end take {format_seconds(SPARE_S)}",
            f"ask for more: --time {spell_seconds(SPARE_S + 60)}",
        )
    jobs = wishes.jobs or math.ceil(budget_s / most_s - 1e-9)
    if jobs > MOST_JOBS:
        raise WeirError(
            f"the study would need {count_words(jobs, 'job')}",
            f"each measures for {format_seconds(most_s)} of {format_seconds(budget_s)}",
            "ask for a longer --time, or a shorter --budget",
        )
    return Share(jobs, time_s, min(most_s, budget_s))


def size_of(cases: Sequence[Case], hosts: tuple[str, ...] = ()) -> Size:
    """What the largest of the cases need; the nodes are left to the batch system where one does not say."""
    placed = [case.placement for case in cases]
    nodes = [one["nodes"] for one in placed if "nodes" in one]
    per_node = [one["ranks_per_node"] for one in placed if "ranks_per_node" in one]
    every = len(nodes) == len(cases)
    return Size(
        ranks=max(case.ranks for case in cases),
        nodes=len(hosts) or max(nodes, default=None),
        ranks_per_node=max(per_node) if every else max(case.ranks for case in cases) if hosts else None,
        threads=_threads(cases, is_by_node=every or bool(hosts)),
        hosts=hosts,
    )


def _threads(cases: Sequence[Case], *, is_by_node: bool) -> int:
    """Processors of each task of the job. Where tasks are counted by node, a case of few ranks with many
    threads each takes the processors of many ranks with few."""
    if not is_by_node:
        return max(case.threads for case in cases)
    on_a_node = [(case.placement.get("ranks_per_node", case.ranks), case.threads) for case in cases]
    processors: int = max(ranks * threads for ranks, threads in on_a_node)
    most: int = max(ranks for ranks, _ in on_a_node)
    return math.ceil(processors / most)


def name_of(run: Path) -> str:
    """Of the jobs of that run: no other run's jobs have it."""
    plain = re.sub(r"[^A-Za-z0-9_.-]", "-", run.name)[:40]
    return f"weir-{plain}-{hashlib.sha256(str(run).encode()).hexdigest()[:6]}"


def sizes_of(plan: Plan) -> list[tuple[int, Plan, float]]:
    """Of each number of nodes that cases are for: the plan of those, and their share of the time."""
    counts = sorted({case.nodes for case in plan.cases})
    plans = [only_on(plan, count) for count in counts]
    every = len(plan.cases)
    return [(count, one, len(one.cases) / every) for count, one in zip(counts, plans, strict=True)]


def _least_nodes(plan: Plan) -> int:
    """What a job must have for its cases to be there: those that name no number of nodes are spread over all
    that were asked for, others are of comparisons that only several nodes have; 0 where one node does."""
    named = {name for case in plan.cases for name in case.comparisons}
    least = max((part.nodes_from for part in plan.study.comparisons if part.name in named), default=1)
    if any(not case.nodes for case in plan.cases):
        least = max(least, plan.study.job_nodes or 1)
    return least if least > 1 else 0


def request_of(plan: Plan, run: Path, job: JobDefaults, wishes: Wishes, share: Share) -> JobRequest:
    """Each of the jobs, but for its script and command."""
    hosts = tuple(node.name for node in plan.study.nodes)
    size = size_of(plan.cases, hosts)
    return JobRequest(
        name=name_of(run),
        size=replace(size, nodes=max(size.nodes or 0, _least_nodes(plan)) or None),
        time_s=share.time_s,
        folder=Path.cwd(),
        log=run,
        script=run,
        command=(),
        account=wishes.account or job.account,
        partition=wishes.partition or job.partition,
        modules=job.modules,
        setup=job.setup,
        options=job.options,
    )


def with_script(request: JobRequest, script: Path, command: tuple[str, ...]) -> JobRequest:
    """The job of that script."""
    return replace(request, script=script, log=script.with_suffix(".log"), command=command)
