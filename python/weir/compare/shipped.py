"""The machines of papers as profiles that Weir brings: printed numbers alone, each with its place."""

from pathlib import Path

_FOLDER = Path(__file__).resolve().parent / "printed"


def shipped_machines() -> dict[str, Path]:
    """Their files, by name."""
    return {path.stem: path for path in sorted(_FOLDER.glob("*.json"))}


def shipped_machine(path: Path) -> Path | None:
    """The file of the machine of that name; null where something of that name lies here, or there is none."""
    if path.exists() or path.is_symlink():
        return None
    return shipped_machines().get(str(path))
