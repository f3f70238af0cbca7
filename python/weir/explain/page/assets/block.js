// Decodes what coding.py encodes: some thousand calls, sorted by lane, then by begin.

class Planes {
  constructor(bytes, count) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.count = count;
    this.at = 0;
  }

  next(Type) {
    const least = Number(this.view.getBigInt64(this.at, true));
    const planes = this.bytes[this.at + 8];
    this.at += 9;
    const values = new Type(this.count).fill(least);
    for (let plane = 0, unit = 1; plane < planes; plane++, unit *= 256) {
      for (let i = 0; i < this.count; i++) values[i] += this.bytes[this.at + i] * unit;
      this.at += this.count;
    }
    return values;
  }
}

export function decodeBlock(bytes, count, fileCount, stepNs) {
  const planes = new Planes(bytes, count);
  const calls = {
    count,
    lane: planes.next(Int32Array),
    call: planes.next(Uint16Array),
    file: planes.next(Int32Array),
    length: planes.next(Float64Array),
    level: planes.next(Uint8Array),
    flags: planes.next(Uint8Array),
    begin: planes.next(Float64Array),
    end: planes.next(Float64Array),
    offset: planes.next(Float64Array),
    result: planes.next(Float64Array),
  };
  calls.lanes = lanesOf(calls.lane);
  addTimes(calls, stepNs);
  addOffsets(calls, fileCount);
  return calls;
}

// Each lane with its first call and the one after its last.
function lanesOf(lane) {
  const found = [];
  for (let first = 0, i = 1; i <= lane.length; i++) {
    if (i < lane.length && lane[i] === lane[first]) continue;
    found.push([lane[first], first, i]);
    first = i;
  }
  return found;
}

function addTimes({ count, lane, level, begin, end }, stepNs) {
  let lastBegin = 0;
  let lastEnd = 0;
  for (let i = 0; i < count; i++) {
    if (i > 0 && lane[i] === lane[i - 1]) begin[i] += level[i] > level[i - 1] ? lastBegin : lastEnd;
    lastBegin = begin[i];
    lastEnd = end[i] += lastBegin;
  }
  for (let i = 0; i < count; i++) {
    begin[i] *= stepNs;
    end[i] *= stepNs;
  }
}

function addOffsets({ count, call, file, offset, length, result }, fileCount) {
  const foreseen = new Map();
  for (let i = 0; i < count; i++) {
    const key = call[i] * fileCount + file[i];
    offset[i] += foreseen.get(key) ?? 0;
    foreseen.set(key, offset[i] + length[i]);
    result[i] += length[i] > 0 ? length[i] : Math.max(offset[i], 0);
  }
}
