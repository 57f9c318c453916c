"""The board page, with the agents registered here."""

import sys
import webbrowser
from pathlib import Path

from collinear import _native


def serve(port: int = 0, *, data: str | Path | None = None, open_browser: bool = True) -> None:
    """Serves the board page until Ctrl-C; agents given to `register` can be played on it.

    Without `data`, a folder, games are kept in memory only.
    """

    def ready(url: str) -> None:
        print(f"Collinear is at {url}   (Ctrl-C ends it)", file=sys.stderr, flush=True)
        if open_browser:
            webbrowser.open(url)

    _native.serve(ready, port, None if data is None else str(data))
