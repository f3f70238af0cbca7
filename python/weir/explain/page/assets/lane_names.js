// Names of lanes: the rank; its process where it has several, and its thread where that has several.

export function laneNames({ rank, process, thread }, unit) {
  if (new Set(rank).size === rank.length) return rank.map((one) => `${unit} ${one}`);
  const processes = grouped(rank, process);
  const threads = grouped(process.map((one, lane) => `${rank[lane]} ${one}`), thread);
  return rank.map((one, lane) => {
    const words = [`${unit} ${one}`];
    if (processes.get(one).size > 1) words.push(`pid ${process[lane]}`);
    if (threads.get(`${one} ${process[lane]}`).size > 1) words.push(`thread ${thread[lane]}`);
    return words.join(" · ");
  });
}

function grouped(keys, values) {
  const groups = new Map();
  keys.forEach((key, at) => groups.set(key, (groups.get(key) ?? new Set()).add(values[at])));
  return groups;
}
