"""Whether a game here is the game of OpenSpiel: random games, played beside OpenSpiel's own states.

Before every action the position is made from its key alone. So a state of OpenSpiel, which knows how it arose, is
compared with all that its key tells; a key that forgets something is found where two histories with one key go on
differently.
"""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random
from typing import Any

from proofbase.engine.openspiel.catalogue import pyspiel
from proofbase.engine.openspiel.limits import ONE_SIZE, larger_size
from proofbase.engine.openspiel.turns import Turn, TurnGame

__all__ = ["difference_from_openspiel"]

MOST_HISTORIES = 100_000
ORDERS = 1_000
"""Orders of the actions of a game that differs: one that does not makes a pair with it."""


def difference_from_openspiel(game: TurnGame, *, seconds: float, seed: int = 0) -> str | None:
    """Plays random games.

    Args:
        game: the game.
        seconds: how long; at least one game is played to its end.
        seed: of the games.

    Returns:
        What was seen to differ, with the actions that lead there, and others that lead to the same key where some were
        played before; None where nothing was.
    """
    random, started = Random(seed), time.monotonic()
    histories: dict[bytes, list[int]] = {}
    while True:
        difference = _one_game(game, random, histories)
        if difference is not None or time.monotonic() - started > seconds:
            return difference


def _one_game(game: TurnGame, random: Random, histories: dict[bytes, list[int]]) -> str | None:
    state = game.rules.game.new_initial_state()
    _make_larger_size(game.rules.game)
    position = game.initial()
    while True:
        key = game.key(position)
        position = game.position(key)
        actions = list(state.history())
        difference = _difference(game, position, state)
        if difference:
            other = histories.get(key) or _other_history(game, actions, key, random)
            pair = f", and so do the actions {_shown(other)}" if other else ""
            return f"the actions {_shown(actions)} lead to {game.text(position)}{pair}: {difference}"
        if len(histories) < MOST_HISTORIES:
            histories.setdefault(key, actions)
        if state.is_terminal():
            return None
        action = random.choice(state.legal_actions())
        position = game.play(position, action)
        state.apply_action(action)
        if position.waits and game.terminal(position) is None:
            position = game.play(position, game.wait)


def _make_larger_size(game: Any) -> None:
    """A state of a larger size: in some games of OpenSpiel it has spoiled the states of a smaller one."""
    kind = game.get_type()
    parameters = {**kind.parameter_specification, **game.get_parameters()}
    larger = larger_size(kind.short_name, parameters)
    if larger and kind.short_name not in ONE_SIZE:
        with suppress(pyspiel().SpielError):
            pyspiel().load_game(kind.short_name, larger).new_initial_state()


def _other_history(game: TurnGame, actions: list[int], key: bytes, random: Random) -> list[int] | None:
    """The same actions in another order that leads to the same key, where OpenSpiel's state is as the key tells."""
    for _ in range(ORDERS):
        order = random.sample(actions, len(actions))
        state, position = game.rules.game.new_initial_state(), game.initial()
        for action in order:
            if position.waits:
                position = game.play(position, game.wait)
            if state.is_terminal() or action not in state.legal_actions():
                break
            position = game.play(position, action)
            state.apply_action(action)
        else:
            if game.key(position) == key and not _difference(game, game.position(key), state):
                return order
    return None


def _difference(game: TurnGame, position: Turn, state: Any) -> str | None:
    value = game.terminal(position)
    if state.is_terminal():
        returned = state.player_return(game.side(position) ^ game.first)
        return None if value == returned else f"its value is {value}, in OpenSpiel {returned:g}"
    if value is not None:
        return f"its value is {value}, and in OpenSpiel the game goes on"
    if game.side(position) ^ game.first != state.current_player():
        return f"player {state.current_player()} is to act in OpenSpiel"
    ours, theirs = list(game.moves(position)), list(state.legal_actions())
    return None if ours == theirs else f"its moves are {_shown(ours)}, in OpenSpiel {_shown(theirs)}"


def _shown(actions: list[int]) -> str:
    listed = " ".join(map(str, actions[:40])) or "(none)"
    return f"{listed} ... ({len(actions)})" if len(actions) > 40 else listed
