"""The cluster that runs and proofs are done on."""

from typing import Any

import ray


def connect(address: str | None) -> None:
    """Joins the cluster at this address, or starts one here, unless there is one already."""
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)


def cancel(tasks: list[Any]) -> None:
    """Ends tasks that nobody waits for any more."""
    for task in tasks:
        ray.cancel(task, force=True)
