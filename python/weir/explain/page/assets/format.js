// Numbers for people, with their units, as weir/units.py writes them.

const TIMES = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
const SIZES = [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]];

export function significant(value, digits = 3) {
  if (value === 0) return "0";
  const places = digits - 1 - Math.floor(Math.log10(Math.abs(value)));
  return places > 0 ? value.toFixed(Math.min(places, 12)) : String(Math.round(value));
}

export function formatTime(ns) {
  const [unit, factor] = TIMES.find(([, size]) => Math.abs(ns) >= size) ?? TIMES.at(-1);
  return `${unit === "ns" ? Math.round(ns) : significant(ns / factor)} ${unit}`;
}

// A point in time, told as finely as steps of `stepNs` need.
export function formatPoint(ns, stepNs, largestNs = ns) {
  const [unit, factor] = TIMES.find(([, size]) => largestNs >= size) ?? TIMES.at(-1);
  const places = Math.max(0, Math.ceil(-Math.log10(stepNs / factor) - 1e-9));
  return `${(ns / factor).toFixed(places)} ${unit}`;
}

export function formatBytes(bytes) {
  const [unit, factor] = SIZES.find(([, size]) => Math.abs(bytes) >= size) ?? ["B", 1];
  const text = significant(bytes / factor);
  return unit === "B" ? `${bytes} B` : `${text.includes(".") ? text.replace(/\.?0+$/, "") : text} ${unit}`;
}

export function formatCount(count) {
  return count.toLocaleString("en").replaceAll(",", "\u202f");
}

export function formatShare(share) {
  return `${significant(share * 100, 2)} %`;
}
