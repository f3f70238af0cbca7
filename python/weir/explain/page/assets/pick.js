// The call under the pointer.

const NEAR_PX = 3;
const MOST_BLOCKS = 6;

// Of the calls drawn at this place the deepest; beside all, the nearest. A promise, since blocks may have to come.
export async function pick(timeline, x, y) {
  const { place, rows, store, view } = timeline;
  const lane = Math.floor(timeline.laneAt(y));
  if (x < place.left || y < place.top || lane < 0 || lane >= view.lanes) return null;
  const time = timeline.timeAt(x);
  const near = (NEAR_PX / place.width) * (view.end - view.begin);
  const numbers = store.touching(time - near, time + near, lane, lane);
  if (numbers.length > MOST_BLOCKS) return null;
  const blocks = store.ready(numbers) ?? (await store.load(numbers));
  const line = rows.levels === 1 ? Infinity : Math.max(0, Math.floor((y - place.top - rows.callsTopPx(lane)) / rows.levelPx));
  let best = null;
  for (const block of blocks ?? []) {
    const [, first, last] = block.lanes.find(([one]) => one === lane) ?? [lane, 0, 0];
    for (let i = first; i < last && block.begin[i] <= time + near; i++) {
      if (block.end[i] < time - near) continue;
      if (block.level[i] > line || !timeline.colours[timeline.head.calls[block.call[i]][2]]) continue;
      const candidate = callAt(block, i);
      candidate.away = Math.max(0, block.begin[i] - time, time - block.end[i]);
      if (!best || better(candidate, best)) best = candidate;
    }
  }
  return best;
}

function better(one, other) {
  if (one.away !== other.away) return one.away < other.away;
  return one.level > other.level;
}

export function callAt(block, i) {
  return Object.fromEntries(
    ["lane", "begin", "end", "call", "file", "offset", "length", "result", "level", "flags"].map((name) => [name, block[name][i]]),
  );
}
