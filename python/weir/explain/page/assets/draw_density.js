import { shade } from "./colours.js";
import { INSIDE, Raster } from "./raster.js";

// The trace from afar, as a raster: of each level what is not covered by calls inside.

export function drawDensity(density, view, rows, columns, colours) {
  const raster = new Raster(columns, rows);
  const own = new Raster(columns, { levels: rows.levels, lines: rows.levels }); // one row, before it is shared out
  const room = new Room(columns);
  for (let row = density.rowOf(rows.first); row <= density.rowOf(rows.last); row++) {
    const series = density.byRow[row].filter(({ kind }) => colours[kind]);
    if (!series.length) continue;
    const levels = sampled(density, series, view, room);
    own.sums.fill(0);
    addRow(own, levels, colours, room);
    rows.forRows(...density.lanesOf(row), (at, part) => raster.addRow(at, own, part));
  }
  return raster;
}

// Columns of shares that one row leaves to the next: there are many rows, and new memory for each takes long.
class Room {
  constructor(columns) {
    this.columns = columns;
    this.taken = new Map();
  }

  column(name) {
    if (!this.taken.has(name)) this.taken.set(name, new Float32Array(this.columns));
    return this.taken.get(name);
  }
}

// By level: the shares of each kind in each column, and those of all kinds, where there are any.
function sampled(density, series, view, room) {
  const levels = Array.from({ length: density.levels }, () => ({ kinds: [], all: null }));
  series.forEach(({ level, kind, sums }, number) => {
    const shares = room.column(number);
    if (!density.sample(sums, view.begin, view.end, room.columns, shares)) return;
    levels[level].kinds.push({ kind, shares });
  });
  levels.forEach((level, number) => {
    level.all = total(level.kinds, () => room.column(`all of ${number}`));
  });
  return levels;
}

function total(kinds, room) {
  if (kinds.length < 2) return kinds[0]?.shares;
  const sums = room();
  sums.set(kinds[0].shares);
  for (const { shares } of kinds.slice(1)) {
    for (let column = 0; column < sums.length; column++) sums[column] += shares[column];
  }
  return sums;
}

function addRow(raster, levels, colours, room) {
  const lines = raster.rows.levels;
  for (let line = 0; line < lines; line++) {
    const deepest = lines === 1 || line === lines - 1 ? levels.length - 1 : line;
    for (let level = 0; level <= deepest; level++) {
      if (!levels[level].kinds.length) continue;
      const inside = level < deepest ? levels[level + 1].all : null;
      const uncovered = inside && uncoveredBy(inside, levels[level].all, room.column("uncovered"));
      const strength = lines === 1 || level >= line ? 1 : INSIDE;
      addLevel(raster, line, levels[level].kinds, uncovered, shade(colours, level), strength);
    }
  }
}

// Which part of all calls of a level has no call inside.
function uncoveredBy(inside, all, parts) {
  for (let column = 0; column < parts.length; column++) {
    const share = inside[column];
    parts[column] = share > 0 ? Math.max(0, 1 - share / all[column]) : 1;
  }
  return parts;
}

function addLevel(raster, line, kinds, uncovered, colours, weight) {
  const { columns, sums } = raster;
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
