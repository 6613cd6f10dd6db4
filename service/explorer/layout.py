"""The frame of every page, its headers, and pages that tell of errors."""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.responses import HTMLResponse, RedirectResponse, Response

from proofbase.service.explorer.addresses import Place
from proofbase.service.explorer.static_files import address_of
from proofbase.service.http.failures import CHALLENGE, HTTP_STATUS
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.rpc.errors import failure_of

__all__ = ["back_to", "button", "field", "for_visitors", "job_form", "page", "refusal", "section", "sent_to"]

HEADERS = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
}
SCRIPTS = ("server.js", "jobs.js", "chart.js", "board.js")
"""What the script of the page imports: browsers load them at once."""
NAVIGATION = (("/", "Games"), ("/jobs", "Jobs"), ("/store", "Store"))


def page(title: str, *content: Content, status: int = 200, current: str = "") -> HTMLResponse:
    """A page.

    Args:
        title: of the page, also its heading.
        content: below the heading.
        status: of HTTP.
        current: the entry of the navigation that this page belongs to.
    """
    links = [tag("a", name, href=href, aria_current="page" if href == current else None) for href, name in NAVIGATION]
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{title} · proofbase"),
        tag("link", rel="icon", type="image/svg+xml", href=address_of("icon.svg")),
        tag("link", rel="stylesheet", href=address_of("pictures.css")),
        tag("link", rel="stylesheet", href=address_of("explorer.css")),
        *(tag("link", rel="modulepreload", href=address_of(name)) for name in SCRIPTS),
        tag("script", type="module", src=address_of("explorer.js")),
    )
    header = tag(
        "header",
        tag("a", "To the content", href="#content", class_="skip"),
        tag("nav", tag("a", "proofbase", href="/", class_="brand"), *links, aria_label="main"),
        tag("div", id="token-place"),
    )
    main = tag("main", tag("h1", title, tabindex=-1), *content, id="content", data_status=status)
    status_line = tag("p", role="status", aria_live="polite", id="said")
    body = tag("body", header, main, status_line, class_="proofbase")
    document = joined(Markup("<!doctype html>\n"), tag("html", head, body, lang="en"))
    return HTMLResponse(str(document), status, HEADERS)


def section(title: str, *content: Content, name: str | None = None) -> Markup:
    """A part of a page with its heading."""
    return tag("section", tag("h2", title), *content, id=name)


def back_to(place: Place) -> Markup:
    """The way back to a position."""
    return tag("p", tag("a", "Back to the position", href=place.href(), id="back-to-position"), class_="back")


def field(label: str, name: str, value: str = "", *, kind: str = "text", hint: str | None = None) -> Markup:
    """A labelled field of a form."""
    entry = tag(
        "input", name=name, value=value or None, type=kind, autocomplete="off", spellcheck="false", placeholder=hint
    )
    return tag("label", tag("span", label), entry)


def button(label: str, **attributes: str | None) -> Markup:
    """A button that needs a script: it shows when there is one."""
    return tag("button", label, type="button", hidden=True, class_="scripted", **attributes)


def job_form(name: str, label: str, seconds: int, game: str, positions: Sequence[str]) -> Markup:
    """A form that starts one job over a list of positions; it needs a script.

    Args:
        name: its id.
        label: of its button.
        seconds: for each position, at first.
        game: of the positions.
        positions: their texts, in the order in which they are solved.
    """
    return tag(
        "form",
        *(tag("input", type="hidden", name="text", value=position) for position in positions),
        field("Seconds for each position", "seconds", str(seconds), kind="number"),
        tag("button", label),
        class_="row scripted",
        hidden=True,
        id=name,
        data_start="positions",
        data_game=game,
    )


def for_visitors(text: str) -> str:
    """A message without what it says of commands and their options: a visitor has none."""
    kept = [part for part in text.split("; ") if not re.search(r"(^|\s|`)--[a-z]|\bproofbase [a-z]|register\(", part)]
    return "; ".join(kept) or "This cannot be done here."


def sent_to(address: str) -> Response:
    """Another page in place of this one."""
    return RedirectResponse(address, 303, HEADERS)


def refusal(name: str, error: Exception) -> Response:
    """The page that tells why there is no other."""
    failure = failure_of(name, error)
    status = HTTP_STATUS[failure.status]
    titles = {
        401: "A token is needed",
        403: "This token may not",
        404: "There is no such thing",
        429: "Too much at a time",
    }
    title = titles.get(status, "This cannot be shown" if status < 500 else "The server could not answer")
    hint = None
    if status == 401:
        hint = tag("p", "Give the token of this server at the top of the page. It is kept until the tab is closed.")
    back = tag("p", tag("a", "All games", href="/", class_="button"), class_="row")
    reason = tag("p", for_visitors(failure.text), class_="error", role="alert")
    response = page(title, reason, hint, back, status=status)
    if status == 401:
        response.headers["www-authenticate"] = CHALLENGE
    if failure.retry_after:
        response.headers["retry-after"] = str(failure.retry_after)
    return response
