"""What jobs of every batch system do: see to it that the node has what they need, and become the command."""

import math
import re
import shlex
from collections.abc import Iterable

from weir.batch.base import JobRequest
from weir.errors import WeirError


def clock(seconds: float) -> str:
    """Hours, minutes, seconds: "1:05:00"."""
    minutes, rest = divmod(math.ceil(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


_PLAIN = re.compile(r"[\w@+=.,/~-]+", re.ASCII)


def plain(text: str, system: str) -> str:
    """The text, which every batch system takes as it is. Raises WeirError for one that it might read as
    something else."""
    if not _PLAIN.fullmatch(text):
        why = "a line of its scripts is certain to hold letters, digits and @+=.,/~_- alone"
        raise WeirError(f"cannot name {text!r} to {system}", why, "choose another name")
    return text


def script_of(mark: str, options: Iterable[str], job: JobRequest, node: str = '"$(hostname)"') -> str:
    """The batch system's options behind its mark, as `#PBS`, and what the job does. `node`: the shell's word
    for the name of the node."""
    return "".join(["#!/bin/bash\n", *(f"{mark} {option}\n" for option in options), _body(job, node)])


def _body(job: JobRequest, node: str) -> str:
    """The lines behind the batch system's own.

    `exec` lets the signals of the batch system reach the command itself."""
    program, script = shlex.quote(job.command[0]), shlex.quote(str(job.script))
    unseen = "does not see the run: --out must be on storage that all nodes share"
    lines = [
        """refuse() { printf 'weir: %s\\n' "$*" >&2; exit 2; }""",
        f"node={node}",
        *(
            f"module load {name} || refuse 'there is no module' {name}"
            for name in map(shlex.quote, job.modules)
        ),
        *job.setup,
        f'[ -e {script} ] || refuse "node $node {unseen}"',
        f'[ -x {program} ] || refuse "node $node has no Weir: there is no" {program}',
        f"exec {shlex.join(job.command)}",
    ]
    return "".join(f"{line}\n" for line in ["", *lines])
