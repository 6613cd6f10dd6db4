"""The pictures of answers in a notebook: registered for `answers.html_repr`, which imports this module."""

from __future__ import annotations

from itertools import count

from proofbase.service.answers import Analysis, Line, PositionAnswer, Proof
from proofbase.service.answers.html_repr import picture_of
from proofbase.service.jobs.model import Job
from proofbase.service.pictures.curves import Sample, analysis_curve, progress_curve
from proofbase.service.pictures.job import facts_list, job_card
from proofbase.service.pictures.markup import Content, Markup, joined, pictures_style, tag
from proofbase.service.pictures.position import moves_table, package_note, position_board, position_facts, value_chip
from proofbase.service.pictures.proof import proof_tree
from proofbase.service.words.game_words import GameWords
from proofbase.service.words.values import OUTCOMES, highest_value

__all__ = ["in_notebook", "job_picture"]

_numbers = count(1)


def _new_name(kind: str) -> str:
    """A name that no other picture has: all outputs of a notebook are one page."""
    return f"proofbase-{kind}-{next(_numbers)}"


def in_notebook(*content: Content) -> Markup:
    """Content with the style that it needs: an output of a notebook stands for itself."""
    return joined(pictures_style(), tag("div", *content, class_="proofbase notebook"))


@picture_of.register
def _position(answer: PositionAnswer) -> str:
    highest = highest_value(answer.game)
    board = position_board(answer, highest, name=_new_name("board"))
    facts = facts_list(position_facts(answer, highest))
    return in_notebook(tag("div", board, tag("div", facts, moves_table(answer, highest)), class_="beside"))


@picture_of.register
def _line(line: Line) -> str:
    highest = highest_value(line.game)
    words = GameWords.of(line.game)
    rows = []
    for number, step in enumerate(line.steps, 1):
        chip = value_chip(step.value, highest, words=words.decided(step.value, step.rank) if words.players else None)
        rows.append(tag("tr", tag("td", number), tag("th", step.move, scope="row"), tag("td", chip)))
    heads = tag("tr", *(tag("th", name, scope="col") for name in ("ply", "move", "value for who moves next")))
    caption = tag("caption", f"Line of best play in {line.game}")
    table = tag("table", caption, tag("thead", heads), tag("tbody", *rows), class_="moves")
    return in_notebook(table, tag("p", f"It stops: {line.stop_message}", class_="note"), package_note(line.package))


@picture_of.register
def _analysis(analysis: Analysis) -> str:
    highest = highest_value(analysis.game)
    sentence = "No move is known to have changed the outcome."
    if 0 < analysis.decided_by <= len(analysis.moves):
        move = analysis.moves[analysis.decided_by - 1]
        became = f"{OUTCOMES[move.outcome]} became {OUTCOMES[move.outcome_of_move]}"
        better = f"; better: {', '.join(move.better_moves)}" if move.better_moves else ""
        sentence = f"Decided by move {analysis.decided_by}, {move.move}: {became}{better}."
    cut = tag("p", analysis.cut.message, class_="note") if analysis.cut else None
    return in_notebook(
        analysis_curve(analysis, highest, name=_new_name("game")),
        tag("p", sentence),
        cut,
        package_note(analysis.package),
    )


@picture_of.register
def _proof(proof: Proof) -> str:
    tree = proof_tree(proof, highest_value(proof.game))
    return in_notebook(tag("p", f"{proof.game} {proof.position}"), tree, package_note(proof.package))


@picture_of.register
def _job(job: Job) -> str:
    return in_notebook(job_card(job))


def job_picture(job: Job, samples: list[Sample]) -> Markup:
    """A job with the numbers of its search over its time."""
    return in_notebook(job_card(job), progress_curve(samples, name=_new_name("search")) if len(samples) > 1 else None)
