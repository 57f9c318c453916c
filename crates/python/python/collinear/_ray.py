"""The cluster that runs and proofs are done on."""

import sys
from typing import Any, TextIO

import ray


def connect(address: str | None) -> None:
    """Joins the cluster at this address, or starts one here, unless there is one already."""
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)


def cancel(tasks: list[Any]) -> None:
    """Ends tasks that nobody waits for any more."""
    for task in tasks:
        ray.cancel(task, force=True)


def keep_stdout() -> TextIO:
    """Standard output for an answer alone: what Ray says there of lost nodes goes to standard error."""
    answer, sys.stdout = sys.stdout, sys.stderr
    return answer
