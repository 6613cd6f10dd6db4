"""What pages say, as the server makes them: no browser is needed."""

from __future__ import annotations

import asyncio
import html
import re
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import NamedTuple

import pytest
from looking import Explored
from services import serving_both
from starlette.requests import Request

from proofbase.engine.records.errors import MalformedRecordError
from proofbase.service.answers import GameInfo, PositionAnswer, Statistics, Value
from proofbase.service.application import open_application
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import for_visitors
from proofbase.service.explorer.start_page import TASKS, StartPage
from proofbase.service.jobs.budget import Budget
from proofbase.service.operations.settings import Operation


class Page(NamedTuple):
    """A page that was read."""

    url: str
    status: int
    html: str

    @property
    def text(self) -> str:
        """What stands on it, without its elements."""
        return " ".join(html.unescape(re.sub(r"<title.*?</title>|<desc.*?</desc>|<[^>]*>", " ", self.html)).split())

    def links(self, attribute: str) -> dict[str, str]:
        """The addresses of the links with an attribute, by its value."""
        found = {}
        for element in re.findall("<a [^>]*>", self.html):
            name = re.search(rf' {attribute}="([^"]*)"', element)
            href = re.search(r' href="([^"]*)"', element)
            if name and href:
                found[html.unescape(name[1])] = html.unescape(href[1])
        return found


def read(explored: Explored, path: str) -> Page:
    try:
        with urllib.request.urlopen(explored.url + path) as answer:
            return Page(answer.url.removeprefix(explored.url), answer.status, answer.read().decode())
    except urllib.error.HTTPError as error:
        return Page(path, error.code, error.read().decode())


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/games/connect-four:5x4", "A draw with best play; best"),
        ("/games/tic-tac-toe?moves=5,2", "X wins within 3 moves, whatever O does; best are"),
        ("/games/tic-tac-toe?moves=5,2,1", "O loses, whatever it plays: X wins within 2 moves; 9 holds out longest."),
        ("/games/tic-tac-toe?moves=5,2,1,9,7,3,4", "The game is over: X has won."),
        ("/games/tic-tac-toe?moves=5,1,9,2,3,7", "X wins with the next move; best is 6."),
        ("/games/gomoku?moves=h8,a1,i8,a15,j8,o1", "Black wins within 2 moves, whatever White does; best is g8."),
        ("/games/gomoku", "Not solved yet: who wins, with Black to move, is not known."),
        ("/games/awari?position=0,0,0,0,1,2/1,0,0,0,1,1/S", "South wins by 3 with best play; best is F1x3."),
        ("/games/chess?position=7k/8/5KQ1/8/8/8/8/8%20w%20-%20-%200%201", "White mates with the next move; best"),
        ("/games/subtraction", "The side to move wins within"),
        ("/games/hostile?position=%22%3E%3Cimg/src=x/onerror=alert(0)%3E", "The game is over: the other side has won."),
        ("/games/random-graph", "Not solved yet: who wins, with the first player to move, is not known."),
    ],
)
def test_the_value_comes_first_in_a_sentence(explored: Explored, path: str, sentence: str) -> None:
    page = read(explored, path)
    found = re.search(r'<p class="verdict[^>]*>(.*?)</p>', page.html)
    assert found is not None
    said = html.unescape(found[1])
    assert said.startswith(sentence)
    assert page.html.index('id="value"') < page.html.index("<svg")
    assert "first player" not in said or "random-graph" in path


def test_all_moves_are_rated_by_short_searches(explored: Explored) -> None:
    before = read(explored, "/games/connect-four:5x4?moves=3,3")
    assert before.text.count("at most draw") == 2 and 'data-rate="yes"' in before.html
    rated = read(explored, before.links("id")["rate"])
    assert "at most draw" not in rated.text and rated.text.count("loss just searched") == 2
    assert rated.html.count("searched") >= 4 and "they are not stored" in rated.text
    assert "rate" not in rated.links("id")
    assert 'id="store-rated"' in rated.html and rated.html.count('type="hidden" name="text"') == 4
    assert read(explored, "/games/connect-four:5x4?moves=3,3").text == before.text


def test_best_play_is_a_board_that_steps_and_says_why_it_stops(explored: Explored) -> None:
    page = read(explored, "/games/tic-tac-toe/line?moves=5,2&ply=2")
    assert 'class="now"' in page.html and "value for X" in page.text and page.text.count(" O 1") <= 1
    assert "The line stops: the game is over: X has won." in page.text
    steps = page.links("id")
    assert (steps["step-back"], steps["step-forward"]) == tuple(
        f"/games/tic-tac-toe/line?moves=5,2&ply={ply}" for ply in (1, 3)
    )


def test_why_is_told_in_sentences_with_the_moves_as_links(explored: Explored) -> None:
    page = read(explored, "/games/connect-four:5x4/proof?moves=3,3")
    assert "Red has at least a draw. Red plays 3 ." in page.text
    assert re.search(r"If Yellow answers 1 , then Red plays \d ; 5 is the mirror image of 1", page.text)
    assert "Red cannot win. If Red plays 1 , then Yellow plays" in page.text
    assert "/games/connect-four:5x4/proof?moves=3,3,3&amp;side=upper" in page.html
    many = read(explored, "/games/gomoku/proof?moves=h8,a1,i8,a15,j8,o1")
    assert "Black plays g8 ." in many.text and "others" in many.text
    table = read(explored, "/games/awari/proof?position=0,0,0,0,0,1/0,0,0,0,0,2/S")
    assert re.search("[Tt]he table awari-3 says so", table.text) and 'href="/words#table"' in table.html
    assert 'id="table"' in read(explored, "/words").html


def test_the_store_answers_moves_and_tells_what_they_gave_away(explored: Explored) -> None:
    begun = read(explored, "/games/tic-tac-toe/play?moves=1&as=0")
    assert begun.url == "/games/tic-tac-toe/play?moves=1,5&as=0" and "Your move." in begun.text
    assert 'class="target open' in begun.html and "You play X." in begun.text
    hint = read(explored, begun.links("id")["hint"])
    assert "A draw with best play" in hint.text
    lost = read(explored, "/games/tic-tac-toe/play?moves=5,2&as=1")
    assert re.fullmatch(r"/games/tic-tac-toe/play\?moves=5,2,\d&as=1", lost.url)
    assert re.search(r"2\. 2 : a draw became a loss; better: ", lost.text)
    assert lost.links("id")["take-back"] == "/games/tic-tac-toe/play?moves=5&as=1"
    assert "The game is over: X has won." in read(explored, "/games/tic-tac-toe/play?moves=5,2,1,9,7,3,4&as=1").text
    assert "You play the second player" in read(explored, "/games/subtraction/play?as=1").text


def test_a_position_is_set_up_by_a_palette(explored: Explored) -> None:
    page = read(explored, "/games/chess/setup")
    page = read(explored, page.links("id")["clear"])
    for man, square in (("white king", "d1"), ("white queen", "d2"), ("black king", "e5")):
        chosen = next(href for href, name in re.findall(r'href="([^"]*)"[^>]*>([^<]*)</a>', page.html) if name == man)
        page = read(explored, html.unescape(chosen))
        page = read(explored, page.links("data-at")[square])
    look = page.links("id")["look"]
    assert look == "/games/chess?position=8/8/8/4k3/8/8/3Q4/3K4%20w%20-%20-%200%201"
    assert read(explored, look).status == 200
    assert "b%20-%20-%200%201" in page.html and "Black to move" in page.text
    for game, square in (("gomoku:9x9", "e5"), ("tic-tac-toe", "5"), ("mens-morris:6", "a1"), ("giveaway", "h8")):
        assert square in read(explored, f"/games/{game}/setup").links("data-at")
    assert read(explored, "/games/subtraction/setup").status == 400
    assert read(explored, "/games/chess/setup?position=8/8").status == 400
    assert read(explored, "/games/checkers/setup?position=B:W33:B1").status == 400


def chosen_from_palette(page: Page, name: str) -> str:
    """Where the man of that name leads to."""
    return html.unescape(
        next(a for a, text in re.findall(r'href="([^"]*)"[^>]*>([^<]*)</a>', page.html) if text == name)
    )


@pytest.mark.parametrize(
    ("game", "clicks", "position"),
    [
        ("connect-four:5x4", "Red 3 Yellow 3 Red 1", "...../...../..o../x.x.."),
        ("connect-four:5x4", "Red 3 3 3 3 3 3 empty 3", "...../..x../..x../..x.."),
        ("connect-four:5x4", "empty 3", "...../...../...../....."),
        ("connect-four:5x4", "Red 3 3 Red-moves", "...../...../..x../..x.. x"),
        ("gomoku:5x5", "Black c3 b2 White-moves", "...../...../..x../.x.../..... o"),
        ("qubic", "Red 0 21 Yellow 63 empty 0", None),
        ("awari", "+ A A A f North", "1,0,0,0,0,0/3,0,0,0,0,0/N"),
        ("awari", "+ F F a - F F F", "0,0,0,0,0,1/0,0,0,0,0,0/S"),
        ("awari", "+ b b empty b North South", "0,0,0,0,0,0/0,0,0,0,0,0/S"),
        ("othello:4x4", "Black b2 c2 d2 White b3 c3 empty d2 Second", "-----XX--OO----- O"),
        ("othello:4x6", "White c5", f"{'-' * 18}O{'-' * 5} X"),
        ("checkers", "black-king 1 2 empty 2 white-man 27 Second", "W:W27:BK1"),
    ],
)
def test_stones_are_set_up_by_a_palette(explored: Explored, game: str, clicks: str, position: str | None) -> None:
    """Stones fall to the ground in columns, and are counted in pits."""
    words = {"+": "one stone more", "-": "one stone less", "North": "North to move", "South": "South to move"}
    words["Second"] = words["White-moves"] = "White to move"
    words["Red-moves"] = "Red to move"
    words |= {"black-king": "black king", "white-man": "white man"}
    page = read(explored, f"/games/{game}/setup")
    page = read(explored, page.links("id")["clear"])
    for click in clicks.split():
        place = f"column {click}" if "connect-four" in game and click.isdigit() else click
        squares = page.links("data-at")
        page = read(
            explored, squares[place] if place in squares else chosen_from_palette(page, words.get(click, click))
        )
    cubes = "." * 21 + "x" + "." * 41 + "o"
    layers = "//".join("/".join(cubes[row : row + 4] for row in range(at, at + 16, 4)) for at in range(0, 64, 16))
    assert f"<code>{position or layers}</code>" in page.html
    assert page.links("id")["look"] == f"/games/{game}?position={(position or layers).replace(' ', '%20')}"


@pytest.mark.parametrize(
    ("game", "position", "mirror", "swapped"),
    [
        ("chess", "4k3/P7/8/8/8/8/8/KQ6 b - - 0 1", "3k4/7P/8/8/8/8/8/6QK b - - 0 1", "4K3/p7/8/8/8/8/8/kq6 b - - 0 1"),
        ("connect-four:5x4", "...../...../o..../xx...", "...../...../....o/...xx", "...../...../x..../oo... o"),
        ("connect-four:5x4", "...../...../...../xx... x", "...../...../...../...xx x", "...../...../...../oo... x"),
        ("awari", "1,2,3,4,5,6/7,0,0,0,0,1/S", None, "1,0,0,0,0,7/6,5,4,3,2,1/S"),
        ("othello:4x4", "XX---OX--XO----- X", "--XX-XO--OX----- X", "OO---XO--OX----- X"),
        ("othello:6x4", f"XX---OX--XO-----{'-' * 8} O", None, f"OO---XO--OX-----{'-' * 8} O"),
        ("checkers", "B:W18,K27:B3,K10", None, "B:WK23,30:BK6,15"),
    ],
)
def test_a_board_is_mirrored_and_its_sides_are_swapped(
    explored: Explored, game: str, position: str, mirror: str | None, swapped: str | None
) -> None:
    links = read(explored, f"/games/{game}/setup?position={urllib.parse.quote(position)}").links("id")
    for name, expected in (("mirror", mirror), ("swap", swapped)):
        assert (name in links) == (expected is not None)
        if expected is not None:
            assert urllib.parse.parse_qs(links[name].partition("?")[2])["position"] == [expected]


def test_a_position_with_any_stones_names_the_side_to_move(explored: Explored) -> None:
    path = "/games/connect-four:5x4/setup?position=...../...../...../xx..."
    assert "do not say who is to move" in read(explored, path).text
    assert "Click a column" in read(explored, f"{path}%20o").text
    page = read(explored, "/games/connect-four:5x4?position=...../...../...../xx...%20o")
    assert page.status == 200 and "not reachable from the start" in page.text and "Yellow" in page.text
    assert page.links("id")["setup"].endswith("xx...%20o")
    assert "not reachable" not in read(explored, "/games/connect-four:5x4?position=...../...../...../xo...").text


def test_a_pit_takes_no_more_stones_than_there_are(explored: Explored) -> None:
    page = read(explored, "/games/awari/setup?man=%2B")
    assert "take some away first" in page.text
    assert page.links("data-at")["A"].endswith("position=4,4,4,4,4,4/4,4,4,4,4,4/S&man=%2B")
    assert read(explored, "/games/awari/setup?position=4,4/4,4/S").status == 400


def test_the_store_shows_how_the_positions_of_tables_end(explored: Explored) -> None:
    folded = read(explored, "/store")
    assert "<svg" not in folded.html and 'href="/store?tables=awari#tables-awari"' in folded.html
    shown = read(explored, "/store?tables=awari")
    assert shown.html.count('class="histogram"') == 4
    assert "123 wins by 1 to 3, 178 losses by 1 to 3, 63 draws" in shown.text
    assert read(explored, "/store?tables=nothing").status == 404


def test_errors_lead_back_and_say_nothing_of_commands(explored: Explored) -> None:
    none = read(explored, "/games/nothing")
    assert none.status == 404 and none.links("class")["button"] == "/" and "--" not in none.text
    wrong = read(explored, "/games/tic-tac-toe?moves=5,5")
    assert wrong.status == 400 and 'id="complaint"' in wrong.html and "<svg" in wrong.html
    pasted = read(explored, "/games/chess?position=nonsense")
    assert pasted.status == 400 and ">nonsense</textarea>" in pasted.html
    assert for_visitors("no such game; it is loaded by --plugin FILE; did you mean chess?") == (
        "no such game; did you mean chess?"
    )
    assert for_visitors("use --force") == "This cannot be done here."


def test_a_game_has_its_rules_on_its_page(explored: Explored) -> None:
    page = read(explored, "/games/connect-four")
    assert "A move drops a stone into a column that is not full" in page.text
    assert "On the board x is Red, and o is Yellow." in page.text
    for game in ("within:5:tic-tac-toe", "awari:oware", "chess", "subtraction", "random-graph"):
        assert "Rules" in read(explored, f"/games/{game}").text


def test_a_job_about_a_position_stands_on_its_page_until_it_is_finished(explored: Explored) -> None:
    job = explored.client.start_solve("connect-four", "4", at_least=1, budget=Budget(seconds=60))
    explored.client.pause(job.id)
    page = read(explored, "/games/connect-four?moves=4")
    assert f'data-id="{job.id}"' in page.html and "a win?" in page.text
    explored.client.cancel(job.id)
    assert f'data-id="{job.id}"' not in read(explored, "/games/connect-four?moves=4").html


def test_a_game_is_taken_along_as_a_file(explored: Explored) -> None:
    page = read(explored, "/games/chess?moves=e4,e5")
    file = read(explored, page.links("id")["download-pgn"])
    assert "1. e4 e5" in file.html and '[Event "' in file.html
    sgf = read(explored, "/games/gomoku:9x9/file?moves=e5,e6&format=sgf")
    assert sgf.html.startswith("(;") and ";B[" in sgf.html
    assert read(explored, "/games/tic-tac-toe/file?format=pgn").status == 400


def test_a_pasted_game_is_analysed(explored: Explored) -> None:
    page = read(explored, "/games/tic-tac-toe/open?text=5%202%201%209%207%203%204&then=analysis")
    assert page.url == "/games/tic-tac-toe/analysis?moves=5,2,1,9,7,3,4" and "Decided by move 2" in page.text


def test_squares_of_a_users_game_are_a_board(explored: Explored) -> None:
    page = read(explored, "/games/hostile")
    assert page.links("data-move") == {f"<script>{n}": f"/games/hostile?moves=%3Cscript%3E{n}" for n in (1, 2)}
    assert page.links("data-at").keys() == {"5", "6"} and page.html.count('class="cell"') == 7
    assert 'class="cell"' not in read(explored, "/games/subtraction").html


@pytest.mark.parametrize("path", ["/games/within:3:subtraction", "/games/subtraction/play?as=0"])
def test_moves_are_listed_where_the_board_is_text(explored: Explored, path: str) -> None:
    """A new user sees what can be clicked; on boards with squares the list is folded."""
    assert re.search(
        r'<details[^>]* open[^>]*>(?:(?!</details>).)*<a [^>]*class="move"[^>]*>1</a>', read(explored, path).html
    )
    assert not re.search(r'class="unknown-moves" open', read(explored, "/games/connect-four").html)


def test_a_damaged_record_spoils_its_game_only_on_the_first_page() -> None:
    class Damaged(Asker):
        async def games(self) -> tuple[list[GameInfo], str | None]:
            return [GameInfo(name, "", 7, 1, 1, 9, "", True) for name in ("connect-four", "tic-tac-toe")], None

        async def statistics(self) -> Statistics:
            return Statistics((), (), store="memory:")

        async def lookup(self, game: str, position: str, *, search_nodes: int = 0) -> PositionAnswer:
            if game == "connect-four":
                raise MalformedRecordError("damaged")
            won = Value.of(1)
            return PositionAnswer(game, "", b"", True, False, won, 5, None, (), (), (), 0)

    request = Request({"type": "http", "query_string": b"", "headers": [], "method": "GET", "path": "/"})
    answer = asyncio.run(StartPage(Damaged({})).show(request))
    text = bytes(answer.body).decode()
    assert "X wins; 7 records" in text and "</b>: 7 records" in text


def test_threats_are_numbered_on_the_board_with_the_moves_that_stop_them(explored: Explored) -> None:
    threatened = "/games/gomoku?moves=h8,a1,i9,a15,h10,o1,j8"
    page = read(explored, read(explored, threatened).links("id")["threats"])
    assert "White has no win by threats that the search has found. Black threatens to win" in page.text
    assert "The longest line: 1. k7 2. l6 3. g11" in page.text and "k7: move 1 of the line" in page.html
    assert "2 moves stop this win; every other move loses." in page.text
    assert "no move stops every win: White loses" in page.text
    won = read(explored, "/games/gomoku/threats?moves=h8,a1,i9,a15,h10,o1,j8,o2")
    assert "Black wins by threats." in won.text
    stopped = read(explored, "/games/qubic/threats?moves=0,63,1,62,2,61")
    assert "Red wins by threats." in stopped.text
    left = read(explored, "/games/qubic/threats?moves=0,63,5,62,2,61,40")
    assert left.status == 200
    renju = read(explored, read(explored, "/games/renju?moves=h8,a1,i8,b1,j8,c1").links("id")["threats"])
    assert "Black wins by threats." in renju.text and "The longest line: 1. " in renju.text
    assert "threats" not in read(explored, "/games/renju:professional").links("id")
    assert read(explored, "/games/tic-tac-toe/threats").status == 400
    assert "threats" not in read(explored, "/games/tic-tac-toe?moves=5").links("id")


def test_a_problem_report_has_keys_tries_and_refutations(explored: Explored) -> None:
    page = read(
        explored, read(explored, "/games/chess?position=7k/8/5K2/8/8/8/8/R7+w+-+-").links("id")["problem-report"]
    )
    assert "Cooked: mate in 2 by 2 keys." in page.text and "Key: 1.Kg6! threat: 2.Ra8#" in page.text
    assert "Rh1+ ? Kg8" in page.text and "Duals none" in page.text
    mate = read(explored, "/games/chess/problem?position=4k2r/7n/4P3/3N4/8/8/4K3/7Q+w+k+-")
    assert "Sound: mate in 2, one key. " in mate.text and "1...Kf8 2.Qxh8#" in mate.text
    assert "1...Ng5 2.Qxh8#" in mate.text and "Set play" in mate.text
    known = read(explored, "/games/chess/problem?position=7k/8/5K2/8/8/8/8/R7+w+-+-&length=2&key=Kf7")
    assert "Cook: 1.Kg6 threat" in known.text and "Key: 1.Kf7!" in known.text
    both = read(explored, "/games/chess/problem?position=7k/8/5K2/8/8/8/8/R7+w+-+-&length=2&key=Kf7+Kg6")
    assert both.links("id")["as-json"].endswith("&moves=2&intended=Kf7&intended=Kg6"), "a list is a name several times"
    none = read(explored, "/games/chess/problem?position=7k/8/5K2/8/8/8/8/R7+w+-+-&length=1")
    assert "No solution: no mate in 1." in none.text and "Refutations" in none.text
    assert "Cooked: win in 3 by 3 keys." in read(explored, "/games/tic-tac-toe/problem?moves=1,2").text
    assert "problem-report" not in read(explored, "/games/awari").links("id")
    assert read(explored, "/games/awari/problem").status == 400


def test_rating_moves_says_what_it_tried_where_it_finds_nothing(explored: Explored) -> None:
    rated = read(explored, "/games/gomoku?rate=1")
    assert rated.status == 200
    assert re.search(r"Nothing more was found\. \d+ moves of 225 searched, with up to [\d,]+ nodes? each", rated.text)


def test_a_counter_of_fifty_moves_is_spoken_of(explored: Explored) -> None:
    pasted = urllib.parse.quote("7k/8/5KQ1/8/8/8/8/8 w - - 54 90")
    found = read(explored, f"/games/chess/open?text={pasted}")
    assert "The counter of the fifty-move rule (54) is left out: chess here has no such rule" in found.text
    without = read(explored, f"/games/chess/open?text={pasted.replace('54', '0')}")
    assert "fifty-move" not in without.text


def test_readme_and_the_start_page_say_what_proofbase_is_for(explored: Explored, repository: Path) -> None:
    first_screen = (repository / "README.md").read_text().partition("\n## ")[0]
    page = read(explored, "/")
    assert len(TASKS) == 6
    for task, command in TASKS.items():
        assert f"{task}: {command}" in page.text
        assert task[0].lower() + task[1:] in first_screen and f"| `{command}` |" in first_screen


@pytest.mark.parametrize(
    ("contact", "href"),
    [
        ("https://host/new?body={position}&x=1", "https://host/new?body=tic-tac-toe%20.../.x./...&x=1"),
        ("https://host/new", "https://host/new?position=tic-tac-toe%20.../.x./..."),
        ("mailto:me@host?subject=a", "mailto:me@host?subject=a&body=tic-tac-toe%20.../.x./..."),
        (None, None),
    ],
)
def test_the_link_to_the_operator_carries_the_position(contact: str | None, href: str | None) -> None:
    with (
        open_application("memory:") as app,
        serving_both(app, operation=Operation(contact=contact)) as (_, address),
        urllib.request.urlopen(f"http://{address}/games/tic-tac-toe?moves=5") as answer,
    ):
        page = Page("", answer.status, answer.read().decode())
    assert page.links("id").get("contact") == href
