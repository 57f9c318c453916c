"""A Ray cluster on one machine, and what kills its parts.

The nodes of `ray.cluster_utils.Cluster` are processes of their own with folders of their own.
"""

import random
import signal
from pathlib import Path

import psutil
from ray.cluster_utils import Cluster


def start(folders: list[Path]) -> Cluster:
    """A head that does no work, and a node of one processor for each folder."""
    home = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    for folder in folders:
        add_node(home, folder)
    return home


def add_node(home: Cluster, folder: Path, tries: int = 4) -> None:
    """Ray gives a node half a minute to start, which a busy machine may not keep."""
    try:
        home.add_node(num_cpus=1, env_vars={"TMPDIR": str(folder)})
    except Exception:
        if tries == 1:
            raise
        add_node(home, folder, tries - 1)


def kill_a_worker(task: str, chance: random.Random) -> bool:
    """Kills a process that is doing a task of this name, if there is one."""
    processes = psutil.process_iter(["cmdline"])
    busy = [one for one in processes if f"ray::{task}" in " ".join(one.info["cmdline"] or [])]
    try:
        chance.choice(busy).send_signal(signal.SIGKILL)
    except (IndexError, psutil.NoSuchProcess):
        return False
    return True
