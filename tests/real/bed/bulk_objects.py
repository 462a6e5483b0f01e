"""A large cluster's objects: nodes of the seven card models, eight cards each, and a pod for every card.

In the forms of card_nodes.py; each object is a pure function of its number, so that several loaders share the work and one that was
interrupted goes on.
"""

import json

from . import card_nodes
from .card_nodes import CardNode, ascend_labels, expect, gpu_labels

NODES = 12_500
CARDS_OF_A_NODE = 8
PODS = NODES * CARDS_OF_A_NODE
NAMESPACES = ("inference", "training")
STAMP = "2026-11-30T21:13:51Z"
REGIONS = ("beijing", "shenzhen", "guiyang", "ulanqab")


def card_uuid(node, slot):
    return f"GPU-{node:08x}-0000-4000-8000-{slot:012x}"


def hami_new(number):
    cards = [{"id": card_uuid(number, slot), **({"index": slot} if slot else {}), "count": 10, "devmem": 81920, "devcore": 100,
              "type": "NVIDIA A100-SXM4-80GB", "mode": "hami-core", "health": True} for slot in range(CARDS_OF_A_NODE)]
    return {"hami.io/node-nvidia-register": json.dumps(cards, separators=(",", ":"))}


def hami_old(number):
    return {"hami.io/node-nvidia-register": "".join(
        f"{card_uuid(number, slot)},10,24564,100,NVIDIA-NVIDIA GeForce RTX 4090,{slot},true,{slot},hami-core:"
        for slot in range(CARDS_OF_A_NODE))}


def labelled(product, memory, variant, model):
    def make(name, number):
        return CardNode(name, labels=gpu_labels(product, memory, CARDS_OF_A_NODE), amounts={"nvidia.com/gpu": CARDS_OF_A_NODE},
                        cards=expect("nvidia", model, variant, memory, CARDS_OF_A_NODE))
    return make


def by_hami(register, model, variant, memory):
    def make(name, number):
        return CardNode(name, annotations=register(number), amounts={"nvidia.com/gpu": 10 * CARDS_OF_A_NODE},
                        cards=expect("nvidia", model, variant, memory, CARDS_OF_A_NODE))
    return make


def ascend(name, number):
    return CardNode(name, labels=ascend_labels("910B3", "64G"), amounts={"huawei.com/Ascend910": CARDS_OF_A_NODE},
                    cards=expect("huawei", "Ascend 910B", "910B3", 65536, CARDS_OF_A_NODE))


def cambricon(name, number):
    return CardNode(name, labels={"Model": "MLU370-X8", "DriverVersion": "v5.10.29"}, amounts={"cambricon.com/mlu": CARDS_OF_A_NODE},
                    cards=expect("cambricon", "MLU370-X8", None, None, CARDS_OF_A_NODE))


# Prefix of the nodes' names, how such a node is made, the resource by which its pods ask for a card; in turn.
KINDS = (
    [("h100", labelled("NVIDIA-H100-80GB-HBM3", 81559, "SXM5-80GB", "H100"), "nvidia.com/gpu")] * 3 +
    [("a100", labelled("NVIDIA-A100-SXM4-80GB", 81920, "SXM4-80GB", "A100"), "nvidia.com/gpu")] * 3 +
    [("a100-hami", by_hami(hami_new, "A100", "SXM4-80GB", 81920), "nvidia.com/gpu")] * 3 +
    [("4090-hami", by_hami(hami_old, "RTX 4090", None, 24564), "nvidia.com/gpu")] * 4 +
    [("a10", labelled("NVIDIA-A10", 23028, None, "A10"), "nvidia.com/gpu")] * 2 +
    [("t4", labelled("Tesla-T4", 15360, None, "T4"), "nvidia.com/gpu")] * 2 +
    [("910b", ascend, "huawei.com/Ascend910")] * 6 +
    [("mlu", cambricon, "cambricon.com/mlu")] * 2)


def kind_of(number):
    return KINDS[number % len(KINDS)]


def node_name(number):
    return f"{kind_of(number)[0]}-{number:05}"


def card_node(number):
    name = node_name(number)
    return kind_of(number)[1](name, number)


def node(number):
    """As the kubelet and the device plugins leave it."""
    thing = card_node(number)
    manifest = thing.manifest()
    manifest["metadata"]["labels"].update({"topology.kubernetes.io/region": REGIONS[number % len(REGIONS)],
                                           "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux"})
    del manifest["metadata"]["annotations"][card_nodes.KWOK_ANNOTATION]
    address = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
    manifest["status"].update(
        conditions=[condition(kind, kind == "Ready", "KubeletReady" if kind == "Ready" else "KubeletHasNoPressure")
                    for kind in ("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")],
        addresses=[{"type": "InternalIP", "address": address}],
        nodeInfo={"kubeletVersion": "v1.36.3", "operatingSystem": "linux", "architecture": "amd64", "osImage": "Debian",
                  "kernelVersion": "6.1.0", "containerRuntimeVersion": "containerd://2.1.4", "machineID": "", "systemUUID": "",
                  "bootID": "", "kubeProxyVersion": ""})
    return manifest


def condition(kind, status, reason=None):
    return {"type": kind, "status": str(status), "lastTransitionTime": STAMP, **({"reason": reason} if reason else {})}


def place_of(number):
    """(namespace, name, number of the node, slot) of a pod."""
    on, slot = divmod(number, CARDS_OF_A_NODE)
    training = on % 2
    return NAMESPACES[training], f"{'tune-13b' if training else 'qwen-72b-6c8d9f7b5'}-{number:06}", on, slot


def pod(number):
    """As it is created, bound to its node; the server drops its status, which is written after it."""
    namespace, name, on, slot = place_of(number)
    prefix, _, resource = kind_of(on)
    training = namespace == "training"
    annotations = {}
    if prefix.endswith("-hami"):
        memory = 81920 if prefix.startswith("a100") else 24564
        annotations = {"hami.io/bind-phase": "success", "hami.io/vgpu-node": node_name(on),
                       "hami.io/vgpu-devices-allocated": f"{card_uuid(on, slot)},NVIDIA,{memory},100:;"}
    elif prefix == "910b":
        annotations = {"huawei.com/AscendReal": f"Ascend910-{slot}"}
    owner = {"apiVersion": "batch/v1" if training else "apps/v1", "kind": "Job" if training else "ReplicaSet",
             "name": name.rpartition("-")[0], "uid": f"8f1c2d3e-4a5b-4c6d-8e7f-{on // 100:012x}", "controller": True}
    amounts = {"cpu": "16", "memory": "128Gi", resource: "1"}
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": namespace, "annotations": annotations, "ownerReferences": [owner],
                         "labels": {"app": owner["name"], "tongchi.io/business": namespace}},
            "spec": {"nodeName": node_name(on), "restartPolicy": "Never" if training else "Always", "automountServiceAccountToken": False,
                     "containers": [{"name": "main", "image": "registry.example/serving/vllm:0.9.2",
                                     "args": ["--model", "/models/qwen-72b"],
                                     "resources": {"limits": amounts, "requests": amounts}}]}}


def running(manifest, number):
    """The same pod as its kubelet reports it."""
    status = {"phase": "Running", "startTime": STAMP,
              "conditions": [condition(kind, True) for kind in ("PodScheduled", "Ready")],
              "containerStatuses": [{"name": "main", "image": "registry.example/serving/vllm:0.9.2",
                                     "imageID": f"registry.example/serving/vllm@sha256:{number:064x}",
                                     "ready": True, "started": True, "restartCount": 0,
                                     "state": {"running": {"startedAt": STAMP}}}]}
    return {**manifest, "status": status}


def expected():
    """What the console has to say: how many cards of each model there are, and pods that tell their cards."""
    models, told = {}, 0
    for number in range(NODES):
        for card in card_node(number).cards:
            key = f"{card['vendor']}/{card['model']}"
            models[key] = models.get(key, 0) + 1
        told += CARDS_OF_A_NODE * (kind_of(number)[0].endswith("-hami") or kind_of(number)[0] == "910b")
    return {"nodes": NODES, "pods": PODS, "cards": models, "cards_with_pods": told}
