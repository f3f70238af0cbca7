import { colour, css, isDark } from "./colours.js";
import { hasLength } from "./describe.js";
import { formatBytes, formatPoint } from "./format.js";

// Ticks of time: steps of 1, 2 or 5 times a power of ten.

export function ticks(begin, end, most) {
  const rough = (end - begin) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const found = [];
  for (let tick = Math.ceil(begin / step) * step; tick <= end; tick += step) found.push(tick);
  return { step, ticks: found };
}

export function drawAxis(context, view, { left, width, height, ink, line, top }) {
  const { step, ticks: times } = ticks(view.begin, view.end, Math.max(2, Math.floor(width / 110)));
  context.font = "12px system-ui, 'Liberation Sans', sans-serif";
  context.textBaseline = "middle";
  for (const time of times) {
    const x = left + ((time - view.begin) / (view.end - view.begin)) * width;
    context.fillStyle = line;
    context.fillRect(Math.round(x), top - 6, 1, height + 6);
    context.fillStyle = ink;
    const text = formatPoint(time, step, view.end);
    const half = context.measureText(text).width / 2;
    context.textAlign = "center";
    context.fillText(text, Math.min(Math.max(x, left + half), left + width - half), top - 15);
  }
}

// Names of lanes: the rank; its process where it has several, and its thread where that has several.

export function laneNames({ rank, process, thread }, unit) {
  if (new Set(rank).size === rank.length) return rank.map((one) => `${unit} ${one}`);
  const processes = grouped(rank, process);
  const threads = grouped(process.map((one, lane) => `${rank[lane]} ${one}`), thread);
  return rank.map((one, lane) => {
    const words = [`${unit} ${one}`];
    if (processes.get(one).size > 1) words.push(`pid ${process[lane]}`);
    if (threads.get(`${one} ${process[lane]}`).size > 1) words.push(`thread ${thread[lane]}`);
    return words.join(" · ");
  });
}

function grouped(keys, values) {
  const groups = new Map();
  keys.forEach((key, at) => groups.set(key, (groups.get(key) ?? new Set()).add(values[at])));
  return groups;
}

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

// The program's own phases: bands behind the calls of their lane, with their names above where there is room.
// Moments are lines.

const BAND = 0.22;
const STRIP = 0.75;

export function drawMarks(timeline) {
  const { context, head, rows, view, place } = timeline;
  const tint = colour("--kind-mark");
  const ended = new Set(head.marks.filter(([, begin, end]) => end > begin).map(([lane, begin]) => `${lane} ${begin}`));
  context.font = FONT;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const [lane, begin, end, , file] of head.marks) {
    if (lane < rows.first || lane > rows.last || end < view.begin || begin > view.end) continue;
    if (end === begin && ended.has(`${lane} ${begin}`)) continue; // the beginning of one whose end is there
    const x0 = timeline.xOf(Math.max(begin, view.begin));
    const x1 = Math.max(x0 + 1.5, timeline.xOf(Math.min(end, view.end)));
    const y = place.top + rows.laneTopPx(lane);
    const height = Math.max(1, rows.lanePx - rows.gapPx);
    context.fillStyle = css(tint, end === begin ? 1 : BAND);
    context.fillRect(x0, y, x1 - x0, height);
    if (rows.headPx) drawName(context, head.files[file]?.[0] ?? "", x0, x1, y, rows.headPx, end === begin, tint);
  }
}

function drawName(context, name, x0, x1, y, height, moment, tint) {
  if (!moment) {
    context.fillStyle = css(tint, STRIP);
    context.fillRect(x0, y, Math.max(1, x1 - x0 - 1), height - 2);
  }
  if (!moment && context.measureText(name).width + 8 > x1 - x0) return;
  context.fillStyle = moment ? css(colour("--ink")) : "#10161f";
  context.fillText(name, x0 + 4, y + height / 2 - 0.5);
}
