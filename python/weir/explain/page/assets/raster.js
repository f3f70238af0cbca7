// Adds up how much of each pixel is covered, and in what colours: what one would see of all calls, drawn exactly,
// from any distance.

export const INSIDE = 0.42; // how strongly a call goes on below its own line, where no call inside it is
const LEAST_ALPHA = 0.13; // what is there at all can be seen

export class Raster {
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.sums = new Float32Array(columns * rows.lines * 4);
  }

  // A call of this level from column x0 to x1 (fractions of columns), instead of the one that it is inside.
  add(row, level, x0, x1, colour, parent, weight) {
    const levels = this.rows.levels;
    const own = Math.min(level, levels - 1);
    for (let line = own; line < levels; line++) {
      const strength = levels === 1 || line === own ? 1 : INSIDE;
      const takenFrom = parent && (levels === 1 ? 1 : line === own && level >= levels ? 1 : INSIDE);
      this.cover(row * levels + line, x0, x1, colour, strength * weight, parent, takenFrom * weight);
    }
  }

  // A call within one column, where levels are drawn into each other.
  dot(line, column, colour, parent, part) {
    const { sums, columns } = this;
    if (column >= columns) return;
    const at = (line * columns + column) * 4;
    if (!parent) {
      sums[at] += colour[0] * part;
      sums[at + 1] += colour[1] * part;
      sums[at + 2] += colour[2] * part;
      sums[at + 3] += part;
      return;
    }
    sums[at] += (colour[0] - parent[0]) * part;
    sums[at + 1] += (colour[1] - parent[1]) * part;
    sums[at + 2] += (colour[2] - parent[2]) * part;
  }

  cover(line, x0, x1, colour, strength, parent, taken) {
    const first = Math.max(0, Math.floor(x0));
    const last = Math.min(this.columns - 1, Math.floor(x1));
    let red = colour[0] * strength;
    let green = colour[1] * strength;
    let blue = colour[2] * strength;
    let alpha = strength;
    if (parent) {
      red -= parent[0] * taken;
      green -= parent[1] * taken;
      blue -= parent[2] * taken;
      alpha -= taken;
    }
    const sums = this.sums;
    for (let column = first, at = (line * this.columns + first) * 4; column <= last; column++, at += 4) {
      const part = Math.min(x1, column + 1) - Math.max(x0, column);
      sums[at] += red * part;
      sums[at + 1] += green * part;
      sums[at + 2] += blue * part;
      sums[at + 3] += alpha * part;
    }
  }

  // Another raster's only row, by a part of its strength.
  addRow(row, other, part) {
    const { sums } = this;
    const start = row * other.sums.length;
    for (let i = 0; i < other.sums.length; i++) sums[start + i] += other.sums[i] * part;
  }

  // As an image; `strength` below 1 makes it pale.
  image(strength = 1) {
    const { sums, columns } = this;
    const image = new ImageData(columns, this.rows.lines);
    const pixels = image.data;
    for (let at = 0; at < sums.length; at += 4) {
      const alpha = sums[at + 3];
      if (alpha < 1e-7) continue;
      pixels[at] = sums[at] / alpha;
      pixels[at + 1] = sums[at + 1] / alpha;
      pixels[at + 2] = sums[at + 2] / alpha;
      pixels[at + 3] = 255 * strength * Math.min(1, LEAST_ALPHA + (1 - LEAST_ALPHA) * alpha);
    }
    return image;
  }
}
