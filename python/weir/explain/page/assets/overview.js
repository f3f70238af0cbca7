import { Rows } from "./canvas_rows.js";
import { colour, coloursOf, css } from "./colours.js";
import { drawDensity } from "./draw_density.js";

// The whole run in a narrow strip, with what the timeline shows of it as a window that can be dragged.

export class Overview {
  constructor(canvas, timeline) {
    Object.assign(this, { canvas, timeline, view: timeline.view });
    this.view.onChange(() => this.redraw());
    canvas.addEventListener("pointerdown", (event) => this.take(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", () => (this.grip = null));
  }

  // The picture changes with colours and kinds; the window in it with each view.
  refresh() {
    this.picture = null;
    this.redraw();
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const { canvas, view } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (!this.picture || canvas.width !== width) {
      [canvas.width, canvas.height] = [width, height];
      this.picture = this.paint(width, height);
    }
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.picture, 0, 0, width, height);
    const x0 = (view.begin / view.runNs) * width;
    const x1 = Math.max(x0 + 3, (view.end / view.runNs) * width);
    const y0 = (view.top / view.lanes) * height;
    const y1 = Math.max(y0 + 3, (view.bottom / view.lanes) * height);
    context.fillStyle = css(colour("--paper"), 0.62);
    context.fillRect(0, 0, x0, height);
    context.fillRect(x1, 0, width - x1, height);
    context.fillRect(x0, 0, x1 - x0, y0);
    context.fillRect(x0, y1, x1 - x0, height - y1);
    context.strokeStyle = css(colour("--accent"));
    context.lineWidth = 2 * ratio;
    context.strokeRect(x0 + ratio, y0 + ratio, x1 - x0 - 2 * ratio, y1 - y0 - 2 * ratio);
  }

  paint(columns, height) {
    const { density, head, hidden } = this.timeline;
    const whole = { begin: 0, end: this.view.runNs, top: 0, bottom: this.view.lanes };
    const rows = new Rows(whole, height, Infinity);
    const picture = document.createElement("canvas");
    [picture.width, picture.height] = [columns, rows.lines];
    const raster = drawDensity(density, whole, rows, columns, coloursOf(head.kinds, hidden));
    picture.getContext("2d").putImageData(raster.image(), 0, 0);
    return picture;
  }

  timeAt(event) {
    return (event.offsetX / this.canvas.clientWidth) * this.view.runNs;
  }

  // Inside the window: moves it. Outside: brings it there.
  take(event) {
    const { view } = this;
    const time = this.timeAt(event);
    const width = view.end - view.begin;
    if (time < view.begin || time > view.end) view.set(time - width / 2, time + width / 2);
    this.grip = time - view.begin;
    this.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    if (this.grip === null || this.grip === undefined) return;
    const begin = this.timeAt(event) - this.grip;
    this.view.set(begin, begin + this.view.end - this.view.begin);
  }
}
