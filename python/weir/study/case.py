"""A case: one benchmark with every option settled; and cases that are left out, with the reason."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from weir.core.front_options import DIRECTORY_OPTION
from weir.store.records import ReplayRecord
from weir.units import count_words


@dataclass(frozen=True)
class Replay:
    """A pattern that the storage benchmark carries out in place of a case's own benchmark, by these options
    of it."""

    options: dict[str, Any]
    record: ReplayRecord


@dataclass(frozen=True)
class Case:
    """What is measured. `options` are resolved, with the defaults filled in; unset ones are None.

    `dir` is None where the study leaves it to the command line: what storage is measured belongs to the
    run, so that the same case keeps its id on every machine.
    """

    id: str
    benchmark: str
    ranks: int
    env: dict[str, str]
    options: dict[str, Any]
    mpi_io: str | None = None
    """The implementation of MPI-IO that the study asks for; None leaves it to the MPI."""
    comparisons: tuple[str, ...] = ()
    label: str = ""
    """The case for people: what sets it apart in its comparison."""
    replay: Replay | None = None
    node: str | None = None
    """The host that it is run on by itself; None leaves that to the launcher."""
    placement: dict[str, Any] = field(default_factory=dict)
    """Where its ranks are wanted, by the names of weir.study.placement; empty leaves it to the launcher."""

    @property
    def uses_directory(self) -> bool:
        """Whether the benchmark works in a directory."""
        return DIRECTORY_OPTION in self.options

    def id_with(self, *, options: dict[str, Any] | None = None, node: str | None = None) -> str:
        """The id of the case with other options, or on that node."""
        return case_id(
            self.benchmark,
            self.ranks,
            self.env,
            self.options if options is None else options,
            self.mpi_io,
            node=node or self.node,
            placement=self.placement,
        )

    @property
    def nodes(self) -> int:
        """On how many it is to run; 0 where its study names no number."""
        return 0 if self.placement.get("spread") else int(self.placement.get("nodes", 0))

    @property
    def cores_per_node(self) -> int:
        """Those that a node needs for its ranks; of a case that says nothing of nodes, all."""
        return int(self.placement.get("ranks_per_node", self.ranks)) * self.threads

    @property
    def threads(self) -> int:
        """Of each rank."""
        return int(self.placement.get("threads") or self.options.get("threads") or 1)

    @property
    def works_here(self) -> bool:
        """Whether that directory is one of this machine: on a node of its own it may be the node's."""
        return self.uses_directory and self.node is None

    def as_data(self) -> dict[str, Any]:
        """The case as run directories and `--json` show it."""
        found = {
            "case": self.id,
            "label": self.label,
            "benchmark": self.benchmark,
            "ranks": self.ranks,
            "env": self.env,
            "options": self.options,
            "mpi_io": self.mpi_io,
            "comparisons": list(self.comparisons),
        }
        found |= {"node": self.node} if self.node else {}
        found |= {"placement": self.placement} if self.placement else {}
        return found | ({"replay": msgspec.to_builtins(self.replay.record)} if self.replay else {})


def case_id(  # noqa: PLR0913
    benchmark: str,
    ranks: int,
    env: dict[str, str],
    options: dict[str, Any],
    mpi_io: str | None = None,
    *,
    node: str | None = None,
    placement: dict[str, Any] | None = None,
) -> str:
    """First 16 hex digits of the SHA-256 of these in canonical JSON: ASCII, keys sorted, no blanks.

    An implementation of MPI-IO, a node, and a placement count where one is asked for only."""
    parts = {"benchmark": benchmark, "ranks": ranks, "env": env, "options": options}
    parts |= {"mpi_io": mpi_io} if mpi_io is not None else {}
    parts |= {"node": node} if node is not None else {}
    parts |= {"placement": placement} if placement else {}
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class LeftOut:
    """A case that is not run, by its values on the axes, with the reason."""

    label: str
    comparisons: tuple[str, ...]
    why: str

    def as_data(self) -> dict[str, Any]:
        """As run directories and `--json` show it."""
        return {"label": self.label, "comparisons": list(self.comparisons), "why": self.why}


class Reasoned(Protocol):
    """A case that was left out, planned or read back from a run."""

    @property
    def label(self) -> str: ...
    @property
    def comparisons(self) -> Sequence[str]: ...
    @property
    def why(self) -> str: ...


def left_out_words(left_out: Iterable[Reasoned]) -> list[str]:
    """One line a reason: which cases of which comparisons."""
    by_reason: dict[str, list[Reasoned]] = {}
    for item in left_out:
        by_reason.setdefault(item.why, []).append(item)
    return [
        f"left out of {', '.join(dict.fromkeys(name for item in items for name in item.comparisons))}: "
        f"{count_words(len(items), 'case')} ({'; '.join(item.label for item in items)}), "
        f"since {why}"
        for why, items in by_reason.items()
    ]


def not_asked_words(name: str, title: str) -> str:
    """What stands in place of an optional comparison that was not asked for."""
    return f"{title or name}: not run; ask for it with --with {name}"
