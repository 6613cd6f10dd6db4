"""Moves that are made in steps on the board: a man, then where he goes, then what he takes or becomes.

The steps of all moves are a tree. Each of its inner nodes is a group of the picture, with what can be chosen next: the
first group is always seen, the others when their steps were chosen, by the address of the page or by its script.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from proofbase.service.pictures.boards.board import Board, Target, badge, kind_of, target_group
from proofbase.service.pictures.markup import Content, Markup, joined, tag

__all__ = ["Path", "Step", "Steps", "steps_of"]

Path = tuple[str, ...]


class Step(NamedTuple):
    """What can be chosen, as it is drawn.

    Attributes:
        x, y: its middle.
        size: of the area that is clicked.
        name: in words, such as `king e1`.
        badge: where the sign of its value stands, and how large.
        picture: what is drawn below it; None for nothing.
    """

    x: float
    y: float
    size: float
    name: str
    badge: tuple[float, float, float]
    picture: Markup | None = None


Steps = Callable[[Path], Step]
"""How a step is drawn, from all steps up to it."""


def steps_of(board: Board, paths: list[tuple[Path, Target]], drawn: Steps) -> Markup:
    """All moves of a board by their steps.

    Args:
        board: the position.
        paths: the steps of each move, best moves first.
        drawn: how steps are drawn.
    """
    chosen = tuple(board.chosen.split(",")) if board.chosen else ()
    groups: dict[Path, dict[Path, list[Target]]] = {(): {}}
    whole = dict(paths)
    for path, target in paths:
        for length in range(len(path)):
            groups.setdefault(path[:length], {}).setdefault(path[: length + 1], []).append(target)
    parts = []
    for above, below in groups.items():
        items = []
        for path, targets in below.items():
            step = drawn(path)
            if path in whole:
                items.append(target_group(whole[path], *_parts(step, whole[path]), data_at=path[-1]))
            else:
                items.append(_choice(board, path, targets, step))
        opened = not above or above == chosen
        kind = f"choices{' first-choices' if not above else ' open' if opened else ''}"
        parts.append(tag("g", *items, class_=kind, data_chosen=",".join(above)))
    return joined(*parts)


def _parts(step: Step, target: Target, *, dots: bool = True) -> tuple[Content, ...]:
    half = step.size / 2
    area = tag("rect", class_="area", x=step.x - half, y=step.y - half, width=step.size, height=step.size)
    if step.picture is not None:
        return step.picture, area, badge(target, *step.badge) if target.sign != "?" else None
    spot = tag("circle", class_="spot", cx=step.x, cy=step.y, r=step.size * 0.42)
    if target.sign != "?":
        return area, spot, badge(target, *step.badge)
    dot = tag("circle", class_="dot-of-move", cx=step.x, cy=step.y, r=step.size * 0.14) if dots else None
    return area, spot, dot


def _choice(board: Board, path: Path, targets: list[Target], step: Step) -> Markup:
    """A step that does not end the move: it has the value of the best move that begins with it."""
    best = targets[0]
    count = f"{len(targets)} {'move' if len(targets) == 1 else 'moves'}"
    label = f"{step.name}: {count}{f', best {best.words}' if best.sign != '?' else ''}"
    parts = (tag("title", label), *_parts(step, best, dots=len(path) > 1))
    chosen = ",".join(path)
    is_chosen = f"{board.chosen},".startswith(f"{chosen},")
    kind = f"step {kind_of(best)}{' chosen' if is_chosen else ''}"
    if board.choose is None:
        return tag("g", *parts, class_=kind, data_choose=chosen)
    return tag(
        "a",
        *parts,
        class_=kind,
        href=board.choose("" if chosen == board.chosen else chosen),
        aria_label=label,
        data_choose=chosen,
        data_at=path[-1],
    )
