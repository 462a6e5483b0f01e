"""A Kubernetes control plane of plain processes on loopback, in a folder that goes away with it.

No kubelet runs: kwok says for the nodes that carry its annotation that they are ready, and for their pods that they run.
"""

import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

KWOK_ANNOTATION = "kwok.x-k8s.io/node"


class Broken(Exception):
    """The test bed does not work; says nothing about the program."""


def free_ports(count):
    """Ports nobody listens on, all different. Another process may take one before we do; then the start fails loudly."""
    sockets = []
    for _ in range(count):
        one = socket.socket()
        one.bind(("127.0.0.1", 0))
        sockets.append(one)
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class ControlPlane:
    """Started by start(), ended by stop(), also when start() failed halfway."""

    def __init__(self, engines):
        self.bin = pathlib.Path(engines) / "bin"
        self.stages = pathlib.Path(engines) / "kwok-stages.yaml"
        self._folder = tempfile.TemporaryDirectory(prefix="tongchi-real-")
        self.folder = pathlib.Path(self._folder.name)
        self.kubeconfig = self.folder / "kubeconfig"
        self.processes = {}  # name -> Popen, in the order of their start
        (self.port, self.etcd_port, self.peer_port, self.manager_port, self.scheduler_port, self.kwok_port,
         self.dead_port) = free_ports(7)
        self.server = f"https://127.0.0.1:{self.port}"

    # Processes

    def _run(self, name, *arguments):
        log = open(self.folder / f"{name}.log", "ab")
        # A session of its own: an interrupt at the terminal reaches only us, and we stop them in order.
        self.processes[name] = subprocess.Popen([str(self.bin / arguments[0]), *map(str, arguments[1:])], stdout=log,
                                                stderr=log, cwd=self.folder, start_new_session=True)
        log.close()

    def _end(self, name, patience=5):
        process = self.processes.pop(name, None)
        if process is None:
            return
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _await(self, name, condition, limit=60):
        end = time.monotonic() + limit
        while not condition():
            process = self.processes.get(name)
            if process is None or process.poll() is not None or time.monotonic() > end:
                log = (self.folder / f"{name}.log").read_text(errors="replace").splitlines()
                raise Broken(f"{name} did not become ready:\n" + "\n".join(log[-5:]))
            time.sleep(0.05)

    def _answers(self, url):
        context = ssl.create_default_context(cafile=self.folder / "ca.crt") if url.startswith("https") else None
        if context:
            context.load_cert_chain(self.folder / "admin.crt", self.folder / "admin.key")
        try:
            with urllib.request.urlopen(url, timeout=2, context=context) as answer:
                return answer.status == 200
        except (OSError, urllib.error.URLError):
            return False

    def start(self):
        self._make_certificates()
        self._write_kubeconfig()
        etcd, peer = f"http://127.0.0.1:{self.etcd_port}", f"http://127.0.0.1:{self.peer_port}"
        self._run("etcd", "etcd", "--data-dir", self.folder / "etcd", "--unsafe-no-fsync", "--listen-client-urls", etcd,
                  "--advertise-client-urls", etcd, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                  "--initial-cluster", f"default={peer}")
        self._await("etcd", lambda: self._answers(etcd + "/health"))
        self.start_server()
        common = [f"--{part}kubeconfig={self.kubeconfig}" for part in ("", "authentication-", "authorization-")]
        common.append("--bind-address=127.0.0.1")
        self._run("controller-manager", "kube-controller-manager", *common, f"--secure-port={self.manager_port}",
                  "--service-account-private-key-file=sa.key", "--root-ca-file=ca.crt")
        self._run("scheduler", "kube-scheduler", *common, f"--secure-port={self.scheduler_port}")
        self._run("kwok", "kwok", "--kubeconfig", self.kubeconfig, "--config", self.stages, "--manage-all-nodes=false",
                  f"--manage-nodes-with-annotation-selector={KWOK_ANNOTATION}=fake", "--node-lease-duration-seconds=40",
                  f"--server-address=127.0.0.1:{self.kwok_port}")

    def start_server(self):
        """The API server alone; returns once it is ready."""
        self._run("apiserver", "kube-apiserver", f"--etcd-servers=http://127.0.0.1:{self.etcd_port}",
                  "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", f"--secure-port={self.port}",
                  "--tls-cert-file=server.crt", "--tls-private-key-file=server.key", "--client-ca-file=ca.crt",
                  "--token-auth-file=tokens.csv", "--authorization-mode=RBAC",
                  "--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=sa.key",
                  "--service-account-signing-key-file=sa.key", "--service-cluster-ip-range=10.96.0.0/16",
                  "--feature-gates=DRADeviceTaints=true")
        self._await("apiserver", lambda: self._answers(self.server + "/readyz"))

    def stop_server(self):
        """As a crash would: no time to end the watches in order."""
        process = self.processes.pop("apiserver")
        process.kill()
        process.wait()

    def stop(self):
        # The API server goes before etcd: without it, it would wait a minute for it.
        for name in ("kwok", "scheduler", "controller-manager", "apiserver", "etcd"):
            self._end(name)
        self._folder.cleanup()

    # Identities

    def _openssl(self, *arguments, extensions=None):
        command = ["openssl", *arguments]
        if extensions:
            path = self.folder / "extensions"
            path.write_text(extensions)
            command += ["-extfile", str(path)]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise Broken(f"openssl {arguments[0]}: {done.stderr}")

    def _make_certificates(self):
        self._openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.crt", "-days", "2",
                      "-subj", "/CN=test authority")
        self._openssl("genrsa", "-out", "sa.key", "2048")
        for name, subject, extensions in (
                ("server", "/CN=kube-apiserver", "subjectAltName=IP:127.0.0.1,DNS:localhost"),
                ("admin", "/O=system:masters/CN=admin", "extendedKeyUsage=clientAuth")):
            self._openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj",
                          subject)
            self._openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial",
                          "-days", "2", "-out", f"{name}.crt", extensions=extensions)
        (self.folder / "tokens.csv").write_text('viewer-token,viewer,2,"viewers"\nstranger-token,stranger,3,"strangers"\n')

    def _write_kubeconfig(self):
        """Contexts: real (certificate), viewer (token, may read), stranger (token, may nothing), expired (token that the
        server does not know), dead (nobody listens there)."""
        there = {"server": self.server, "certificate-authority": "ca.crt"}
        nowhere = {"server": f"https://127.0.0.1:{self.dead_port}", "certificate-authority": "ca.crt"}
        users = {
            "admin": {"client-certificate": "admin.crt", "client-key": "admin.key"},
            "viewer": {"token": "viewer-token"},
            "stranger": {"token": "stranger-token"},
            "expired": {"token": "expired-token"},
        }
        contexts = {"real": ("there", "admin"), "viewer": ("there", "viewer"), "stranger": ("there", "stranger"),
                    "expired": ("there", "expired"), "dead": ("nowhere", "admin")}
        self.kubeconfig.write_text(json.dumps({  # JSON is YAML
            "apiVersion": "v1", "kind": "Config", "current-context": "real",
            "clusters": [{"name": "there", "cluster": there}, {"name": "nowhere", "cluster": nowhere}],
            "users": [{"name": name, "user": user} for name, user in users.items()],
            "contexts": [{"name": name, "context": {"cluster": cluster, "user": user}}
                         for name, (cluster, user) in contexts.items()]}, indent=1))
        os.chmod(self.kubeconfig, 0o600)

    # Objects

    def kubectl(self, *arguments, objects=None, check=True, kubeconfig=None):
        """Standard output; `objects` go to standard input as a List. `kubeconfig`: of another server."""
        text = None
        if objects is not None:
            text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
        done = subprocess.run([str(self.bin / "kubectl"), "--kubeconfig", str(kubeconfig or self.kubeconfig), *arguments], input=text,
                              capture_output=True, text=True, cwd=self.folder)
        if check and done.returncode:
            raise Broken(f"kubectl {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def memory_megabytes(self):
        """Resident memory of all processes together."""
        total = 0
        for process in self.processes.values():
            try:
                status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            except OSError:
                continue
            total += sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
        return total // 1024


def end_on_signals():
    """Turns SIGTERM into an exception, so that what was started is stopped."""

    def leave(number, frame):
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, leave)
