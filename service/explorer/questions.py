"""What a visitor can ask about a position: best play, why, a check, a search now, a job that solves."""

from __future__ import annotations

from proofbase.engine.problems.reading import is_offered
from proofbase.service.answers import PositionAnswer
from proofbase.service.explorer.addresses import Place
from proofbase.service.explorer.job_part import job_part
from proofbase.service.explorer.layout import field
from proofbase.service.explorer.navigation import place_fields
from proofbase.service.jobs.model import Job
from proofbase.service.pictures.boards import has_threats, side_text
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.words.amounts import amount
from proofbase.service.words.game_words import GameWords

__all__ = ["SEARCH_NODES", "asked_of_position", "asked_of_value", "check_form"]

SEARCH_NODES = 100_000
SEARCH_CHOICES = (10_000, 100_000, 1_000_000)
SECONDS = {"tic-tac-toe": 5, "connect-four": 60, "gomoku": 120, "chess": 60, "giveaway": 60}
"""A job's seconds at first, for families whose games take longer or shorter than the others."""
OTHER_SECONDS = 30
MOST_MOVES = 64
"""More moves of unknown value than this are not asked for by one job."""


def check_form(answer: PositionAnswer, *, choose_rules: bool) -> Markup:
    """A button that checks everything that the value rests on; it needs a script."""
    rules: Content = tag("input", type="hidden", name="rules", value="RULES_NATIVE")
    if choose_rules:
        options = [
            tag("option", text, value=value)
            for value, text in (("RULES_NATIVE", "the compiled rules"), ("RULES_PYTHON", "the rules in plain Python"))
        ]
        rules = tag("label", tag("span", "By"), tag("select", *options, name="rules"))
    return tag(
        "form",
        rules,
        tag("button", "Check this now"),
        class_="row scripted",
        hidden=True,
        id="verify",
        data_start="verify",
        data_game=answer.game,
        data_position=answer.position,
    )


def asked_of_value(place: Place, answer: PositionAnswer, job: Job | None) -> Markup | None:
    """What stands beside the value: best play, why, the check; and the job about the position that is not finished."""
    if answer.terminal:
        return None
    parts: list[Content] = []
    if answer.value.exact and answer.claims:
        parts.append(tag("a", "Best play", href=place.href("line"), class_="button", id="best-play"))
    if answer.claims:
        parts.append(tag("a", "Why?", href=place.href("proof"), class_="button", id="why"))
    if has_threats(answer.game):
        parts.append(tag("a", "Threats", href=place.href("threats"), class_="button", id="threats"))
    if is_offered(answer.game):
        parts.append(tag("a", "Problem report", href=place.href("problem"), class_="button", id="problem-report"))
    if answer.stored:
        parts.append(check_form(answer, choose_rules=False))
    return joined(
        tag("div", *parts, class_="row") if parts else None,
        tag("div", job_part(job) if job is not None else None, id="live"),
    )


def asked_of_position(place: Place, answer: PositionAnswer) -> Markup | None:
    """What is found out on request: by a search now, or by a job."""
    if answer.terminal:
        return None
    known = answer.value.exact and answer.searched is None
    parts = [tag("p", _what_to_ask(answer), class_="note"), None if known else _search(place), _solve(answer)]
    return tag(
        "details",
        tag("summary", "Ask more" if known else "Find out"),
        *parts,
        open=not known,
        class_="more",
        id="ask",
    )


def _search(place: Place) -> Markup:
    choices = [tag("option", f"{nodes:,}", value=nodes, selected=nodes == SEARCH_NODES) for nodes in SEARCH_CHOICES]
    return tag(
        "form",
        place_fields(place),
        tag("label", tag("span", "Positions to search"), tag("select", *choices, name="search")),
        tag("button", "Search now"),
        action=place.href().partition("?")[0],
        class_="row",
        id="search",
    )


def _solve(answer: PositionAnswer) -> Markup:
    side = side_text(answer.side, answer.game)
    questions = [
        ("exact", "the exact value"),
        ("win", f"does {side} win?"),
        ("draw", f"a draw or more for {side}?"),
    ]
    words = GameWords.of(answer.game, built_in_only=True)
    winnable = not (answer.value.upper_known and answer.value.upper <= 0)
    if not answer.game.startswith("within:") and winnable:
        questions.append(("shortest", f"the shortest win of {side}"))
    unknown = [move.position for move in answer.moves if not move.known]
    unknown = unknown if len(unknown) <= MOST_MOVES else []
    if unknown:
        questions.append(("moves", f"the value of {amount(len(unknown), 'move')} not known"))
    options = [tag("option", text, value=value) for value, text in questions]
    seconds = str(SECONDS.get(answer.game.partition(":")[0], OTHER_SECONDS))
    return tag(
        "form",
        tag("label", tag("span", "Question"), tag("select", *options, name="question")),
        field("Seconds", "seconds", seconds, kind="number"),
        tag("button", "Solve"),
        *(tag("input", type="hidden", name="text", value=position) for position in unknown),
        class_="row scripted",
        hidden=True,
        id="solve",
        data_start="solve",
        data_first=2 if words.loses_by_own_move else 1,
        data_each=2 if words.wins_by_own_move or words.loses_by_own_move else 1,
    )


def _what_to_ask(answer: PositionAnswer) -> str:
    if answer.value.exact and answer.searched is None:
        return "The value is known. A job answers more, and stores what it proves."
    if answer.value.exact:
        return "The search has stored nothing. A job stores what it proves."
    return "A search looks now and stores nothing. A job takes longer and stores what it proves."
