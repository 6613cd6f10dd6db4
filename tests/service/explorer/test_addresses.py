"""Addresses of positions are read as they were written."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from proofbase.service.errors import LimitExceededError
from proofbase.service.explorer.addresses import Place, address, split_moves

PLACES = [
    Place("tic-tac-toe"),
    Place("connect-four:7x6,score", "", ("4", "4", "5"), 3),
    Place("connect-four:5x4", "...../...../..o../..x..", ("3", "3"), 1),
    Place("qubic", "xxx./..../..../....//.oo./..o./..../....//..../..../..../....//..../..../..../....", ("3",), 1),
    Place("awari", "7:0,0,1,3,1,1/1,0,4,19,4,2:5/S", ("D19x7", "b3"), 0),
    Place("connect-four:1x4", "./././.", (), 0),
    Place("random-graph:nodes=200,ends=20", "n0", ("1",), 1),
    Place("chomp", 'a b&c=d?e#f%20+"<é\N{SNOWMAN}', ("x&y", "é"), 2),
]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.game)
def test_a_place_is_read_as_it_was_written(place: Place) -> None:
    for href in (place.href(), place.href("proof", side="lower")):
        parts = urlsplit(href)
        parameters = {
            name: values[0] for name, values in parse_qs(parts.query, strict_parsing=bool(parts.query)).items()
        }
        assert href.isascii() and not parts.fragment and " " not in href and '"' not in href and "<" not in href
        assert Place.read(place.game, parameters) == place


def test_a_move_of_the_game_goes_on_in_it_and_another_one_leaves_it() -> None:
    place = Place("connect-four", "", ("4", "4", "5"), 1)
    assert place.after("4") == place.to(2)
    assert place.after("4", "5") == place.to(3)
    assert place.after("3") == Place("connect-four", "", ("4", "3"), 2)
    assert (place.to(99).at, place.to(-1).at) == (3, 0)
    assert (place.last, place.to(0).last) == ("4", None)


def test_the_text_of_a_position_is_known_without_rules_where_it_can_be() -> None:
    assert Place("g").position == ""
    assert Place("g", "", ("4", "4"), 1).position == "moves:4"
    assert Place("g", "text", ("4",), 0).position == "text"
    assert Place("g", "text", ("4",), 1).position is None


@pytest.mark.parametrize("at", ["", "x", "-1", "1e3", "99999999", "²"])
def test_a_number_that_makes_no_sense_stands_for_all_moves(at: str) -> None:
    assert Place.read("g", {"moves": "1,2", "at": at}).at == 2


def test_moves_are_separated_by_commas_or_spaces() -> None:
    assert split_moves(" 1, 2\t3,,4\n") == ("1", "2", "3", "4")


def test_a_game_that_is_too_long_is_refused_by_its_length() -> None:
    with pytest.raises(LimitExceededError, match="a game of 2001 moves: at most 2000"):
        Place.read("g", {"moves": ",".join(["1"] * 2001)})


def test_parameters_without_a_value_are_left_out() -> None:
    assert address("/jobs", continuation=None, limit="", other=0) == "/jobs?other=0"
