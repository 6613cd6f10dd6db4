// Connect-four, as engine/rules/connect_four.py has it. Cell (column, row from the bottom) is bit
// column x (height + 1) + row of a BigInt. A position: the stones of the side to move, all stones, their number.

/** The game of `7x6`, `WxH` or `WxH,score`; null for other parameters. */
export function connectFour(parameters) {
  const found = /^([1-9]\d*)x([1-9]\d*)(,score)?$/.exec(parameters || "7x6");
  const width = Number(found?.[1]), height = Number(found?.[2]), scored = Boolean(found?.[3]);
  if (!found || (height + 1) * width > 128) return null;
  const up = height + 1, cells = width * height, bits = (column, row) => 1n << BigInt(column * up + row);
  const columns = Array.from({ length: width }, (_, column) => ((1n << BigInt(height)) - 1n) << BigInt(column * up));
  const bottoms = columns.reduce((sum, _, column) => sum | bits(column, 0), 0n);
  const steps = [1, up - 1, up, up + 1].map(BigInt), digits = 2 * Math.ceil((up * width) / 8);
  const win = (stones) => (scored ? Math.floor((cells + (stones % 2)) / 2) - Math.floor((stones + 1) / 2) + 1 : 1);
  const highest = Math.max(1, win(7));

  const hasLine = (stones) => steps.some((step) => {
    const pairs = stones & (stones >> step);
    return (pairs & (pairs >> (2n * step))) !== 0n;
  });
  const other = ({ own, all }) => all ^ own;
  const terminal = (position) => (hasLine(other(position)) ? -win(position.count) : position.count === cells ? 0 : null);
  const number = ({ own, all }) => own | (all + bottoms);
  const mirrored = (bitsOf) => {
    let image = 0n;
    for (let column = 0; column < width; column += 1) {
      image |= ((bitsOf >> BigInt(column * up)) & ((1n << BigInt(up)) - 1n)) << BigInt((width - 1 - column) * up);
    }
    return image;
  };
  const key = (position) => {
    const one = number(position), image = mirrored(one);
    return (one < image ? one : image).toString(16).padStart(digits, "0");
  };
  const stonesOf = (set) => set.toString(2).replaceAll("0", "").length;
  const legal = (position) => {
    const lead = position.count - 2 * stonesOf(position.own);
    if (lead !== 0 && lead !== 1) throw new Error("x begins, so x has as many as o or one more");
    if (hasLine(position.own)) throw new Error("the side to move has four in a row");
    const last = other(position);
    const tops = columns.map((column) => (((position.all & column) + (bottoms & column)) >> 1n) & column);
    if (hasLine(last) && !tops.some((top) => (top & last) !== 0n && !hasLine(last ^ top))) {
      throw new Error("no last move can have completed all lines of four");
    }
    return position;
  };
  const board = columns.reduce((sum, column) => sum | column, 0n), size = BigInt(up);
  const secondRows = columns.reduce((sum, _, column) => {
    for (let row = 1; row < height; row += 2) sum |= bits(column, row);
    return sum;
  }, 0n);
  const squares = {
    board,
    answers: secondRows,
    stones: (position) => [position.own, other(position)],
    openSquares: (taken) => (taken + bottoms) & board,
    completing(own, taken) {
      let found = (own << 1n) & (own << 2n) & (own << 3n); // only the square above a row of three is ever empty
      for (const step of [size - 1n, size, size + 1n]) {
        const right = (own << step) & (own << (2n * step)), left = (own >> step) & (own >> (2n * step));
        found |= (right & ((own << (3n * step)) | (own >> step))) | (left & ((own >> (3n * step)) | (own << step)));
      }
      return found & board & ~taken;
    },
    win,
    square: (move, taken) => (taken + bottoms) & columns[move],
  };
  return {
    rulesVersion: 1,
    squares,
    highest,
    winsByOwnMove: true,
    sides: ["Red", "Yellow"],
    initial: () => ({ own: 0n, all: 0n, count: 0 }),
    side: ({ count }) => count % 2,
    terminal,
    key,
    limit(position) {
      if (!scored) return 1;
      return Math.min(highest, win(position.count + (hasLine(other(position)) ? 0 : 1)));
    },
    moves(position) {
      if (terminal(position) !== null) return [];
      return columns.flatMap((column, move) => ((position.all & column) === column ? [] : [move]));
    },
    play: ({ own, all, count }, move) => ({ own: all ^ own, all: all | (all + bits(move, 0)), count: count + 1 }),
    position(text) {
      const found = BigInt(`0x${text || 0}`), position = { own: 0n, all: 0n, count: 0 };
      if (text.length !== digits || found >> BigInt(width * up)) throw new Error("that is no key of this board");
      for (let column = 0; column < width; column += 1) {
        const field = (found >> BigInt(column * up)) & ((1n << BigInt(up)) - 1n);
        if (!field) throw new Error("a column of the key has no top mark");
        const stones = field.toString(2).length - 1, top = 1n << BigInt(stones);
        position.own |= (field ^ top) << BigInt(column * up);
        position.all |= (top - 1n) << BigInt(column * up);
        position.count += stones;
      }
      if (mirrored(found) < found) throw new Error("the key is not canonical");
      return legal(position);
    },
    text({ own, all, count }) {
      const rows = [];
      for (let row = height - 1; row >= 0; row -= 1) {
        const cell = (_, column) => (all & bits(column, row) ? "xo"[own & bits(column, row) ? count % 2 : 1 - (count % 2)] : ".");
        rows.push(columns.map(cell).join(""));
      }
      return rows.join("/");
    },
    parse(text) {
      const rows = text.split("/").reverse(), sets = { x: 0n, o: 0n };
      if (rows.length !== height || rows.some((row) => row.length !== width || /[^.xo]/.test(row))) {
        throw new Error(`a position is ${height} rows of ${width} cells '.', 'x' and 'o', separated by '/'`);
      }
      rows.forEach((row, level) => [...row].forEach((cell, column) => {
        if (cell === ".") return;
        if (level && rows[level - 1][column] === ".") throw new Error(`a stone floats over an empty cell in column ${column + 1}`);
        sets[cell] |= bits(column, level);
      }));
      const all = sets.x | sets.o, count = stonesOf(all);
      return legal({ own: count % 2 ? sets.o : sets.x, all, count });
    },
    moveText: (position, move) => String(move + 1),
  };
}
