// Text of the page to bytes: five characters are four bytes (coding.py), and what they hold is deflated.

const FIRST = 40; // "("
const INSTEAD = 125; // "}" stands for "<", which could end a script element
const LESS_THAN = 60;

export function decode85(text) {
  const missing = (5 - (text.length % 5)) % 5;
  const words = (text.length + missing) / 5;
  const bytes = new Uint8Array(words * 4);
  for (let word = 0, at = 0; word < words; word++) {
    let value = 0;
    for (let k = 0; k < 5; k++, at++) {
      const code = at < text.length ? text.charCodeAt(at) : FIRST + 84;
      value = value * 85 + (code === INSTEAD ? LESS_THAN : code) - FIRST;
    }
    bytes[4 * word] = value >>> 24;
    bytes[4 * word + 1] = value >>> 16;
    bytes[4 * word + 2] = value >>> 8;
    bytes[4 * word + 3] = value;
  }
  return bytes.subarray(0, bytes.length - missing);
}

export async function inflate(bytes) {
  const stream = new DecompressionStream("deflate");
  const whole = new Response(stream.readable).arrayBuffer();
  const writer = stream.writable.getWriter();
  await Promise.all([writer.write(bytes), writer.close()]);
  return new Uint8Array(await whole);
}

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
