import { describeCall, describeShares, titleOf } from "./describe.js";
import { pick } from "./pick.js";

// What the pointer is on, in words beside it.

export class Tooltip {
  constructor(element, timeline) {
    Object.assign(this, { element, timeline });
    timeline.canvas.addEventListener("pointerleave", () => this.pinned || this.hide());
  }

  async at(x, y) {
    if (this.pinned) return;
    this.asked = [x, y];
    const { timeline } = this;
    const call = await pick(timeline, x, y);
    if (!this.asked || this.asked[0] !== x || this.asked[1] !== y) return; // the pointer has moved on
    const lane = Math.floor(timeline.laneAt(y));
    if (x < timeline.place.left || y < timeline.place.top || lane < 0 || lane >= timeline.view.lanes) return this.hide();
    const shown = call && call.away === 0 || (call && timeline.shows === "calls");
    this.outline(shown ? call : null);
    if (shown) this.show(titleOf(timeline.head, call), describeCall(timeline.head, timeline.names, call), x, y);
    else this.show("", describeShares(timeline, timeline.timeAt(x), lane), x, y);
  }

  showCall(call, pinned = true) {
    const { timeline } = this;
    timeline.layOut();
    const { place, rows } = timeline;
    const x = timeline.xOf(Math.min(Math.max((call.begin + call.end) / 2, timeline.view.begin), timeline.view.end));
    const y = place.top + rows.callsTopPx(call.lane) + rows.callsPx / 2;
    this.asked = null;
    this.outline(call);
    this.show(titleOf(timeline.head, call), describeCall(timeline.head, timeline.names, call), x, y);
    this.pinned = pinned;
  }

  show(title, lines, x, y) {
    const { element, timeline } = this;
    element.replaceChildren();
    if (title) element.append(made("strong", title));
    const list = element.appendChild(document.createElement("dl"));
    for (const [what, value] of lines) list.append(made("dt", what), made("dd", value));
    element.hidden = false;
    const width = timeline.canvas.clientWidth;
    const left = x + 18 + element.offsetWidth > width ? x - element.offsetWidth - 14 : x + 18;
    element.style.left = `${Math.max(0, left)}px`;
    element.style.top = `${y + 14}px`;
  }

  outline(call) {
    if (this.timeline.outlined === call) return;
    this.timeline.outlined = call;
    this.timeline.redraw();
  }

  hide() {
    this.asked = null;
    this.pinned = false;
    this.element.hidden = true;
    this.outline(null);
  }
}

export function made(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
