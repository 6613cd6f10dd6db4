// Bytes: numbers and texts read from them, SHA-256, raw DEFLATE. Keys are lower-case hexadecimal texts.

/** Reads varints (unsigned LEB128), bytes and keys from an array of bytes, and complains where they end. */
export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  get done() {
    return this.at >= this.bytes.length;
  }

  byte() {
    if (this.done) throw new Error("it is cut off");
    return this.bytes[this.at++];
  }

  /** A number in its shortest form, from `least` to `most`. */
  varint(most = 2 ** 31 - 1, least = 0) {
    let number = 0, scale = 1, byte = this.byte();
    for (; byte > 127 && scale < 2 ** 56; byte = this.byte(), scale *= 128) number += (byte - 128) * scale;
    number += byte * scale;
    if (byte > 127 || (byte === 0 && scale > 1) || number > most || number < least) {
      throw new Error(`a number outside ${least} to ${most}, or not in its shortest form`);
    }
    return number;
  }

  take(size) {
    if (this.at + size > this.bytes.length) throw new Error("it is cut off");
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
}

/** A place in a file: larger than numbers in records are. */
export const PLACE = 2 ** 53 - 1;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

export function fromHex(text) {
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

export function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Undoes raw DEFLATE (RFC 1951). */
export async function unpack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// SHA-256 (FIPS 180-4). Browsers offer theirs to pages of https only.
const fraction = (number) => Math.floor((number - Math.floor(number)) * 2 ** 32);
const PRIMES = Array.from({ length: 310 }, (_, number) => number + 2).filter((n) => {
  for (let d = 2; d * d <= n; d += 1) if (n % d === 0) return false;
  return true;
});
const ROUNDS = Uint32Array.from(PRIMES.slice(0, 64), (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

export function sha256(bytes) {
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6), view = new DataView(padded.buffer);
  padded.set(bytes);
  padded[bytes.length] = 128;
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) % 2 ** 32);
  const state = START.slice(), words = new Int32Array(64);
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t += 1) words[t] = view.getInt32(block + 4 * t);
    for (let t = 16; t < 64; t += 1) {
      const before = words[t - 15], last = words[t - 2];
      const small = turn(before, 7) ^ turn(before, 18) ^ (before >>> 3);
      words[t] = words[t - 16] + small + words[t - 7] + (turn(last, 17) ^ turn(last, 19) ^ (last >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t += 1) {
      const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[t] + words[t]) | 0;
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => (state[place] += word));
  }
  const sum = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => sum.setUint32(4 * place, word));
  return new Uint8Array(sum.buffer);
}

/** The checksums of a package: the first 16 bytes of SHA-256, as hexadecimal digits. */
export const checksum = (bytes) => hex(sha256(bytes).subarray(0, 16));
