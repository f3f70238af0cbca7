"""Files of FLASH, as verbs know them."""

from pathlib import Path

from weir.dumps.kind import Drawn, DumpKind, Shown, Wishes, dump_kind
from weir.errors import WeirError
from weir.files.thing import Thing

OWN_NAMES = {"sim info", "simulation parameters", "file format version", "unknown names"}
COLOURS = ("variable", "level")


@dump_kind("flash")
class FlashDump(DumpKind):
    """Checkpoints, plot files and corner plot files of FLASH and FLASH-IO."""

    what = "a file of FLASH"
    help = "a slice through its leaf blocks, with their borders"
    options = frozenset({"variable", "axis", "at", "colour"})
    extra = "flash"

    def recognises(self, thing: Thing) -> bool:
        """By what only its formats have."""
        return not thing.names.isdisjoint(OWN_NAMES)

    def show(self, path: Path) -> Shown:
        """All of it, checked."""
        from weir.flash.file import open_flash
        from weir.flash.shown import shown

        with open_flash(path) as source:
            return shown(source)

    def draw(self, path: Path, wishes: Wishes) -> Drawn:
        """Each cell in its own colour, or each block in that of its level."""
        from weir.flash.file import open_flash
        from weir.flash.picture import as_data, picture_of, spec_of

        colour, axis = wishes.colour or "variable", wishes.axis or "z"
        if colour not in COLOURS:
            raise WeirError(f"there is no colour by '{colour}'", "", f"use {' or '.join(COLOURS)}")
        if wishes.variable and colour == "level":
            raise WeirError("--variable has no part in a picture of levels", "", "leave one of the two away")
        with open_flash(path) as source:
            usual = "dens" if "dens" in source.variables else source.variables[0]
            drawn = None if colour == "level" else next(iter(wishes.variable), usual)
            picture = picture_of(source, drawn, axis, wishes.at)
            beside = path.with_name(f"{path.name}-{drawn or colour}-{axis}.png")
            return Drawn(spec_of(picture), beside, as_data(picture))
