#!/usr/bin/env python3
"""cards_check.py PROGRAM ENGINES: the inventory against a real Kubernetes API server.

Makes nodes in every encoding (card_nodes.py), runs `tongchi inventory` once and with --watch, and compares. Every check
says what it measured. Exit codes: 0 all hold, 1 some do not, 2 the test bed itself does not work.
"""

import json
import pathlib
import subprocess
import sys
import time

import card_nodes
import prometheus_check
from control_plane import Broken, ControlPlane, end_on_signals
from watched_inventory import Run, Watch, environment, identity

LATENCY_LIMIT = 1.0  # seconds from the end of kubectl to the line on standard output
RECOVERY_LIMIT = 20.0  # seconds from the API server's being ready again


class Checks:
    def __init__(self):
        self.passed = self.failed = self.not_run = 0

    def hold(self, condition, what, found=""):
        print(f"{'ok  ' if condition else 'FAIL'} {what}{': ' + str(found) if found != '' else ''}", flush=True)
        self.passed += bool(condition)
        self.failed += not condition
        return condition

    def leave_out(self, what, reason):
        print(f"NOT RUN {what}: {reason}", flush=True)
        self.not_run += 1

    def summary(self):
        return f"real: {self.passed} passed, {self.failed} failed, {self.not_run} not run"


def differences(expected, card):
    found = []
    for key, wanted in expected.items():
        have = len(card[key]) if key == "slices" else card[key]
        if have != wanted:
            found.append(f"{key} is {have!r}, not {wanted!r}")
    return found


def check_node(checks, node, cards):
    cards = sorted(cards, key=lambda card: card["slot"])
    problems = []
    if len(cards) != len(node.cards):
        problems.append(f"{len(cards)} cards, not {len(node.cards)}")
    for number, (expected, card) in enumerate(zip(node.cards, cards)):
        wanted = {"schedulable": node.schedulable, "slot": number, "region": "beijing", **expected}
        problems += [f"card {number}: {text}" for text in differences(wanted, card)]
    first = cards[0] if cards else None
    shown = f"{len(cards)} x {first['vendor']} {first['model']} {first['variant'] or ''}" if first else "no card"
    checks.hold(not problems, f"node {node.name}", "; ".join(problems[:4]) or shown.strip())


def check_workloads(checks, document):
    for name, (node, slots) in card_nodes.WORKLOADS.items():
        holders = [card for card in document["cards"] if f"{card_nodes.NAMESPACE}/{name}" in
                   card["workloads"] + [part["workload"] for part in card["slices"]]]
        places = sorted((card["node"], card["slot"]) for card in holders)
        checks.hold(places == [(node, slot) for slot in slots], f"pod {name}", places)
    held = {node["name"]: (node["held"], node["free"]) for node in document["nodes"]}
    for name, count in card_nodes.HELD.items():
        checks.hold(held[name][0] == count, f"held and free on {name}", held[name])


def make_objects(plane, nodes):
    """Everything there before the program looks; pods run, by kwok's word."""
    others = [thing for node in nodes for thing in node.others]
    plane.kubectl("create", "namespace", card_nodes.NAMESPACE)
    plane.kubectl("create", "-f", "-", objects=[node.manifest() for node in nodes])
    plane.kubectl("create", "-f", "-", objects=others)
    end = time.monotonic() + 30
    while not plane.kubectl("-n", card_nodes.NAMESPACE, "get", "serviceaccount", "default", "--ignore-not-found", "-o", "name"):
        if time.monotonic() > end:
            raise Broken("the namespace has no service account")
        time.sleep(0.1)
    plane.kubectl("wait", "--for=condition=Ready", "node", "--all", "--timeout=60s")
    plane.kubectl("create", "-f", "-", objects=[pod for node in nodes for pod in node.pods])
    plane.kubectl("-n", card_nodes.NAMESPACE, "wait", "--for=condition=Ready", "pod", "--all", "--timeout=60s")
    plane.kubectl("create", "clusterrole", "viewer", "--verb=get,list,watch", "--resource=nodes,pods,configmaps,services," +
                  "resourceslices.resource.k8s.io,resourceclaims.resource.k8s.io")
    plane.kubectl("create", "clusterrolebinding", "viewers", "--clusterrole=viewer", "--group=viewers")


def check_list(checks, plane, program, nodes):
    run = Run(program, plane.folder, "--kubeconfig", str(plane.kubeconfig), "--output", "json")
    checks.hold(run.code == 0, "exit code of a whole inventory", f"{run.code} after {run.seconds:.2f} s {run.messages}")
    document = run.document()
    cluster = document["clusters"][0]
    checks.hold(cluster["state"] == "live" and cluster["kubernetes_version"] == "v1.36.3" and not cluster["unreadable_objects"],
                "the cluster", f"{cluster['state']}, {cluster['kubernetes_version']}, notes {cluster['notes']}")
    total = sum(len(node.cards) for node in nodes)
    cards = document["cards"]
    checks.hold(document["totals"]["cards"] == len(cards) == total, "cards in all", f"{len(cards)} of {total}")
    checks.hold(len({identity(card) for card in cards}) == len(cards), "each card once")
    for node in nodes:
        check_node(checks, node, [card for card in cards if card["node"] == node.name])
    check_workloads(checks, document)


def check_exit_codes(checks, plane, program):
    def run(what, code, *contexts, extra=()):
        arguments = [word for context in contexts for word in ("--context", context)]
        done = Run(program, plane.folder, "--kubeconfig", str(plane.kubeconfig), *arguments, "--output", "json",
                   "--timeout", "20", *extra)
        checks.hold(done.code == code, f"exit code, {what}", f"{done.code} after {done.seconds:.2f} s: {done.messages[:160]}")
        return done

    viewer = run("a user who may only read", 0, "viewer")
    real = run("everything answered", 0, "real", extra=("--filter", "vendor:huawei"))
    checks.hold(len(real.document()["cards"]) == 22, "cards of --filter vendor:huawei", len(real.document()["cards"]))
    partial = run("one of two clusters dead", 3, "real", "dead")
    states = {cluster["name"]: cluster["state"] for cluster in partial.document()["clusters"]}
    checks.hold(states == {"real": "live", "dead": "failed"} and len(partial.document()["cards"]) ==
                len(viewer.document()["cards"]), "the living one is listed whole", states)
    stranger = run("a user who may nothing", 3, "stranger").document()
    checks.hold(stranger["clusters"][0]["state"] == "forbidden" and stranger["totals"]["cards"] == 0,
                "a forbidden cluster", stranger["clusters"][0]["error"])
    expired = run("a token that the server does not know", 3, "expired")
    checks.hold("expired-token" not in expired.output + expired.messages, "the token is in no output")
    run("a context that does not exist", 1, "nowhere")
    run("an option that does not exist", 2, "real", extra=("--no-such-option",))


def check_latency(checks, plane, watch):
    def timed(what, condition, *kubectl):
        began = time.monotonic()
        plane.kubectl(*kubectl)
        written = time.monotonic()
        shown = watch.wait(condition, 10)
        late = None if shown is None else time.monotonic() - written
        checks.hold(late is not None and late <= LATENCY_LIMIT, f"{what} shown by --watch",
                    "not within 10 s" if late is None else
                    f"{late * 1000:.0f} ms after kubectl ended, {(written - began + late) * 1000:.0f} ms after it began")

    def every(node, condition):
        return lambda cards: (some := [card for card in cards.values() if card["node"] == node]) and all(map(condition, some))

    # Each change twice: a second one shows that the watch goes on, and is not hidden by the first one's pause.
    for label in ("training", "inference"):
        timed(f"label {label}", every("labels-h100", lambda card: card["node_business_label"] == label),
              "label", "node", "labels-h100", f"tongchi.io/business={label}", "--overwrite")
    timed("cordon", every("hami-old", lambda card: not card["schedulable"]), "cordon", "hami-old")
    timed("uncordon", every("hami-old", lambda card: card["schedulable"]), "uncordon", "hami-old")
    timed("a pod's deletion", lambda cards: not any(f"{card_nodes.NAMESPACE}/npu-job" in card["workloads"] for card in
                                                    cards.values()),
          "-n", card_nodes.NAMESPACE, "delete", "pod", "npu-job", "--grace-period=0", "--force", "--wait=true")
    timed("a node's deletion", lambda cards: not any(card["node"] == "unknown-vendor" for card in cards.values()),
          "delete", "node", "unknown-vendor")


def console_test(program):
    path = pathlib.Path(program).parent.parent / "tests" / "real" / "real_cluster_test"
    return path if path.exists() else None


def check_console(checks, plane, program):
    """The console's own writes; the program beside `program` that does them is built with the tests."""
    path = console_test(program)
    if path is None:
        checks.leave_out("what the console writes", "its test was not built")
        return
    done = subprocess.run([path, "--gtest_brief=1", "--gtest_filter=ConsoleActions.*"], capture_output=True, text=True, timeout=120,
                          env={**environment(plane.folder), "TONGCHI_REAL_KUBECONFIG": str(plane.kubeconfig)})
    for line in done.stdout.splitlines():
        if line.startswith("     "):
            print(line)
    checks.hold(done.returncode == 0, "cordon, label, undo, refused undo and a viewer, by the console",
                done.stdout if done.returncode else "")


def check_pool_objects(checks, plane, program):
    """The nodes of the embedded pool, copied to the real server: it takes them all, and the cards are the same."""
    kubeconfig = plane.folder / "pool"
    pool = subprocess.Popen([program, "pool", "serve", "--cards", "600", "--clusters", "1", "--write-kubeconfig", kubeconfig],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(plane.folder))
    try:
        pool.stdout.readline()  # ready
        nowhere = f"http://127.0.0.1:{plane.dead_port}"  # the real server has no exporters either
        wanted = Run(program, plane.folder, "--kubeconfig", str(kubeconfig), "--prometheus", nowhere, "--output", "json")
        objects = []
        for kind in ("nodes", "configmaps", "resourceslices"):
            text = plane.kubectl("get", kind, "-A", "-o", "json", kubeconfig=kubeconfig)
            objects += [plain(item) for item in json.loads(text)["items"]]
    finally:
        pool.terminate()
        pool.wait()
    nodes = {item["metadata"]["name"] for item in objects if item["kind"] == "Node"}
    for space in {item["metadata"]["namespace"] for item in objects if "namespace" in item["metadata"]} - {"kube-system"}:
        plane.kubectl("create", "namespace", space)
    began = time.monotonic()
    plane.kubectl("create", "-f", "-", "--validate=strict", objects=objects)
    print(f"     {len(objects)} objects of the pool taken in {time.monotonic() - began:.1f} s")

    # Pods are not copied, so neither workloads nor what is lent to them; whether a node is ready is kwok's word there.
    def facts(document):
        keys = ("vendor", "model", "model_reported", "variant", "uuid", "memory_bytes", "numa_node", "shares", "region")
        return {(card["node"], card["vendor"], card["slot"]): {key: card[key] for key in keys} for card in document["cards"]
                if card["node"] in nodes}

    pool_cards = facts(wanted.document())
    real = Run(program, plane.folder, "--kubeconfig", str(plane.kubeconfig), "--output", "json")
    real_cards = facts(real.document())
    different = [(key, pool_cards.get(key), real_cards.get(key)) for key in pool_cards.keys() | real_cards.keys()
                 if pool_cards.get(key) != real_cards.get(key)]
    checks.hold(not different and len(pool_cards) == 600, "cards of the pool's nodes, from the pool and from the real server",
                f"{len(pool_cards)} and {len(real_cards)}, {len(different)} different {different[:1]}")


def plain(item):
    """As one would write it: without what the server adds."""
    kept = ("name", "namespace", "labels", "annotations")
    return {**item, "metadata": {key: item["metadata"][key] for key in kept if key in item["metadata"]}}


def check_restart(checks, plane, watch, program):
    before = dict(watch.cards)
    plane.stop_server()
    # What happens while nobody can be told: nothing may be lost or shown twice afterwards.
    time.sleep(1)
    checks.hold(watch.cards.keys() == before.keys(), "cards stay listed while the API server is away", len(watch.cards))
    late = Watch(program, plane.folder, "--kubeconfig", str(plane.kubeconfig))
    checks.hold(late.wait(lambda cards: True, 10) is not None and not late.cards, "a start while the API server is away",
                f"{len(late.cards)} cards")
    plane.start_server()
    ready = time.monotonic()
    plane.kubectl("delete", "node", "labels-t4")
    plane.kubectl("cordon", "mlu-smlu")
    seen = watch.wait(lambda cards: not any(card["node"] == "labels-t4" for card in cards.values()) and all(
        not card["schedulable"] for card in cards.values() if card["node"] == "mlu-smlu"), RECOVERY_LIMIT)
    checks.hold(seen is not None, "a deletion and a cordon right after a restart",
                f"not within {RECOVERY_LIMIT} s" if seen is None else f"shown {time.monotonic() - ready:.2f} s after readyz")
    fresh = {identity(card): card for card in
             Run(program, plane.folder, "--kubeconfig", str(plane.kubeconfig), "--output", "json").document()["cards"]}

    def same(cards):
        return cards.keys() == fresh.keys() and all(cards[key] == fresh[key] for key in fresh)

    alike = watch.wait(same, 5) is not None
    ghosts, missing = watch.cards.keys() - fresh.keys(), fresh.keys() - watch.cards.keys()
    other = [key for key in fresh.keys() & watch.cards.keys() if fresh[key] != watch.cards[key]]
    checks.hold(alike, "what --watch added up equals a fresh inventory",
                f"{len(fresh)} cards, {len(ghosts)} ghosts, {len(missing)} missing, {len(other)} different {other[:1]}")
    checks.hold(not watch.problems, "no duplicate, no ghost in the stream", watch.problems[:2])
    whole = late.wait(same, RECOVERY_LIMIT)
    checks.hold(whole is not None and not late.problems, "what started without a server is whole by itself",
                f"{len(late.cards)} of {len(fresh)} cards {time.monotonic() - ready:.2f} s after readyz")
    late.stop()


def check_prometheus(checks, plane, program, engines):
    server = pathlib.Path(engines) / "bin" / "prometheus"
    if not server.exists():
        checks.leave_out("telemetry over a real Prometheus", f"there is no {server}")
        return
    folder = plane.folder / "prometheus"
    folder.mkdir()
    prometheus_check.check_telemetry(checks, program, server, folder, console_test(program))


def main():
    program, engines = sys.argv[1:3]
    end_on_signals()
    checks, plane, began = Checks(), ControlPlane(engines), time.monotonic()
    nodes = card_nodes.all_nodes()
    watch = None
    try:
        plane.start()
        print(f"     control plane ready after {time.monotonic() - began:.1f} s, {plane.memory_megabytes()} MB", flush=True)
        make_objects(plane, nodes)
        print(f"     {len(nodes)} nodes made after {time.monotonic() - began:.1f} s", flush=True)
        check_list(checks, plane, program, nodes)
        check_exit_codes(checks, plane, program)
        check_console(checks, plane, program)
        watch = Watch(program, plane.folder, "--kubeconfig", str(plane.kubeconfig))
        if checks.hold(watch.wait(lambda cards: len(cards) > 0, 20) is not None, "--watch begins with the whole inventory"):
            check_latency(checks, plane, watch)
            check_restart(checks, plane, watch, program)
        checks.hold(watch.is_running(), "--watch goes on")
        code, watch = watch.stop(), None
        checks.hold(code == 0, "exit code of --watch after SIGTERM", code)
        check_pool_objects(checks, plane, program)
        check_prometheus(checks, plane, program, engines)
    except Broken as problem:
        print(f"the test bed does not work: {problem}", file=sys.stderr)
        return 2
    finally:
        if watch:
            watch.stop()
        plane.stop()
    print(f"     {time.monotonic() - began:.1f} s in all")
    print(checks.summary())
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
