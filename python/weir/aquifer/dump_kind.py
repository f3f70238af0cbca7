"""Files of PFLOTRAN and of the aquifer, as verbs know them."""

from collections.abc import Sequence
from pathlib import Path

from weir.dumps.kind import Drawn, DumpKind, Exported, Shown, Wishes, dump_kind
from weir.errors import WeirError
from weir.files.thing import Thing


@dump_kind("aquifer")
class AquiferDump(DumpKind):
    """Outputs on a structured grid, in HDF5."""

    what = "a file of PFLOTRAN on a structured grid"
    help = "a slice: pressure with contours, saturation and a tracer with flow lines, or each --variable"
    most_variables = 6
    options = frozenset({"variable", "axis", "at", "cell", "time", "step", "no_lines"})
    extra = "aquifer"
    to_draw = (("contourpy", "contourpy"),)
    formats = ("xdmf",)

    def recognises(self, thing: Thing) -> bool:
        """By its groups."""
        return any(name == "Coordinates" or name.startswith("Time:") for name in thing.names)

    def show(self, path: Path) -> Shown:
        """Its grid and times, and what is in the last output."""
        from weir.aquifer.file import open_aquifer
        from weir.aquifer.shown import shown

        with open_aquifer(path) as source:
            return shown(source)

    def draw(self, path: Path, wishes: Wishes) -> Drawn:
        """Each cell in its own colour; a very flat slice is stretched, and the picture says by how much."""
        for first, second, both in (
            ("--time", "--step", (wishes.time, wishes.step)),
            ("--at", "--cell", (wishes.at, wishes.cell)),
        ):
            if None not in both:
                raise WeirError(f"{first} and {second} name one thing twice", "", "leave one of the two away")
        from weir.aquifer.file import open_aquifer, time_in
        from weir.aquifer.picture import as_data, picture_of, quantities_in, spec_of
        from weir.aquifer.slice import plane_in

        with open_aquifer(path) as source:
            number, chosen = time_in(source, wishes.time, wishes.step)
            output = source.output(chosen)
            quantities = quantities_in(output, wishes.variable)
            plane = plane_in(source, wishes.axis, wishes.at, wishes.cell)
            picture = picture_of(output, number, plane, quantities, with_lines=not wishes.no_lines)
            beside = path.with_name(f"{path.name}-{number:03d}-{plane.axis}.png")
            return Drawn(spec_of(picture), beside, as_data(picture))

    def export(self, paths: Sequence[Path], format: str, out: Path | None) -> Exported:
        """For ParaView, all times of the files together."""
        from weir.aquifer.xdmf_export import exported

        return exported(paths, out)
