"""Names of strangers and sizes side by side: OpenSpiel ends the process for some, and mixes up the others."""

from __future__ import annotations

import resource
import subprocess
import sys
import textwrap

import pytest

from proofbase.engine.openspiel.limits import GAMES, ONE_SIZE, SHARED_TABLE

HOSTILE = (
    "hanabi(players=0)",  # ended the process
    "hanabi(ranks=999)",
    "universal_poker(stack=1;2;3)",
    "connect_four(rows=0)",
    "havannah(board_size=-1)",
    "y(board_size=-1)",
    "hex(board_size=9999)",  # took gigabytes, or did not return
    "gomoku(connect=2,dims=7,size=2)",
    "mnk(k=9999,m=9999,n=9999)",
    "connect_four(columns=9999,rows=9999,x_in_row=9999)",
    "dots_and_boxes(num_cols=999,num_rows=999)",
    "oware(num_houses_per_player=999999)",
    "nim(pile_sizes=999999999;1)",
    "blotto(fields=999)",
    "deep_sea(size=99999)",
    "normal_form_extensive_game(game=goofspiel(num_cards=9))",
    "misere(game=hanabi(players=0))",
    "misere(game=hex(board_size=9999))",
    "efg_game(filename=/etc/passwd)",  # read a file
    "misere(game=" * 500 + "nim" + ")" * 500,
)


def run(program: str, *arguments: str) -> str:
    """What a process of its own prints, which has three gigabytes and a minute of processor time."""
    head = """
        import sys
        from proofbase.engine import open_game
        from proofbase.engine.errors import InvalidParametersError
        """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))

    command = [sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, preexec_fn=limit)
    assert done.returncode == 0, (done.returncode, done.stdout[-500:], done.stderr[-500:])
    return done.stdout


def test_hostile_names_are_refused_without_harm() -> None:
    printed = run(
        """
        import time
        for name in sys.argv[1:]:
            print(name[:80], flush=True)
            began = time.process_time()
            try:
                open_game("openspiel:" + name, "python")
                print("made")
            except InvalidParametersError as error:
                print(time.process_time() - began < 1, len(str(error)) < 500, "root:" not in str(error))
        """,
        *HOSTILE,
    ).splitlines()
    assert printed[::2] == [name[:80] for name in HOSTILE]
    assert dict(zip(HOSTILE, printed[1::2], strict=True)) == dict.fromkeys(HOSTILE, "True True True")


def test_the_largest_and_the_smallest_games_within_the_limits_are_made_or_refused_quickly() -> None:
    """Every corner of the table, and what all games are without parameters."""
    names = []
    for name, limits in GAMES.items():
        numbers = {parameter: limit for parameter, limit in limits.items() if isinstance(limit, range)}
        for end in (0, -1):
            names += [f"{name}({','.join(f'{parameter}={limit[end]}' for parameter, limit in numbers.items())})"]
        names += [f"{name}({parameter}={limit[-1]})" for parameter, limit in numbers.items()] + [name]
    names += [f"nim(pile_sizes={';'.join(['999'] * 10)})", "misere(game=mnk(k=1,m=240,n=240))", "go(komi=-999.999)"]
    printed = run(
        """
        import resource, time
        open_game("openspiel:tic_tac_toe", "python")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for name in sys.argv[1:]:
            began = time.process_time()
            try:
                game = open_game("openspiel:" + name, "python")
                game.moves(game.initial())
            except InvalidParametersError:
                pass
            if time.process_time() - began > 1:
                print(name, time.process_time() - began)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        if grown > 100 << 10:
            print("memory", grown)
        """,
        *names,
    )
    assert printed == ""


@pytest.mark.parametrize("name", SHARED_TABLE)
def test_games_of_several_sizes_are_what_each_is_alone(name: str) -> None:
    sizes = [f"{name}(board_size={size})" for size in (2, 3, 5, 7)]
    together = [sizes[number:] + sizes[:number] for number in range(len(sizes))]
    printed = run(
        """
        import os, random
        import pyspiel

        def trace(game):
            lines = []
            for seed in range(20):
                chance, position = random.Random(seed), game.initial()
                while game.terminal(position) is None:
                    moves = list(game.moves(position))
                    lines.append(str(moves))
                    position = game.play(position, chance.choice(moves))
                lines.append(f"{game.side(position)} {game.terminal(position)}")
            return lines

        for argument in sys.argv[1:]:
            if os.fork():  # where OpenSpiel has made no game yet
                assert os.wait()[1] == 0, argument
                continue
            game, *others = (open_game("openspiel:" + name, "python") for name in argument.split())
            for other in others:
                trace(other)
            print(trace(game))
            sys.stdout.flush()
            os._exit(0)
        """,
        *sizes,
        *map(" ".join, together),
    ).splitlines()
    assert len(set(printed[: len(sizes)])) == len(sizes)
    assert dict(zip(sizes, printed[len(sizes) :], strict=True)) == dict(zip(sizes, printed, strict=False))


def test_the_check_of_a_game_makes_a_second_size() -> None:
    """It sees the fault where the largest size is not made first: the process ends, or the games differ."""
    program = """
        from proofbase.engine import open_game
        from proofbase.engine.openspiel import catalogue, comparison
        catalogue.SHARED_TABLE.clear()
        game = open_game("openspiel:havannah(board_size=2)", "python")
        print(comparison.difference_from_openspiel(game, seconds=0.1))
        """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode != 0 or done.stdout != "None\n"


@pytest.mark.parametrize("name", ONE_SIZE)
def test_a_second_size_is_refused_where_states_share_a_table(name: str) -> None:
    printed = run(
        """
        first, same, other = (f"openspiel:{sys.argv[1]}(board_size={size})" for size in (6, 6, 5))
        for name in (first, same, other, first):
            try:
                print(open_game(name, "python").name)
            except InvalidParametersError as error:
                print(error)
        """,
        name,
    ).splitlines()
    assert printed[:2] == [f"openspiel:{name}(board_size=6)"] * 2 == printed[3:] * 2
    assert printed[2] == (
        f"openspiel:{name}(board_size=5) cannot be played here: this process plays openspiel:{name}(board_size=6), and "
        "OpenSpiel has one table for all sizes: use another"
    )
