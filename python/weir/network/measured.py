"""From a run's samples of the benchmark `network` to what the model is made of: times by distance of the two
ranks."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from weir.analyse.machine_state import samples_that_count
from weir.errors import ExitCode, WeirError
from weir.network.loggp import Call
from weir.store.records import AnyRecord, CaseRecord, LaunchRecord, SampleRecord
from weir.store.run_directory import RunDirectory, RunInfo

STUDY = "network-model"
HELD_OUT = "held-out"
"""A comparison whose name begins so is not used for the model, but predicted by it."""
BETWEEN_TWO = ("PingPong", "PingPing", "PRTT")
PREDICTED = ("Sendrecv", "Exchange", "Alltoall")
DISTANCES = ("core", "cache", "package", "node", "nodes")
"""From near to far: the same core, a common last-level cache, the same package, the same node, two nodes."""
_US = 1e-6
QUICK = 0.1


class Cache(msgspec.Struct):
    """A cache of the machine."""

    level: int = 0
    shared_by_threads: int | None = None


class Cpu(msgspec.Struct):
    """What the machine's kernel says of its processors."""

    sockets: int | None = None
    threads: int | None = None
    caches: list[Cache] = []


class _Asked(msgspec.Struct):
    """The options of a case that say what was timed."""

    function: str | None = None
    bytes: Annotated[int, Meta(ge=0)] = 0
    messages: Annotated[int, Meta(ge=0)] | None = None
    partner: int = 1
    active: int | None = None
    group: int | None = None
    delay: float | None = None
    pause: float | None = None
    late: float | None = None


@dataclass
class Path:
    """The samples between two ranks at one distance."""

    distance: str
    used: dict[Call, list[tuple[int, float]]] = field(default_factory=dict)
    held_out: dict[Call, list[tuple[int, float]]] = field(default_factory=dict)
    case: CaseRecord | None = None
    """One of its cases, for its settings."""


def paths_of(run: RunDirectory) -> list[Path]:
    """The measured distances, near ones first. Raises WeirError where no PingPong was measured."""
    info = run.info()
    records = list(run.stream())
    found = gather_paths(records, info.machine or {})
    if not found:
        raise _no_model(run, info, records)
    return found


def _no_model(run: RunDirectory, info: RunInfo, records: Iterable[AnyRecord]) -> WeirError:
    """What the run lacks, and the command that gets it: the same study again only where it is another."""
    records = list(records)
    ping_pongs = {
        one.case
        for one in records
        if isinstance(one, CaseRecord)
        and one.benchmark == "network"
        and (call := call_of(one)) is not None
        and call.function == "PingPong"
    }
    another = f"Make a run of the study that measures it: `weir run {STUDY}`."
    if info.read_from is not None:
        why, advice = (
            "it was read from another benchmark's output, which does not say where ranks were",
            another,
        )
    elif not ping_pongs:
        why, advice = f"it is a run of '{info.study.name}', which has no case of PingPong", another
    elif not any(isinstance(one, SampleRecord) and one.case in ping_pongs for one in records):
        why = "it has cases of PingPong, and no sample of them yet"
        advice = f"Go on with it, and with more time: `{again(run, info)}`."
    else:
        why = "no sample of PingPong counts: they have no time, or no word of where their ranks were"
        advice = f"Take more samples: `{again(run, info)}`."
    return WeirError(f"there is no model in '{run.path}'", why, advice, ExitCode.NOTHING_SELECTED)


def again(run: RunDirectory, info: RunInfo) -> str:
    """The command that goes on with a run: the one that made it, for that run."""
    words = info.command[1:]
    if words[:1] != ["run"]:
        words = ["run", info.study.name or STUDY]
    if not any(word == "--out" or word.startswith("--out=") for word in words):
        words = [*words, "--out", str(run.path)]
    return shlex.join(["weir", *words])


def gather_paths(records: Iterable[AnyRecord], machine: Mapping[str, Any]) -> list[Path]:
    """The same of records, of which only samples of the machine's main state count. Raises WeirError where
    cases of one distance differ in more than the function."""
    records, cpu = list(records), cpu_of(machine)
    counted = {id(sample) for sample in samples_that_count(records)}
    cases: dict[str, CaseRecord] = {}
    launches: dict[int | None, LaunchRecord] = {}
    paths: dict[str, Path] = {}
    for record in records:
        match record:
            case CaseRecord(benchmark="network"):
                cases[record.case] = record
            case LaunchRecord():
                launches[record.launch] = record
            case SampleRecord() if record.case in cases and id(record) in counted:
                case, launch = cases[record.case], launches.get(record.launch)
                time_s = quick_time(record)
                if time_s and (call := call_of(case)) is not None and launch is not None:
                    distance = _distance(record, launch, call, _asked(case).partner, cpu)
                    path = paths.setdefault(distance, Path(distance))
                    _check_same(path, case)
                    _keep(path, case, call, (record.launch or 0, time_s))
    usable = [one for one in paths.values() if any(call.function == "PingPong" for call in one.used)]
    return sorted(usable, key=lambda one: DISTANCES.index(one.distance))


def quick_time(sample: SampleRecord) -> float | None:
    """The time in s that a tenth of the sample's calls did not exceed: what the network takes when nothing
    else has the cores, as the model means it, which a mean over all calls is not. From the histogram, evenly
    within a bin. Without one it is the sample's result, that of the slowest rank; also of calls that ranks
    begin one by one after a barrier: for the last of them they take less than for the messages."""
    latency = (sample.latency or {}).get("call")
    if latency is None or not latency.histogram or sample.details.get("start") == "barrier":
        result = next((one.value for one in sample.metrics if one.key == "time_us"), None)
        return None if result is None else result * _US
    wanted = QUICK * sum(count for _, count in latency.histogram)
    width, below = 1 / (1 + (latency.relative_error or 0)), 0
    for upper, count in latency.histogram:
        if below + count >= wanted:
            lower = upper * width
            return lower + (upper - lower) * (wanted - below) / count
        below += count
    return None


def call_of(case: CaseRecord) -> Call | None:
    """What the case timed; None for functions that say nothing about the model, or more than two ranks."""
    asked = _asked(case)
    function = asked.function
    parts = (*BETWEEN_TWO, "LocalCopy", *PREDICTED)
    between_two = function in BETWEEN_TWO or (asked.active or case.ranks) == 2
    if function not in parts or not between_two or asked.group:
        return None
    if function != "PRTT":
        return Call(function, asked.bytes)
    times = (asked.delay or 0.0, asked.pause or 0.0, asked.late or 0.0)
    return Call(function, asked.bytes, asked.messages or 1, *times)


def _asked(case: CaseRecord) -> _Asked:
    """Raises WeirError where the run's record of the case is damaged."""
    try:
        return msgspec.convert(case.options, _Asked)
    except msgspec.ValidationError as error:
        raise WeirError(
            f"the record of the case '{case.label}' is damaged",
            str(error),
            "take another run; `weir show` tells what this one still has",
        ) from error


def cpu_of(machine: Mapping[str, Any]) -> Cpu:
    """As far as the card of the machine is right; nothing is known where it is damaged."""
    try:
        return msgspec.convert(machine.get("cpu") or {}, Cpu)
    except msgspec.ValidationError:
        return Cpu()


def _distance(sample: SampleRecord, launch: LaunchRecord, call: Call, partner: int, cpu: Cpu) -> str:
    """Over several nodes where the sample says so: their hosts may have one name."""
    told = sample.details.get("nodes")
    if isinstance(told, int) and told > 1:
        return "nodes"
    return distance_of(launch, partner, cpu, in_turn=told is not None and call.function in BETWEEN_TWO)


def distance_of(launch: LaunchRecord, partner: int, cpu: Cpu, *, in_turn: bool = False) -> str:
    """Of ranks 0 and `partner`, by where the launch put them and what the machine's kernel says of it; the
    farther one where that is not known. `in_turn`: they count as taken from the nodes in turn."""
    places = {place.rank: place for place in launch.placement}
    order = _in_turn(launch) if in_turn else [*range(partner + 1)]
    one, other = places.get(0), places.get(order[partner] if partner < len(order) else None)
    if one is None or other is None:
        return "nodes" if len(launch.nodes) > 1 else "node"
    if one.host != other.host:
        return "nodes"
    if one.cpus == other.cpus and one.cores == 1:
        return "core"
    shared = [cache.shared_by_threads for cache in sorted(cpu.caches, key=lambda cache: cache.level)]
    if cpu.threads is not None and cpu.threads in shared[-1:]:
        return "cache"
    return "package" if cpu.sockets == 1 else "node"


def _in_turn(launch: LaunchRecord) -> list[int]:
    """The ranks: first the first of each node, then the second of each that has one, and so on."""
    of_node: dict[str | None, list[int]] = {}
    for place in launch.placement:
        of_node.setdefault(place.host, []).append(place.rank or 0)
    turns = [
        (turn, number, rank)
        for number, ranks in enumerate(of_node.values())
        for turn, rank in enumerate(ranks)
    ]
    return [rank for _, _, rank in sorted(turns)]


_VARIED = (
    "function",
    "bytes",
    "messages",
    "delay",
    "pause",
    "late",
    "partner",
    "budget",
    "precision",
    "calls",
    "check",
)
_MEASURING = ("warm_up", "repetitions", "interval", "counts", "imb", "start", "clock")


def _settings(case: CaseRecord) -> tuple[dict[str, Any], dict[str, str]]:
    ignored = {*_VARIED, *_MEASURING}
    return {key: value for key, value in case.options.items() if key not in ignored}, case.env


def _check_same(path: Path, case: CaseRecord) -> None:
    if path.case is None:
        path.case = case
    elif _settings(path.case) != _settings(case):
        raise WeirError(
            "the run's cases make no single model",
            f"'{path.case.label}' and '{case.label}' differ in their buffers, ranks or environment",
            "make a run for each setting",
        )


def _keep(path: Path, case: CaseRecord, call: Call, sample: tuple[int, float]) -> None:
    held = case.comparisons and all(name.startswith(HELD_OUT) for name in case.comparisons)
    part = path.held_out if held or call.function in PREDICTED else path.used
    part.setdefault(call, []).append(sample)
