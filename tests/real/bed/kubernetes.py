"""A Kubernetes control plane of plain processes, and kwok, which plays the kubelets of nodes that carry its annotation."""

import json
import os
import subprocess

from . import certificates
from .answers import answers, trusting
from .building import Engine
from .keeper import Broken

KWOK_ANNOTATION = "kwok.x-k8s.io/node"
GATES = "--feature-gates=DRADeviceTaints=true,DRADeviceTaintRules=true"
TOKENS = (("admin-token", "admin", "system:masters"), ("viewer-token", "viewer", "viewers"),
          ("stranger-token", "stranger", "strangers"))


def kubectl(run, *arguments, objects=None, check=True):
    """Standard output of kubectl as administrator; `objects` go to its standard input as a List."""
    text = None if objects is None else json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)})
    done = subprocess.run([run.facts["kubectl"], "--kubeconfig", run.facts["kubeconfig"], *map(str, arguments)], input=text,
                          capture_output=True, text=True, cwd=run.folder)
    if check and done.returncode:
        raise Broken(f"kubectl {' '.join(map(str, arguments[:4]))}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def pki(run):
    return run.folder / "pki"


def start_etcd(run, data=None):
    """`data`: where it keeps what it holds, if not in the folder of the run."""
    client, peer = f"http://{run.address('etcd')}", f"http://{run.address('etcd-peer')}"
    run.start("etcd", Engine("etcd").program("etcd"), "--data-dir", data or run.folder / "etcd", "--unsafe-no-fsync",
              "--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
              "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}", ready=answers(client + "/health"))
    run.urls["etcd"] = client


def start_apiserver(run, *more, **options):
    """The API server alone, its certificates and the kubeconfig; `more`: further flags; `options`: of Run.start."""
    folder, engine = pki(run), Engine("kubernetes")
    if not folder.exists():
        certificates.make_all(folder)
    lines = [f'{token},{user},{number},"{group}"' for number, (token, user, group) in enumerate(TOKENS, 1)]
    (run.folder / "tokens.csv").write_text("\n".join(lines) + "\n")
    server = f"https://{run.address('apiserver')}"
    run.urls["kubernetes"] = server
    run.facts.update(kubectl=str(engine.program("kubectl")), ca=str(folder / "ca.crt"), kubeconfig=str(run.folder / "kubeconfig"))
    write_kubeconfig(run, server)

    headers = "X-Remote-User X-Remote-Group X-Remote-Extra-".split()
    ready = answers(server + "/readyz", trusting(folder / "ca.crt", folder / "admin.crt", folder / "admin.key"))
    run.start("apiserver", engine.program("kube-apiserver"), f"--etcd-servers={run.urls['etcd']}", "--bind-address=127.0.0.1",
              "--advertise-address=127.0.0.1", f"--secure-port={run.port('apiserver')}", f"--tls-cert-file={folder}/apiserver.crt",
              f"--tls-private-key-file={folder}/apiserver.key", f"--client-ca-file={folder}/ca.crt",
              f"--token-auth-file={run.folder}/tokens.csv", "--authorization-mode=RBAC",
              "--service-account-issuer=https://kubernetes.default.svc", f"--service-account-key-file={folder}/sa.pub",
              f"--service-account-signing-key-file={folder}/sa.key", "--service-cluster-ip-range=10.96.0.0/16",
              f"--requestheader-client-ca-file={folder}/ca.crt", f"--proxy-client-cert-file={folder}/front.crt",
              f"--proxy-client-key-file={folder}/front.key", f"--requestheader-username-headers={headers[0]}",
              f"--requestheader-group-headers={headers[1]}", f"--requestheader-extra-headers-prefix={headers[2]}",
              "--requestheader-allowed-names=front-proxy", GATES, "--runtime-config=resource.k8s.io/v1beta2=true", *more,
              ready=ready, **options)


def start_kubernetes(run):
    start_apiserver(run)
    folder, engine = pki(run), Engine("kubernetes")
    # A lease per component would make each wait for the one that was killed.
    common = [f"--{part}kubeconfig={run.facts['kubeconfig']}" for part in ("", "authentication-", "authorization-")]
    common += ["--bind-address=127.0.0.1", "--leader-elect=false", GATES]
    # Their own limits would keep a thousand new nodes tainted for two minutes.
    common += ["--kube-api-qps=500", "--kube-api-burst=1000"]
    for name, more in (("controller-manager", [f"--service-account-private-key-file={folder}/sa.key",
                                                f"--root-ca-file={folder}/ca.crt"]), ("scheduler", [])):
        url = f"https://{run.address(name)}/healthz"
        run.start(name, engine.program(f"kube-{name}"), *common, f"--secure-port={run.port(name)}", *more)
        # Their certificates are their own.
        run.wait(name, answers(url, unverified()))
    kubectl(run, "create", "-f", "-", objects=viewer_rights())


def unverified():
    import ssl
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def viewer_rights():
    """The group viewers may read what the inventory reads."""
    rules = [{"apiGroups": [group], "resources": resources, "verbs": ["get", "list", "watch"]} for group, resources in (
        ("", ["nodes", "pods", "configmaps", "services"]), ("resource.k8s.io", ["resourceslices", "resourceclaims"]))]
    name = {"name": "tongchi-viewers"}
    return [{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": name, "rules": rules},
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": name,
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", **name},
             "subjects": [{"kind": "Group", "apiGroup": "rbac.authorization.k8s.io", "name": "viewers"}]}]


def write_kubeconfig(run, server):
    """Contexts: real (certificate), token (the same by token), viewer (may read), stranger (may nothing), expired (a token that the
    server does not know), dead (nobody listens there), wrong-ca, wrong-name."""
    folder = pki(run)
    there = {"server": server, "certificate-authority": str(folder / "ca.crt")}
    clusters = {"real": there, "dead": {**there, "server": f"https://{run.address('nobody')}"},
                "wrong-ca": {**there, "certificate-authority": str(folder / "other-ca.crt")},
                "wrong-name": {**there, "tls-server-name": "elsewhere.example"}}
    users = {"admin": {"client-certificate": str(folder / "admin.crt"), "client-key": str(folder / "admin.key")},
             "token": {"token": "admin-token"}, "viewer": {"token": "viewer-token"}, "stranger": {"token": "stranger-token"},
             "expired": {"token": "expired-token"}}
    contexts = {"real": ("real", "admin"), "dead": ("dead", "admin"), "wrong-ca": ("wrong-ca", "admin"),
                "wrong-name": ("wrong-name", "admin"), **{user: ("real", user) for user in users if user != "admin"}}
    path = run.folder / "kubeconfig"
    path.touch(mode=0o600)
    path.write_text(json.dumps({  # JSON is YAML
        "apiVersion": "v1", "kind": "Config", "current-context": "real",
        "clusters": [{"name": name, "cluster": cluster} for name, cluster in clusters.items()],
        "users": [{"name": name, "user": user} for name, user in users.items()],
        "contexts": [{"name": name, "context": {"cluster": cluster, "user": user}} for name, (cluster, user) in contexts.items()]},
        indent=1))


def start_kwok(run):
    stages = Engine("kwok").folder / "stage"
    text = ""
    for folder in ("node/fast", "node/heartbeat-with-lease", "pod/general"):
        for file in sorted((stages / folder).glob("*.yaml")):
            if file.name != "kustomization.yaml":
                text += "---\n" + file.read_text()
    (run.folder / "kwok-stages.yaml").write_text(text)
    run.start("kwok", Engine("kwok").program("kwok"), "--kubeconfig", run.facts["kubeconfig"], "--config",
              run.folder / "kwok-stages.yaml", "--manage-all-nodes=false",
              f"--manage-nodes-with-annotation-selector={KWOK_ANNOTATION}=fake", "--node-lease-duration-seconds=40",
              f"--server-address={run.address('kwok')}", ready=answers(f"http://{run.address('kwok')}/healthz"))
