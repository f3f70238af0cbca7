import { formatPoint } from "./format.js";

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
