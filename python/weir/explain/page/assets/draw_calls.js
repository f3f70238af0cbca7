import { mixed, shade } from "./colours.js";
import { Raster } from "./raster.js";

// Single calls, as a raster, and where there is room for words in them.

const ROOM_PX = 54;
const MOST_WORDS = 500;
const APART_PX = 4; // calls wider than this end a little earlier, so that neighbours can be told apart

// `found(call, file)` is false for calls that are not looked for, which are paler.
export function drawCalls(blocks, head, view, rows, columns, colours, found) {
  const raster = new Raster(columns, rows);
  const words = [];
  const kinds = head.calls.map(([, , kind]) => kind);
  const scale = columns / (view.end - view.begin);
  const pale = colours.map((colour) => colour && mixed(colour, colours.paper, 0.75));
  for (const block of blocks) {
    const around = [];
    let lane = -1;
    for (let i = 0; i < block.count; i++) {
      if (block.lane[i] !== lane) {
        lane = block.lane[i];
        around.length = 0;
      }
      const level = block.level[i];
      if (lane < rows.first || lane > rows.last) continue;
      const kind = kinds[block.call[i]];
      const colour = found && !found(block.call[i], block.file[i]) ? pale[kind] : shade(colours, level)[kind];
      around[level] = { colour, end: block.end[i] };
      around.length = level + 1;
      if (!colour || block.end[i] < view.begin || block.begin[i] > view.end) continue;
      const x0 = (block.begin[i] - view.begin) * scale;
      let x1 = (block.end[i] - view.begin) * scale;
      if (x1 - x0 > ROOM_PX && words.length < MOST_WORDS) words.push({ block, i, x0, x1, colour });
      if (x1 - x0 > APART_PX) x1 -= 1;
      x1 = Math.max(x1, x0 + 1e-3);
      const parent = nearest(around, level, block.begin[i]);
      rows.forRows(lane, lane + 1, (row, part) => raster.add(row, level, x0, x1, colour, parent, part));
    }
  }
  return { raster, words };
}

// The colour of the call around this one that is drawn, if any.
function nearest(around, level, begin) {
  for (let outer = level - 1; outer >= 0; outer--) {
    const call = around[outer];
    if (call?.colour && call.end >= begin) return call.colour;
  }
  return null;
}
