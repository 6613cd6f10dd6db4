// The boards as pictures: the same as service/pictures/boards draws for the page of a server, with the same classes.
// A test compares them.

import { svg } from "./page-elements.js";

const FAMILIES = { awari, "connect-four": connectFour, gomoku, qubic, "tic-tac-toe": ticTacToe };
const FILES = "abcdefghijklmnopqrs";

/** The picture of a position.
 * @param board `game`, `family`, `position` (its text), `side`, `sides` (names), `last` (the move that led here, or
 *   null), and `targets`: the legal moves, each with `move`, `number`, `kind`, `grade`, `best`, `sign`, `label`, `href`
 */
export function drawBoard(board) {
  const drawn = FAMILIES[board.family](board), over = board.targets.length ? "" : ", no move is left";
  const title = `${board.game}${board.last ? `, after ${board.last}` : ""}: ${board.sides[board.side]} is to move${over}`;
  return svg(
    "svg",
    {
      class: `board ${board.family}`,
      viewBox: `-2 -2 ${drawn.width + 4} ${drawn.height + 4}`,
      width: drawn.width + 4,
      height: drawn.height + 4,
      role: board.targets.length ? "group" : "img",
      "aria-labelledby": "board-title",
      "aria-describedby": "board-description",
    },
    svg("title", { id: "board-title" }, title),
    svg("desc", { id: "board-description" }, drawn.description),
    drawn.parts,
  );
}

const circle = (kind, cx, cy, r) => svg("circle", { class: kind, cx, cy, r });
const line = (kind, x1, y1, x2, y2) => svg("line", { class: kind, x1, y1, x2, y2 });
const area = (x, y, width, height, rx = null) => svg("rect", { class: "area", x, y, width, height, rx });
const label = (x, y, content, size, kind) =>
  svg("text", { class: kind, x, y: y + size * 0.35, "font-size": size, "text-anchor": "middle" }, content);
const ring = (target, x, y, radius) => (target.best ? circle("best-ring", x, y, radius) : null);

function group(target, ...parts) {
  const marks = `${target.kind} grade-${target.grade}${target.best ? " best" : ""}`;
  const link = { class: `target ${marks}`, href: target.href, "aria-label": target.label, "data-move": target.move };
  return svg("a", link, svg("title", null, target.label), ...parts);
}

/** The sign of a move's value; a long one is written smaller. */
function badge(target, x, y, size) {
  const width = Math.min(1.55, Math.max(1, 0.42 * target.sign.length + 0.35)) * size;
  const letters = size * Math.min(0.66, 1.9 / Math.max(1, target.sign.length));
  const back = svg("rect", { class: "badge", x: x - width / 2, y: y - size / 2, width, height: size, rx: size / 2.6 });
  return [back, label(x, y, target.sign, letters, "sign")];
}

function stone(x, y, radius, player, last, grooves) {
  const parts = [circle(`stone ${["first", "second"][player]}`, x, y, radius)];
  if (grooves && player) parts.push(circle("groove", x, y, radius * 0.55));
  if (last) parts.push(circle("last", x, y, radius * 0.92));
  return parts;
}

const stones = (position) => position.replace(/[^xo]/g, "").length;

function ticTacToe({ position, targets, last }) {
  const size = 72, parts = [], middle = (number) => [((number % 3) + 0.5) * size, (Math.floor(number / 3) + 0.5) * size];
  [...position.replaceAll("/", "")].forEach((cell, number) => {
    const [x, y] = middle(number), reach = size * 0.27, kind = `cell${last === String(number + 1) ? " last-cell" : ""}`;
    parts.push(svg("rect", { class: kind, rx: 6, x: x - size / 2 + 2, y: y - size / 2 + 2, width: size - 4, height: size - 4 }));
    if (cell === "x") parts.push(line("stroke first", x - reach, y - reach, x + reach, y + reach), line("stroke first", x - reach, y + reach, x + reach, y - reach));
    if (cell === "o") parts.push(circle("stroke second", x, y, reach));
  });
  for (const target of targets) {
    const [x, y] = middle(target.number), name = label(x - size * 0.36, y - size * 0.32, target.move, 11, "label");
    parts.push(group(target, area(x - size / 2, y - size / 2, size, size), name, badge(target, x, y, 28), ring(target, x, y, size * 0.38)));
  }
  return { width: 3 * size, height: 3 * size, description: `Three rows from the top: ${position.replaceAll("/", ", ")}`, parts };
}

function connectFour({ position, targets, last }) {
  const rows = position.split("/"), width = rows[0].length, height = rows.length, size = 40, top = 36;
  const right = width * size, bottom = top + height * size, column = last === null ? -1 : Number(last) - 1;
  const topOf = Array.from({ length: width }, (_, c) => {
    const found = rows.findIndex((row) => row[c] !== ".");
    return found < 0 ? height : found;
  });
  const parts = [svg("rect", { class: "wood", x: 0, y: top, width: right, height: bottom - top, rx: 8 })];
  rows.forEach((cells, row) => [...cells].forEach((cell, c) => {
    const x = (c + 0.5) * size, y = top + (row + 0.5) * size;
    if (cell === ".") parts.push(circle("hole", x, y, size * 0.41));
    else parts.push(...stone(x, y, size * 0.41, "xo".indexOf(cell), c === column && row === topOf[c], true));
  }));
  for (const target of targets) {
    const x = (target.number + 0.5) * size, y = top + (topOf[target.number] - 0.5) * size;
    const whole = area(x - size / 2, 0, size, bottom + 22);
    parts.push(group(target, whole, circle("spot", x, y, size * 0.37), badge(target, x, top / 2, 24), ring(target, x, y, size * 0.38)));
  }
  for (let c = 0; c < width; c += 1) parts.push(label((c + 0.5) * size, bottom + 12, String(c + 1), 13, "label"));
  const description = `${width} columns and ${height} rows, ${stones(position)} stones. Rows from the top: ${rows.join(", ")}`;
  return { width: right, height: bottom + 22, description, parts };
}

function gomoku({ position, targets, last }) {
  const rows = position.split("/"), width = rows[0].length, height = rows.length, step = 28, edge = 36;
  const right = edge + (width - 1) * step, bottom = edge + (height - 1) * step;
  const at = (column, row) => [edge + column * step, edge + row * step];
  const parts = [svg("rect", { class: "wood pale", x: edge - 18, y: edge - 18, width: right - edge + 36, height: bottom - edge + 36, rx: 6 })];
  for (let column = 0; column < width; column += 1) {
    parts.push(line("grid", ...at(column, 0), ...at(column, height - 1)), label(...at(column, height - 0.1), FILES[column], 12, "label"));
  }
  for (let row = 0; row < height; row += 1) {
    parts.push(line("grid", ...at(0, row), ...at(width - 1, row)), label(...at(-0.9, row), String(height - row), 12, "label"));
  }
  const stars = width === height && [15, 19].includes(width) ? [3, Math.floor(width / 2), width - 4] : [];
  for (const column of stars) for (const row of stars) parts.push(circle("seed", ...at(column, row), 3));
  rows.forEach((cells, row) => [...cells].forEach((cell, column) => {
    const named = `${FILES[column]}${height - row}`;
    if (cell !== ".") parts.push(...stone(...at(column, row), step * 0.44, "xo".indexOf(cell), named === last, false));
  }));
  for (const target of targets) {
    const [x, y] = at(FILES.indexOf(target.move[0]), height - Number(target.move.slice(1)));
    const shown = target.sign === "?" ? null : badge(target, x, y, 19);
    const spot = circle("spot", x, y, step * 0.4);
    parts.push(group(target, area(x - step / 2, y - step / 2, step, step), spot, shown, ring(target, x, y, step * 0.46)));
  }
  const kept = rows.map((cells, row) => `row ${height - row}: ${cells}`).filter((row, at_) => /[xo]/.test(rows[at_]));
  const description = `${width} columns and ${height} rows, ${stones(position)} stones. ${kept.join("; ") || "The board is empty"}`;
  return { width: right + edge, height: bottom + edge, description, parts };
}

/** The cube as its four layers, two beside each other. */
function qubic({ position, targets, last }) {
  const size = 38, wide = 4 * size, gap = 20, head = 22, layers = position.split("//"), parts = [];
  const corner = (layer) => [(layer % 2) * (wide + gap), head + Math.floor(layer / 2) * (wide + head + 6)];
  const middle = (cube) => {
    const [x, y] = corner(cube >> 4);
    return [x + ((cube % 4) + 0.5) * size, y + (((cube >> 2) % 4) + 0.5) * size];
  };
  for (let layer = 0; layer < 4; layer += 1) {
    const [x, y] = corner(layer);
    parts.push(label(x + wide / 2, y - head / 2, `layer ${layer + 1}: ${16 * layer} to ${16 * layer + 15}`, 12, "label"));
    parts.push(svg("rect", { class: "wood pale", x, y, width: wide, height: wide, rx: 6 }));
  }
  [...position.replaceAll("/", "")].forEach((cell, cube) => {
    const [x, y] = middle(cube);
    parts.push(svg("rect", { class: "cell", rx: 4, x: x - size / 2 + 1.5, y: y - size / 2 + 1.5, width: size - 3, height: size - 3 }));
    if (cell !== ".") parts.push(...stone(x, y, size * 0.38, "xo".indexOf(cell), String(cube) === last, true));
  });
  for (const target of targets) {
    const [x, y] = middle(target.number), shown = target.sign === "?" ? label(x, y, target.move, 11, "label") : badge(target, x, y, 22);
    parts.push(group(target, area(x - size / 2, y - size / 2, size, size), shown, ring(target, x, y, size * 0.42)));
  }
  const description = `A cube of 4 by 4 by 4, ${stones(position)} stones. Layers: ${layers.join("; ")}`;
  return { width: 2 * wide + gap, height: 2 * (wide + head) + 8, description, parts };
}

function awari({ position, targets, last }) {
  const pit = 58, store = 46, upper = 72, lower = 142, width = 2 * store + 6 * pit + 20;
  const found = /^(?:(\d+):)?([\d,]+)\/([\d,]+)(?::(\d+))?\/([SN])$/.exec(position);
  const parts = [svg("rect", { class: "wood", x: 0, y: 38, width, height: 138, rx: 26 })];
  for (const [x, count] of [[store / 2 + 4, found[1]], [width - store / 2 - 4, found[4]]]) {
    parts.push(svg("rect", { class: "pit", x: x - store / 2 + 3, y: 52, width: store - 6, height: 110, rx: 20 }), label(x, 107, count ?? "0", 22, "count"));
  }
  const of = new Map(targets.map((target) => [target.move[0], target]));
  for (const [names, row, y] of [["fedcba", found[2], upper], ["ABCDEF", found[3], lower]]) {
    row.split(",").map(Number).forEach((count, column) => {
      const name = names[column], x = store + 10 + (column + 0.5) * pit, target = of.get(name);
      parts.push(circle(last?.[0] === name ? "pit last-pit" : "pit", x, y, pit * 0.44));
      for (let number = 0; number < Math.min(count, 12); number += 1) {
        const angle = (2 * Math.PI * number) / Math.max(4, Math.min(count, 12)) - Math.PI / 2;
        parts.push(circle("seed", x + 0.31 * pit * Math.cos(angle), y + 0.31 * pit * Math.sin(angle), 3.4));
      }
      parts.push(circle("count-back", x, y, 11), label(x, y, String(count), 15, "count"), label(x, y === upper ? 26 : 190, name, 14, "label"));
      if (!target) return;
      const badgeY = y === upper ? 8 : 210, top = Math.min(y - pit / 2, badgeY - 10);
      const whole = area(x - pit / 2, top, pit, Math.max(y + pit / 2, badgeY + 10) - top, 8);
      parts.push(group(target, whole, circle("spot", x, y, pit * 0.44), badge(target, x, badgeY, 20), ring(target, x, y, pit * 0.46)));
    });
  }
  const mover = found[5] === "S" ? "South" : "North";
  parts.push(label(width / 2, 232, `${mover} is to move; North above, South below`, 12, "label"));
  const shown = (row) => row.replaceAll(",", ", "), captured = ` Stores: North ${found[1] ?? 0}, South ${found[4] ?? 0}.`;
  const description = `North f to a: ${shown(found[2])}. South A to F: ${shown(found[3])}.${captured} ${mover} is to move`;
  return { width, height: 242, description, parts };
}
