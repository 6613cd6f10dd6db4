"""Ask for the limits."""

from __future__ import annotations

from proofbase.service.limits import Limits
from proofbase.service.resources import Resources

__all__ = ["get_limits"]


def get_limits(resources: Resources) -> Limits:
    """What this service accepts."""
    return resources.limits
