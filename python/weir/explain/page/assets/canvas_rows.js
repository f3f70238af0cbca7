// Where lanes are drawn: a row of pixels, or several, for a lane; or a row for several lanes where there are more.

const LEAST_LEVEL_PX = 5; // levels lower than this are drawn into each other
const HEAD_PX = 15;
const LEAST_MARKED_PX = 32;

export class Rows {
  // `marked`: rows that are high enough have a strip above their calls, for the names of marks.
  constructor(view, heightPx, levels, marked = false) {
    this.first = Math.floor(view.top + 1e-9);
    this.last = Math.max(this.first, Math.ceil(view.bottom - 1e-9) - 1);
    this.lanes = this.last - this.first + 1;
    this.lanePx = heightPx / (view.bottom - view.top);
    this.headPx = marked && this.lanePx >= LEAST_MARKED_PX ? HEAD_PX : 0;
    this.levels = (this.lanePx - this.headPx) / levels >= LEAST_LEVEL_PX ? levels : 1;
    this.rows = Math.min(this.lanes, Math.max(1, Math.floor(this.lanes * this.lanePx)));
    this.lanesOfRow = this.lanes / this.rows;
    this.topPx = (this.first - view.top) * this.lanePx;
  }

  // All lines of pixels in the image: levels of rows.
  get lines() {
    return this.rows * this.levels;
  }

  // Calls `visit(row, part)` for the rows that show these lanes (fractions; the last one excluded), and which part
  // of each row they are.
  forRows(from, to, visit) {
    const top = (Math.max(from, this.first) - this.first) / this.lanesOfRow;
    const bottom = (Math.min(to, this.last + 1) - this.first) / this.lanesOfRow;
    for (let row = Math.floor(top + 1e-6); row < bottom - 1e-6; row++) {
      visit(row, Math.min(bottom, row + 1) - Math.max(top, row));
    }
  }

  // The one row that shows a lane, and which part of it the lane is.
  rowOf(lane) {
    return Math.floor(((lane - this.first) * this.rows) / this.lanes);
  }

  partOf(row) {
    const before = (number) => Math.ceil((number * this.lanes) / this.rows);
    return 1 / (before(row + 1) - before(row));
  }

  // Between lanes that are high enough there is a gap.
  get gapPx() {
    return this.lanePx >= 8 ? Math.min(3, this.lanePx * 0.12) : 0;
  }

  laneTopPx(lane) {
    return this.topPx + (lane - this.first) * this.lanePx;
  }

  callsTopPx(lane) {
    return this.laneTopPx(lane) + this.headPx;
  }

  get callsPx() {
    return this.lanePx - this.gapPx - this.headPx;
  }

  get levelPx() {
    return this.callsPx / this.levels;
  }
}
