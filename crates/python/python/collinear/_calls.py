"""Calls that a pickle can name."""

from collections.abc import Callable
from typing import Any


def with_keywords(make: Callable[..., Any], keywords: dict[str, Any]) -> Any:
    """Calls `make` with keywords: a pickle of its own knows only places."""
    return make(**keywords)
