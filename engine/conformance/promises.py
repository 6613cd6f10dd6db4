"""What `Game` promises, as answers that have to be equal because they are given by two ways."""

from __future__ import annotations

from collections import Counter
from typing import Any

from proofbase.engine.conformance.answers import answers_of
from proofbase.engine.conformance.examination import MOST_REWARD, Examination, Sample
from proofbase.engine.conformance.requirements import Answers
from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError
from proofbase.engine.papers.reference.graph import Edge, Graph, components_of, values

__all__ = ["OF_A_GAME", "OF_A_POSITION", "bad_input", "brute_force"]

LONGEST_TEXT = 10_000
NO_POSITIONS = ("", " ", "no such position", "\0", "-1", "9" * 50, "é/é")
NO_MOVES = ("", "no such move", "-1", "é")


def keys(exam: Examination, sample: Sample) -> Answers:
    """A key stands for a position of the same key, the same values, and moves that correspond."""
    canonical = exam.ask("position", sample.key, refused="key")
    yield "key", "the key of position(key)", exam.key(canonical), sample.key
    if canonical == sample.position:
        return
    who = f"in {exam.named(canonical)}, which has the same key,"
    for method in ("terminal", "limit", *(("repetition",) if sample.moves else ())):
        yield "symmetry", f"{method}() {who}", exam.ask(method, canonical), getattr(sample, method)
    if sample.moves:
        mine = Counter(zip(sample.rewards, sample.child_keys, strict=True))
        theirs = Counter(
            (exam.ask("reward", canonical, move), exam.key(exam.ask("play", canonical, move)))
            for move in exam.moves(canonical)
        )
        what = f"reward and key of the child, move by move without those in common, {who}"
        yield "symmetry", what, list(theirs - mine), list(mine - theirs)


def texts(exam: Examination, sample: Sample) -> Answers:
    """`parse(text(p)) == p`, and one line."""
    text = exam.ask("text", sample.position)
    _require_word(exam, "text", text, "text() of it")
    parsed = exam.ask("parse", text, refused="text")
    yield "text", "parse() of its text", parsed, sample.position
    if parsed == sample.position:
        yield "hashing", "the hash of an equal position, parse(text(p)),", hash(parsed), hash(sample.position)
    yield "text", "that draw() gave a text", isinstance(exam.ask("draw", sample.position), str), True


def moves(exam: Examination, sample: Sample) -> Answers:
    """`parse_move(p, move_text(p, m)) == m`, and words that differ."""
    written: dict[str, int] = {}
    for move in sample.moves:
        word = exam.ask("move_text", sample.position, move)
        _require_word(exam, "move-text", word, f"move_text() of move {move}", " ,")
        yield "move-text", f"the first move that is written as move {move}", written.setdefault(word, move), move
        parsed = exam.ask("parse_move", sample.position, word, refused="move-text")
        yield "move-text", f"parse_move() of the text of move {move}", parsed, move


def rewards(exam: Examination, sample: Sample) -> Answers:
    """No reward makes a position worth more than its limit, and without a reward rho changes its sign."""
    for move, reward, child in zip(sample.moves, sample.rewards, sample.children, strict=True):
        least = reward - exam.ask("limit", child)
        what = f"the limit, with move {move} of reward {reward} to a position of limit {reward - least},"
        yield "reward", what, max(sample.limit, least), sample.limit
        if not exam.game.acyclic and reward == 0 and exam.ask("terminal", child) is None:
            what = f"repetition() after move {move}, which has no reward,"
            yield "repetition", what, exam.ask("repetition", child), -(sample.repetition or 0)


def repeated(exam: Examination, sample: Sample) -> Answers:
    """The answers are the same when asked again, and of another object of the game; and the position is what it was."""
    for game in exam.objects:
        who = "asked again," if game is exam.game else "asked of another object of the game,"
        for move, child in zip(sample.moves, sample.children, strict=True):
            child_again = exam.ask("play", sample.position, move, game=game, refused="determinism")
            yield "determinism", f"the position after move {move}, {who}", child_again, child
            if child_again == child:
                yield "hashing", f"the hash of the position after move {move}, {who}", hash(child_again), hash(child)
        answers = answers_of(game, sample.position)
        yield "determinism", f"the moves, {who}", answers.get("moves", []), sample.moves
        for method in ("key", "terminal", "limit"):
            yield "determinism", f"{method}(), {who}", answers[method], _json(getattr(sample, method))
        for name, first in (("reward of", sample.rewards), ("child by", sample.child_keys)):
            for move, answer in zip(sample.moves, first, strict=True):
                name_of_answer = f"{name} move {move}"
                yield "determinism", f"{name_of_answer}, {who}", answers.get(name_of_answer), _json(answer)
    now = hash(sample.position), exam.shown(sample.position)
    yield "hashing", "its hash with what Python shows, since it has changed,", now, sample.made


def bad_input(exam: Examination, sample: Sample) -> Answers:
    """What is no key, no text or no move is refused by the error that `Game` names, or is read as it is written."""
    key, at = sample.key, exam.random.randrange(len(sample.key))
    changed = bytes([*key[:at], (key[at] + exam.random.randrange(1, 256)) % 256, *key[at + 1 :]])
    noise = exam.random.randbytes(exam.random.randrange(1, 12))
    no_keys = (b"", key[:-1], key + b"\0", key + b"\xff", changed, noise, b"\xff" * len(key), b"\0" * len(key))
    inputs: tuple[tuple[str, str, str, type[Exception], tuple[Any, ...], tuple[Any, ...]], ...] = (
        ("position", "position", "key", InvalidKeyError, (), no_keys),
        ("parse", "parse", "text", InvalidPositionError, (), NO_POSITIONS),
        (
            "move-text",
            "parse_move",
            "move_text",
            InvalidMoveError,
            (sample.position,),
            NO_MOVES if sample.moves else (),
        ),
    )
    for requirement, read, write, refusal, before, wrong_inputs in inputs:
        for wrong in wrong_inputs:
            try:
                made = exam.ask(read, *before, wrong, refused="", failed=requirement)
            except refusal:
                continue
            written = exam.ask(write, *before, made, refused=requirement, failed=requirement)
            what = f"{write}() of {read}() of {exam.shown(wrong)}"
            if read != "parse":
                yield requirement, what, written, wrong
            else:
                again = exam.ask("parse", written, refused=requirement, failed=requirement)
                yield requirement, f"parse() of {what}", again, made


def sides_and_scores(exam: Examination) -> Answers:
    """Sides 0 and 1 in turns, and what the side to move is ahead by the rewards; or always 0."""
    for method, least, most in (("side", 0, 1), ("score", -MOST_REWARD, MOST_REWARD)):
        answers: dict[Sample, int] = {}
        for sample in exam.samples:
            exam.sample = sample
            answers[sample] = exam.number(method, exam.ask(method, sample.position), least, most)
        for exam.sample, answer in answers.items() if any(answers.values()) else ():
            parent = exam.sample.parent
            if parent is not None and exam.sample.move is not None:
                before, reward = answers[parent], parent.rewards[parent.moves.index(exam.sample.move)]
                expected = 1 - before if method == "side" else -(before + reward)
                yield method, f"{method}() after a move of reward {reward} from {before}", answer, expected
            elif method == "side":
                yield method, "side() in the initial position", answer, 0


def cycles(exam: Examination) -> Answers:
    """No cycle in an acyclic game, and no reward in the cycles of another; up to symmetry."""
    nodes, edges = _graph(exam)
    for component in components_of(edges):
        inside = set(component)
        for node in component:
            for edge in edges[node]:
                if edge.child in inside and (exam.game.acyclic or edge.reward != 0):
                    exam.sample = nodes[node]
                    words = [
                        exam.ask("move_text", nodes[at].position, m) for at, m in _cycle(edges, inside, node, edge)
                    ]
                    cycle = " ".join(map(str, words))
                    detail = f"acyclic is True, but the moves {cycle} lead back to it"
                    exam.require("recurrence", not exam.game.acyclic, detail)
                    yield "cycle-reward", f"the first reward in the cycle {cycle}", edge.reward, 0


def brute_force(exam: Examination) -> Answers:
    """No value beyond a limit, and one value for a table entry. For games that were looked at completely."""
    nodes, edges = _graph(exam)
    graph = Graph(edges, [s.terminal for s in nodes], [s.repetition for s in nodes], [s.key for s in nodes])
    entries: dict[Any, int] = {}
    for exam.sample, value in zip(nodes, values(graph), strict=True):
        limit = exam.sample.limit
        yield "limit", f"its limit, with the value {value} by brute force,", max(limit, abs(value)), limit
        entry = exam.ask("table_entry", exam.sample.position)
        if entry is not None:
            named = isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str)
            exam.require("table-entry", named, f"table_entry() gave {exam.shown(entry)}, no name and number")
            what = f"the value of another position with the same entry {exam.shown(entry)}"
            yield "table-entry", what, entries.setdefault(entry, value), value


OF_A_POSITION = (keys, texts, rewards, moves, repeated)
OF_A_GAME = (sides_and_scores, cycles)


def _require_word(exam: Examination, requirement: str, text: Any, asked: str, without: str = "") -> None:
    kept = (
        isinstance(text, str) and text.isprintable() and 0 < len(text) <= LONGEST_TEXT and not set(text) & set(without)
    )
    what = "a word without spaces or commas" if without else "one line of printable text"
    exam.require(requirement, kept, f"{asked} is {exam.shown(text)}, which is not {what}")


def _json(answer: Any) -> Any:
    return answer.hex() if isinstance(answer, bytes) else answer


def _graph(exam: Examination) -> tuple[list[Sample], list[list[Edge]]]:
    """The first sample of every key, and the moves between them."""
    first: dict[bytes, Sample] = {}
    for sample in exam.samples:
        first.setdefault(sample.key, sample)
    numbers = {key: number for number, key in enumerate(first)}
    return list(first.values()), [
        [
            Edge(move, numbers[key], reward)
            for move, key, reward in zip(sample.moves, sample.child_keys, sample.rewards, strict=True)
            if key in numbers
        ]
        for sample in first.values()
    ]


def _cycle(edges: list[list[Edge]], inside: set[int], node: int, edge: Edge) -> list[tuple[int, int]]:
    """Nodes and moves of a shortest cycle that begins with an edge of a node."""
    paths = {edge.child: [(node, edge.move)]}
    waiting = [edge.child]
    for at in waiting:  # grows meanwhile
        for out in edges[at] if node not in paths else ():
            if out.child in inside and out.child not in paths:
                paths[out.child] = [*paths[at], (at, out.move)]
                waiting.append(out.child)
    return paths[node]
