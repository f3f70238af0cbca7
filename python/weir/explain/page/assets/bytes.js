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
