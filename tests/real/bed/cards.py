"""A cluster as an operator has it: nodes of all seven card models, what runs on them, and their exporters."""

import json
import pathlib
import sys

from . import card_nodes, exporters
from .answers import answers
from .kubernetes import kubectl


def start_cards(run):
    make_objects(run)
    pages = run.folder / "exporters"
    exporters.write_pages(pages)
    address = run.address("exporters")
    run.start("exporters", sys.executable, "-m", "bed.exporters", pages, run.port("exporters"),
              cwd=pathlib.Path(__file__).resolve().parent.parent, ready=answers(f"http://{address}/labels-h100"))
    run.facts["scrapes"] = exporters.scrapes(address)
    (run.folder / "cards.json").write_text(json.dumps(expected(), indent=1))


def expected():
    """What the console has to say: nodes with their cards by slot, pods by card, and held counts."""
    seen = {node: cards for (_, node), cards in exporters.samples().items()}
    nodes = []
    for node in card_nodes.all_nodes():
        cards = [with_exporter(card, sample) for card, sample in zip(node.cards, seen.get(node.name, [None] * len(node.cards)))]
        nodes.append({"name": node.name, "schedulable": node.schedulable, "cards": cards})
    return {"nodes": nodes, "namespace": card_nodes.NAMESPACE, "held": card_nodes.HELD,
            "workloads": {name: {"node": node, "slots": slots} for name, (node, slots) in card_nodes.WORKLOADS.items()}}


def with_exporter(card, sample):
    """What is to be said of a card whose exporter, if any, says this."""
    if sample is None:
        return {**card, **dict.fromkeys(exporters.MEASURED)}
    told = {**card, **sample.expected()}
    if "sources" in card:
        told["sources"] = [*card["sources"], "exporter"]
    if card["memory_bytes"] is None:  # nobody else knows it
        told["memory_bytes"] = sample.memory_mib * exporters.MIB
    return told


def make_objects(run):
    nodes = card_nodes.all_nodes()
    kubectl(run, "create", "namespace", card_nodes.NAMESPACE)
    kubectl(run, "create", "-f", "-", objects=[node.manifest() for node in nodes])
    kubectl(run, "create", "-f", "-", objects=[thing for node in nodes for thing in node.others])
    kubectl(run, "wait", "--for=condition=Ready", "node", "--all", "--timeout=60s")
    run.wait("controller-manager", lambda: kubectl(run, "-n", card_nodes.NAMESPACE, "get", "serviceaccount", "default",
                                                   "--ignore-not-found", "-o", "name"))
    kubectl(run, "create", "-f", "-", objects=[pod for node in nodes for pod in node.pods])
    kubectl(run, "create", "-f", "-", objects=card_nodes.all_workloads())
    wanted = sum(len(node.pods) for node in nodes) + sum(
        thing["spec"].get("replicas", thing["spec"].get("parallelism")) for thing in card_nodes.all_workloads())
    run.wait("scheduler", lambda: ready_pods(run) == wanted)


def ready_pods(run):
    pods = json.loads(kubectl(run, "-n", card_nodes.NAMESPACE, "get", "pods", "-o", "json"))["items"]
    return sum(any(each["type"] == "Ready" and each["status"] == "True" for each in pod["status"].get("conditions", []))
               for pod in pods)
