"""Fills an API server with the objects of bulk_objects.py, as fast as it takes them: bulk_load SERVER CA TOKEN [NODES].

Several processes, each with six kept-alive connections: while one answer is awaited the server works on the others. What is there
already is left alone, so that an interrupted load goes on. Progress goes to standard output, one line every second.
"""

import http.client
import json
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import time
import urllib.parse

from . import bulk_objects
from .answers import trusting
from .keeper import follow_the_keeper

WAY = 1  # of writing them; another number where it leaves other objects
PROCESSES, CONNECTIONS = 2, 6
PAGE = 10_000
# What costs the server least: its own binary form, which nobody reads here, and a token, since it verifies a client's certificate anew
# with every request, which was a fifth of its work.
WRITING = {"Content-Type": "application/json", "Accept": "application/vnd.kubernetes.protobuf"}
READING = {"Accept": "application/json;as=Table;g=meta.k8s.io;v=v1"}
TRIES = 5


class Refused(Exception):
    """The server does not take an object."""


class Server:
    def __init__(self, url, authority, token):
        self.address, self.token = urllib.parse.urlsplit(url).netloc, token
        self.context = trusting(authority)

    def connect(self):
        return http.client.HTTPSConnection(self.address, context=self.context, timeout=60)

    def headers(self, more):
        return {**more, "Authorization": f"Bearer {self.token}"}


class Line:
    """A kept-alive connection that has at most one request under way."""

    def __init__(self, server):
        self.server = server
        self.connection = self.request = None
        self.tries = 0

    def send(self, method, path, value):
        self.request = (method, path, json.dumps(value, separators=(",", ":")))
        self.tries = 0
        self._send()

    def _send(self):
        if self.connection is None:
            self.connection = self.server.connect()
        self.connection.request(*self.request, headers=self.server.headers(WRITING))

    def finish(self):
        """Waits for the answer; a broken connection and a busy server are asked again. What exists already is as good as made."""
        while True:
            try:
                answer = self.connection.getresponse()
                body = answer.read()
                if answer.status < 300 or answer.status == 409:
                    return
                if answer.status not in (429, 500, 503, 504):
                    raise Refused(f"{' '.join(self.request[:2])}: {answer.status} {body[-500:]!r}")
                problem = f"{answer.status} {body[-500:]!r}"
            except (OSError, http.client.HTTPException) as broken:
                problem = repr(broken)
                self.connection.close()
                self.connection = None
            self.tries += 1
            if self.tries == TRIES:
                raise Refused(f"{' '.join(self.request[:2])}: {problem}")
            time.sleep(0.2 * self.tries)
            self._send()


def together(lines, requests):
    """Sends one request over each line, then waits for all."""
    busy = []
    for line, request in zip(lines, requests):
        line.send(*request)
        busy.append(line)
    for line in busy:
        line.finish()


def chunks(values, size):
    for at in range(0, len(values), size):
        yield values[at:at + size]


def make_nodes(lines, numbers, count):
    for some in chunks(numbers, len(lines)):
        together(lines, [("POST", "/api/v1/nodes?fieldManager=kubelet", bulk_objects.node(number)) for number in some])
        count(len(some))


def make_pods(lines, numbers, count):
    """Each is created and then, since the server drops the status of what is created, reported as running."""
    for some in chunks(numbers, len(lines)):
        pods = [bulk_objects.pod(number) for number in some]
        paths = [f"/api/v1/namespaces/{pod['metadata']['namespace']}/pods" for pod in pods]
        together(lines, [("POST", f"{path}?fieldManager=kube-controller-manager", pod) for path, pod in zip(paths, pods)])
        together(lines, [("PUT", f"{path}/{pod['metadata']['name']}/status?fieldManager=kubelet", bulk_objects.running(pod, number))
                         for path, pod, number in zip(paths, pods, some)])
        count(len(some))


def rows(server, path):
    """The cells of kubectl's table, page after page: the smallest answer that has names and states."""
    connection, more = server.connect(), ""
    while True:
        connection.request("GET", f"{path}?limit={PAGE}&includeObject=None{more}", headers=server.headers(READING))
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise Refused(f"GET {path}: {answer.status} {body[-500:]!r}")
        table = json.loads(body)
        yield from (row["cells"] for row in table["rows"] or [])
        token = table["metadata"].get("continue")
        if not token:
            return
        more = f"&continue={urllib.parse.quote(token)}"


def made_before(server):
    """Names of the nodes, and of the pods that run."""
    nodes = {cells[0] for cells in rows(server, "/api/v1/nodes")}
    pods = {cells[0] for space in bulk_objects.NAMESPACES
            for cells in rows(server, f"/api/v1/namespaces/{space}/pods") if cells[2] == "Running"}
    return nodes, pods


def make_namespaces(line):
    """The admission of pods asks for the service account, which otherwise a controller makes."""
    for space in bulk_objects.NAMESPACES:
        line.send("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}})
        line.finish()
        line.send("POST", f"/api/v1/namespaces/{space}/serviceaccounts",
                  {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}})
        line.finish()


def work(make, server, numbers, done):
    follow_the_keeper()  # here: whoever started us
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lines = [Line(server) for _ in range(CONNECTIONS)]

    def count(some):
        with done.get_lock():
            done.value += some

    try:
        make(lines, numbers, count)
    except Refused as problem:
        sys.exit(str(problem))


def spread(what, make, server, numbers):
    """Shares the work out and tells of it until it is done."""
    began, done = time.monotonic(), multiprocessing.Value("q", 0)
    workers = [multiprocessing.Process(target=work, args=(make, server, numbers[part::PROCESSES], done))
               for part in range(PROCESSES)]
    for worker in workers:
        worker.start()
    while alive := [worker.sentinel for worker in workers if worker.is_alive()]:
        multiprocessing.connection.wait(alive, 1)
        took = time.monotonic() - began
        print(f"{done.value} of {len(numbers)} {what}, {done.value / took:.0f} a second", flush=True)
    if any(worker.exitcode for worker in workers):
        sys.exit(f"not all {what} were made")


def main():
    server = Server(*sys.argv[1:4])
    nodes = int(sys.argv[4]) if len(sys.argv) > 4 else bulk_objects.NODES
    os.nice(5)  # the server goes first
    make_namespaces(Line(server))
    known_nodes, known_pods = made_before(server)
    spread("nodes", make_nodes, server, [number for number in range(nodes) if bulk_objects.node_name(number) not in known_nodes])
    spread("pods", make_pods, server, [number for number in range(nodes * bulk_objects.CARDS_OF_A_NODE)
                                       if bulk_objects.place_of(number)[1] not in known_pods])


if __name__ == "__main__":
    main()
