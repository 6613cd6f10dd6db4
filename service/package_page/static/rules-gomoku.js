// Go-moku, as engine/rules/gomoku.py has it. The square in column c and row r, both from 0 and row 1 first, is bit
// c + (width + 1) x r of a BigInt. A position: the stones of the side to move, those of the other, their number.

import { hex } from "./page-bytes.js";
import { linesOf } from "./page-lines.js";

const FILES = "abcdefghijklmnopqrs", WEIGHTS = [81, 27, 9, 3, 1];

/** The game of `15x15`, `WxH`, `WxH-L`, each with `,standard`, `,professional` behind it; null for other parameters. */
export function gomoku(parameters) {
  const found = /^(?:([1-9]\d?)x([1-9]\d?)(?:-([1-9]\d?))?)?(?:(?:^|(?<=.),)(standard))?(?:(?:^|(?<=.),)(professional))?$/.exec(parameters);
  const width = Number(found?.[1] ?? 15), height = Number(found?.[2] ?? 15), length = Number(found?.[3] ?? 5);
  const sizes = Math.min(width, height) >= 3 && Math.max(width, height) <= 19;
  if (!found || !sizes || length < 3 || length > Math.max(width, height)) return null;
  const standard = Boolean(found[4]), steps = [1, width + 1, width + 2, width].map(BigInt);
  const professional = Boolean(found[5]);
  if (professional && (width % 2 === 0 || height % 2 === 0 || Math.min(width, height) < 7 || length !== 5)) return null;
  const squares = [];
  for (let row = 0; row < height; row += 1) for (let column = 0; column < width; column += 1) squares.push({ row, column });
  const ring = ({ row, column }) => Math.max(Math.abs(2 * column - width + 1), Math.abs(2 * row - height + 1));
  const byNumber = [...squares].sort((one, two) => ring(one) - ring(two) || one.row - two.row || one.column - two.column);
  const bit = ({ row, column }) => 1n << BigInt(column + (width + 1) * row);
  const sets = byNumber.map(bit), board = sets.reduce((sum, set) => sum | set, 0n);
  const names = byNumber.map(({ row, column }) => `${FILES[column]}${row + 1}`);
  const bytes = Math.ceil(squares.length / 5), places = squares.map(({ row, column }) => column + (width + 1) * row);
  const images = symmetries(width, height).map((image) => squares.map(({ row, column }) => {
    const [c, r] = image(column, row);
    return c + width * r;
  }));

  // The opening rule: the centre, the squares next to it, those outside the 5x5 squares around it.
  const away = ({ row, column }) => Math.max(Math.abs(column - (width - 1) / 2), Math.abs(row - (height - 1) / 2));
  const opening = professional ? [(far) => far === 0, (far) => far === 1, (far) => far > 2].map((fits) =>
    squares.filter((square) => fits(away(square))).map(bit).reduce((sum, set) => sum | set, 0n)) : [];
  const opens = (x, o, count) => opening.slice(0, count).every((allowed, ply) => ((ply === 1 ? o : x) & allowed) !== 0n);

  const hasLine = (stones) => steps.some((step) => {
    let starts = stones, covered = 1;
    while (covered < length) {
      const more = Math.min(covered, length - covered);
      starts &= starts >> (BigInt(more) * step);
      covered += more;
    }
    if (standard) starts &= ~((starts >> step) | (starts << step));
    return starts !== 0n;
  });
  const terminal = ({ own, other, count }) => (hasLine(other) ? -1 : count === squares.length ? 0 : null);
  const cellsOf = ({ own, other, count }) => {
    const [x, o] = (count % 2 ? [other, own] : [own, other]).map((stones) => stones.toString(2));
    return places.map((place) => (x[x.length - 1 - place] === "1" ? 1 : o[o.length - 1 - place] === "1" ? 2 : 0));
  };
  const key = (position) => {
    const cells = cellsOf(position), taken = cells.flatMap((cell, place) => (cell ? [place] : []));
    const found = images.map((image) => {
      const coded = new Uint8Array(bytes);
      for (const place of taken) coded[Math.floor(image[place] / 5)] += cells[place] * WEIGHTS[image[place] % 5];
      return coded;
    });
    return hex(found.reduce((least, image) => (before(image, least) ? image : least)));
  };
  const ofCells = (cells) => {
    let [x, o, count] = [0n, 0n, 0];
    cells.forEach((cell, place) => {
      if (cell) count += 1;
      if (cell === 1) x |= bit(squares[place]);
      if (cell === 2) o |= bit(squares[place]);
    });
    const lead = 2 * cells.filter((cell) => cell === 1).length - count;
    if (lead !== 0 && lead !== 1) throw new Error("x begins, so x has as many as o or one more");
    const [own, other] = lead ? [o, x] : [x, o];
    if (!opens(x, o, count)) throw new Error("the first three stones do not fit the opening rule");
    if (hasLine(own)) throw new Error("the side to move has a winning row");
    if (hasLine(other) && sets.every((set) => !(set & other) || hasLine(other ^ set) || !opens(x & ~set, o & ~set, count - 1))) {
      throw new Error("no last move can have completed all winning rows");
    }
    return { own, other, count };
  };
  // For pairings square s is the one of move s. Where longer rows win nothing, stones behind the ends spoil a row.
  const number = new Map(byNumber.map(({ row, column }, move) => [column + (width + 1) * row, 1n << BigInt(move)]));
  const lines = () => [[1, 0], [0, 1], [1, 1], [1, -1]].flatMap(([right, up]) => squares.flatMap(({ row, column }) => {
    const along = Array.from({ length: length + 2 }, (_, at) => [column + (at - 1) * right, row + (at - 1) * up]);
    const sets = along.map(([c, r]) => (c >= 0 && c < width && r >= 0 ? number.get(c + (width + 1) * r) : undefined));
    const inner = sets.slice(1, -1), ends = standard ? [sets[0], sets.at(-1)] : [];
    if (inner.includes(undefined)) return [];
    return [{ squares: inner.reduce((sum, set) => sum | set), spoilers: ends.reduce((sum, set) => sum | (set ?? 0n), 0n) }];
  }));
  const numbered = (stones) => sets.reduce((sum, set, move) => (set & stones ? sum | (1n << BigInt(move)) : sum), 0n);
  return {
    rulesVersion: 1,
    highest: 1,
    winsByOwnMove: true,
    sides: ["Black", "White"],
    threats: { sets, board, ...linesOf(sets, board, steps, length, standard) },
    lines: professional ? null : { all: lines, stones: ({ own, other }) => [numbered(own), numbered(other)] },
    initial: () => ({ own: 0n, other: 0n, count: 0 }),
    side: ({ count }) => count % 2,
    terminal,
    key,
    moves(position) {
      if (hasLine(position.other)) return [];
      const empty = (opening[position.count] ?? board) & ~(position.own | position.other);
      return sets.flatMap((set, move) => (set & empty ? [move] : []));
    },
    play: ({ own, other, count }, move) => ({ own: other, other: own | sets[move], count: count + 1 }),
    position(text) {
      const cells = [];
      for (let at = 0; at < text.length; at += 2) {
        const digits = parseInt(text.slice(at, at + 2), 16).toString(3).padStart(5, "0");
        if (digits.length > 5) throw new Error("a byte of the key has no five digits to the base 3");
        cells.push(...Array.from(digits, Number));
      }
      if (text.length !== 2 * bytes || cells.splice(squares.length).some(Boolean)) throw new Error("that is no key of this board");
      const position = ofCells(cells);
      if (key(position) !== text) throw new Error("the key is not canonical");
      return position;
    },
    text(position) {
      const cells = cellsOf(position).map((cell) => ".xo"[cell]).join(""), rows = [];
      for (let row = height - 1; row >= 0; row -= 1) rows.push(cells.slice(row * width, (row + 1) * width));
      return rows.join("/");
    },
    parse(text) {
      const rows = text.split("/").reverse();
      if (rows.length !== height || rows.some((row) => row.length !== width || /[^.xo]/.test(row))) {
        throw new Error(`a position is ${height} rows of ${width} squares '.', 'x' and 'o', separated by '/'`);
      }
      return ofCells(Array.from(rows.join(""), (cell) => ".xo".indexOf(cell)));
    },
    moveText: (position, move) => names[move],
  };
}

/** What maps the board to itself: 8 symmetries of a square, 4 of another rectangle. */
function symmetries(width, height) {
  const right = width - 1, top = height - 1;
  const found = [(c, r) => [c, r], (c, r) => [right - c, r], (c, r) => [c, top - r], (c, r) => [right - c, top - r]];
  return width === height ? [...found, ...found.map((image) => (c, r) => image(c, r).reverse())] : found;
}

/** Whether bytes are smaller than others, the first one that differs counts. */
function before(one, other) {
  const place = one.findIndex((byte, at) => byte !== other[at]);
  return place >= 0 && one[place] < other[place];
}
