import { mixed, shade } from "./colours.js";
import { Raster } from "./raster.js";

// Single calls, as a raster, and where there is room for words in them.

const ROOM_PX = 54;
const MOST_WORDS = 500;
const APART_PX = 4; // calls wider than this end a little earlier, so that neighbours can be told apart

// `found(call, file)` is false for calls that are not looked for, which are paler.
export function drawCalls(blocks, head, view, rows, columns, colours, found) {
  const drawing = {
    raster: new Raster(columns, rows),
    words: [],
    view,
    scale: columns / (view.end - view.begin),
    colourOf: chooser(head, colours, found),
    around: new Map(),
  };
  for (const block of blocks) {
    for (const [lane, first, last] of block.lanes) {
      if (lane < rows.first || lane > rows.last) continue;
      const row = rows.rowOf(lane);
      // Calls around those at a block's start are in the block before.
      if (!drawing.around.has(lane)) drawing.around.set(lane, { colours: [], ends: [] });
      drawLane(drawing, block, first, last, row, rows.partOf(row), drawing.around.get(lane));
    }
  }
  return drawing;
}

function chooser(head, colours, found) {
  const kinds = head.calls.map(([, , kind]) => kind);
  const shades = Array.from({ length: 256 }, (_, level) => (level < 16 ? shade(colours, level) : null));
  const plain = (call, file, level) => (shades[level] ?? shades[15])[kinds[call]];
  if (!found) return plain;
  const pale = colours.map((colour) => colour && mixed(colour, colours.paper, 0.75));
  return (call, file, level) => (found(call, file) ? plain(call, file, level) : pale[kinds[call]]);
}

// Calls of one lane, by begin: those around a call came before it.
function drawLane({ raster, words, view, scale, colourOf }, block, first, last, row, part, { colours, ends }) {
  const { begin, end, level, call, file } = block;
  const merged = raster.rows.levels === 1;
  for (let i = first; i < last && begin[i] <= view.end; i++) {
    const own = level[i];
    const colour = colourOf(call[i], file[i], own);
    colours[own] = colour;
    ends[own] = end[i];
    if (!colour || end[i] < view.begin) continue;
    let parent = null;
    for (let outer = own - 1; outer >= 0 && !parent; outer--) if (ends[outer] >= end[i]) parent = colours[outer];
    const x0 = (begin[i] - view.begin) * scale;
    let x1 = (end[i] - view.begin) * scale;
    if (x1 - x0 > ROOM_PX && words.length < MOST_WORDS) words.push({ block, i, x0, x1, colour });
    if (x1 - x0 > APART_PX) x1 -= 1;
    if (merged && x0 >= 0 && (x0 | 0) === (x1 | 0)) raster.dot(row, x0 | 0, colour, parent, Math.max(x1 - x0, 1e-3) * part);
    else raster.add(row, own, x0, Math.max(x1, x0 + 1e-3), colour, parent, part);
  }
}
