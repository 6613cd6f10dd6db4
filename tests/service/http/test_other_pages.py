"""A page of another origin in a real browser, against a server on a loopback address that answers everybody."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from looking import CHROMIUM, MISSING
from services import serving_both

from proofbase.service.application import Application
from proofbase.service.commands.solutions import lookup_with_search
from proofbase.storage import open_store

PAGE = """<!doctype html><body><iframe src="URL/"></iframe><iframe name="answers"></iframe>
<form action="URL/proofbase.v1.Jobs/StartSolve" method="post" enctype="text/plain" target="answers">
<input name='{"game":"tic-tac-toe","algorithm":"' value='"}'></form>
<script>
async function attack() {
  const body = '{"game":"tic-tac-toe"}', start = "URL/proofbase.v1.Jobs/StartVerification", read = [];
  for (const kind of [undefined, "text/plain", "application/json", "text/plain;application/json"]) {
    for (const mode of ["no-cors", "cors"]) {
      const headers = kind ? { "content-type": kind } : {};
      await fetch(start, { method: "POST", mode, headers, body }).then((answer) => read.push(answer.status), () => {});
    }
    navigator.sendBeacon(start, new Blob([body], { type: kind ?? "" }));
  }
  const search = "URL/v1/games/connect-four/positions/-?search_nodes=9";
  await fetch(search, { mode: "no-cors" });
  await fetch(search).then((answer) => read.push(answer.status), () => {});
  for (const name of ["img", "script", "link"]) {
    const element = Object.assign(document.createElement(name), { src: search, href: search, rel: "stylesheet" });
    await new Promise((done) => { element.onload = element.onerror = done; document.body.append(element); });
  }
  document.forms[0].submit();
  await new Promise((done) => { document.querySelector("[name=answers]").onload = done; });
  return [...read.filter((status) => status), frames[0].length];
}
</script>"""


def test_a_page_of_elsewhere_reads_writes_and_begins_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if CHROMIUM is None:
        pytest.skip(MISSING)
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    searched = list[Any]()
    monkeypatch.setattr(lookup_with_search, "search_position", lambda *asked: searched.append(asked))
    with Application(open_store(str(tmp_path / "store"))) as app, serving_both(app) as (_, http):
        port = http.rpartition(":")[2]
        urls = [f"http://{http}", f"http://localhost:{port}", f"http://rebound.example:{port}"]

        class Pages(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(b"" if "." in self.path else PAGE.replace("URL", urls[int(self.path[1:])]).encode())

            def log_message(self, *_: Any) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as pages, api.sync_playwright() as playwright:
            threading.Thread(target=pages.serve_forever, daemon=True).start()
            arguments = ["--no-sandbox", "--host-resolver-rules=MAP *.example 127.0.0.1"]
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
            for host in ("127.0.0.1", "localhost", "elsewhere.example"):
                for number in range(len(urls)):
                    page = browser.new_page()
                    page.goto(f"http://{host}:{pages.server_port}/{number}")
                    assert page.evaluate("attack()") == [0], (host, number)
            page = browser.new_page()
            assert page.goto(urls[2]).status == 403, "the name leads here, and the page is its own"
            assert page.goto(urls[0]).status == 200
            browser.close()
            pages.shutdown()
        with app.resources.store.contents() as contents:
            assert searched == [*contents.jobs()] == []
