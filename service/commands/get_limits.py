"""Tell the limits."""

from __future__ import annotations

from proofbase.service.application import Application
from proofbase.service.limits import Limits

__all__ = ["get_limits"]


def get_limits(app: Application) -> Limits:
    """What this service accepts."""
    return app.limits
