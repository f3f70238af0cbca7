"""Where a study wants its ranks: on how many nodes, how many on each, for how many threads, bound to what.
What is said of ranks and nodes must fit together; what follows from it is filled in."""

import re
from collections.abc import Mapping
from typing import Any

from weir.study.launch_settings import Setting
from weir.study.load import Study
from weir.units import count_words

BINDINGS = ("core", "socket", "none")
PLACEMENT = NODES, PER_NODE, THREADS, BINDING = "nodes", "ranks_per_node", "threads", "binding"
SPREAD = "spread"
"""In a placement: true where its nodes follow from the ranks, by "up to 4"."""
_UP_TO = re.compile(r"up to ([1-9]\d{0,8})")


def said(key: str, value: Any) -> str:
    """A part of a placement for people: "2 nodes", "2 ranks per node", "bound to cores"."""
    if key == BINDING:
        return "unbound" if value == "none" else f"bound to {value}s"
    noun = {NODES: "node", PER_NODE: "rank", THREADS: "thread"}[key]
    return count_words(value, noun) + (" per node" if key == PER_NODE else "")


def read_placement(study: Study, settings: Mapping[str, Setting]) -> tuple[int, dict[str, Any]]:
    """How many ranks, 1 where nothing is said, and what is asked for besides. Either of nodes and ranks per
    node settles the other. Raises WeirError, with the line, for what contradicts itself."""
    most = _most_nodes(settings.get(NODES))
    of_numbers = dict(settings) if most is None else {**settings, NODES: None}
    counts = {key: _count(study, key, of_numbers.get(key)) for key in ("ranks", NODES, PER_NODE, THREADS)}
    ranks, nodes, per_node = counts["ranks"], counts[NODES], counts[PER_NODE]
    found: dict[str, Any] = {}
    if most is not None:
        _refuse_spread(study, settings)
        ranks = ranks or most
        found = _spread(ranks, most)
    elif nodes is not None or per_node is not None:
        _refuse_on_each_node(study, settings)
        ranks = (nodes or 1) * (per_node or 1) if ranks is None else ranks
        nodes = nodes or ranks // (per_node or 1)
        per_node = per_node or ranks // nodes if nodes else 0
        if nodes * per_node != ranks:
            raise _do_not_fit(study, settings, counts)
        found = {NODES: nodes, PER_NODE: per_node}
    found |= {THREADS: counts[THREADS]} if counts[THREADS] else {}
    found |= {BINDING: settings[BINDING].value} if _binding_is_set(study, settings.get(BINDING)) else {}
    return 1 if ranks is None else ranks, found


def _most_nodes(setting: Setting | None) -> int | None:
    """Of "up to 4": 4; None of anything else."""
    found = _UP_TO.fullmatch(setting.value) if setting and isinstance(setting.value, str) else None
    return int(found[1]) if found else None


def _spread(ranks: int, most: int) -> dict[str, Any]:
    """On as many nodes, up to so many, as have equally many ranks; of one, nothing is asked for."""
    nodes = next(count for count in range(min(ranks, most), 0, -1) if ranks % count == 0)
    return {NODES: nodes, PER_NODE: ranks // nodes, SPREAD: True} if nodes > 1 else {}


def _refuse_spread(study: Study, settings: Mapping[str, Setting]) -> None:
    _refuse_on_each_node(study, settings)
    if PER_NODE in settings:
        raise study.source.error(
            settings[PER_NODE].place,
            f"'{PER_NODE}' stands beside nodes = {settings[NODES].value!r}",
            "how many ranks a node has follows from that",
            f"leave one away, or write {NODES} as a number",
        )


def _count(study: Study, key: str, setting: Setting | None) -> int | None:
    if setting is None:
        return None
    value = setting.value
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise study.source.error(
            setting.place, f"'{key}' is {value!r}", "it must be a whole number from 1", f"write {key} = 2"
        )
    return value


def _binding_is_set(study: Study, setting: Setting | None) -> bool:
    if setting is not None and setting.value not in BINDINGS:
        raise study.source.error(
            setting.place,
            f"'binding' is {setting.value!r}",
            f"ranks are bound to {', '.join(BINDINGS[:-1])} or {BINDINGS[-1]}",
            'write binding = "core"',
        )
    return setting is not None


def _refuse_on_each_node(study: Study, settings: Mapping[str, Setting]) -> None:
    key = NODES if NODES in settings else PER_NODE
    if study.file.study.per_node:
        raise study.source.error(
            settings[key].place,
            f"'{key}' stands in a study that is run on each node by itself",
            "each of its launches has one node",
            "write ranks, or leave away per_node = true",
        )


def _do_not_fit(study: Study, settings: Mapping[str, Setting], counts: Mapping[str, int | None]) -> Exception:
    said = [(key, counts[key]) for key in ("ranks", NODES, PER_NODE) if counts[key] is not None]
    last = next(settings[key] for key, _ in reversed(said))
    return study.source.error(
        last.place,
        f"{' and '.join(f'{key} = {count}' for key, count in said)} do not fit together",
        "every node has as many ranks as the others",
        "leave one away: ranks is nodes times ranks_per_node",
    )
