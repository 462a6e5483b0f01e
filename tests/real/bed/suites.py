"""The suites: which tests of the program real_engines_test they are, on which engines, and how long they may take."""

import dataclasses

from .engines import ENGINES


@dataclasses.dataclass(frozen=True)
class Suite:
    filter: str  # of GoogleTest
    engines: tuple
    bare: bool = False  # Kubernetes without card nodes
    limit: int = 600  # seconds, with starting and stopping the engines
    by_default: bool = True
    # Engines that may be missing without the suite's other tests being not run: each test says what it needs.
    apart: bool = False


SUITES = {
    "engines": Suite("Engine*", tuple(name for name in ENGINES if name not in ("cards", "large-cluster")), bare=True, apart=True),
    "twins": Suite("Twins*", ("kubernetes", "prometheus"), bare=True),
    "inventory": Suite("Inventory*:Console*:CardHour*-InventoryRestart.*:InventorySilence.*", ("kubernetes", "prometheus")),
    # On a bed of its own: kubelets and controllers take their time after a server that was killed or stood still.
    "restart": Suite("InventoryRestart.*:InventorySilence.*", ("kubernetes", "prometheus")),
    "faults": Suite("Faulty*", ("kubernetes", "prometheus")),
    # The slow peers of the later panes belong here too.
    "nightly": Suite("Nightly*", ("large-cluster",), limit=900, by_default=False),
}
