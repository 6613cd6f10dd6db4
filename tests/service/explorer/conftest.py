"""Fixtures of the tests of the page."""

from __future__ import annotations

from looking import browser, explored, guarded, looked, open_page

__all__ = ["browser", "explored", "guarded", "looked", "open_page"]
