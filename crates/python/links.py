"""Follows every link of a built site that stays inside it: files and anchors must exist.

`python crates/python/links.py target/book`
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the anchors of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name in ("id", "name"):
                self.anchors.add(value)
            if value and (tag, name) in (("a", "href"), ("img", "src"), ("link", "href")):
                self.links.append(value)


def main(folder: Path) -> None:
    # The page for printing repeats all others, and the one for errors is served from anywhere.
    files = [file for file in folder.rglob("*.html") if file.name not in ("print.html", "404.html")]
    pages = {file.resolve(): Page(file.read_text()) for file in files}
    broken = []
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.exists():
                broken.append(f"{file.name}: {link}: there is no such file")
            elif parts.fragment and target in pages:
                if unquote(parts.fragment) not in pages[target].anchors:
                    broken.append(f"{file.name}: {link}: there is no such place")
    if broken or not pages:
        sys.exit("\n".join(broken) or f"{folder}: there are no pages")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
