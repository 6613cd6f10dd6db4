"""The answers of a game to positions, compared with those of a second process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from proofbase.engine.game_loading import load_game
from proofbase.engine.rules.failures import printable
from proofbase.engine.rules.game import Game

if TYPE_CHECKING:
    from proofbase.engine.conformance.examination import Examination
    from proofbase.engine.conformance.requirements import Answers

__all__ = ["answers_of", "compare_with_another_process"]

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


def compare_with_another_process(exam: Examination, where: str) -> Answers:
    """The answers of a process with another seed of str.__hash__ (PYTHONHASHSEED).

    Args:
        exam: the examination.
        where: what the other process opens: FILE.py or MODULE, a class after `:`, and parameters after another.
    """
    samples = exam.samples[:: max(1, len(exam.samples) // ASKED_ELSEWHERE)][:ASKED_ELSEWHERE]
    texts = [exam.ask("text", sample.position) for sample in samples]
    own_answers = [answers_of(exam.game, exam.ask("parse", text)) for text in texts]
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        process = subprocess.run(
            [sys.executable, "-m", WORKER, where],
            input=json.dumps(texts),
            capture_output=True,
            text=True,
            timeout=ANSWER_SECONDS,
            env=environment,
            check=True,
        )
    except subprocess.TimeoutExpired:
        detail = f"another process has not answered within {ANSWER_SECONDS:g} s"
        raise exam.broken("determinism", detail) from None
    except subprocess.CalledProcessError as error:
        last = (error.stderr or "").strip().splitlines()[-1:] or ["it gave no reason"]
        raise exam.broken("determinism", f"another process fails: {printable(last[0])}") from None
    both = zip(samples, json.loads(json.dumps(own_answers)), json.loads(process.stdout), strict=True)
    for exam.sample, expected, answers in both:
        for name, answer in expected.items():
            yield "determinism", f"{name}, asked in another process,", answers.get(name), answer


def main() -> None:
    """The other process: texts of positions come in, answers go out."""
    game = load_game(sys.argv[1])
    texts = json.load(sys.stdin)
    json.dump([answers_of(game, game.parse(text)) for text in texts], sys.stdout)


if __name__ == "__main__":
    main()
