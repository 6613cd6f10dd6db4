"""The same question, the same answer: asked twice, of two objects of the game, and in another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from proofbase.engine.conformance.examination import Examination, Sample
from proofbase.engine.game_loading import load_game
from proofbase.engine.rules.failures import printable
from proofbase.engine.rules.game import Game

__all__ = ["answers_of", "check_again", "check_another_process", "check_unchanged"]

ASKED_ELSEWHERE = 300
"""Positions that the other process is asked about, at the most."""
ANSWER_SECONDS = 20.0
"""What the other process may take to answer."""
WORKER = "proofbase.engine.conformance.answers"


def answers_of(game: Game[Any], position: Any) -> dict[str, Any]:
    """What a game says of a position, as JSON has it. Where a method raises, the type of the exception."""
    answers: dict[str, Any] = {}

    def ask(name: str, method: Any, *arguments: Any) -> Any:
        try:
            answer = method(*arguments)
        except Exception as error:
            answer = type(error).__name__
        answers[name] = answer.hex() if isinstance(answer, bytes) else answer
        return answer

    for name in ("key", "text", "terminal", "repetition", "limit", "score", "side", "table_entry"):
        ask(name, getattr(game, name, lambda position: None), position)
    if answers["terminal"] is None:
        moves = ask("moves", lambda: [int(move) for move in game.moves(position)])
        for move in moves if isinstance(moves, list) else ():
            ask(f"reward of move {move}", game.reward, position, move)
            ask(f"text of move {move}", game.move_text, position, move)
            ask(f"child by move {move}", lambda move=move: game.key(game.play(position, move)))
    return answers


def check_again(exam: Examination, sample: Sample, other: Game[Any]) -> None:
    """Asks the same once more, of `other`: the same object or another one of the same game."""
    who = "asked again" if other is exam.game else "asked of another object of the game"
    position = sample.position
    for move, child in zip(sample.moves, sample.children, strict=True):
        try:
            again = other.play(position, move)
        except Exception as error:
            detail = f"play() of move {move} raises {type(error).__name__} when {who}"
            raise exam.broken("determinism", detail, sample=sample) from None
        if again != child:
            detail = f"move {move} leads to {exam.named(child)}, and, {who}, to {exam.named(again)}, which is not equal"
            raise exam.broken("determinism", detail, sample=sample)
        if hash(again) != hash(child):
            raise exam.broken("hashing", f"move {move} leads to equal positions with two hashes", sample=sample)
    first = {
        "key": sample.key.hex(),
        "terminal": sample.terminal,
        "limit": sample.limit,
        **({"moves": sample.moves} if sample.moves else {}),
        **{f"reward of move {move}": reward for move, reward in zip(sample.moves, sample.rewards, strict=True)},
        **{f"child by move {move}": key.hex() for move, key in zip(sample.moves, sample.child_keys, strict=True)},
    }
    _compare(exam, sample, first, answers_of(other, position), who)


def check_unchanged(exam: Examination, sample: Sample, before: tuple[int, str]) -> None:
    """The position is what it was before the rules were asked about it."""
    if (hash(sample.position), exam.shown(sample.position)) != before:
        detail = f"the position has changed since it was made: it was {before[1]}, and is {exam.shown(sample.position)}"
        raise exam.broken("hashing", detail, sample=sample)


def check_another_process(exam: Examination, where: str) -> None:
    """Asks the same in a process with another seed of str.__hash__ (PYTHONHASHSEED).

    Args:
        exam: the examination.
        where: what the other process opens: FILE.py or MODULE, a class after `:`, and parameters after another.
    """
    samples = exam.samples[:: max(1, len(exam.samples) // ASKED_ELSEWHERE)][:ASKED_ELSEWHERE]
    texts = [exam.ask("text", sample.position) for sample in samples]
    mine = [answers_of(exam.game, exam.ask("parse", text)) for text in texts]
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(
            [sys.executable, "-m", WORKER, where],
            input=json.dumps(texts),
            capture_output=True,
            text=True,
            timeout=ANSWER_SECONDS,
            env=environment,
            check=True,
        )
        theirs = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        detail = f"another process has not answered within {ANSWER_SECONDS:g} s"
        raise exam.broken("determinism", detail) from None
    except subprocess.CalledProcessError as error:
        last = (error.stderr or "").strip().splitlines()[-1:] or ["it gave no reason"]
        raise exam.broken("determinism", f"another process fails: {printable(last[0])}") from None
    for sample, here, there in zip(samples, mine, theirs, strict=True):
        _compare(exam, sample, json.loads(json.dumps(here)), there, "asked in another process")


def _compare(exam: Examination, sample: Sample, mine: dict[str, Any], theirs: dict[str, Any], who: str) -> None:
    for name, answer in mine.items():
        if theirs.get(name) != answer:
            detail = f"{name} is {exam.shown(answer)}, and, {who}, {exam.shown(theirs.get(name))}"
            raise exam.broken("determinism", detail, sample=sample)


def main() -> None:
    """The other process: texts of positions come in, answers go out."""
    game = load_game(sys.argv[1])
    texts = json.load(sys.stdin)
    json.dump([answers_of(game, game.parse(text)) for text in texts], sys.stdout)


if __name__ == "__main__":
    main()
