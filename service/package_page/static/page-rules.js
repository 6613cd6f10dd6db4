// The games whose rules this page has, by family. A game here offers what engine/rules/game.py asks of one.

import { awari } from "./rules-awari.js";
import { connectFour } from "./rules-connect-four.js";
import { gomoku } from "./rules-gomoku.js";
import { qubic } from "./rules-qubic.js";
import { ticTacToe } from "./rules-tic-tac-toe.js";

const FAMILIES = { awari, "connect-four": connectFour, gomoku, qubic, "tic-tac-toe": ticTacToe };
/** What most games have. */
const USUAL = { reward: () => 0, repetition: () => null, limit: () => 1, score: () => 0, tableEntry: () => null, threats: null, squares: null, lines: null };

/** The rules of a game, or null where this page has none. */
export function openRules(name, version = 1) {
  const [family, ...parameters] = name.split(":");
  const game = Object.hasOwn(FAMILIES, family) ? FAMILIES[family](parameters.join(":")) : null;
  return game?.rulesVersion === version ? { ...USUAL, ...game, name, family } : null;
}

/** The text of a move as addresses have it: without what follows from the position. */
export const moveName = (game, text) => (game.family === "awari" ? text[0] : text);

/** The legal move that a text stands for: its number and text, and the position after it. */
export function played(game, position, text) {
  const moves = game.moves(position).map((move) => [move, game.moveText(position, move)]);
  const found = moves.find(([, name]) => name === text) ?? moves.find(([, name]) => moveName(game, name) === text);
  if (!found) throw new Error(`${text.slice(0, 60)} is not a legal move here.`);
  return { move: found[0], text: found[1], position: game.play(position, found[0]) };
}
