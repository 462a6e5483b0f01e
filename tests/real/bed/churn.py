"""churn RUN NODES PODS RATE: pods come and go on nodes, through the API server, RATE of each a second until PODS have.

NODES: names with commas between them. Each pod takes one nvidia.com/gpu and lives for about a second; the last ones stay, one a node. Prints one
line of JSON: {"pods", "seconds", "per_second"}.
"""

import collections
import http.client
import json
import ssl
import sys
import threading
import time
import urllib.parse

CONNECTIONS = 6
NAMESPACE = "cards"


def pod(name, node):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"churn": "yes", "tongchi.io/business": "training"}},
            "spec": {"nodeName": node, "terminationGracePeriodSeconds": 0,
                     "containers": [{"name": "main", "image": "none", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}


class Churner(threading.Thread):
    """One connection's share: every CONNECTIONS-th pod."""

    def __init__(self, server, context, first, nodes, pods, rate, began):
        super().__init__()
        self.connection = http.client.HTTPSConnection(server.hostname, server.port, context=context, timeout=30)
        self.first, self.nodes, self.pods, self.rate, self.began = first, nodes, pods, rate, began
        self.problem = None

    def ask(self, verb, path, body=None):
        self.connection.request(verb, path, body and json.dumps(body), {"Authorization": "Bearer admin-token",
                                                                        "Content-Type": "application/json"})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300 and answer.status != 404:
            raise RuntimeError(f"{verb} {path}: {answer.status} {text[:300]}")

    def run(self):
        base, alive = f"/api/v1/namespaces/{NAMESPACE}/pods", collections.deque()
        try:
            for number in range(self.first, self.pods, CONNECTIONS):
                time.sleep(max(0, self.began + number / self.rate - time.monotonic()))
                name = f"churn-{number}"
                self.ask("POST", base, pod(name, self.nodes[number % len(self.nodes)]))
                alive.append(name)
                if len(alive) > self.rate // CONNECTIONS:
                    self.ask("DELETE", f"{base}/{alive.popleft()}?gracePeriodSeconds=0")
            while alive:
                name = alive.popleft()
                if int(name.removeprefix("churn-")) < self.pods - len(self.nodes):
                    self.ask("DELETE", f"{base}/{name}?gracePeriodSeconds=0")
        except (OSError, RuntimeError, http.client.HTTPException) as problem:
            self.problem = problem
        self.connection.close()


def main():
    folder, nodes, pods, rate = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3]), int(sys.argv[4])
    with open(f"{folder}/run.json") as file:
        run = json.load(file)
    context, began = ssl.create_default_context(cafile=run["ca"]), time.monotonic()
    churners = [Churner(urllib.parse.urlparse(run["urls"]["kubernetes"]), context, first, nodes, pods, rate, began)
                for first in range(CONNECTIONS)]
    for churner in churners:
        churner.start()
    for churner in churners:
        churner.join()
        if churner.problem:
            sys.exit(str(churner.problem))
    seconds = time.monotonic() - began
    print(json.dumps({"pods": pods, "seconds": seconds, "per_second": pods / seconds}))


if __name__ == "__main__":
    main()
