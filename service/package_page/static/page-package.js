// A package: its manifest, the indexes, and the blocks of records and tables, each held against its checksum.

import { PLACE, Reader, checksum, fromBase64, hex, sha256, unpack } from "./page-bytes.js";
import { Files } from "./page-files.js";

const MOST_BLOCKS = 400;
/** Blocks that are kept. */
const SUM = '"checksum": "';

/** Reads the manifest of a package.
 * @param {string} base where its files are
 */
export async function openPackage(base) {
  const answer = await fetch(new URL("manifest.json", base), { cache: "no-cache" });
  if (!answer.ok) throw new Error(`There is no manifest.json here: the server answers ${answer.status}.`);
  return new Package(base, new Uint8Array(await answer.arrayBuffer()));
}

export class Package {
  #indexes = new Map();
  #blocks = new Map();

  constructor(base, bytes) {
    this.manifest = JSON.parse(new TextDecoder().decode(bytes));
    if (this.manifest.package !== 1) throw new Error("This page reads packages of version 1 of the format.");
    if (hex(sha256(withoutSum(bytes))) !== this.manifest.checksum) {
      throw new Error("The manifest is damaged: it is not as it was written.");
    }
    this.solutions = new Map(this.manifest.solutions.map((solution) => [solution.game, solution]));
    const sizes = new Map(this.manifest.files.map((file) => [file.name, file.bytes]));
    const split = this.manifest.solutions.filter((solution) => solution.more_files);
    this.files = new Files(base, sizes, new Map(split.map(({ file, more_files }) => [file, [file, ...more_files]])));
  }

  /** The bytes of the records of some keys: a map, without the keys that have none. */
  async records(game, keys) {
    const solution = this.solutions.get(game), found = new Map();
    if (!solution?.records.count) return found;
    const index = this.#index(solution.file, solution.records, true);
    const blocks = await index.blocks(keys);
    const contents = await this.#contents(solution.file, [...new Set(blocks.values())]);
    for (const [key, block] of blocks) {
      const records = (contents.get(block).records ??= recordsOf(contents.get(block).bytes));
      if (records.has(key)) found.set(key, records.get(key));
    }
    return found;
  }

  /** Whether there are tables of the game that hold no plies to its end. */
  hasTablesOfValues(game) {
    return Boolean(this.solutions.get(game)?.tables.some(({ plies }) => !plies));
  }

  /** Values by tables: of `[name, number of the entry]` in the order asked; undefined where there is no such table. */
  async entries(game, asked) {
    const solution = this.solutions.get(game), found = new Array(asked.length);
    const tables = new Map(solution?.tables.map((table) => [table.name, table]));
    for (const [name, table] of tables) {
      const places = asked.flatMap(([of, entry], place) => (of === name ? [{ entry, place }] : []));
      if (!places.length || table.plies) continue;
      const index = this.#index(solution.file, table, false);
      const numbers = [...new Set(places.map(({ entry }) => Math.floor(entry / table.block_entries)))];
      const blocks = new Map(await Promise.all(numbers.map(async (number) => [number, await index.block(number)])));
      const contents = await this.#contents(solution.file, [...blocks.values()]);
      for (const { entry, place } of places) {
        const { bytes } = contents.get(blocks.get(Math.floor(entry / table.block_entries)));
        const at = entry % table.block_entries;
        const coded = table.bits > 8 ? bytes[2 * at] + 256 * bytes[2 * at + 1] : bytes[at];
        if (coded === undefined) throw new Error(`The table ${name} is shorter than the manifest says.`);
        found[place] = coded + table.lowest;
      }
    }
    return found;
  }

  #index(file, part, ofRecords) {
    const name = `${file} ${part.index_at}`;
    if (!this.#indexes.has(name)) this.#indexes.set(name, new Index(this.files, file, part, ofRecords));
    return this.#indexes.get(name);
  }

  /** The unpacked bytes of blocks, those together that are not kept. */
  async #contents(file, blocks) {
    const found = new Map(), missing = [];
    for (const block of blocks) {
      const kept = this.#blocks.get(`${file} ${block.start}`);
      if (kept) found.set(block, kept);
      else missing.push(block);
    }
    const read = await checked(this.files, file, missing);
    for (const [place, block] of missing.entries()) {
      const content = { bytes: await unpack(read[place]), records: null };
      found.set(block, content);
      if (this.#blocks.size >= MOST_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value);
      this.#blocks.set(`${file} ${block.start}`, content);
    }
    return found;
  }
}

/** An index of blocks: its root is in the manifest, its pages are in the file of the blocks. */
class Index {
  #pages;
  #read = new Map();

  constructor(files, file, part, ofRecords) {
    this.files = files;
    this.file = file;
    this.ofRecords = ofRecords;
    this.pageBlocks = 256;
    while (this.pageBlocks * this.pageBlocks < part.blocks) this.pageBlocks *= 2;
    this.#pages = entriesOf(new Reader(fromBase64(part.index)), part.index_at, ofRecords, false);
  }

  /** The block of a number, of a table. */
  async block(number) {
    const page = this.#pages[Math.floor(number / this.pageBlocks)];
    await this.#load([page]);
    return this.#read.get(page)[number % this.pageBlocks];
  }

  /** The blocks in which records of these keys are, if there are any: by key. */
  async blocks(keys) {
    const pages = new Map();
    for (const key of keys) {
      const page = lastUpTo(this.#pages, key);
      if (page) pages.set(key, page);
    }
    await this.#load([...new Set(pages.values())]);
    return new Map([...pages].map(([key, page]) => [key, lastUpTo(this.#read.get(page), key)]));
  }

  async #load(pages) {
    const missing = pages.filter((page) => !this.#read.has(page));
    const read = await checked(this.files, this.file, missing);
    for (const [place, page] of missing.entries()) {
      const reader = new Reader(read[place]);
      this.#read.set(page, entriesOf(reader, reader.varint(PLACE), this.ofRecords, true));
    }
  }
}

/** Parts of a file by what an index says of them. What is not as it was written is read once more, past all caches. */
async function checked(files, file, parts) {
  if (!parts.length) return [];
  const places = parts.map(({ start, size }) => [start, size]);
  const wrong = (read) => parts.findIndex((part, place) => checksum(read[place]) !== part.sum);
  let read = await files.read(file, places);
  if (wrong(read) >= 0) read = await files.read(file, places, { fresh: true });
  const place = wrong(read);
  if (place >= 0) throw new Error(`${file} is damaged: its bytes from ${parts[place].start} on are not as they were written.`);
  return read;
}

/** What a root says of pages, or a page of blocks: where each is, its first key, its checksum. */
function entriesOf(reader, start, ofRecords, ofBlocks) {
  const found = [];
  while (!reader.done) {
    const first = ofRecords ? hex(reader.take(reader.varint())) : "";
    const size = reader.varint(PLACE);
    if (ofRecords && ofBlocks) {
      reader.varint();
      reader.take(8);
    }
    found.push({ start, size, first, sum: hex(reader.take(16)) });
    start += size;
  }
  return found;
}

/** The last entry whose first key is not above a key. */
function lastUpTo(entries, key) {
  let low = 0, high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle].first <= key) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}

/** The records of an unpacked block, by key. */
function recordsOf(bytes) {
  const reader = new Reader(bytes), found = new Map();
  let key = "";
  while (!reader.done) {
    const shared = reader.varint();
    key = key.slice(0, 2 * shared) + hex(reader.take(reader.varint()));
    found.set(key, reader.take(reader.varint()));
  }
  return found;
}

/** A manifest with zeros in the place of its checksum. */
function withoutSum(bytes) {
  const text = new TextDecoder("latin1").decode(bytes), found = bytes.slice();
  const place = text.lastIndexOf(SUM) + SUM.length;
  return found.fill(48, place, place + 64);
}
