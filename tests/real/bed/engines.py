"""Which engines can be started, what each needs, and in which order."""

from . import cards, kueue_keda, kubernetes, large_cluster, services
from .keeper import Broken

# Engine -> (how it is started, engines that run before it, recipes that have to be there).
ENGINES = {
    "etcd": (kubernetes.start_etcd, (), ("etcd",)),
    "kubernetes": (kubernetes.start_kubernetes, ("etcd",), ("kubernetes",)),
    # etcd and the API server of its own, in place of the two above.
    "large-cluster": (large_cluster.start_large_cluster, (), ("etcd", "kubernetes")),
    "kwok": (kubernetes.start_kwok, ("kubernetes",), ("kwok",)),
    "cards": (cards.start_cards, ("kwok",), ()),
    "kueue": (kueue_keda.start_kueue, ("kwok",), ("kueue",)),
    "keda": (kueue_keda.start_keda, ("kwok",), ("keda",)),
    "node-exporter": (services.start_node_exporter, (), ("node-exporter",)),
    "alertmanager": (services.start_alertmanager, (), ("alertmanager",)),
    "prometheus": (services.start_prometheus, (), ("prometheus",)),
    "versitygw": (services.start_versitygw, (), ("versitygw",)),
    "ceph": (services.start_ceph, (), ("ceph",)),
    "triton": (services.start_triton, (), ("triton",)),
    "mlserver": (services.start_mlserver, (), ("mlserver",)),
    "llama-server": (services.start_llama_server, (), ("llama-server", "model-tools")),
}
START = {name: engine[0] for name, engine in ENGINES.items()}


def in_order(wanted, bare, started=()):
    """What has to be started, dependencies first. Unless `bare`, Kubernetes comes with card nodes and what runs on them."""
    unknown = [name for name in wanted if name not in ENGINES]
    if unknown:
        raise Broken(f"no engine {', '.join(unknown)}; there are {', '.join(ENGINES)}")
    needed = set()

    def add(name):
        if name not in needed and name not in started:
            needed.add(name)
            for other in ENGINES[name][1]:
                add(other)

    for name in wanted:
        add(name)
    if "kubernetes" in wanted and not bare:
        add("cards")
    return [name for name in ENGINES if name in needed]


def recipes_of(names):
    """What has to be in the cache for these engines."""
    return list(dict.fromkeys(recipe for name in names for recipe in ENGINES[name][2]))
