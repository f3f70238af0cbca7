import { colour, css, isDark } from "./colours.js";
import { hasLength } from "./describe.js";
import { formatBytes } from "./format.js";

// Words and outlines over the picture.

const FONT = "11px system-ui, 'Liberation Sans', sans-serif";
const LETTER_PX = 6.1;

export function drawLaneNames({ context, place, rows, names, density, view }, ink) {
  const step = Math.max(1, 2 ** Math.ceil(Math.log2(15 / rows.lanePx)));
  context.font = "12px system-ui, 'Liberation Sans', sans-serif";
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (let lane = Math.ceil(rows.first / step) * step; lane <= rows.last; lane += step) {
    const y = place.top + Math.max(6, rows.laneTopPx(lane) + Math.min(rows.lanePx - rows.gapPx, 15 * step) / 2);
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
  const height = rows.levelPx;
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
    const y = place.top + rows.callsTopPx(block.lane[i]) + (line + 0.5) * height;
    context.fillStyle = isDark(back) ? "#ffffff" : "#10161f";
    context.fillText(text, place.left + left + 5, y);
  }
}

export function drawOutline({ context, place, rows, view }, call) {
  const scale = place.width / (view.end - view.begin);
  const x = place.left + (call.begin - view.begin) * scale;
  const width = Math.max(2, (call.end - call.begin) * scale);
  const top = place.top + rows.callsTopPx(call.lane);
  const line = Math.min(call.level, rows.levels - 1);
  const y = top + line * rows.levelPx;
  context.strokeStyle = css(colour("--ink"));
  context.lineWidth = 1.5;
  context.strokeRect(x, y + 0.75, width, Math.max(2, top + rows.callsPx - y - 1.5));
}
