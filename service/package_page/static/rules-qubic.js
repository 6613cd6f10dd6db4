// Qubic, as engine/rules/qubic.py has it. Cube (x, y, z) has the number x + 4 y + 16 z. A set of cubes is two integers
// of 32 bits, cubes 0 to 31 and 32 to 63. A position: those of the side to move, of the other one, how many there are,
// and whether the last move has completed a line.

const CUBES = Array.from({ length: 64 }, (_, cube) => [cube % 4, (cube >> 2) % 4, cube >> 4]);
const numberOf = ([x, y, z]) => x + 4 * y + 16 * z;
const STEPS = [-1, 0, 1];
const DIRECTIONS = STEPS.flatMap((x) => STEPS.flatMap((y) => STEPS.map((z) => [x, y, z])));
const maskOf = (cubes) => cubes.reduce(([low, high], cube) => (cube < 32 ? [low | (1 << cube), high] : [low, high | (1 << (cube - 32))]), [0, 0]);

/** The 76 lines: four steps in one direction that stay on the board, each found from one of its ends. */
const LINES = CUBES.flatMap((start) => DIRECTIONS.flatMap((step) => {
  const line = [0, 1, 2, 3].map((far) => start.map((at, axis) => at + far * step[axis]));
  const inside = line.every((cube) => cube.every((at) => at >= 0 && at <= 3)), numbers = line.map(numberOf);
  return inside && numbers[0] < numbers[3] ? [numbers] : [];
}));
const THROUGH = CUBES.map((_, cube) => LINES.filter((line) => line.includes(cube)).map(maskOf));
const MASKS = LINES.map(maskOf);

/** The 192 automorphisms: for each cube the cube that it goes to. */
const IMAGES = (() => {
  const inner = [0, 2, 1, 3];
  const generators = [([x, y, z]) => [y, z, x], ([x, y, z]) => [y, x, z], ([x, y, z]) => [3 - x, y, z], ([x, y, z]) => [x ^ 1, y ^ 1, z ^ 1], (cube) => cube.map((at) => inner[at])]
    .map((image) => CUBES.map((cube) => numberOf(image(cube))));
  const found = new Map([[String([...CUBES.keys()]), [...CUBES.keys()]]]);
  for (const image of found.values()) {
    for (const generator of generators) {
      const further = image.map((cube) => generator[cube]);
      found.set(String(further), further);
    }
  }
  return [...found.values()];
})();

const has = ([low, high], cube) => ((cube < 32 ? low >> cube : high >> (cube - 32)) & 1) === 1;
const covers = ([low, high], [lineLow, lineHigh]) => (low & lineLow) === lineLow && (high & lineHigh) === lineHigh;
const hasLine = (set) => MASKS.some((line) => covers(set, line));
const hexOf = ([low, high]) => [high, low].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
const bigOf = ([low, high]) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
const cubesOf = (set) => [...CUBES.keys()].filter((cube) => has(set, cube));

/** Below 0 where a set is the smaller number, cube c being the bit of value 2^c. */
const compared = ([low, high], [otherLow, otherHigh]) => (high >>> 0) - (otherHigh >>> 0) || (low >>> 0) - (otherLow >>> 0);

function imageOf(cubes, image) {
  let low = 0, high = 0;
  for (const cube of cubes) {
    const at = image[cube];
    if (at < 32) low |= 1 << at;
    else high |= 1 << (at - 32);
  }
  return [low, high];
}
const stonesOf = (text, stone) => [...text].flatMap((cell, cube) => (cell === stone ? [cube] : []));

/** The game, or null for parameters that it has not. */
export function qubic(parameters) {
  if (parameters) return null;
  const terminal = ({ count, over }) => (over ? -1 : count === 64 ? 0 : null);
  const cellsOf = ({ own, other, count }) => {
    const [x, o] = count % 2 ? [other, own] : [own, other];
    return CUBES.map((_, cube) => (has(x, cube) ? "x" : has(o, cube) ? "o" : ".")).join("");
  };
  const key = ({ own, other, count }) => {
    const [first, second] = (count % 2 ? [other, own] : [own, other]).map(cubesOf);
    let least = [-1, -1], images = [];
    for (const image of IMAGES) {
      const set = imageOf(first, image), order = compared(set, least);
      if (order < 0) [least, images] = [set, []];
      if (order <= 0) images.push(image);
    }
    const others = images.map((image) => imageOf(second, image));
    return hexOf(least) + hexOf(others.reduce((one, set) => (compared(set, one) < 0 ? set : one)));
  };
  const legal = (cells) => {
    const [first, second] = ["x", "o"].map((stone) => stonesOf(cells, stone)), count = first.length + second.length;
    if (first.length - second.length !== count % 2) throw new Error("x begins, so x has as many as o or one more");
    const [mover, last] = count % 2 ? [second, first] : [first, second], own = maskOf(mover), other = maskOf(last);
    if (hasLine(own)) throw new Error("the side to move has four in a line");
    const over = hasLine(other);
    if (over && !last.some((cube) => !hasLine(maskOf(last.filter((at) => at !== cube))))) {
      throw new Error("no last move can have completed all lines of four");
    }
    return { own, other, count, over };
  };
  const sets = MASKS.map(bigOf);
  return {
    rulesVersion: 1,
    lines: { all: () => sets.map((squares) => ({ squares, spoilers: 0n })), stones: ({ own, other }) => [bigOf(own), bigOf(other)] },
    highest: 1,
    winsByOwnMove: true,
    sides: ["Red", "Yellow"],
    initial: () => ({ own: [0, 0], other: [0, 0], count: 0, over: false }),
    side: ({ count }) => count % 2,
    terminal,
    key,
    moves({ own, other, over }) {
      const taken = [own[0] | other[0], own[1] | other[1]], found = [];
      for (let cube = 0; cube < 64 && !over; cube += 1) if (!has(taken, cube)) found.push(cube);
      return found;
    },
    play({ own, other, count }, move) {
      const placed = move < 32 ? [own[0] | (1 << move), own[1]] : [own[0], own[1] | (1 << (move - 32))];
      return { own: other, other: placed, count: count + 1, over: THROUGH[move].some((line) => covers(placed, line)) };
    },
    position(text) {
      if (!/^[0-9a-f]{32}$/.test(text)) throw new Error("a qubic key has 16 bytes");
      const [x, o] = [text.slice(0, 16), text.slice(16)].map((part) => [parseInt(part.slice(8), 16) | 0, parseInt(part.slice(0, 8), 16) | 0]);
      if ((x[0] & o[0]) | (x[1] & o[1])) throw new Error("a cube is occupied by both sides");
      const position = legal(CUBES.map((_, cube) => (has(x, cube) ? "x" : has(o, cube) ? "o" : ".")).join(""));
      if (key(position) !== text) throw new Error("the key is not canonical");
      return position;
    },
    text: (position) => cellsOf(position).match(/.{16}/g).map((layer) => layer.match(/.{4}/g).join("/")).join("//"),
    parse(text) {
      const layer = "[.xo]{4}(/[.xo]{4}){3}";
      if (!new RegExp(`^${layer}(//${layer}){3}$`).test(text)) {
        throw new Error("a position is four layers, separated by '//', of four rows of '.', 'x' and 'o', separated by '/'");
      }
      return legal(text.replaceAll("/", ""));
    },
    moveText: (position, move) => String(move),
  };
}
