"""Dumps of applications, of each kind that registers itself."""

from weir.dumps.kind import dump_kinds, kind_of
from weir.files.thing import Thing
from weir.handed.kind import kind


@kind("dump", "a dump", "")
def dump(thing: Thing) -> bool:
    """Of any kind. A file of HDF5 may be damaged, or the package that reads it missing: the verb says so."""
    return thing.is_hdf5 or kind_of(thing) is not None


for _name, _kind in dump_kinds().items():
    kind(f"dump-{_name}", _kind.what, "`weir show {0}` shows what it holds, `weir picture {0}` draws it")(
        _kind.recognises
    )
