"""A server with solved games and tables, and a real browser that looks at it."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from services import fill_tic_tac_toe, serving_both

from proofbase.engine.errors import InvalidKeyError, InvalidPositionError
from proofbase.engine.games import register
from proofbase.engine.rules import Game
from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.client.local import LocalClient
from proofbase.storage import open_store

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING = "Chromium is not installed (apt-get install chromium): the page is not tested in a browser"


class Subtraction(Game[int]):
    """A user's game: take one or two of a heap of stones; who takes the last one wins."""

    name = "subtraction"

    def initial(self) -> int:
        return 7

    def terminal(self, position: int) -> int | None:
        return None if position else -1

    def moves(self, position: int) -> list[int]:
        return [move for move in (1, 2) if move <= position]

    def play(self, position: int, move: int) -> int:
        return position - move

    def key(self, position: int) -> bytes:
        return bytes([position])

    def position(self, key: bytes) -> int:
        if len(key) != 1 or key[0] > 7:
            raise InvalidKeyError(f"{key.hex()} is no heap")
        return key[0]

    def text(self, position: int) -> str:
        return f"heap-{position}"

    def parse(self, text: str) -> int:
        if not re.fullmatch("heap-[0-7]", text):
            raise InvalidPositionError(f"{text[:20]} is no heap")
        return int(text[-1])

    def draw(self, position: int) -> str:
        return "<b>stones</b>: " + "o" * position


class Hostile(Subtraction):
    """The same with texts that would be scripts if they were not escaped."""

    name = "hostile"

    def text(self, position: int) -> str:
        return f'"><img/src=x/onerror=alert({position})>'

    def parse(self, text: str) -> int:
        found = re.fullmatch(r".*\(([0-7])\)>", text)
        if not found:
            raise InvalidPositionError(f"{text[:20]} is no heap")
        return int(found[1])

    def move_text(self, position: int, move: int) -> str:
        return f"<script>{move}"

    def squares(self, position: int) -> list[str]:
        return ["<" * position + "." * (7 - position)]

    def move_squares(self, position: int, move: int) -> list[int]:
        return [position - move]


__all__ = ["Explored", "Looked", "OpenPage", "browser", "explored", "guarded", "looked", "open_page"]


@dataclass
class Explored:
    """A server that is looked at."""

    app: Application
    url: str
    client: LocalClient
    tokens: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="session")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explored]:
    """It knows all of tic-tac-toe and of connect-four:5x4, some positions of other games, and small tables of awari."""
    register("subtraction", Subtraction)
    register("hostile", Hostile)
    with Application(open_store(str(tmp_path_factory.mktemp("explorer") / "store"))) as app:
        fill_tic_tac_toe(app.resources.store)
        client = LocalClient(app, "in process")
        client.solve_all_moves("connect-four:5x4")
        client.solve("connect-four:5x4", "33")
        client.solve("qubic", "moves:0 21 1 22 2 26")
        client.solve("gomoku", "h8 a1 i8 a15 j8 o1")
        client.solve("awari", "0,0,0,0,1,2/1,0,0,0,1,1/S")
        client.solve("subtraction")
        client.solve("hostile")
        client.wait(client.start_table("awari", 3).id)
        with serving_both(app) as (_, address):
            yield Explored(app, f"http://{address}", client)


@pytest.fixture(scope="session")
def guarded() -> Iterator[Explored]:
    """A server that answers to tokens only."""
    with Application(open_store("memory:")) as app:
        fill_tic_tac_toe(app.resources.store)
        texts = {}
        for role in ("reader", "solver"):
            texts[role], token = new_token(role, role, None)
            app.resources.store.tokens().add(token)
        with serving_both(app, Security(authenticate=True)) as (_, address):
            yield Explored(app, f"http://{address}", LocalClient(app, "in process"), texts)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window. It ends with the module: until then this thread has an event loop that runs."""
    if CHROMIUM is None:
        pytest.skip(MISSING)
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@dataclass
class Looked:
    """A page of the browser, and what it has said."""

    page: Any
    base: str
    said: list[str]
    asked: list[str]

    def go(self, path: str) -> Any:
        self.page.goto(self.base + path)
        return self.page

    def until(self, expression: str, argument: object = None) -> None:
        """Waits until an expression is true. Playwright's own way of waiting is forbidden by the page's policy."""
        end = time.monotonic() + 60
        while not self.page.evaluate(expression, argument):
            assert time.monotonic() < end, expression
            time.sleep(0.02)

    def text(self, selector: str) -> str:
        return " ".join(str(self.page.locator(selector).inner_text()).split())


OpenPage = Callable[..., Looked]


@pytest.fixture
def open_page(browser: Any) -> Iterator[OpenPage]:
    """Opens pages; whatever one has said on its console, or asked of another server, fails the test in the end.

    Messages about answers with an error's status, which are the browser's own, are allowed with `refused=True`.
    """
    opened: list[tuple[Looked, bool]] = []
    contexts = []

    def open_(base: str, *, refused: bool = False, **options: Any) -> Looked:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)  # on a busy machine a search of 3 s is answered late
        looked = Looked(page, base, [], [])
        page.on("console", lambda message: looked.said.append(message.text))
        page.on("pageerror", lambda error: looked.said.append(str(error)))
        page.on("request", lambda request: looked.asked.append(request.url))
        opened.append((looked, refused))
        return looked

    yield open_
    for context in contexts:
        context.close()
    for looked, refused in opened:
        said = [text for text in looked.said if not (refused and text.startswith("Failed to load resource"))]
        assert said == []
        assert [url for url in looked.asked if not url.startswith((looked.base, "blob:" + looked.base))] == []


@pytest.fixture
def looked(open_page: OpenPage, explored: Explored) -> Looked:
    """A page on the server that knows some games."""
    return open_page(explored.url)
