import { formatBytes, formatCount, formatPoint, formatShare, formatTime, significant } from "./format.js";

// A call, or a place without one, in lines of [what, value].

const COLLECTIVE = 1;
const BEGUN = 4;
const COUNT_BYTES = ["read", "write", "communicate", "resize"]; // of others, the length is something else

export function fileName(head, number) {
  const [name, parent] = head.files[number] ?? ["", 0];
  return parent ? `${name} in ${head.files[parent][0]}` : name;
}

export function describeCall(head, names, call) {
  const took = call.end - call.begin;
  const transfer = moves(head, call.call) && call.length > 0;
  const lines = [["took", formatTime(took)], ["began at", formatPoint(call.begin, Math.max(took / 1000, 1), head.runNs)]];
  if (call.file) lines.unshift(["file", fileName(head, call.file)]);
  if (hasLength(head, call)) lines.push(["length", exact(call.length)]);
  if (call.offset >= 0) lines.push(["offset", exact(call.offset)]);
  lines.push(["result", result(head, call, transfer)]);
  // Of what was really moved; a call that only begins a transfer does not take the time of it.
  const timed = transfer && took > 0 && call.result > 0 && !(call.flags & BEGUN);
  if (timed) lines.push(["bandwidth", `${significant((call.result / took) * (1e9 / 2 ** 20))} MiB/s`]);
  lines.push(["by", names[call.lane] + (call.flags & COLLECTIVE ? ", collective" : "")]);
  if (call.flags & BEGUN) lines.push(["ends with", "a later wait"]);
  return lines;
}

const kindOf = (head, call) => head.kinds[head.calls[call][2]];
const moves = (head, call) => ["read", "write"].includes(kindOf(head, call));

// Is the call's length a number of bytes?
export function hasLength(head, { call, length }) {
  return length > 0 && COUNT_BYTES.includes(kindOf(head, call));
}

export function titleOf(head, call) {
  const [group, name] = head.calls[call.call];
  return `${name} (${group})`;
}

function exact(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${formatBytes(bytes)} (${formatCount(bytes)} B)`;
}

function result(head, call, transfer) {
  if (call.result < 0) return `failed: ${error(head, call)}`;
  return transfer ? exact(call.result) : formatCount(call.result);
}

// Libraries count errors in their own way; only the system's have texts.
function error(head, call) {
  const ofSystem = ["POSIX", "STDIO"].includes(head.calls[call.call][0]);
  return (ofSystem && head.errors[-call.result]) || `error ${-call.result}`;
}

// How the time around a place was spent, where no single call is known.
export function describeShares({ density, head, view, columns, names }, time, lane) {
  const half = Math.max((view.end - view.begin) / columns, density.binNs) / 2;
  const lines = [["time", formatPoint(time, half / 5, head.runNs)], ["by", names[lane]]];
  const share = new Float32Array(1);
  for (const { level, kind, sums } of density.byRow[density.rowOf(lane)]) {
    density.sample(sums, time - half, time + half, 1, share);
    if (share[0] > 0.001) lines.push([head.kinds[kind] + (level ? `, level ${level}` : ""), `${formatShare(share[0])} of the time`]);
  }
  return lines;
}
