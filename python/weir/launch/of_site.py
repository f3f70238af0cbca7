"""Launchers of a site's own, as its configuration describes them."""

import shutil

from weir.errors import WeirError
from weir.launch.base import Command, LaunchSpec
from weir.launch.in_job import InJob, nodes_asked
from weir.site.template import Template


class OfSite(InJob):
    """Starts ranks by the command that the template gives."""

    summary = "of this site"

    def __init__(self, template: Template) -> None:
        super().__init__()
        self._template = template

    def prepare(self) -> None:
        """Raises WeirError where the launcher's program is not there."""
        program, place = self._template.program, self._template.place
        if shutil.which(program) is None:
            raise WeirError(
                f"cannot start ranks by {self._template.name}",
                f"there is no program '{program}', which {place} names",
                "load its module, or choose another --launcher",
            )

    def command(self, spec: LaunchSpec, program: tuple[str, ...]) -> Command:
        """The command line; variables go by the environment too, since the launcher may need them itself."""
        self.prepare()
        why = self.cannot(spec)
        if why is not None:
            problem = f"cannot start ranks by {self._template.name}"
            advice = "give it one, in a list with its option, or choose another --launcher"
            raise WeirError(problem, why, advice)
        env = self.variables(spec)
        return Command(self._template.words(self._asked(spec), program, env), env)

    def binding(self, spec: LaunchSpec) -> str | None:
        """As asked; what the launcher does by itself is not known."""
        return spec.binding

    def cannot(self, spec: LaunchSpec) -> str | None:
        """What is asked for and has no field, or no word."""
        lacking = self._template.lacking(self._asked(spec))
        if lacking:
            name, place = self._template.name, self._template.place
            return f"the command of the launcher {name} has no {{{lacking[0]}}} ({place})"
        words = self._template.bindings
        if spec.binding is not None and words and spec.binding not in words:
            return f"the launcher {self._template.name} has no word for the binding '{spec.binding}'"
        return None

    def _asked(self, spec: LaunchSpec) -> dict[str, str]:
        """By field; what a launch leaves to the launcher, or another field says too, is not there."""
        words = self._template.bindings
        values = {
            "ranks": spec.ranks,
            **self._by_node(spec),
            "threads": spec.threads if spec.threads > 1 else None,
            "host": spec.host,
            "binding": spec.binding and words.get(spec.binding, spec.binding),
        }
        return {name: str(value) for name, value in values.items() if value is not None}

    def _by_node(self, spec: LaunchSpec) -> dict[str, int | None]:
        """Nodes and ranks of each. Of both, with the number of ranks, one says the other, and a host is one
        node: a command need not have both fields. Where ranks are is checked when they run."""
        fields, nodes, each = self._template.fields, nodes_asked(spec), spec.ranks_per_node
        is_one = spec.ranks == 1
        if "nodes" not in fields and (is_one or spec.host or (each and "ranks_per_node" in fields)):
            nodes = None
        if "ranks_per_node" not in fields and each and (is_one or (nodes or 0) * each == spec.ranks):
            each = None
        return {"nodes": nodes, "ranks_per_node": each}
