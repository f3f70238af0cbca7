// What is looked at: times from `begin` to `end` (ns) and lanes from `top` to `bottom` (fractions of lanes).

const LEAST_NS = 20;
const LEAST_LANES = 1;

export class View {
  constructor(runNs, lanes) {
    this.runNs = Math.max(runNs, 1000);
    this.lanes = lanes;
    this.listeners = [];
    this.set(0, this.runNs, 0, lanes);
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  set(begin, end, top = this.top, bottom = this.bottom) {
    [this.begin, this.end] = within(begin, end, this.runNs, Math.min(LEAST_NS, this.runNs));
    [this.top, this.bottom] = within(top, bottom, this.lanes, LEAST_LANES);
    for (const listener of this.listeners) listener();
  }

  whole() {
    this.set(0, this.runNs, 0, this.lanes);
  }

  // `factor` above 1 comes nearer; what is at `time` stays where it is.
  zoom(factor, time = (this.begin + this.end) / 2) {
    this.set(time - (time - this.begin) / factor, time + (this.end - time) / factor);
  }

  zoomLanes(factor, lane = (this.top + this.bottom) / 2) {
    this.set(this.begin, this.end, lane - (lane - this.top) / factor, lane + (this.bottom - lane) / factor);
  }

  // By parts of what is seen.
  pan(times, lanes = 0) {
    const right = times * (this.end - this.begin);
    const down = lanes * (this.bottom - this.top);
    this.set(this.begin + right, this.end + right, this.top + down, this.bottom + down);
  }

  // Shows a call with some time around it, and its lane among its neighbours.
  show(begin, end, lane) {
    const around = Math.max(end - begin, 200) * 1.5;
    const visible = lane >= this.top && lane + 1 <= this.bottom;
    const half = Math.min(this.bottom - this.top, 16) / 2;
    this.set(begin - around, end + around, ...(visible ? [] : [lane + 0.5 - half, lane + 0.5 + half]));
  }

  get isWhole() {
    return this.begin === 0 && this.end === this.runNs && this.top === 0 && this.bottom === this.lanes;
  }

  // For the page's address: #t=0.1,0.2&lanes=3,9 in seconds, and first and last lane.
  get fragment() {
    if (this.isWhole) return "";
    const times = [this.begin, this.end].map((ns) => String(+(ns / 1e9).toFixed(9)));
    const allLanes = this.top === 0 && this.bottom === this.lanes;
    const lanes = [this.top, this.bottom - 1].map((lane) => String(+lane.toFixed(2)));
    return `t=${times.join(",")}${allLanes ? "" : `&lanes=${lanes.join(",")}`}`;
  }

  go(fragment) {
    const words = new URLSearchParams(fragment.replace(/^#/, ""));
    const times = numbers(words.get("t"));
    const lanes = numbers(words.get("lanes"));
    if (!times && !lanes) return false;
    const [begin, end] = times ? times.map((s) => s * 1e9) : [0, this.runNs];
    const [first, last] = lanes ?? [0, this.lanes - 1];
    this.set(begin, end, first, last + 1);
    return true;
  }
}

function numbers(text) {
  const found = (text ?? "").split(",").map(Number);
  return text && found.length === 2 && found.every(Number.isFinite) && found[0] <= found[1] ? found : null;
}

function within(low, high, most, least) {
  const width = Math.min(Math.max(high - low, least), most);
  const start = Math.min(Math.max((low + high - width) / 2, 0), most - width);
  return width === most ? [0, most] : [start, start + width];
}
