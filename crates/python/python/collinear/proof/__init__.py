"""A checker of certificates in plain Python, for people who trust nobody.

It uses nothing but the standard library: `python -m collinear.proof FILE`, or without the package
`PYTHONPATH=crates/python/python/collinear python -m proof FILE`. `check.py` reads a certificate and goes through its
strategies, `zones.py` through wins by relevance zones, and `board.py` knows the rules. The format and the argument
behind each step are in docs/prove.md.
"""

from .board import Refused
from .check import check

__all__ = ["Refused", "check"]
