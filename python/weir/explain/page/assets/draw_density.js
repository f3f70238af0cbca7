import { shade } from "./colours.js";
import { INSIDE, Raster } from "./raster.js";

// The trace from afar, as a raster: of each level what is not covered by calls inside.

export function drawDensity(density, view, rows, columns, colours) {
  const raster = new Raster(columns, rows);
  const own = new Raster(columns, { levels: rows.levels, lines: rows.levels }); // one row, before it is shared out
  const cache = [];
  for (let row = density.rowOf(rows.first); row <= density.rowOf(rows.last); row++) {
    const series = density.byRow[row].filter(({ kind }) => colours[kind]);
    if (!series.length) continue;
    const levels = sampled(density, series, view, columns, cache);
    own.sums.fill(0);
    addRow(own, levels, colours);
    rows.forRows(...density.lanesOf(row), (at, part) => raster.addRow(at, own, part));
  }
  return raster;
}

// By level: the shares of each kind in each column, and those of all kinds.
function sampled(density, series, view, columns, cache) {
  const levels = Array.from({ length: density.levels }, () => ({ kinds: [], all: null }));
  series.forEach(({ level, kind, sums }, number) => {
    const shares = (cache[number] ??= new Float32Array(columns));
    if (!density.sample(sums, view.begin, view.end, columns, shares)) return;
    levels[level].kinds.push({ kind, shares });
  });
  for (const level of levels) level.all = total(level.kinds.map(({ shares }) => shares), columns);
  return levels;
}

function total(parts, columns) {
  if (parts.length < 2) return parts[0] ?? new Float32Array(columns);
  const sums = parts[0].slice();
  for (const part of parts.slice(1)) for (let column = 0; column < columns; column++) sums[column] += part[column];
  return sums;
}

function addRow(raster, levels, colours) {
  const lines = raster.rows.levels;
  for (let line = 0; line < lines; line++) {
    const deepest = lines === 1 || line === lines - 1 ? levels.length - 1 : line;
    for (let level = 0; level <= deepest; level++) {
      const inside = level < deepest && levels[level + 1].kinds.length ? levels[level + 1].all : null;
      const strength = lines === 1 || level >= line ? 1 : INSIDE;
      addLevel(raster, line, levels[level], inside, shade(colours, level), strength);
    }
  }
}

function addLevel(raster, line, { kinds, all }, inside, colours, weight) {
  const { columns, sums } = raster;
  const uncovered = inside?.map((share, column) => (share > 0 ? Math.max(0, 1 - share / all[column]) : 1));
  for (const { kind, shares } of kinds) {
    const [red, green, blue] = colours[kind];
    for (let column = 0, at = line * columns * 4; column < columns; column++, at += 4) {
      if (shares[column] <= 0) continue;
      const part = shares[column] * (uncovered ? uncovered[column] : 1) * weight;
      sums[at] += red * part;
      sums[at + 1] += green * part;
      sums[at + 2] += blue * part;
      sums[at + 3] += part;
    }
  }
}
