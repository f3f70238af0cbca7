import { decode85, inflate } from "./decode.js";
import { Density } from "./density.js";
import { formatCount, formatPoint, formatTime } from "./format.js";
import { followKeys, followPointer, makeLegend } from "./controls.js";
import { LongestCalls } from "./longest.js";
import { Overview } from "./overview.js";
import { Store } from "./store.js";
import { Timeline } from "./timeline.js";
import { Tooltip } from "./tooltip.js";
import { View } from "./view.js";

// Puts the timeline together from what is in the page.

const byId = (name) => document.getElementById(`timeline-${name}`);
const textOf = (name) => document.getElementById(`weir-${name}`).textContent;

async function start() {
  const head = JSON.parse(new TextDecoder().decode(await inflate(decode85(textOf("head")))));
  const density = new Density(head, await inflate(decode85(textOf("density"))));
  const store = new Store(head, (number) => textOf(`block-${number}`));
  const view = new View(head.runNs, head.lanes.rank.length);
  const timeline = new Timeline(byId("picture"), head, density, store, view);
  const overview = new Overview(byId("overview"), timeline);
  const tooltip = new Tooltip(byId("tooltip"), timeline);
  const longest = new LongestCalls(byId("longest"), byId("find"), timeline, tooltip);
  followPointer(timeline, tooltip);
  followKeys(timeline, tooltip, longest);
  makeLegend(byId("legend"), timeline, () => overview.refresh());
  for (const [name, action] of [["in", () => view.zoom(2)], ["out", () => view.zoom(1 / 2)], ["all", () => view.whole()]]) {
    byId(name).addEventListener("click", action);
  }
  followAddress(view);
  followPage(timeline, overview);
  timeline.listeners.push(() => tell(timeline));
  byId("frame").hidden = false;
  if (!view.go(location.hash)) view.whole();
  globalThis.weir = { timeline, view, store, tooltip, longest };
}

function followAddress(view) {
  let waiting = 0;
  view.onChange(() => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const fragment = view.fragment;
      if (fragment || /[#&](t|lanes)=/.test(location.hash)) history.replaceState(null, "", `#${fragment}`);
    }, 300);
  });
  addEventListener("hashchange", () => view.go(location.hash));
}

function followPage(timeline, overview) {
  const again = () => {
    timeline.redraw();
    overview.refresh();
  };
  new ResizeObserver(again).observe(timeline.canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
}

const STATES = {
  calls: "Single calls.",
  shares: "Shares of time; come nearer for single calls.",
  loading: "Single calls are on their way.",
};

function tell({ view, head, rows, shows, names }) {
  const step = (view.end - view.begin) / 200;
  const times = `${formatPoint(view.begin, step, head.runNs)} to ${formatPoint(view.end, step, head.runNs)} (${formatTime(view.end - view.begin)})`;
  const all = view.lanes === 1 ? "the only row" : `all ${formatCount(view.lanes)} rows`;
  const lanes = rows.lanes === view.lanes ? all : `${names[rows.first]} to ${names[rows.last]}`;
  byId("state").textContent = `${times}, ${lanes}. ${STATES[shows]}`;
}

start().catch((error) => {
  byId("state").textContent = `The timeline cannot be drawn by this browser (${error.message}); one of 2023 or later can.`;
  throw error;
});
