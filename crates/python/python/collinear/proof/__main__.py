"""`python -m collinear.proof FILE…`: checks certificates, the first that is refused ends it."""

import sys
from pathlib import Path

from .check import check

for path in sys.argv[1:]:
    try:
        print(path, *check(Path(path).read_bytes()), flush=True)
    except (OSError, ValueError, LookupError) as fault:
        sys.exit(f"{path}: refused: {fault}")
