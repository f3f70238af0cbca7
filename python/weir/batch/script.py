"""What jobs of every batch system do: see to it that the node has what they need, and become the command."""

import shlex

from weir.batch.base import JobRequest


def body(job: JobRequest, node: str) -> str:
    """The lines behind the batch system's own. `node`: the shell's word for the name of the node.

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
