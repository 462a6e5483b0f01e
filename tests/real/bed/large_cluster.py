"""A real API server with 12,500 nodes and 100,000 pods, and nothing beside it but etcd: no controller and no kubelet changes anything.

What etcd holds afterwards is kept in the cache, so that the cluster is filled once: a load that was interrupted goes on where it was,
and each run starts the same server anew on a copy.
"""

import json
import pathlib
import shutil
import sys
import time

from . import bulk_load, bulk_objects, kubernetes
from .answers import answer
from .building import COMPLETE, Engine
from .cache import cache_folder, digest, locked
from .keeper import Broken

HERE = pathlib.Path(__file__).resolve().parent
LOAD_LIMIT = 600  # seconds; two quiet cores take four to five minutes
START_LIMIT = 180  # seconds; it reads everything before it is ready, in fifteen when nothing else runs
SAYING = 15  # seconds between two words of progress
# No controller takes the taint of a node that is not ready yet off again; five tolerations more a pod would be all that is different.
QUIET = ["--disable-admission-plugins=TaintNodesByCondition,DefaultTolerationSeconds"]


def kept_folder():
    """Named by what is loaded and by who keeps it."""
    samples = [[bulk_objects.node(number) for number in range(len(bulk_objects.KINDS))],
               [bulk_objects.running(bulk_objects.pod(number), number)
                for number in range(len(bulk_objects.KINDS) * bulk_objects.CARDS_OF_A_NODE)]]
    engines = [Engine(name).folder.name for name in ("etcd", "kubernetes")]
    return cache_folder() / f"large-cluster-{digest(json.dumps(samples), str(bulk_objects.NODES), str(bulk_load.WAY), *QUIET, *engines)}"


def start_large_cluster(run):
    if "apiserver" in run.processes:
        raise Broken("large-cluster and kubernetes need runs of their own")
    kept = kept_folder()
    with locked(kept):
        if not (kept / COMPLETE).exists():
            fill(run, kept)
        shutil.rmtree(run.folder / "etcd", ignore_errors=True)
        shutil.copytree(kept / "etcd", run.folder / "etcd")
    kubernetes.start_etcd(run)
    kubernetes.start_apiserver(run, *QUIET, limit=START_LIMIT)
    (run.folder / "large-cluster.json").write_text(json.dumps(bulk_objects.expected()))


def fill(run, kept):
    """Leaves the data of a stopped etcd in `kept`."""
    kubernetes.start_etcd(run, data=kept / "etcd")
    # Garbage is collected less often than the server would by itself, as long as there is little of it.
    kubernetes.start_apiserver(run, *QUIET, env={"GOGC": 400, "GOMEMLIMIT": "6GiB"}, limit=START_LIMIT)
    run.start("loader", sys.executable, "-m", "bed.bulk_load", run.urls["kubernetes"], run.facts["ca"], "admin-token", cwd=HERE.parent)
    said = time.monotonic()

    def loaded():
        nonlocal said
        if time.monotonic() - said > SAYING:
            said = time.monotonic()
            run.say(f"large-cluster: {run.last_words('loader', 1)}")
        return run.processes["loader"].running.poll() == 0

    try:
        run.wait("loader", loaded, LOAD_LIMIT)
    except Broken as problem:
        raise Broken(f"{problem}\nwhat was loaded is kept: the next start goes on from there") from None
    run.end("loader")
    run.end("apiserver")
    compact(run.urls["etcd"])
    run.end("etcd")
    for name in ("loader", "apiserver", "etcd"):
        del run.processes[name]
    (kept / COMPLETE).write_text("large-cluster\n")


def compact(etcd):
    """Each pod was written twice: forgets the first version, and gives its room back."""

    def ask(path, value):
        status, body = answer(etcd + path, json.dumps(value).encode(), timeout=60)
        if status != 200:
            raise Broken(f"etcd: {path}: {status} {body[-300:]!r}")
        return json.loads(body)

    revision = ask("/v3/kv/range", {"key": "AA==", "count_only": True})["header"]["revision"]
    ask("/v3/kv/compaction", {"revision": revision, "physical": True})
    ask("/v3/maintenance/defragment", {})
