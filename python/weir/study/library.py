"""The studies that come with Weir."""

from pathlib import Path

from weir.errors import WeirError
from weir.study.suggest import did_you_mean

ENDINGS = (".toml", ".yaml", ".yml")


def own_studies() -> dict[str, Path]:
    """Weir's own studies by name: beside the package when installed, else in the checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "studies", package.parents[1] / "studies"):
        if folder.is_dir():
            return {path.stem: path for path in sorted(folder.glob("*.toml"))}
    return {}


def is_own(path: Path) -> bool:
    """Whether the file is one of Weir's own studies."""
    return path.resolve() in {own.resolve() for own in own_studies().values()}


def find_study(name: str) -> Path:
    """The file meant by a path, or by the name of one of Weir's own studies. Raises WeirError if there is
    none."""
    path = Path(name)
    if path.exists() or path.suffix in ENDINGS or "/" in name:
        return path
    own = own_studies()
    if name not in own:
        raise WeirError(
            f"there is no study '{name}'",
            "it is neither a file nor one of Weir's own",
            did_you_mean(name, own),
        )
    return own[name]
