"""Fourteen days of history of the card nodes, written by promtool into Prometheus' folder before it starts."""

import math
import subprocess
import time

from . import exporters
from .building import Engine
from .keeper import Broken

DAYS, STEP = 14, 240  # seconds: a query looks back five minutes
FRESH = 3 * 3600  # what is newer belongs to the running server
UTILIZATION = {"dcgm": "DCGM_FI_DEV_GPU_UTIL", "npu": "npu_chip_info_utilization", "mlu": "mlu_utilization"}


def load(times, phase):
    """Per cent at each time: low at night, high by day, in the zone of the pool (UTC+8)."""
    day, base = 86400, 8 * 3600
    return [round(50 - 42 * math.cos(2 * math.pi * ((time + base) % day) / day) + 6 * math.sin((time // STEP + phase) * 0.7))
            for time in times]


def write(path, now):
    """OpenMetrics text: the utilization of every card that an exporter sees."""
    times = range(int(now - DAYS * 86400) // STEP * STEP, int(now) - FRESH, STEP)
    shapes = [load(times, phase) for phase in range(16)]
    with open(path, "w") as file:
        count = 0
        for exporter, metric in UTILIZATION.items():
            file.write(f"# TYPE {metric} gauge\n")
            for (kind, node), cards in exporters.samples().items():
                if kind != exporter:
                    continue
                for card in cards:
                    labels = next(labels for name, labels, _ in card.series(exporter) if name == metric)
                    series = exporters.line(metric, {**labels, "instance": f"{node}:9400", "job": exporters.JOBS[exporter]}, "")
                    file.write("".join(f"{series}{value} {at}\n" for at, value in zip(times, shapes[count % len(shapes)])))
                    count += 1
        file.write("# EOF\n")


def back_fill(run, folder):
    text = run.folder / "history.txt"
    write(text, time.time())
    # Longer blocks than the usual two hours: otherwise promtool reads the text anew for each of them.
    done = subprocess.run([str(Engine("prometheus").program("promtool")), "tsdb", "create-blocks-from", "openmetrics",
                           "--max-block-duration=200h", str(text), str(folder)], capture_output=True, text=True)
    text.unlink()
    if done.returncode:
        raise Broken(f"promtool: {done.stderr[-1000:]}")
