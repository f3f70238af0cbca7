import { colour, css, isDark } from "./colours.js";
import { hasLength } from "./describe.js";
import { formatBytes } from "./format.js";

// Words, bands and outlines over the picture.

const FONT = "11px system-ui, 'Liberation Sans', sans-serif";
const LETTER_PX = 6.1;

export function drawLaneNames({ context, place, rows, names, density, view }, ink) {
  const step = Math.max(1, 2 ** Math.ceil(Math.log2(15 / rows.lanePx)));
  context.font = "12px system-ui, 'Liberation Sans', sans-serif";
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (let lane = Math.ceil(rows.first / step) * step; lane <= rows.last; lane += step) {
    const y = place.top + rows.laneTopPx(lane) + Math.min(rows.lanePx - rows.gapPx, 15 * step) / 2;
    if (rows.lanePx >= 15) {
      context.fillStyle = css(colour("--wash"));
      context.fillRect(place.left, place.top + rows.laneTopPx(lane), place.width, rows.lanePx - rows.gapPx);
    }
    if (y < place.top + 5 || y > place.top + place.height - 4) continue;
    const middle = rows.lanePx >= 15 ? place.top + rows.laneTopPx(lane) + (rows.lanePx - rows.gapPx) / 2 : y;
    context.fillStyle = ink;
    context.fillText(names[lane], place.left - 10, middle, place.left - 12);
  }
}

export function drawWords({ context, head, place, rows }, words) {
  const height = rows.levelPx();
  if (height < 12) return;
  context.font = FONT;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const { block, i, x0, x1, colour: back } of words) {
    const left = Math.max(0, x0 / place.ratio);
    const room = Math.min(place.width, x1 / place.ratio) - left - 10;
    const name = head.calls[block.call[i]][1];
    const long = hasLength(head, { call: block.call[i], length: block.length[i] }) ? `${name}  ${formatBytes(block.length[i])}` : name;
    const text = [long, name].find((one) => one.length * LETTER_PX <= room);
    if (!text) continue;
    const line = Math.min(block.level[i], rows.levels - 1);
    const y = place.top + rows.laneTopPx(block.lane[i]) + (line + 0.5) * height;
    context.fillStyle = isDark(back) ? "#ffffff" : "#10161f";
    context.fillText(text, place.left + left + 5, y);
  }
}

// Marks are bands behind the calls of their lane.
export function drawMarks(timeline) {
  const { context, head, place, rows, view } = timeline;
  context.font = FONT;
  context.textBaseline = "top";
  context.textAlign = "left";
  for (const [lane, begin, end, call, file] of head.marks) {
    if (lane < rows.first || lane > rows.last || end < view.begin || begin > view.end) continue;
    const x0 = timeline.xOf(Math.max(begin, view.begin));
    const x1 = timeline.xOf(Math.min(end, view.end));
    const y = place.top + rows.laneTopPx(lane);
    context.fillStyle = css(colour("--kind-mark"), 0.28);
    context.fillRect(x0, y, Math.max(1, x1 - x0), Math.max(1, rows.lanePx));
    context.fillStyle = css(colour("--ink"));
    const text = head.files[file]?.[0] || head.calls[call][1];
    if (rows.lanePx >= 24 && text.length * LETTER_PX < x1 - x0) context.fillText(text, x0 + 4, y + 2);
  }
}

export function drawOutline({ context, place, rows, view }, call) {
  const scale = place.width / (view.end - view.begin);
  const x = place.left + (call.begin - view.begin) * scale;
  const width = Math.max(2, (call.end - call.begin) * scale);
  const top = place.top + rows.laneTopPx(call.lane);
  const line = Math.min(call.level, rows.levels - 1);
  const y = top + line * rows.levelPx();
  context.strokeStyle = css(colour("--ink"));
  context.lineWidth = 1.5;
  context.strokeRect(x, y + 0.75, width, Math.max(2, top + rows.lanePx - rows.gapPx - y - 1.5));
}
