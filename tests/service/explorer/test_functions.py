"""What the page does, in a real browser: each function is clicked."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from looking import Explored, Looked, OpenPage

from proofbase.engine.checking.checker import check_certificate

SOLVED = "/games/connect-four:5x4"


def path_of(page: Any, base: str) -> str:
    return str(page.url).removeprefix(base)


def wait_for_path(looked: Looked, pattern: str) -> None:
    looked.page.wait_for_url(re.compile(re.escape(looked.base) + pattern))


def test_a_game_is_chosen(looked: Looked) -> None:
    page = looked.go("/")
    assert re.search(r"5x4: a draw; [\d,]+ records", looked.text("#family-connect-four .solved"))
    assert re.search(r"\d tables? with \d+ entries", looked.text("#family-awari .solved"))
    assert "subtraction" in looked.text("#more-games") and "within:" in looked.text("#more-games")
    page.click("#family-connect-four a.chip.done:text-is('5x4')")
    wait_for_path(looked, "/games/connect-four:5x4$")
    assert page.locator("svg.board a.target").count() == 5
    looked.go("/")
    page.fill("#open-game input", "connect-four:6x4")
    page.click("#open-game button")
    wait_for_path(looked, "/games/connect-four:6x4$")


def test_a_move_is_clicked_and_the_board_marks_it(looked: Looked) -> None:
    page = looked.go(SOLVED)
    page.click("svg.board a[data-move='3']")
    wait_for_path(looked, r"/games/connect-four:5x4\?moves=3$")
    page.click("svg.board a[data-move='2']")
    wait_for_path(looked, r".*\?moves=3,2$")
    assert page.locator("svg.board circle.last").count() == 1
    assert looked.text(".count-of-moves") == "move 2 of 2"


def test_one_goes_back_and_forward_by_links_by_the_browser_and_by_keys(looked: Looked) -> None:
    page = looked.go(f"{SOLVED}?moves=3,3,2")
    page.click("#step-back")
    wait_for_path(looked, r".*\?moves=3,3,2&at=2$")
    page.click("#step-first")
    wait_for_path(looked, ".*&at=0$")
    page.go_back()
    wait_for_path(looked, ".*&at=2$")
    page.wait_for_selector("text=move 2 of 3")
    page.go_forward()
    wait_for_path(looked, ".*&at=0$")
    page.wait_for_selector("text=move 0 of 3")
    page.locator("h1").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=move 1 of 3")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=move 0 of 3")
    page.click("#step-last")
    page.wait_for_selector("text=move 3 of 3")


CASTLE = "/games/chess?position=4k3/P7/8/8/8/8/8/4K2R%20w%20-%20-%200%201"


def test_a_man_is_chosen_then_his_square(looked: Looked) -> None:
    """By clicks, by dragging and by keys; another click, a click elsewhere or Escape takes the choice back."""
    page = looked.go(CASTLE)
    opened = page.locator("svg.board g.choices.open")
    page.click("svg.board a[data-choose=e1]")
    assert opened.locator("a.target").count() == 5
    page.keyboard.press("Escape")
    assert opened.count() == 0 and page.url == looked.base + CASTLE
    page.click("svg.board a[data-choose=e1]")
    page.click("svg.board .open a[data-at=f1]")
    wait_for_path(looked, r".*&moves=Kf1$")
    page = looked.go(CASTLE)
    page.click("svg.board a[data-choose=a7]")
    page.click("svg.board .open a[data-choose='a7,a8']")
    page.click("svg.board .open a[data-at=N]")
    wait_for_path(looked, r".*&moves=a8%3DN$")
    page = looked.go(CASTLE)
    box = page.locator("svg.board a[data-choose=h1] .area").bounding_box()
    x, y, square = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 3 * square, steps=4)
    page.mouse.up()
    wait_for_path(looked, r".*&moves=Rh4$")
    page = looked.go(CASTLE)
    page.focus("svg.board a[data-choose=h1]")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('g').dataset.chosen") == "h1"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.choose") == "h1"


def test_a_board_is_turned_and_stays_turned(looked: Looked) -> None:
    page = looked.go(CASTLE)
    before = page.locator("svg.board a[data-choose=h1] .area").bounding_box()
    page.click("#turn")
    wait_for_path(looked, r".*&turn=2$")
    after = page.locator("svg.board a[data-choose=h1] .area").bounding_box()
    assert after["x"] < before["x"] and after["y"] < before["y"]
    page.click("svg.board a[data-choose=h1]")
    page.click("svg.board .open a[data-move='Rh2']")
    wait_for_path(looked, r".*&moves=Rh2&turn=2$")


def test_a_move_is_typed_and_a_wrong_one_is_named(looked: Looked) -> None:
    page = looked.go(f"{SOLVED}?moves=3")
    page.fill("#type-move input[name=move]", "4")
    page.keyboard.press("Enter")
    wait_for_path(looked, r".*\?moves=3,4$")
    page.fill("#type-move input[name=move]", "9")
    page.click("#type-move button")
    page.wait_for_selector("#complaint")
    assert "column" in looked.text("#complaint")
    assert page.locator("svg.board").count() == 1


def test_a_position_and_a_list_of_moves_are_pasted(looked: Looked) -> None:
    page = looked.go(SOLVED)
    page.fill("#paste textarea", "3 3 2")
    page.click("#paste button")
    wait_for_path(looked, r".*\?moves=3,3,2$")
    page.fill("#paste textarea", "3344")
    page.click("#paste button")
    wait_for_path(looked, r".*\?moves=3,3,4,4$")
    page.fill("#paste textarea", "...../...../..o../..x..")
    page.click("#paste button")
    wait_for_path(looked, r".*\?position=...../...../..o../..x..$")
    page.fill("#paste textarea", "nonsense")
    page.click("#paste button")
    page.wait_for_selector("#complaint")
    assert page.locator("#paste textarea").input_value() == "nonsense"


def test_games_as_people_write_them_are_pasted(looked: Looked) -> None:
    page = looked.go(SOLVED)
    page.fill("#paste textarea", "1. 3 3 {a remark}\n2. 4 (2. 1) 4 *")
    page.click("#paste button")
    wait_for_path(looked, r".*\?moves=3,3,4,4$")
    page = looked.go("/games/chess")
    page.fill("#paste textarea", '[Event "x"]\n\n1. e4 {a, remark} e5 2. Nf3 *\n')
    page.click("#paste button")
    wait_for_path(looked, r".*\?moves=e4,e5,Nf3$")
    page.fill("#paste textarea", '[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8(Q)+ Kg7 *\n')
    page.click("#paste button")
    wait_for_path(looked, r".*\?position=7k/P7/.*&moves=a8%3DQ%2B,Kg7$")
    page.fill("#paste textarea", '7k/8/5KQ1/8/8/8/8/8 w - - bm #1; id "x";')
    page.click("#paste button")
    wait_for_path(looked, r".*\?position=7k/8/5KQ1/8/8/8/8/8%20w%20-%20-%200%201$")
    page.fill("#type-move input[name=move]", "g6g7")
    page.click("#type-move button")
    wait_for_path(looked, r".*&moves=g6g7$")


def test_play_goes_on_from_a_pasted_position(looked: Looked) -> None:
    page = looked.go(f"{SOLVED}?position=...../...../..o../..x..")
    page.click("svg.board a[data-move='3']")
    wait_for_path(looked, r".*&moves=3$")
    page.click("svg.board a[data-move='3']")
    wait_for_path(looked, r".*&moves=3,3$")
    assert page.locator("svg.board .stone").count() == 4
    page.click("#step-back")
    page.wait_for_selector("text=move 1 of 2")
    assert page.locator("svg.board .stone").count() == 3


def test_moves_are_sorted_with_their_values_in_words_and_colour(looked: Looked) -> None:
    page = looked.go(SOLVED)
    rows = page.locator("table.moves tbody tr")
    assert rows.count() == 3  # two of the five moves are mirror images of others
    texts = [" ".join(text.split()) for text in rows.all_inner_texts()]
    assert "draw best" in texts[0] and "plies" in texts[0] and " best" not in texts[2]
    assert page.locator("table.moves .value.draw").count() == sum(" draw " in f"{text} " for text in texts)


def test_an_unknown_move_says_so_and_offers_a_search(looked: Looked) -> None:
    page = looked.go("/games/connect-four:4x4?moves=1")
    assert "is not known" in looked.text("#value")
    page.select_option("#search select", "100000")
    page.click("#search button")
    wait_for_path(looked, r".*search=10+$")
    page.wait_for_selector("dt:text-is('searched')")
    assert re.search(r"searched [\d,]+ nodes", looked.text("#position dl"))
    assert "A search has found this just now; it is not stored." in looked.text("#value")
    assert page.locator("#solve").is_visible() and page.locator("#why").count() == 0
    looked.go("/games/connect-four:4x4?moves=1")
    page.click(".unknown-moves > summary")
    page.click(".unknown-moves a:text-is('search') >> nth=0")
    wait_for_path(looked, r".*\?moves=1,1&search=100000$")


def test_a_search_tells_how_far_it_is_and_goes_on_with_more_nodes(looked: Looked) -> None:
    page = looked.go("/games/connect-four")
    said = "window.heard = []; new MutationObserver(() => heard.push(document.getElementById('said').textContent))"
    page.evaluate(f"{said}.observe(document.getElementById('said'), {{childList: true}})")
    page.select_option("#search select", "10000")
    page.click("#search button")
    wait_for_path(looked, r".*search=10000$")
    heard = page.evaluate("heard")
    assert [text for text in heard if text.startswith("searching")] == [
        "searching with 1,000 nodes …",
        "searching with 10,000 nodes …",
    ]


def test_a_search_that_its_budget_ends_says_so(looked: Looked) -> None:
    looked.go("/games/connect-four?search=1000")
    assert "ended by its limit of nodes" in looked.text("#position dl")


def test_a_job_solves_a_position_with_live_progress(looked: Looked) -> None:
    page = looked.go("/games/connect-four:5x5?moves=3")
    page.fill("#solve input", "60")
    page.click("#solve button")
    page.wait_for_selector("#live .job")
    page.wait_for_selector("#live .state.done")
    page.wait_for_selector("#value:not(.open)")
    assert "value" in looked.text("#live .facts")
    assert page.locator("#best-play").count() == 1


def test_the_moves_of_a_known_position_that_are_not_known_are_solved(looked: Looked, explored: Explored) -> None:
    explored.client.solve("connect-four:5x3", "4")
    page = looked.go("/games/connect-four:5x3?moves=4")
    assert any(not move.known for move in explored.client.lookup("connect-four:5x3", "4").moves)
    page.click("#ask > summary")
    page.select_option("#solve select", "moves")
    page.click("#solve button")
    page.wait_for_selector("#live .state.done")
    page.wait_for_selector("#solve option[value=moves]", state="detached")
    assert all(move.known for move in explored.client.lookup("connect-four:5x3", "4").moves)


@pytest.mark.slow
def test_the_numbers_of_a_search_are_drawn_over_time(looked: Looked) -> None:
    page = looked.go("/games/connect-four:9x7?moves=4,4")
    page.fill("#solve input", "3")
    page.click("#solve button")
    page.wait_for_selector("#search-chart svg.chart polyline.proof", state="attached")
    page.wait_for_selector("#live .state.running")
    assert re.search(r"progress .*at least \d\? [\d,]+ nodes", looked.text("#live .facts"))
    assert "proof number" in (page.locator("#search-chart svg title").text_content() or "")
    page.wait_for_selector("#live .state.done")
    assert "unknown (seconds)" in looked.text("#live .facts")


@pytest.mark.slow
def test_a_job_is_paused_resumed_and_cancelled(looked: Looked) -> None:
    page = looked.go("/games/connect-four?moves=3,3")
    page.fill("#solve input", "300")
    page.click("#solve button")
    page.wait_for_selector("#live .state.running")
    page.click("#live button:text-is('Pause')")
    page.wait_for_selector("#live .state.paused")
    page.click("#live button:text-is('Go on')")
    page.wait_for_selector("#live .state.running")
    page.click("#live .facts a")
    wait_for_path(looked, "/jobs/.+")
    page.wait_for_selector("#live .state.running")
    page.click("#live button:text-is('Cancel')")
    page.wait_for_selector("#live .state.cancelled")
    page.click("nav a:text-is('Jobs')")
    page.wait_for_selector("#jobs .state.cancelled")
    page.click("#jobs a >> nth=0")
    page.click("#job-position")
    wait_for_path(looked, r"/games/connect-four\?position=.*")


def test_a_refused_job_is_told(looked: Looked) -> None:
    page = looked.go("/games/connect-four?moves=1")
    page.fill("#solve input", "0")
    page.click("#solve button")
    page.wait_for_selector("#live .error")
    assert "above 0" in looked.text("#live .error")


def test_the_line_of_best_play_is_played_through(looked: Looked) -> None:
    page = looked.go(f"{SOLVED}?moves=3")
    page.click("#best-play")
    page.wait_for_selector("#line")
    plies = page.locator("#line tbody tr").count()
    assert plies == 19 and looked.text("#stop").startswith("The line stops: the game is over: a draw")
    page.focus("h1")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"text=move 1 of {plies}")
    assert looked.text("#line tr.now").split()[0] == "1" and page.locator("svg.board circle.last").count() == 1
    page.locator("#slider").fill("2")
    page.wait_for_selector(f"text=move 2 of {plies}")
    page.click("#step-first")
    page.wait_for_selector(f"text=move 0 of {plies}")
    page.click("#play-through")
    page.wait_for_selector(f"text=move 1 of {plies + 1}")
    for number in range(2, plies + 2):
        page.click("#step-forward")
        page.wait_for_selector(f"text=move {number} of {plies + 1}")
    assert "The game is over" in looked.text("#value")
    assert page.locator("#step-forward").count() == 0


def test_why_shows_claims_and_a_tree_that_is_opened_step_by_step(looked: Looked) -> None:
    page = looked.go(f"{SOLVED}?moves=3,3")
    page.click("#why")
    page.wait_for_selector("#claims table")
    claims = looked.text("#claims table")
    assert "at least draw" in claims and "at most draw" in claims and "every move" in claims
    closed = page.locator("#tree details:not([open]) > summary")
    assert closed.count() > 0
    closed.first.click()
    before = page.locator("#tree li").count()
    page.locator("#tree a.further:visible").first.click()
    looked.until("before => document.querySelectorAll('#tree li').length > before", before)
    page.locator("#tree a.move:visible").last.click()
    wait_for_path(looked, r"/games/connect-four:5x4\?position=.*")


def test_the_certificate_is_downloaded_and_passes_its_check(looked: Looked, tmp_path: Any) -> None:
    page = looked.go(f"{SOLVED}/proof?moves=3,3")
    with page.expect_download() as download:
        page.click("#certificate")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert looked.text("pre code") == f"proofbase check {path.name}"
    result = check_certificate(path.read_bytes())
    assert result.valid and result.records > 50 and result.header["game"] == "connect-four:5x4"


def test_check_this_now_checks_what_the_value_rests_on(looked: Looked) -> None:
    for rules in ("RULES_NATIVE", "RULES_PYTHON"):
        page = looked.go(f"{SOLVED}/proof?moves=3,3,3,3")
        page.select_option("#verify select", rules)
        page.click("#verify button")
        page.wait_for_selector("#live .passed")
        assert re.search(r"[\d,]+ records checked in [\d.]+ s, none fails", looked.text("#live"))


def test_a_played_game_is_analysed_with_a_curve(looked: Looked) -> None:
    page = looked.go("/games/tic-tac-toe?moves=5,2,1,9,7,3,4")
    page.click("#analyse")
    page.wait_for_selector("#curve svg.chart")
    assert looked.text("#decided").startswith("Decided by move 2, 2 of O: a draw became a loss")
    assert page.locator("#curve circle.changed").count() == 1
    assert "refuted by" in looked.text("table.moves .changed-row")
    page.click("#curve a[aria-label^='after move 2']")
    wait_for_path(looked, r".*&at=2$")


def test_what_is_not_known_of_a_played_game_is_solved(looked: Looked) -> None:
    page = looked.go("/games/connect-four:4x3/analysis?moves=1,1,1,2,2,2,3,3")
    assert page.locator("#curve circle.dot").count() == 0
    page.click("#solve-game button")
    page.wait_for_selector("#live .state.done")
    page.wait_for_selector("#curve circle.dot")
    assert page.locator("#curve circle.dot, #curve circle.changed").count() == 9
    assert page.locator("#solve-game").count() == 0
    assert "8 exact" in looked.text("#live") or "9 exact" in looked.text("#live")


def test_the_store_shows_games_and_tables_with_counts(looked: Looked) -> None:
    page = looked.go("/")
    page.click("nav a:text-is('Store')")
    page.wait_for_selector("#store-games")
    assert re.search(r"tic-tac-toe \d+ 0 [0-9a-f]{16}", looked.text("#store-games"))
    assert re.search(r"awari: 4 tables, 455 entries", looked.text("#tables"))
    page.click("#tables summary")
    assert re.search(r"awari-3 364 ", looked.text("#tables-awari"))
    assert page.locator("nav a[aria-current]").inner_text() == "Store"


def test_a_users_game_is_played_by_its_drawing_and_its_moves(looked: Looked) -> None:
    page = looked.go("/games/subtraction")
    assert "<b>stones</b>: ooooooo" in (page.locator("svg.board text.mono").text_content() or "")
    page.click("table.moves a:text-is('1')")
    wait_for_path(looked, r".*\?moves=1$")
    assert "loses, whatever it plays" in looked.text("#value")


def test_every_built_in_game_has_its_page(looked: Looked) -> None:
    for game, count in (("qubic", 64), ("gomoku", 225), ("gomoku:9x9", 81), ("awari", 6), ("connect-four:13x8", 13)):
        page = looked.go(f"/games/{game}")
        assert page.locator("svg.board a.target").count() == count
    looked.go("/games/random-graph")
    assert looked.page.locator("svg.board text.mono").count() > 1


def test_a_keyboard_is_enough(looked: Looked) -> None:
    page = looked.go("/games/gomoku:9x9")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('svg.board a')"):
            break
    first = page.evaluate("document.activeElement.dataset.move")
    page.keyboard.press("ArrowUp")
    above = page.evaluate("document.activeElement.dataset.move")
    assert above[0] == first[0] and int(above[1:]) == int(first[1:]) + 1
    page.keyboard.press("ArrowRight")
    beside = page.evaluate("document.activeElement.dataset.move")
    assert beside[1:] == above[1:] and ord(beside[0]) == ord(above[0]) + 1
    page.keyboard.press("Enter")
    wait_for_path(looked, rf".*\?moves={beside}$")
    looked.until("document.activeElement.matches('svg.board a')")


def test_screen_readers_are_told_of_every_new_position(looked: Looked) -> None:
    page = looked.go(SOLVED)
    page.click("svg.board a[data-move='3']")
    looked.until("document.getElementById('said').textContent.includes('after 3')")
    assert looked.page.locator("#said").text_content() == (
        "connect-four:5x4, after 3: Yellow is to move; A draw with best play; best is 3."
    )


@pytest.mark.slow
def test_a_token_is_given_on_the_page_and_kept_for_the_tab_only(open_page: OpenPage, guarded: Explored) -> None:
    looked = open_page(guarded.url, refused=True)
    page = looked.go("/games/tic-tac-toe")
    assert page.locator("h1").inner_text() == "A token is needed"
    page.click("#token summary")
    page.fill("#token input", "nonsense")
    page.click("#token button >> nth=0")
    page.wait_for_selector("main .error")
    time.sleep(1.2)  # after a wrong token the server makes an address wait
    page.click("#token summary")
    page.fill("#token input", guarded.tokens["reader"])
    page.click("#token button >> nth=0")
    page.wait_for_selector("svg.board")
    page.click("svg.board a[data-move='5']")
    wait_for_path(looked, r".*\?moves=5$")
    page.reload()
    page.wait_for_selector("svg.board")
    assert page.evaluate("[localStorage.length, document.cookie]") == [0, ""]
    looked.page.goto(f"{guarded.url}/games/tic-tac-toe/proof?moves=5,1")
    page.wait_for_selector("#certificate")
    with page.expect_download() as download:
        page.click("#certificate")
    assert download.value.suggested_filename == "tic-tac-toe.proofbase"
    page.click("#verify button")  # a reader may not start jobs
    page.wait_for_selector("#live .error")
    page.click("#token summary")
    page.click("#token button:text-is('Forget')")
    page.wait_for_selector("h1:text-is('A token is needed')")
