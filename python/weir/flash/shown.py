"""What is shown of a file: its header, levels, variables and storage, and whether it agrees with itself."""

from typing import Any

from weir.dumps.kind import Shown, Table
from weir.flash.file import MEANINGS, FlashFile
from weir.flash.picture import units_of
from weir.flash.survey import Range, Stored, alignment, storage, survey, type_of, variables_in
from weir.units import count_words, format_bytes


def shown(file: FlashFile) -> Shown:
    """Reads all of it. It is wrong where it does not agree with itself: a block's neighbours, parent or
    children, the volume of the leaves, or the range that it states of a variable."""
    ranges = {name: survey(file, name) for name in file.variables}
    stored = storage(file)
    faults = _faults(file, ranges)
    parts = (
        _headlines(file),
        Table(("level", ">blocks", ">leaves"), _levels(file)),
        Table(("variable", "type", ">minimum", ">maximum"), _variables(file, ranges)),
        [*_of_storage(file, stored), *_verdict(file, faults)],
    )
    return Shown(parts, _as_data(file, ranges, stored, faults), bool(faults))


def _has_tree(file: FlashFile) -> bool:
    """False of the benchmark's own files, in which no block has a place or a neighbour."""
    return file.header.layout != "FLASH-IO" or file.tree.is_placed


def _faults(file: FlashFile, ranges: dict[str, Range]) -> list[str]:
    found = list(file.tree.faults()) if _has_tree(file) else []
    stated = file.header.domain
    if not found and stated and _has_tree(file) and not file.tree.fills(stated):
        found.append("the blocks fill another domain than the run's parameters xmin to zmax say")
    for name, seen in ranges.items():
        if seen.not_finite:
            found.append(f"{name} has values that are no finite numbers, first in block {seen.not_finite}")
        elif not seen.agrees:
            where = f"first outside it in block {seen.outside}" if seen.outside else "no block reaches it"
            found.append(f"{name} has another range than its attributes minimum and maximum say, {where}")
    return found


def _headlines(file: FlashFile) -> list[str]:
    head, tree = file.header, file.tree
    layout = "file format 9" if head.layout == "version 9" else "layout of the benchmark FLASH-IO"
    cells = " x ".join(map(str, file.cells[: head.dimensions]))
    lines = [
        f"{file.path}: {file.kind}, {layout}"
        + ("" if head.dimensions == 3 else f", {count_words(head.dimensions, 'dimension')}"),
        f"time {head.time:.6g} ({units_of(file)}), {count_words(head.step, 'step')}",
        f"{count_words(len(tree.levels), 'block')} of {cells} cells, "
        f"{count_words(int(tree.leaves.sum()), 'leaf', 'leaves')}",
    ]
    if _has_tree(file) and tree.is_placed:
        ends = (
            f"{axis} {low:.6g} to {high:.6g}"
            for axis, (low, high) in zip(
                "xyz"[: head.dimensions], tree.domain[: head.dimensions], strict=True
            )
        )
        lines.append(f"domain: {', '.join(ends)}")
    ranks = file.blocks_of_ranks()
    if ranks is not None:
        least, most = int(ranks.min()), int(ranks.max())
        each = count_words(most, "block") if least == most else f"{least:,} to {most:,} blocks"
        lines.append(f"{count_words(len(ranks), 'rank')}, with {each}" + (" each" if len(ranks) > 1 else ""))
    return lines


def _counts(file: FlashFile) -> list[dict[str, int]]:
    tree = file.tree
    return [
        {"level": level, "blocks": int(here.sum()), "leaves": int((here & tree.leaves).sum())}
        for level in sorted(set(tree.levels.tolist()))
        for here in [tree.levels == level]
    ]


def _levels(file: FlashFile) -> list[list[str]]:
    return [[f"{row[key]:,}" for key in ("level", "blocks", "leaves")] for row in _counts(file)]


def _variables(file: FlashFile, ranges: dict[str, Range]) -> list[list[str]]:
    return [
        [
            f"{name} ({MEANINGS[name]})" if name in MEANINGS else name,
            type_of(file.data(name)),
            *("" if end is None else f"{end:.6g}" for end in (seen.least, seen.most)),
        ]
        for name, seen in ranges.items()
    ]


def _sizes(file: FlashFile, stored: list[Stored]) -> dict[str, int]:
    """Bytes: of the file, of its variables, of its other datasets, and of all else, which are HDF5's metadata
    and holes."""
    data = sum(one.size for one in variables_in(stored, file))
    lists = sum(one.size for one in stored) - data
    whole = file.datasets.size
    return {"file": whole, "variables": data, "lists": lists, "metadata": whole - data - lists}


def _of_storage(file: FlashFile, stored: list[Stored]) -> list[str]:
    names = {
        "file": "file",
        "variables": "variables",
        "lists": "other datasets",
        "metadata": "metadata, holes",
    }
    sizes = _sizes(file, stored)
    lines = [f"{names[key] + ':':<17}{size:>15,} bytes ({format_bytes(size)})" for key, size in sizes.items()]
    variables = variables_in(stored, file)
    ways = {one.way for one in variables}
    lines += [
        f"{count_words(sum(one.way == way for one in variables), 'variable')} {way}" for way in sorted(ways)
    ]
    multiple = alignment(variables)
    if multiple:
        lines[-1] += f"; the data begin at multiples of {count_words(multiple, 'byte')}"
    return [*lines, f"{count_words(len(stored), 'dataset')} in all"]


def _verdict(file: FlashFile, faults: list[str]) -> list[str]:
    if faults:
        return [f"wrong: {fault}" for fault in faults]
    if not _has_tree(file):
        return ["no tree: the bounding boxes are all zeros, as FLASH-IO writes them"]
    return ["sound: neighbours, parents and children agree, and the leaves' volumes add up to the domain's"]


def _as_data(
    file: FlashFile, ranges: dict[str, Range], stored: list[Stored], faults: list[str]
) -> dict[str, Any]:
    head, tree, ranks = file.header, file.tree, file.blocks_of_ranks()
    return {
        "file": str(file.path),
        "kind": file.kind,
        "layout": head.layout,
        "time": head.time,
        "step": head.step,
        "blocks": len(tree.levels),
        "leaves": int(tree.leaves.sum()),
        "dimensions": head.dimensions,
        "cells": file.cells[: head.dimensions],
        "domain": tree.domain[: head.dimensions].tolist() if tree.is_placed else None,
        "blocks_of_ranks": None if ranks is None else ranks.tolist(),
        "levels": _counts(file),
        "variables": {
            name: {"type": type_of(file.data(name)), "minimum": seen.least, "maximum": seen.most}
            for name, seen in ranges.items()
        },
        "bytes": _sizes(file, stored),
        "alignment_bytes": alignment(variables_in(stored, file)),
        "datasets": [
            {
                "name": one.name,
                "type": one.type,
                "shape": one.shape,
                "bytes": one.size,
                "chunks": one.chunks,
                "filters": one.filters,
                "offset": one.offsets[0] if one.offsets else None,
            }
            for one in stored
        ],
        "leaf_volume": tree.leaf_volume() if tree.is_placed else None,
        "faults": faults,
    }
