import { colour, css } from "./colours.js";

// The program's own phases: bands behind the calls of their lane, with their names above where there is room.
// Moments are lines.

const FONT = "11px system-ui, 'Liberation Sans', sans-serif";
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
