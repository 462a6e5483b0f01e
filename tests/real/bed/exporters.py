"""What the exporters of the card nodes say: pages of DCGM exporter, npu-exporter and mlu-exporter, as text.

Run as a program it serves them: exporters FOLDER PORT, a file a node. The values do not move, so that a test knows them.
"""

import functools
import http.server
import sys

from . import card_nodes
from .card_nodes import MIB

# Which exporter looks at which nodes. The others are known from Kubernetes alone.
EXPORTERS = {
    "dcgm": ("labels-h100", "labels-t4", "labels-a10", "time-slicing", "hami-old", "hami-new", "dra", "dra-pool"),
    "npu": ("ascend-910b3", "ascend-910b4", "hami-ascend"),
    "mlu": ("mlu-plain",),
}
JOBS = {"dcgm": "nvidia-dcgm-exporter", "npu": "npu-exporter", "mlu": "mlu-exporter"}
PRODUCTS = {"H100": "NVIDIA H100 80GB HBM3", "T4": "Tesla T4", "A10": "NVIDIA A10", "RTX 4090": "NVIDIA GeForce RTX 4090",
            "A100": "NVIDIA A100-SXM4-80GB"}
MEASURED = ("utilization_percent", "memory_used_bytes", "temperature_celsius", "power_watts")


class Sample:
    """One card as its exporter sees it; all from the node's place and the card's slot."""

    def __init__(self, node, number, slot, card):
        self.node, self.slot, self.card = node, slot, card
        self.memory_mib = (card["memory_bytes"] or 48 * 1024 * MIB) // MIB
        self.utilization = (37 * number + 13 * slot) % 101
        self.used_mib = self.memory_mib * (20 + 9 * slot) // 100
        self.celsius = 38 + (number + 5 * slot) % 40
        self.watts = 60 + 10 * slot + number
        self.uuid = card.get("uuid") or f"GPU-{number:08x}-0000-4000-8000-{slot:012x}"

    def expected(self):
        return dict(zip(MEASURED, (self.utilization, self.used_mib * MIB, self.celsius, self.watts)))

    def series(self, exporter):
        """(metric, labels, value) of this card."""
        return getattr(self, "_" + exporter)()

    def _dcgm(self):
        labels = {"gpu": self.slot, "UUID": self.uuid, "pci_bus_id": f"00000000:{self.slot + 1:02X}:00.0",
                  "device": f"nvidia{self.slot}", "modelName": PRODUCTS[self.card["model"]], "Hostname": self.node}
        values = {"GPU_UTIL": self.utilization, "FB_USED": self.used_mib, "FB_FREE": self.memory_mib - self.used_mib,
                  "FB_RESERVED": 0, "GPU_TEMP": self.celsius, "POWER_USAGE": self.watts, "XID_ERRORS": 0}
        return [(f"DCGM_FI_DEV_{name}", labels, value) for name, value in values.items()]

    def _npu(self):
        name = self.card["variant"]
        labels = {"id": self.slot, "model_name": f"{name}-Ascend-V1", "vdie_id": self.uuid.removeprefix("GPU-"),
                  "pcie_bus_info": f"0000:{self.slot + 1:02X}:00.0", "node": self.node}
        values = {"utilization": self.utilization, "hbm_used_memory": self.used_mib, "hbm_total_memory": self.memory_mib,
                  "temperature": self.celsius, "power": self.watts, "health_status": int(self.card.get("health") != "unhealthy")}
        return [(f"npu_chip_info_{name}", labels, value) for name, value in values.items()]

    def _mlu(self):
        labels = {"mlu": self.slot, "model": "MLU370-X8", "type": "mlu370", "sn": f"{self.slot:012x}",
                  "uuid": "MLU-" + self.uuid.removeprefix("GPU-"), "node": self.node}
        values = {"utilization": self.utilization, "memory_used": self.used_mib * MIB, "memory_total": self.memory_mib * MIB,
                  "chip_temperature": self.celsius, "power_usage": self.watts, "health": 1}
        return [(f"mlu_{name}", labels, value) for name, value in values.items()]


def samples():
    """{(exporter, node): [Sample]}, by slot."""
    nodes = {node.name: node for node in card_nodes.all_nodes()}
    found = {}
    for exporter, names in EXPORTERS.items():
        for name in names:
            number = len(found) + 1
            found[exporter, name] = [Sample(name, number, slot, card) for slot, card in enumerate(nodes[name].cards)]
    return found


def line(metric, labels, value, *more):
    text = ",".join(f'{key}="{word}"' for key, word in labels.items())
    return " ".join([f"{metric}{{{text}}}", str(value), *map(str, more)])


def page(exporter, cards):
    by_metric = {}
    for card in cards:
        for metric, labels, value in card.series(exporter):
            by_metric.setdefault(metric, []).append(line(metric, labels, value))
    return "".join(f"# TYPE {metric} gauge\n" + "\n".join(lines) + "\n" for metric, lines in by_metric.items())


def write_pages(folder):
    """One file a node: its exporter's answer."""
    folder.mkdir()
    for (exporter, node), cards in samples().items():
        (folder / node).write_text(page(exporter, cards))


def scrapes(address):
    """Jobs for Prometheus' configuration, a target a node."""
    return [{"job_name": JOBS[exporter], "honor_labels": True,
             "static_configs": [{"targets": [address], "labels": {"__metrics_path__": f"/{node}", "instance": f"{node}:9400"}}
                                for node in nodes]} for exporter, nodes in EXPORTERS.items()]


class Pages(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def guess_type(self, path):
        return "text/plain; version=0.0.4"


def serve(folder, port):
    handler = functools.partial(Pages, directory=folder)
    http.server.ThreadingHTTPServer(("127.0.0.1", port), handler).serve_forever()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
