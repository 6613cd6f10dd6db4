// Parts of the files of a package, by HTTP ranges: several in one request where the server answers that.

const GAP = 2048;
/** Bytes between two parts that are read along with them. */
const MOST_WHOLE = 16 << 20;
/** Bytes of a file that is read as a whole, from a server that does not answer requests for parts. */
const EXPIRED = [403, 404, 410], BUSY = [429, 503];
/** Answers of an address that a redirection has given and that served for some time only, and of a busy server. */
const LONGEST_WAIT = 30;
/** Seconds. */

export class Files {
  /**
   * @param {string} base where the files are
   * @param {Map<string, number>} sizes their bytes, by name
   * @param {Map<string, string[]>} split of a file that goes on in others: the names of all of them
   */
  constructor(base, sizes, split = new Map()) {
    this.base = base;
    this.sizes = sizes;
    this.split = split;
    this.whole = new Map();
    this.several = true;
    /** Called with the seconds that the server has asked to wait. */
    this.onWait = () => {};
  }

  /** The bytes of each part, `[start, size]`; with `fresh` past the browser's cache. No part is in two files. */
  async read(name, parts, options = {}) {
    const found = new Array(parts.length);
    let begin = 0;
    for (const file of this.split.get(name) ?? [name]) {
      const end = this.split.has(name) ? begin + this.sizes.get(file) : Infinity, from = begin;
      const places = [...parts.keys()].filter((place) => parts[place][0] >= from && parts[place][0] < end);
      const wanted = places.map((place) => [parts[place][0] - from, parts[place][1]]);
      const read = places.length ? await this.#read(file, wanted, options) : [];
      for (const [number, place] of places.entries()) found[place] = read[number];
      begin = end;
    }
    return found;
  }

  async #read(name, parts, { fresh = false } = {}) {
    const wanted = joined(parts);
    if (fresh) this.whole.delete(name);
    const found = this.whole.has(name) ? [] : await this.#ask(name, wanted, fresh);
    return parts.map(([start, size]) => {
      if (this.whole.has(name)) return cut(this.whole.get(name), start, size);
      const place = wanted.findIndex(([from, length]) => start >= from && start + size <= from + length);
      return cut(found[place], start - wanted[place][0], size);
    });
  }

  async #ask(name, wanted, fresh) {
    if (wanted.length > 1 && this.several) {
      const answer = await this.#fetch(name, wanted, fresh);
      const mark = /^multipart\/byteranges;.*boundary="?([^";]+)"?/i.exec(answer.headers.get("content-type") ?? "");
      if (answer.status === 206 && mark) return ofParts(new Uint8Array(await answer.arrayBuffer()), mark[1], wanted);
      this.several = false;
      await answer.body?.cancel();
    }
    return Promise.all(wanted.map((part) => this.#one(name, part, fresh)));
  }

  async #one(name, part, fresh) {
    const answer = await this.#fetch(name, [part], fresh);
    if (answer.status === 206) return new Uint8Array(await answer.arrayBuffer());
    if (this.sizes.get(name) > MOST_WHOLE) {
      await answer.body?.cancel();
      throw new Error(`This server does not answer requests for parts of files (HTTP ranges), and ${name} is too large to be read as a whole.`);
    }
    const whole = this.whole.get(name) ?? new Uint8Array(await answer.arrayBuffer());
    this.whole.set(name, whole);
    return cut(whole, ...part);
  }

  async #fetch(name, parts, fresh) {
    const range = `bytes=${parts.map(([start, size]) => `${start}-${start + size - 1}`).join(",")}`;
    for (let attempt = 0, waited = 0, cache = fresh ? "reload" : "default"; ; ) {
      const answer = await fetch(new URL(name, this.base), { headers: { range }, cache });
      if (answer.ok) return answer;
      await answer.body?.cancel();
      const seconds = BUSY.includes(answer.status) ? secondsToWait(answer, attempt) : Infinity;
      if (EXPIRED.includes(answer.status) && answer.redirected && cache !== "reload") cache = "reload"; // past a place that the browser remembers
      else if (waited + seconds <= LONGEST_WAIT) {
        this.onWait(seconds);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        [attempt, waited] = [attempt + 1, waited + seconds];
      } else if (seconds < Infinity) throw new Error(`The server is busy: it answers ${answer.status} for ${name}, and asks to come again in ${seconds} s.`);
      else throw new Error(`The server has no ${name}: it answers ${answer.status}.`);
    }
  }
}

/** What the server asks for; else 1, 2, 4, ... for the first attempt and the next. */
function secondsToWait(answer, attempt) {
  const after = answer.headers.get("retry-after") ?? "";
  if (/^\d+$/.test(after)) return Number(after);
  const date = Date.parse(after);
  return Number.isNaN(date) ? 2 ** attempt : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** The parts in ascending order, those together that lie close to each other. */
function joined(parts) {
  const found = [];
  for (const [start, size] of [...parts].sort((one, other) => one[0] - other[0])) {
    const last = found.at(-1);
    if (last && start <= last[0] + last[1] + GAP) last[1] = Math.max(last[1], start + size - last[0]);
    else found.push([start, size]);
  }
  return found;
}

function cut(bytes, start, size) {
  if (!bytes || bytes.length < start + size) throw new Error("The server sent less than was asked for.");
  return bytes.subarray(start, start + size);
}

/** The parts of a multipart answer, in the order in which they were asked for. */
function ofParts(bytes, mark, wanted) {
  const found = new Map();
  const text = new TextDecoder("latin1").decode(bytes);
  for (let at = text.indexOf(`--${mark}`); at >= 0; ) {
    const body = text.indexOf("\r\n\r\n", at);
    if (body < 0) break;
    const range = /content-range:\s*bytes (\d+)-(\d+)\//i.exec(text.slice(at, body));
    if (!range) break;
    const size = Number(range[2]) - Number(range[1]) + 1;
    found.set(Number(range[1]), bytes.subarray(body + 4, body + 4 + size));
    at = text.indexOf(`--${mark}`, body + 4 + size);
  }
  return wanted.map(([start]) => found.get(start));
}
