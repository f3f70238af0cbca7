import { drawAxis, drawLaneNames, drawMarks, drawOutline, drawWords, laneNames } from "./labels.js";
import { Rows } from "./canvas_rows.js";
import { colour, coloursOf, css } from "./colours.js";
import { drawCalls } from "./draw_calls.js";
import { drawDensity } from "./draw_density.js";
import { MOST_AT_ONCE } from "./store.js";

// The picture of ranks by time.

const AXIS_PX = 30;
const FEW_BLOCKS = 16; // so many are soon there, even where shares of time would do
const PALE = 0.4; // how strongly calls are drawn that the page does not hold one by one

export class Timeline {
  constructor(canvas, head, density, store, view) {
    Object.assign(this, { canvas, head, density, store, view });
    this.context = canvas.getContext("2d");
    this.buffer = document.createElement("canvas");
    this.names = laneNames(head.lanes, head.unit);
    this.hidden = new Set();
    this.found = null; // which calls are looked for
    this.outlined = null; // a call
    this.selected = null; // [begin, end] in ns, while it is dragged
    this.listeners = [];
    view.onChange(() => this.redraw());
  }

  // Draws with the browser's next frame, however often this is called before it.
  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  get showsMarks() {
    return this.head.marks.length > 0 && !this.hidden.has("mark");
  }

  layOut() {
    const { canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const left = width < 560 ? 64 : 96;
    document.documentElement.style.setProperty("--names", `${left}px`); // for what stands below and has the same axis
    this.place = { left, top: AXIS_PX, width: width - left, height: height - AXIS_PX, ratio };
    this.rows = new Rows(this.view, this.place.height, this.density.levels, this.showsMarks);
    this.columns = Math.max(1, Math.round(this.place.width * ratio));
    this.colours = coloursOf(this.head.kinds, this.hidden);
  }

  draw() {
    const began = performance.now();
    this.layOut();
    const { context, place, view } = this;
    context.setTransform(place.ratio, 0, 0, place.ratio, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const ink = css(colour("--faint"));
    drawAxis(context, view, { ...place, ink, line: css(colour("--line")) });
    drawLaneNames(this, ink);
    context.save();
    context.beginPath();
    context.rect(place.left, place.top, place.width, place.height);
    context.clip();
    if (this.showsMarks) drawMarks(this);
    this.drawContent();
    if (this.outlined) drawOutline(this, this.outlined);
    if (this.selected) this.drawSelected();
    context.restore();
    if (!this.tookMs) performance.mark("timeline drawn");
    this.tookMs = performance.now() - began;
    for (const listener of this.listeners) listener(this);
  }

  drawContent() {
    const { view, rows, columns, colours, density } = this;
    const blocks = this.blocksInView();
    const partly = this.head.kept < this.head.records;
    if (!blocks || partly) this.put(drawDensity(density, view, rows, columns, colours).image(blocks ? PALE : 1));
    if (!blocks) return;
    const { raster, words } = drawCalls(blocks, this.head, view, rows, columns, colours, this.found);
    this.put(raster.image());
    drawWords(this, words);
  }

  // Decoded blocks, if single calls can be told apart; null if not, or as long as they are on their way.
  blocksInView() {
    const { view, density, rows, columns } = this;
    const binPx = (density.binNs / (view.end - view.begin)) * columns;
    const rowPx = rows.lanePx * this.place.ratio * (density.lanes / density.rows);
    const coarse = binPx > 1.5 || (density.rows < density.lanes && rowPx > 2);
    const numbers = this.store.touching(view.begin, view.end, rows.first, rows.last);
    this.shows = "shares";
    if (numbers.length > (coarse || this.found ? MOST_AT_ONCE : FEW_BLOCKS)) return null;
    const blocks = this.store.ready(numbers);
    this.shows = blocks ? "calls" : "loading";
    if (!blocks) this.call(numbers);
    return blocks;
  }

  // Has blocks come, unless they are on their way; those of a view before are not waited for.
  call(numbers) {
    const name = numbers.join();
    if (this.called === name) return;
    this.called = name;
    this.arriving = this.store.load(numbers, () => this.called === name).then((blocks) => {
      if (this.called === name) this.called = "";
      if (blocks) this.redraw();
    });
  }

  put(image) {
    const { buffer, context, place, rows } = this;
    buffer.width = image.width;
    buffer.height = image.height;
    buffer.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    const { left, top, width } = place;
    if (!rows.gapPx) {
      context.drawImage(buffer, left, top + rows.topPx, width, rows.lanes * rows.lanePx);
      return;
    }
    for (let row = 0; row < rows.rows; row++) {
      const y = top + rows.callsTopPx(rows.first + row);
      context.drawImage(buffer, 0, row * rows.levels, image.width, rows.levels, left, y, width, rows.callsPx);
    }
  }

  drawSelected() {
    const { context, place } = this;
    const [x0, x1] = this.selected.map((time) => this.xOf(time));
    context.fillStyle = css(colour("--accent"), 0.18);
    context.fillRect(Math.min(x0, x1), place.top, Math.abs(x1 - x0), place.height);
  }

  xOf(time) {
    return this.place.left + ((time - this.view.begin) / (this.view.end - this.view.begin)) * this.place.width;
  }

  timeAt(x) {
    return this.view.begin + ((x - this.place.left) / this.place.width) * (this.view.end - this.view.begin);
  }

  // As a fraction.
  laneAt(y) {
    return this.view.top + (y - this.place.top) / this.rows.lanePx;
  }
}
