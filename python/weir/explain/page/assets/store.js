import { decode85, decodeBlock, inflate } from "./decode.js";

// Blocks of calls, inflated when they are looked at; those not looked at for long are given up again.

const MOST_DECODED = 160;

export class Store {
  // `textOf` gives a block's text by its number.
  constructor(head, textOf) {
    this.head = head;
    this.textOf = textOf;
    this.blocks = head.blocks.map(([count, firstLane, lastLane, begin, end]) => ({ count, firstLane, lastLane, begin, end }));
    this.decoded = new Map();
    this.coming = new Map();
  }

  // Numbers of the blocks with calls at these times (ns) in these lanes (last one included).
  touching(begin, end, firstLane, lastLane) {
    const found = [];
    this.blocks.forEach((block, number) => {
      const inTime = block.begin <= end && block.end >= begin;
      if (inTime && block.firstLane <= lastLane && block.lastLane >= firstLane) found.push(number);
    });
    return found;
  }

  // All of them, or null if one is not decoded yet.
  ready(numbers) {
    const found = numbers.map((number) => this.decoded.get(number));
    if (found.includes(undefined)) return null;
    numbers.forEach((number, i) => this.touch(number, found[i]));
    return found;
  }

  // All of them, one after the other; null if they are no longer wanted before all are there.
  async load(numbers, wanted = () => true) {
    for (const number of numbers) {
      if (!wanted()) return null;
      await this.one(number);
    }
    return this.ready(numbers);
  }

  one(number) {
    if (this.decoded.has(number)) return this.decoded.get(number);
    if (!this.coming.has(number)) this.coming.set(number, this.decode(number));
    return this.coming.get(number);
  }

  async decode(number) {
    const bytes = await inflate(decode85(this.textOf(number)));
    const calls = decodeBlock(bytes, this.blocks[number].count, this.head.files.length, this.head.stepNs);
    this.coming.delete(number);
    this.touch(number, calls);
    return calls;
  }

  touch(number, calls) {
    this.decoded.delete(number);
    this.decoded.set(number, calls);
    if (this.decoded.size > MOST_DECODED) this.decoded.delete(this.decoded.keys().next().value);
  }
}

export const MOST_AT_ONCE = MOST_DECODED - 10;
