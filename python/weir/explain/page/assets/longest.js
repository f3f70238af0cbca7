import { fileName, hasLength } from "./describe.js";
import { formatBytes, formatPoint, formatTime } from "./format.js";
import { made } from "./tooltip.js";

// The longest calls, narrowed to those that are looked for, each a button that shows it.

const SHOWN = 12;
const NAMES = ["lane", "begin", "end", "call", "file", "offset", "length", "result", "level", "flags"];

export class LongestCalls {
  constructor(body, input, timeline, tooltip) {
    Object.assign(this, { body, input, timeline, tooltip });
    const { head } = timeline;
    this.calls = head.longest.map((row) => Object.fromEntries(NAMES.map((name, i) => [name, row[i]])));
    this.at = -1;
    input.addEventListener("input", () => this.narrow());
    this.narrow();
  }

  narrow() {
    const { head } = this.timeline;
    const word = this.input.value.trim().toLowerCase();
    const byCall = head.calls.map(([group, name]) => `${group} ${name}`.toLowerCase().includes(word));
    const byFile = head.files.map((_, number) => fileName(head, number).toLowerCase().includes(word));
    const found = word ? (call, file) => byCall[call] || byFile[file] : null;
    this.shown = this.calls.filter(({ call, file }) => !found || found(call, file)).slice(0, SHOWN);
    this.at = -1;
    this.list();
    if (Boolean(found) || Boolean(this.timeline.found)) {
      this.timeline.found = found;
      this.timeline.redraw();
    }
  }

  list() {
    const { head, names } = this.timeline;
    this.body.replaceChildren(...this.shown.map((call, number) => {
      const row = document.createElement("tr");
      const button = made("button", head.calls[call.call][1]);
      button.type = "button";
      button.addEventListener("click", () => this.show(number));
      const first = document.createElement("td");
      first.append(button);
      row.append(first);
      for (const [text, side] of [
        [formatTime(call.end - call.begin), "right"],
        [hasLength(head, call) ? formatBytes(call.length) : "", "right"],
        [formatPoint(call.begin, head.runNs / 1e5, head.runNs), "right"],
        [names[call.lane], ""],
        [fileName(head, call.file), "flags"],
      ]) row.append(Object.assign(made("td", text), { className: side }));
      return row;
    }));
    if (!this.shown.length) this.body.append(made("td", "None of the longest calls is like that."));
  }

  show(number) {
    this.at = number;
    const call = this.shown[number];
    this.timeline.view.show(call.begin, call.end, call.lane);
    this.timeline.canvas.scrollIntoView({ block: "nearest" });
    this.tooltip.showCall(call);
  }

  next(step) {
    if (this.shown.length) this.show((this.at + step + this.shown.length) % this.shown.length);
  }
}
