"""The ways from a position: back and forward in its game, its board turned, its text and files to take along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from proofbase.engine.formats.game_files import FORMATS
from proofbase.service.answers import PositionAnswer
from proofbase.service.explorer.addresses import Place, encoded
from proofbase.service.explorer.layout import button, section
from proofbase.service.pictures.boards import next_turn
from proofbase.service.pictures.markup import Content, Markup, joined, tag

__all__ = [
    "contact_link",
    "place_fields",
    "played_game",
    "share_and_download",
    "step_buttons",
    "steps_of_game",
    "turned_board",
]


def steps_of_game(place: Place) -> Markup:
    """Back and forward in the game, and the board turned."""
    return step_buttons(place.at, len(place.moves), lambda at: place.to(at).href(), turned_board(place))


def turned_board(place: Place, part: str = "", **more: str | int | None) -> Markup | None:
    """The link that turns the board, where it can be turned."""
    turn = next_turn(place.game, place.turn)
    if turn is None:
        return None
    href = replace(place, turn=turn).href(part, **more)
    return tag("a", "⟳", href=href, id="turn", aria_label="turn the board", title="turn the board")


def step_buttons(at: int, most: int, href: Callable[[int], str], *more: Content) -> Markup:
    """Buttons that go back and forward in a line of moves.

    Args:
        at: how many moves are played.
        most: how many there are.
        href: where the position after so many moves is shown.
        more: what stands beside the buttons.
    """
    choices = (
        ("first", "|◀", "to the start", 0, at > 0),
        ("back", "◀", "one move back", at - 1, at > 0),
        ("forward", "▶", "one move forward", at + 1, at < most),
        ("last", "▶|", "to the end", most, at < most),
    )
    parts = [
        tag("a", sign, href=href(to), id=f"step-{name}", aria_label=label, title=label)
        if possible
        else tag("span", sign, class_="off", aria_hidden="true")
        for name, sign, label, to, possible in choices
    ]
    count = tag("span", f"move {at} of {most}", class_="count-of-moves") if most else None
    return tag("p", *parts, *more, count, class_="steps")


def played_game(place: Place) -> Markup | None:
    """The moves of the game, each a link to the position after it."""
    if not place.moves:
        return None
    items = []
    for number, move in enumerate(place.moves, 1):
        now = "step" if number == place.at else None
        items.append(tag("li", tag("a", move, href=place.to(number).href(), aria_current=now)))
    analysis = tag("p", tag("a", "Analyse this game", href=place.href("analysis"), class_="button", id="analyse"))
    return section("The game", tag("ol", *items, class_="played"), analysis)


def share_and_download(place: Place, answer: PositionAnswer) -> Markup:
    """The position as text, a link to it, and the game as a file."""
    links: list[Content] = []
    for name, form in FORMATS.items():
        if form.takes(answer.game):
            href = place.href("file", format=name)
            links += [tag("a", f"Download {form.name}", href=href, class_="button", id=f"download-{name}"), " "]
    return tag(
        "details",
        tag("summary", "Share and download"),
        tag("p", tag("code", answer.position, id="position-text"), class_="position-text"),
        tag(
            "p",
            button("Copy the position", data_copy="position-text"),
            " ",
            button("Copy a link", data_copy=""),
            " ",
            *links,
            class_="row",
        ),
        class_="more",
        id="share",
    )


def contact_link(contact: str, answer: PositionAnswer) -> Markup:
    """A link to whoever runs the server, with the game and the position as a text.

    Args:
        contact: an address with `{position}` where the text belongs; without it the text is the body of a mail, or the
            parameter `position` of an address of the web.
        answer: the position.
    """
    if "{position}" not in contact:
        name = "body" if contact.lower().startswith("mailto:") else "position"
        contact += f"{'&' if '?' in contact else '?'}{name}={{position}}"
    href = contact.replace("{position}", encoded(f"{answer.game} {answer.position}"))
    return tag(
        "p", tag("a", "Write to us about this position", href=href, id="contact", rel="noreferrer"), class_="note"
    )


def place_fields(place: Place) -> Markup:
    """The place in the fields of a form."""
    fields = {
        "position": place.start,
        "moves": ",".join(place.moves),
        "at": place.at if place.at < len(place.moves) else "",
        "turn": place.turn or "",
    }
    return joined(
        *(tag("input", type="hidden", name=name, value=value) for name, value in fields.items() if value != "")
    )
