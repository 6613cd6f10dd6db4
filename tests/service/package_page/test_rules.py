"""The rules in JavaScript against those in Python: perft, random games, keys and texts that are refused."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from game_files import perft_rows
from looking import Looked, OpenPage
from range_server import FileServer

from proofbase.engine import open_rules
from proofbase.engine.errors import EngineError
from proofbase.engine.rules.set_up import is_unreachable

GAMES = (
    "tic-tac-toe",
    "connect-four",
    "connect-four:5x4",
    "connect-four:9x5",
    "connect-four:6x5,score",
    "gomoku",
    "gomoku:standard",
    "gomoku:9x7,standard,professional",
    "gomoku:7x5-4",
    "gomoku:6x6-4,standard",
    "awari",
    "awari:oware",
    "qubic",
)
MOST = 700
"""Positions of a ply that the browser counts."""
MOST_PLIES = 150
"""Of a random game: in awari it may go round in circles."""

PERFT = """async ([game, plies]) => {
  const { openRules } = (await import("/page.js")).modules["page-rules.js"];
  const rules = openRules(game), start = rules.initial(), found = [];
  const same = (position) => (rules.family === "awari" ? rules.text(position) : rules.key(position));
  let level = new Map([[rules.text(start), [start, 1]]]);
  for (let ply = 0; ply <= plies; ply += 1) {
    const counts = { paths: 0, games: 0, positions: level.size, keys: new Set() }, next = new Map();
    for (const [position, paths] of level.values()) {
      counts.paths += paths;
      counts.keys.add(rules.key(position));
      if (rules.terminal(position) !== null) { counts.games += paths; continue; }
      if (ply === plies) continue;
      for (const move of rules.moves(position)) {
        const child = rules.play(position, move), text = rules.text(child);
        next.set(text, [child, paths + (next.get(text)?.[1] ?? 0)]);
      }
    }
    found.push({ ...counts, keys: counts.keys.size });
    level = next;
  }
  return found;
}"""
SEEN = """async ([game, texts]) => {
  const { openRules } = (await import("/page.js")).modules["page-rules.js"];
  const rules = openRules(game);
  return texts.map((text) => {
    const position = rules.parse(text), end = rules.terminal(position), key = rules.key(position);
    const moves = (end === null ? rules.moves(position) : []).map((move) => [
      move, rules.moveText(position, move), rules.reward(position, move), rules.text(rules.play(position, move))]);
    return [
      rules.text(position), key, rules.text(rules.position(key)), rules.side(position), end, rules.limit(position),
      rules.repetition(position), rules.score(position), rules.tableEntry(position), moves];
  });
}"""
ACCEPTED = """async ([game, method, inputs]) => {
  const { openRules } = (await import("/page.js")).modules["page-rules.js"];
  const rules = openRules(game);
  return inputs.map((input) => { try { rules[method](input); return true; } catch { return false; } });
}"""


@pytest.fixture
def page(open_page: OpenPage, served: FileServer) -> Looked:
    looked = open_page(served.url)
    looked.go("/")
    return looked


def test_perft_is_that_on_file(page: Looked) -> None:
    counted = 0
    for family in ("tic_tac_toe", "connect_four", "gomoku", "awari", "qubic"):
        for game, rows in perft_rows(family).items():
            positions = rows["positions"]
            plies = max(ply for ply, count in enumerate(positions) if max(positions[: ply + 1]) <= MOST)
            found = page.page.evaluate(PERFT, [game, plies])
            wanted = [{name: counts[ply] for name, counts in rows.items()} for ply in range(plies + 1)]
            assert [{name: row[name] for name in rows} for row in found] == wanted, game
            counted += sum(positions[: plies + 1])
    assert counted > 10_000


def positions_of(game: Any, random: Random, games: int) -> Iterator[Any]:
    """Positions of random games; those of go-moku are played near the middle, so that somebody wins."""
    for _ in range(games):
        position = game.initial()
        for _ in range(MOST_PLIES):
            if game.terminal(position) is not None:
                break
            yield position
            moves = game.moves(position)
            near = min(len(moves) - 1, int(random.expovariate(0.08))) if "gomoku" in game.name else None
            position = game.play(position, random.choice(moves) if near is None else moves[near])
        yield position


def test_random_games_are_the_same(page: Looked) -> None:
    for name in GAMES:
        game, random = open_rules(name), Random(name)
        positions = list(positions_of(game, random, 4))
        positions = random.sample(positions, min(len(positions), 8 if "gomoku" in name else 40))
        wanted = []
        for position in positions:
            end = game.terminal(position)
            moves = (
                []
                if end is not None
                else [
                    [
                        move,
                        game.move_text(position, move),
                        game.reward(position, move),
                        game.text(game.play(position, move)),
                    ]
                    for move in game.moves(position)
                ]
            )
            key = game.key(position)
            entry = game.table_entry(position)
            wanted.append(
                [
                    game.text(position), key.hex(), game.text(game.position(key)), game.side(position), end,
                    game.limit(position), game.repetition(position), game.score(position),
                    None if entry is None else list(entry), moves,
                ]
            )  # fmt: skip
        assert page.page.evaluate(SEEN, [name, [game.text(position) for position in positions]]) == wanted, name


def test_the_same_keys_and_texts_are_refused(page: Looked) -> None:
    def accepts(game: Any, method: Any, given: Any) -> bool:
        try:
            position = method(given)
        except EngineError:
            return False
        return not is_unreachable(game.name, game.text(position))  # the page takes what arises in play

    taken = 0
    for name in GAMES:
        game, random = open_rules(name), Random(name)
        keys, texts = [], []
        for position in positions_of(game, random, 2 if "gomoku" in name else 12):
            key, text = bytearray(game.key(position)), list(game.text(position))
            key[random.randrange(len(key))] ^= 1 << random.randrange(8)
            text[random.randrange(len(text))] = random.choice([*text, "x", "o", ".", "9", " "])
            keys += [bytes(key), bytes(key)[: random.randrange(len(key) + 1)]]
            texts.append("".join(text))
        wanted = [accepts(game, game.position, key) for key in keys]
        assert page.page.evaluate(ACCEPTED, [name, "position", [key.hex() for key in keys]]) == wanted, name
        wanted_texts = [accepts(game, game.parse, text) for text in texts]
        assert page.page.evaluate(ACCEPTED, [name, "parse", texts]) == wanted_texts, name
        taken += sum(wanted)
    assert taken > 100


@pytest.mark.parametrize(
    "name", ["chess", "connect-four:200x2", "gomoku:2x9", "awari:other", "tic-tac-toe:x", "toString", "within:4:awari"]
)
def test_games_that_the_page_has_not(page: Looked, name: str) -> None:
    opened = '(await import("/page.js")).modules["page-rules.js"].openRules'
    there = f"async (name) => {opened}(name) !== null"
    assert page.page.evaluate(there, name) is False
    assert page.page.evaluate(there, "connect-four:6x5") is True
    assert page.page.evaluate(f"async () => {opened}('awari', 2)") is None
