"""An XDMF document of a series: for ParaView, all times on one grid of hexahedra."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from weir.aquifer.names import velocity
from weir.aquifer.series import Moment, Series
from weir.aquifer.xdmf_data import MADE_BY, NODES, Field, fields_of
from weir.printable import printable

MARK = f"<!-- Made by {MADE_BY}: "
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
NUMBER_TYPES = {"f": "Float", "i": "Int"}


def document(series: Series, data_name: str) -> str:
    """The text; data_name: of the HDF5 file beside it."""
    return HEAD + "\n".join(_lines(series, data_name)) + "\n"


def _lines(series: Series, data_name: str) -> Iterator[str]:
    yield f"{MARK}z is the fastest index, and x runs backwards. -->"
    yield '<Xdmf Version="2.0">'
    yield " <Domain>"
    yield f'  <Information Name="time unit" Value={quoteattr(series.unit)}/>'
    yield f'  <Grid Name={_name(series.name)} GridType="Collection" CollectionType="Temporal">'
    for number, moment in enumerate(series.moments):
        yield from _grid(moment, number, data_name)
    yield "  </Grid>"
    yield " </Domain>"
    yield "</Xdmf>"


def _grid(moment: Moment, number: int, data_name: str) -> Iterator[str]:
    cells = moment.output.file.cells
    nodes = tuple(count + 1 for count in cells)
    yield f'   <Grid Name={_name(f"time {moment.output.time}")} GridType="Uniform">'
    yield f'    <Time Value="{moment.time!r}"/>'
    yield f'    <Topology TopologyType="3DSMesh" Dimensions="{_sizes(nodes)}"/>'
    yield '    <Geometry GeometryType="X_Y_Z">'
    for place in NODES:
        yield f"     {_item(place, nodes, np.dtype('f8'), data_name)}"
    yield "    </Geometry>"
    fields = fields_of(moment.output, number)
    for field in fields:
        item = _item(field.place, cells, field.type, data_name)
        yield from _attribute(field.quantity.stored, "Scalar", item)
    yield from _vector(fields, cells, data_name)
    yield "   </Grid>"


def _vector(fields: list[Field], cells: tuple[int, ...], data_name: str) -> Iterator[str]:
    """The velocity once more, as vectors, for glyphs and stream lines; not of a single cell, whose values
    VTK's reader takes for plain numbers that cannot be joined."""
    by_name = {field.quantity.stored: field for field in fields}
    names = velocity(by_name)
    if names and cells != (1, 1, 1):
        parts = (_item(by_name[name].place, cells, by_name[name].type, data_name) for name in names)
        size = _sizes((*cells, 3))
        join = f'<DataItem ItemType="Function" Function="JOIN($0, $1, $2)" Dimensions="{size}">'
        yield from _attribute(names[0].replace("X-", "", 1), "Vector", f"{join}{''.join(parts)}</DataItem>")


def _attribute(name: str, kind: str, item: str) -> Iterator[str]:
    yield f'    <Attribute Name={_name(name)} AttributeType="{kind}" Center="Cell">'
    yield f"     {item}"
    yield "    </Attribute>"


def _item(place: str, sizes: tuple[int, ...], kind: "np.dtype[np.generic]", data_name: str) -> str:
    number = f'NumberType="{NUMBER_TYPES[kind.kind]}" Precision="{kind.itemsize}"'
    where = escape(f"{data_name}:/{place}")
    return f'<DataItem Format="HDF" {number} Dimensions="{_sizes(sizes)}">{where}</DataItem>'


def _sizes(sizes: tuple[int, ...]) -> str:
    return " ".join(map(str, sizes))


def _name(text: str) -> str:
    """In quotes, and without what XML cannot hold."""
    return quoteattr(printable(text))
