// Tic-tac-toe, as engine/rules/tic_tac_toe.py has it. A position is nine cells from the top left: ".", "x", "o".

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const IMAGES = [[0, 1, 2, 3, 4, 5, 6, 7, 8]];
for (let turn = 0; turn < 3; turn += 1) IMAGES.push([6, 3, 0, 7, 4, 1, 8, 5, 2].map((cell) => IMAGES[turn][cell]));
IMAGES.push(...IMAGES.slice(0, 4).map((image) => [2, 1, 0, 5, 4, 3, 8, 7, 6].map((cell) => image[cell])));

const count = (cells, stone) => cells.split(stone).length - 1;
const hasLine = (cells, stone) => LINES.some((line) => line.every((cell) => cells[cell] === stone));

/** The game, or null for parameters that it has not. */
export function ticTacToe(parameters) {
  if (parameters) return null;
  const side = (cells) => count(cells, "x") - count(cells, "o");
  const terminal = (cells) => (hasLine(cells, "xo"[1 - side(cells)]) ? -1 : cells.includes(".") ? null : 0);
  const key = (cells) => {
    const images = IMAGES.map((image) => image.map((cell) => ".xo".indexOf(cells[cell])).join(""));
    return parseInt(images.sort()[0], 3).toString(16).padStart(4, "0");
  };
  const legal = (cells) => {
    const lead = side(cells);
    if (lead !== 0 && lead !== 1) throw new Error("x begins, so x has as many as o or one more");
    if (hasLine(cells, "xo"[lead])) throw new Error("the side to move has three in a row");
    return cells;
  };
  const sets = LINES.map((line) => line.reduce((sum, cell) => sum | (1n << BigInt(cell)), 0n)), board = 511n;
  const squares = {
    board,
    answers: 0n,
    stones(cells) {
      const of = (stone) => [...cells].reduce((sum, cell, at) => (cell === stone ? sum | (1n << BigInt(at)) : sum), 0n);
      return side(cells) ? [of("o"), of("x")] : [of("x"), of("o")];
    },
    openSquares: (taken) => board & ~taken,
    completing(own, taken) {
      const left = sets.map((set) => set & ~own).filter((set) => set && (set & (set - 1n)) === 0n);
      return left.reduce((sum, set) => sum | set, 0n) & ~taken;
    },
    win: () => 1,
    square: (move) => 1n << BigInt(move),
  };
  return {
    rulesVersion: 1,
    squares,
    lines: { all: () => sets.map((set) => ({ squares: set, spoilers: 0n })), stones: squares.stones },
    highest: 1,
    winsByOwnMove: true,
    sides: ["X", "O"],
    initial: () => ".........",
    side,
    terminal,
    key,
    moves: (cells) => (terminal(cells) === null ? [...cells].flatMap((cell, at) => (cell === "." ? [at] : [])) : []),
    play: (cells, move) => cells.slice(0, move) + "xo"[side(cells)] + cells.slice(move + 1),
    position(text) {
      const number = parseInt(text, 16);
      if (text.length !== 4 || number >= 3 ** 9) throw new Error("that is no key of tic-tac-toe");
      const cells = legal([...number.toString(3).padStart(9, "0")].map((digit) => ".xo"[digit]).join(""));
      if (key(cells) !== text) throw new Error("the key is not canonical");
      return cells;
    },
    text: (cells) => cells.match(/.../g).join("/"),
    parse(text) {
      if (!/^[.xo]{3}(\/[.xo]{3}){2}$/.test(text)) throw new Error("a position is three rows of '.', 'x' and 'o', separated by '/'");
      return legal(text.replaceAll("/", ""));
    },
    moveText: (cells, move) => String(move + 1),
  };
}
