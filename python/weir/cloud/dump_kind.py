"""Dumps of the gas cloud, as verbs know them."""

from pathlib import Path
from typing import TYPE_CHECKING

from weir.cloud.header import header_of
from weir.dumps.kind import NUMPY, Drawn, DumpKind, Shown, Wishes, dump_kind
from weir.files.thing import Thing

if TYPE_CHECKING:
    from weir.cloud.dump import Dump


@dump_kind("cloud")
class CloudDump(DumpKind):
    """A file, or a folder: then the newest state in it."""

    what = "a dump of the gas cloud"
    help = "its column density along --axis (for another field than the density the mean), and a slice"
    options = frozenset({"variable", "axis", "cell", "as_stored"})
    extra = "cloud"
    packages = (NUMPY,)

    def recognises(self, thing: Thing) -> bool:
        """By its header; of HDF5, which is refused later, by its arrays."""
        if thing.is_folder:
            return thing.holds("restart*") or thing.holds("analysis-*")
        return header_of(thing.begin) is not None or {"rho", "phi"} <= thing.names

    def show(self, path: Path) -> Shown:
        """Its header, and the range and mean of each array."""
        from weir.cloud.shown import shown

        return shown(self._opened(path))

    def draw(self, path: Path, wishes: Wishes) -> Drawn:
        """The box is periodic: if its edge would cut dense gas, the picture begins where the edge cuts the
        least."""
        from weir.cloud.picture import View, as_data, picture_of, spec_of

        source = self._opened(path)
        field = next(iter(wishes.variable), None)
        axis = wishes.axis or "z"
        picture = picture_of(source, View(field, axis, wishes.cell, wishes.as_stored))
        beside = source.path.with_name(f"{source.path.name}-{picture.field}-{axis}.png")
        return Drawn(spec_of(picture), beside, as_data(picture))

    def _opened(self, path: Path) -> "Dump":
        from weir.cloud.dump import newest_in, open_dump

        return open_dump(newest_in(path) if path.is_dir() else path)
