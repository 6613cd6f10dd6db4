"""Commands for whoever runs a service: serve and migrate."""

from __future__ import annotations

__all__ = ["migrate", "serve"]
