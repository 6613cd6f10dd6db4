"""Games of OpenSpiel that tests play: small ones that are solved from the start, and the value of each."""

from __future__ import annotations

SMALL = {
    "breakthrough(columns=3,rows=4)": 1,
    "checkers(columns=2,rows=7)": 1,
    "clobber(columns=3,rows=3)": 1,
    "connect_four(columns=3,rows=3,x_in_row=3)": 0,
    "dots_and_boxes(num_rows=1)": 0,
    "go(board_size=2)": -1,
    "gomoku(connect=3,size=3)": 0,
    "havannah(board_size=2)": 1,
    "hex(board_size=3)": 1,
    "hex(num_cols=3,num_rows=2)": 1,
    "misere(game=nim(pile_sizes=1;2;3))": -1,
    "mnk(k=3,m=4,n=3)": 1,
    "nim(is_misere=false,pile_sizes=1;2;3)": -1,
    "nim(pile_sizes=10)": 1,
    "nim(pile_sizes=2;3;3)": 1,
    "oware(num_houses_per_player=2,num_seeds_per_house=2)": 1,
    "quoridor(board_size=3,wall_count=0)": -1,
    "tic_tac_toe": 0,
    "y(board_size=3)": 1,
}
"""Canonical names, behind `openspiel:`."""

LARGE = {
    "amazons(board_size=6)": 5,
    "checkers": 4,
    "mancala": 6,
    "nine_mens_morris": 3,
    "othello": 5,
    "pentago": 2,
    "twixt(board_size=5)": 5,
    "ultimate_tic_tac_toe": 6,
}
"""Games whose endings are solved, with how many actions before the end of a random game."""
