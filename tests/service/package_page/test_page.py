"""The page of a package in a browser, behind several servers of files, as a user sees it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from looking import Looked, OpenPage
from range_server import FileServer, serving
from waits import until

from proofbase.engine import open_rules
from proofbase.engine.records import Claim, Evidence, Record, Side, encode_record
from proofbase.service.cli import run
from proofbase.storage import open_store
from proofbase.storage.package import files
from proofbase.storage.package.writing import write_manifest, write_solution


def shows(looked: Looked, selector: str, text: str) -> None:
    """Waits until an element has a text in it."""
    looked.until("([selector, text]) => document.querySelector(selector)?.textContent.includes(text)", [selector, text])


def test_a_file_that_goes_on_in_others_is_read(
    open_page: OpenPage, filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGEST_FILE", 500)
    for game in ("tic-tac-toe", "awari"):
        assert run(["publish", game, str(tmp_path / "split"), "--licence", "CC0-1.0", "--store", filled]) == 0
    with serving(tmp_path / "split") as server:
        looked = open_page(server.url)
        looked.go("/#game=tic-tac-toe")
        shows(looked, "#value", "A draw with best play")
        looked.go("/#game=awari&at=0,0,0,0,0,1/0,0,0,1,1,1/S")
        shows(looked, "#evidence", "table")
        assert any(".blocks.1" in target for target, _, _ in server.log)


def test_a_user_looks_around(looked: Looked, served: FileServer) -> None:
    served.requests()
    page = looked.go("/")
    scripts = [target for target, _, _ in served.log if target.endswith((".js", ".css"))]
    assert sorted(scripts) == ["/page.css", "/page.js"], "one file each: they are asked for at once"
    assert "Licence CC0-1.0" in looked.text("#overview") and page.locator("#no-page").count() == 0
    served.requests()
    page.click("#overview a:text-is('tic-tac-toe')")
    shows(looked, "#value", "A draw with best play")
    asked = [target for target, _, _ in served.log if target.endswith((".json", ".blocks"))]
    assert len(asked) == 3  # the manifest, a page of the index, a block
    page.click("svg.board a[data-move='5']")
    shows(looked, "#shown code", ".../.x./...")
    page.click("svg.board a[data-move='2']")
    shows(looked, "#value", "X wins within 3 moves, whatever O does; best are")
    assert looked.text("#evidence").count("holds") == 1 and "does NOT" not in looked.text("#evidence")
    assert "moves=5%2C2" in page.url and "X wins" in looked.text("#said")
    page.click("#best-play")
    shows(looked, "#line", "The line stops: the game is over.")
    assert page.locator("#line li").count() == 5
    page.click("#line li:last-of-type a")
    shows(looked, "#value", "The game is over: X has won.")
    page.go_back()
    shows(looked, "#value", "X wins within 3 moves")
    page.fill("#text", "1 2 3")
    page.keyboard.press("Enter")
    shows(looked, "#shown code", "xox/.../...")
    page.fill("#text", "1 1")
    page.keyboard.press("Enter")
    shows(looked, "[role=alert]", "1 is not a legal move here.")
    page.fill("#text", "xox/o../...")
    page.keyboard.press("Enter")
    shows(looked, "#shown code", "xox/o../...")
    page.click("nav a")
    looked.until("() => !document.getElementById('overview').hidden")


def test_games_of_every_kind(looked: Looked) -> None:
    for address, text in {
        "#game=awari&at=0,0,0,0,1,1/0,2,0,0,1,0/S": "South loses by 5 with best play; best are B2 and E1.",
        "#game=connect-four%3A5x4": "A draw with best play; best",
        "#game=gomoku&moves=h8,a1,i8,a15,j8,o1": "Black wins within",
        "#game=qubic&moves=0,21,1,22,2,26": "Red wins with the next move; best is 3.",
        "#game=gomoku": "Not in this package: who wins, with Black to move, is not known.",
    }.items():
        looked.go("/" + address)
        looked.page.reload()
        shows(looked, "#value", text)
        by_table = address.startswith("#game=awari")
        assert "does NOT" not in looked.text("#shown") and ("not checked" in looked.text("#shown")) == by_table
        assert by_table == ("By table: not checked here." in looked.text("#value"))
    looked.go("/#game=within:4:tic-tac-toe")
    shows(looked, "#shown", "This page has no rules of this game.")
    assert f"proofbase lookup within:4:tic-tac-toe --store {looked.base}" in looked.text("#shown pre")
    looked.go("/#game=chess")
    shows(looked, "#shown", "This package has no game chess.")


@pytest.mark.parametrize("ranges", ["several", "one", "none"])
def test_any_server_of_files_will_do(package: Path, open_page: OpenPage, ranges: str) -> None:
    with serving(package, ranges) as server:  # type: ignore[arg-type]
        looked = open_page(server.url)
        looked.go("/#game=connect-four%3A5x4&moves=3,3")
        shows(looked, "#checked", "Each claim was checked in this browser")
        whole = [entry for entry in server.log if entry[0].endswith("5x4.blocks") and entry[1] == 200]
        assert bool(whole) == (ranges == "none")
        large = """async (url) => {
          const { Files } = (await import("/page.js")).modules["page-files.js"];
          const files = new Files(url, new Map([["manifest.json", 2 ** 30]]));
          try { return (await files.read("manifest.json", [[0, 9], [4000, 5]])).map((part) => part.length); }
          catch (error) { return error.message; }
        }"""
        found = looked.page.evaluate(large, server.url)
        assert found == [9, 5] if ranges != "none" else "does not answer requests for parts" in found
        wanted = {"several": [206], "one": [200, 206, 206], "none": [200, 200, 200]}[ranges]
        # Where the page has said that it gives up, its last request may still be under way.
        until(lambda: len([entry for entry in server.log if entry[0] == "/manifest.json"]) > len(wanted))
        assert [status for target, status, _ in server.log if target == "/manifest.json"][1:] == wanted


def test_a_busy_server_and_one_that_signs_addresses_are_read(package: Path, open_page: OpenPage) -> None:
    with serving(package) as server:
        server.signs = True
        looked = open_page(server.url)
        server.busy = [(429, "2")]
        looked.go("/#game=connect-four%3A5x4&moves=3,3")
        shows(looked, "#shown", "The server of this package is busy: it is asked again in 2 seconds.")
        shows(looked, "#checked", "Each claim was checked in this browser")
        assert [status for _, status, _ in server.log if status >= 400 and status != 404] == [429]
        looked.said.clear()  # the browser's own words on an answer of 429


def test_damage_is_told_and_not_shown(package: Path, tmp_path: Path, open_page: OpenPage) -> None:
    directory = tmp_path / "damaged"
    shutil.copytree(package, directory)
    block = directory / "tic-tac-toe.blocks"
    data = bytearray(block.read_bytes())
    data[40] ^= 1
    block.write_bytes(data)
    with serving(directory) as server:
        looked = open_page(server.url)
        looked.go("/#game=tic-tac-toe")
        shows(
            looked, "[role=alert]", "tic-tac-toe.blocks is damaged: its bytes from 0 on are not as they were written."
        )
        assert looked.page.locator("svg.board").count() == 0
        manifest = directory / "manifest.json"
        manifest.write_bytes(manifest.read_bytes().replace(b'"CC0-1.0"', b'"CC0-1.1"'))
        looked.page.reload()
        shows(looked, "[role=alert]", "The manifest is damaged")


def test_texts_stay_texts(filled: str, tmp_path: Path, open_page: OpenPage) -> None:
    mark = "<img src=x onerror=alert(1)>"
    options = ["--licence", "CC0-1.0", "--author", mark, "--title", mark, "--store", filled]
    assert run(["publish", "tic-tac-toe", str(tmp_path / "p"), *options]) == 0
    with serving(tmp_path / "p") as server:
        looked = open_page(server.url)
        looked.go("/#game=tic-tac-toe")
        shows(looked, "#about", mark)
        looked.page.click("svg.board a[data-move='5']")
        shows(looked, "#shown code", ".../.x./...")
        for address in (f"#game={mark}", f"#game=tic-tac-toe&at={mark}/", f"#game=tic-tac-toe&moves={mark}"):
            looked.go("/" + address)
            looked.page.reload()
            looked.until("() => !!document.querySelector('#shown [role=alert]')")
        assert looked.page.locator("img").count() == 0
        policy = looked.page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
        assert "default-src 'none'" in policy and "unsafe" not in policy
        looked.page.evaluate(
            "() => { const s = document.createElement('script'); s.text = 'window.ran = 1'; document.head.append(s); }"
        )
        assert looked.page.evaluate("() => window.ran") is None
        assert any("Content Security Policy" in text for text in looked.said)
        looked.said.clear()


def test_wrong_claims_are_named(package: Path, looked: Looked) -> None:
    """A record that says too much, where its bytes are as they were written."""
    check = """async () => {
      const { modules } = await import("/page.js");
      const { openRules } = modules["page-rules.js"], { checkRecord } = modules["page-check.js"];
      const game = openRules("tic-tac-toe"), position = game.initial();
      const claim = { side: "lower", bound: 1, rank: 9, witness: 4, evidence: "children" };
      return checkRecord(game, game.key(position), [claim], { claims: new Map(), values: new Map() });
    }"""
    looked.go("/")
    assert looked.page.evaluate(check) == [
        {"state": "broken", "rule": "child: after 5 nothing says at most -1 with a rank below 9"}
    ]
    assert json.loads((package / "manifest.json").read_text())["package"] == 1


def test_a_record_that_does_not_hold_is_not_shown_as_a_value(
    package: Path, tmp_path: Path, open_page: OpenPage
) -> None:
    """Its bytes are as they were written. Who has checked it is what the package says."""
    game = open_rules("tic-tac-toe")
    won = Record.of([Claim(Side.LOWER, 1, 9, Evidence.CHILDREN, 4), Claim(Side.UPPER, 1, 9, Evidence.CHILDREN)])
    with open_store(str(package), read_only=True) as true:
        records = dict(true.scan("tic-tac-toe"))
    false = tmp_path / "false"
    shutil.copytree(package, false)
    records |= {game.key(game.initial()): encode_record(won)}
    about, _ = write_solution(false / "tic-tac-toe.blocks", "tic-tac-toe", sorted(records.items()), [])
    document = json.loads((package / "manifest.json").read_text())
    entry = next(solution for solution in document["solutions"] if solution["game"] == "tic-tac-toe")
    check = {
        "by": "The Institute",
        "when": "2026-01-01T00:00:00Z",
        "program": "proofbase 9",
        "records": 627,
        "failed": 0,
    }
    entry |= {"records": about, "checks": [check]}
    names = [file["name"] for file in document["files"]]
    write_manifest(false, document, document["solutions"], [], names)
    with serving(false) as server:
        looked = open_page(server.url)
        looked.go("/#game=tic-tac-toe")
        shows(looked, "#checked", "1 claim of this position does not hold: the package is wrong here.")
        shows(
            looked,
            "#shown > [role=alert]",
            "The package is wrong here, and what it says of this position is not shown.",
        )
        assert looked.page.locator("#value, svg.board, #shown .moves").count() == 0
        assert "the package says checked 2026-01-01 by The Institute with proofbase 9" in looked.text("#about")
        looked.go("/#game=tic-tac-toe&moves=1")
        shows(looked, "#value", "A draw with best play")
        assert "The values of moves are what the package says" in looked.text("#shown .package")


def test_what_rests_on_a_table_is_not_said_to_be_checked(looked: Looked) -> None:
    """A claim by a table, and one that only a table's entry of the position after its move carries."""
    check = """async (evidence) => {
      const { modules } = await import("/page.js");
      const { openRules } = modules["page-rules.js"], { checkRecord } = modules["page-check.js"];
      const game = openRules("awari"), position = game.parse("0,0,0,0,1,1/0,2,0,0,1,0/S"), key = game.key(position);
      const children = game.moves(position).map((move) => game.key(game.play(position, move)));
      const worth = (value) => new Map([[key, -value], ...children.map((child) => [child, value])]);
      const claim = { side: "upper", bound: 0, rank: 0, witness: null, evidence, table: game.tableEntry(position)[0] };
      const found = (value) => checkRecord(game, key, [claim], { claims: new Map(), values: worth(value) })[0].state;
      return [found(0), found(-1)];
    }"""
    looked.go("/")
    for evidence in ("table", "children"):
        assert looked.page.evaluate(check, evidence) == ["unchecked", "broken"]


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_page(open_page: OpenPage, served: FileServer, width: int) -> None:
    looked = open_page(served.url, viewport={"width": width, "height": 800})
    for address in ("", "#game=tic-tac-toe&moves=5,2", "#game=gomoku&moves=h8,a1,i8,a15,j8,o1", "#game=qubic&moves=1"):
        looked.go("/" + address)
        looked.page.reload()
        if address:
            looked.until("() => !!document.querySelector('#shown h1')")
        assert looked.page.evaluate("document.documentElement.scrollWidth") <= width, address
