// The trace from afar: shares of time in bins, by row, level and kind (density.py), as running sums.

export class Density {
  constructor(head, bytes) {
    Object.assign(this, head.density);
    this.lanes = head.lanes.rank.length;
    this.levels = 1 + this.series.reduce((most, [, level]) => Math.max(most, level), 0);
    this.byRow = Array.from({ length: this.rows }, () => []);
    this.series.forEach(([row, level, kind], number) => {
      const shares = bytes.subarray(number * this.bins, (number + 1) * this.bins);
      this.byRow[row].push({ level, kind, sums: runningSums(shares, this.steps) });
    });
  }

  // The lanes of a row: first, and the one after the last.
  lanesOf(row) {
    return [Math.ceil((row * this.lanes) / this.rows), Math.ceil(((row + 1) * this.lanes) / this.rows)];
  }

  rowOf(lane) {
    return Math.floor((lane * this.rows) / this.lanes);
  }

  // Mean shares in `columns` equal parts of the time from begin to end (ns), into `out`; false if all are 0.
  sample(sums, begin, end, columns, out) {
    const first = begin / this.binNs;
    const width = (end - begin) / columns / this.binNs;
    let from = this.sumTo(sums, first);
    if (this.sumTo(sums, end / this.binNs) <= from) return false;
    const { bins } = this;
    for (let column = 0; column < columns; column++) {
      const bin = Math.min(first + (column + 1) * width, bins);
      const whole = bin | 0;
      const to = whole >= bins ? sums[bins] : sums[whole] + (sums[whole + 1] - sums[whole]) * (bin - whole);
      out[column] = (to - from) / width;
      from = to;
    }
    return true;
  }

  sumTo(sums, bin) {
    if (bin <= 0) return 0;
    if (bin >= this.bins) return sums[this.bins];
    const whole = Math.floor(bin);
    return sums[whole] + (sums[whole + 1] - sums[whole]) * (bin - whole);
  }
}

function runningSums(shares, steps) {
  const sums = new Float32Array(shares.length + 1);
  for (let i = 0; i < shares.length; i++) sums[i + 1] = sums[i] + shares[i] / steps;
  return sums;
}
