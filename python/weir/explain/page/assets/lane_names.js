// Names of lanes: the rank; its process where it has several, and its thread where that has several.

export function laneNames({ rank, process, thread }, unit) {
  const processes = grouped(rank, process);
  const threads = grouped(rank.map((one, lane) => `${one} ${process[lane]}`), thread);
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
