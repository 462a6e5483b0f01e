"""Kueue and KEDA beside the control plane: their published manifests less the Deployments; their Services point at localhost."""

import base64
import json
import os
import subprocess

from .building import Engine
from .kubernetes import kubectl, pki
from .keeper import Broken

KUEUE_FRAMEWORKS = ["batch/job", "pod", "deployment", "statefulset"]


def authority(run):
    return base64.b64encode((pki(run) / "ca.crt").read_bytes()).decode()


def as_objects(run, yaml_text):
    """kubectl turns the YAML into JSON."""
    done = subprocess.run([run.facts["kubectl"], "--kubeconfig", run.facts["kubeconfig"], "create", "--dry-run=client",
                           "--validate=false", "-o", "json", "-f", "-"], input=yaml_text, capture_output=True, text=True)
    if done.returncode:
        raise Broken(f"kubectl cannot read the manifests: {done.stderr[-2000:]}")
    decoder, rest, objects = json.JSONDecoder(), done.stdout.lstrip(), []
    while rest:
        value, end = decoder.raw_decode(rest)
        objects += value["items"] if value["kind"] == "List" else [value]
        rest = rest[end:].lstrip()
    return objects


def kueue_objects(run):
    text = kubectl(run, "kustomize", Engine("kueue").folder / "config" / "default")
    for thing in as_objects(run, text):
        kind = thing["kind"]
        if kind in ("Deployment", "ConfigMap", "Secret"):
            continue
        if kind == "Service":
            thing["spec"] = {"type": "ExternalName", "externalName": "localhost"}
        if kind == "APIService":
            thing["spec"]["service"]["port"] = run.port("kueue-visibility")
            if "insecureSkipTLSVerify" not in thing["spec"]:
                thing["spec"]["caBundle"] = authority(run)
        conversion = thing.get("spec", {}).get("conversion", {}).get("webhook")
        clients = [hook["clientConfig"] for hook in thing.get("webhooks", [])] + ([conversion["clientConfig"]] if conversion else [])
        for client in clients:
            client["service"]["port"] = run.port("kueue-webhook")
            client["caBundle"] = authority(run)
        yield thing


def kueue_configuration(run):
    wait = os.environ.get("TONGCHI_PODS_READY_TIMEOUT")
    return {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration",
        "health": {"healthProbeBindAddress": run.address("kueue-probe")},
        "metrics": {"bindAddress": run.address("kueue-metrics"), "enableClusterQueueResources": True},
        "webhook": {"host": "127.0.0.1", "port": run.port("kueue-webhook"), "certDir": str(pki(run) / "kueue")},
        "leaderElection": {"leaderElect": False}, "internalCertManagement": {"enable": False},
        "resources": {"excludeResourcePrefixes": ["cpu", "memory", "ephemeral-storage"]},
        "waitForPodsReady": {"timeout": wait or "15m", "recoveryTimeout": wait or "5m", "blockAdmission": False,
                             "requeuingStrategy": {"timestamp": "Eviction", "backoffBaseSeconds": 30, "backoffMaxSeconds": 3600}},
        "integrations": {"frameworks": KUEUE_FRAMEWORKS}}


# Kueue reads and writes fixed paths: it gets a root of its own in which only they differ.
KUEUE_ROOT = r"""
set -eu
mount -t tmpfs tmpfs "$ROOT"
for there in /*; do
    name=${there#/}
    case $name in etc|run|visibility|lost+found) continue ;; esac
    if [ -L "$there" ]; then cp -P "$there" "$ROOT/$name"
    elif [ -d "$there" ]; then mkdir "$ROOT/$name"; mount --rbind "$there" "$ROOT/$name"
    fi
done
mkdir -p "$ROOT/visibility" "$ROOT/etc/kueue/metrics/certs" "$ROOT/run/secrets/kubernetes.io"
for file in hosts nsswitch.conf resolv.conf passwd localtime; do [ ! -e /etc/$file ] || cp -L /etc/$file "$ROOT/etc/"; done
[ -e "$ROOT/var" ] && [ ! -e "$ROOT/var/run" ] && ln -s /run "$ROOT/var/run"
cp -r "$ACCOUNT" "$ROOT/run/secrets/kubernetes.io/serviceaccount"
for place in etc/kueue/metrics/certs visibility; do cp "$CERTIFICATES"/tls.* "$ROOT/$place/"; done
exec chroot "$ROOT" "$@"
"""


def start_kueue(run):
    kubectl(run, "apply", "--server-side", "-f", "-", objects=kueue_objects(run))
    configuration, account, root = run.folder / "kueue.json", run.folder / "kueue-account", run.folder / "kueue-root"
    configuration.write_text(json.dumps(kueue_configuration(run), indent=1))
    account.mkdir()
    root.mkdir()
    token = kubectl(run, "-n", "kueue-system", "create", "token", "kueue-controller-manager", "--duration=24h")
    (account / "token").write_text(token.strip())
    (account / "ca.crt").write_bytes((pki(run) / "ca.crt").read_bytes())
    (account / "namespace").write_text("kueue-system")
    run.start("kueue", *run.alone(), "sh", "-c", KUEUE_ROOT, "kueue", Engine("kueue").program("kueue"), "--config", configuration,
              f"--visibility-server-port={run.port('kueue-visibility')}",
              env={"ROOT": root, "ACCOUNT": account, "CERTIFICATES": pki(run) / "kueue", "KUBERNETES_SERVICE_HOST": "127.0.0.1",
                   "KUBERNETES_SERVICE_PORT": run.port("apiserver")},
              ready=available(run, "v1beta2.visibility.kueue.x-k8s.io"))


def available(run, service):
    def holds():
        text = kubectl(run, "get", "apiservice", service, "-o", "json", check=False)
        conditions = json.loads(text)["status"].get("conditions", []) if text else []
        return any(each["type"] == "Available" and each["status"] == "True" for each in conditions)
    return holds


def start_keda(run):
    engine, certificates = Engine("keda"), pki(run) / "keda"
    kubectl(run, "create", "namespace", "keda")
    kubectl(run, "apply", "--server-side", "-k", engine.folder / "crd")
    group = "external.metrics.k8s.io"
    kubectl(run, "create", "-f", "-", objects=[
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "keda-metrics-apiserver", "namespace": "keda"},
         "spec": {"type": "ExternalName", "externalName": "localhost"}},
        {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": f"v1beta1.{group}"},
         "spec": {"service": {"name": "keda-metrics-apiserver", "namespace": "keda", "port": run.port("keda-external")}, "group": group,
                  "version": "v1beta1", "groupPriorityMinimum": 100, "versionPriority": 100, "caBundle": authority(run)}}])
    names = {"POD_NAMESPACE": "keda", "WATCH_NAMESPACE": ""}
    kubeconfig = run.facts["kubeconfig"]
    run.start("keda-operator", engine.program("keda-operator"), f"--kubeconfig={kubeconfig}",
              f"--metrics-bind-address={run.address('keda-metrics')}", f"--health-probe-bind-address={run.address('keda-probe')}",
              f"--metrics-service-bind-address={run.address('keda-grpc')}", f"--cert-dir={certificates}",
              "--enable-cert-rotation=false", env={**names, "KEDA_CLUSTER_OBJECT_NAMESPACE": "keda"})
    run.start("keda-adapter", engine.program("keda-adapter"), f"--secure-port={run.port('keda-external')}", "--bind-address=127.0.0.1",
              f"--port={run.port('keda-adapter')}", f"--metrics-service-address={run.address('keda-grpc')}",
              "--metrics-service-grpc-authority=keda-operator.keda.svc", f"--tls-cert-file={certificates}/tls.crt",
              f"--tls-private-key-file={certificates}/tls.key", f"--client-ca-file={pki(run)}/ca.crt", f"--cert-dir={certificates}",
              f"--lister-kubeconfig={kubeconfig}", f"--authentication-kubeconfig={kubeconfig}",
              f"--authorization-kubeconfig={kubeconfig}", env={**names, "KUBECONFIG": kubeconfig},
              ready=available(run, f"v1beta1.{group}"))
