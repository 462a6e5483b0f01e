"""Prometheus, Alertmanager, node exporter, object stores and inference servers."""

import json
import pathlib
import shutil
import subprocess
import urllib.parse
import uuid

from . import history
from .answers import answer, answers
from .building import Engine
from .keeper import Broken

KEYS = {"access": "AKTEST", "secret": "SKTEST"}
DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def start_node_exporter(run):
    address = run.address("node-exporter")
    run.start("node-exporter", Engine("node-exporter").program("prometheus-node-exporter"), f"--web.listen-address={address}",
              ready=answers(f"http://{address}/metrics"))
    run.urls["node-exporter"] = f"http://{address}"


def start_alertmanager(run):
    address = run.address("alertmanager")
    configuration = run.folder / "alertmanager.yml"
    configuration.write_text("route: {receiver: nobody, group_wait: 1s, group_interval: 1s}\nreceivers: [{name: nobody}]\n")
    # Debian's looks for its templates in /usr/share, where nothing was installed: laid over it, for this process alone. Without the empty
    # cluster address it opens a port for gossip.
    engine = Engine("alertmanager")
    run.start("alertmanager", *run.alone(), "sh", "-c",
              'mount -t overlay -o "lowerdir=$0:/usr/share" overlay /usr/share && exec "$@"', engine.folder / "share",
              engine.program("prometheus-alertmanager"), f"--config.file={configuration}",
              f"--storage.path={run.folder / 'alertmanager'}", f"--web.listen-address={address}", "--cluster.listen-address=",
              ready=answers(f"http://{address}/-/ready"))
    run.urls["alertmanager"] = f"http://{address}"


def start_prometheus(run):
    jobs = [{"job_name": "prometheus", "static_configs": [{"targets": [run.address("prometheus")]}]}]
    if "node-exporter" in run.urls:
        jobs.append({"job_name": "node-exporter", "static_configs": [{"targets": [run.address("node-exporter")]}]})
    jobs += run.facts.get("scrapes", [])
    more = {}
    if "alertmanager" in run.urls:
        more["alerting"] = {"alertmanagers": [{"static_configs": [{"targets": [run.address("alertmanager")]}]}]}
    if run.facts.get("scrapes"):
        history.back_fill(run, run.folder / "prometheus")
    run.urls["prometheus"] = run_prometheus(run, "prometheus", jobs, more)


def run_prometheus(run, name, jobs, more=None):
    """A server that scrapes `jobs` every second, in a folder of its name; its URL, once it has scraped every target twice. What was scraped once
    is still new to it."""
    address = run.address(name)
    configuration = run.folder / f"{name}.json"  # JSON is YAML
    content = {"global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "scrape_configs": jobs, **(more or {})}
    configuration.write_text(json.dumps(content, indent=1))
    url = f"http://{address}"
    run.start(name, Engine("prometheus").program("prometheus"), f"--config.file={configuration}",
              f"--storage.tsdb.path={run.folder / name}", f"--web.listen-address={address}", "--web.enable-lifecycle",
              "--web.enable-remote-write-receiver", "--web.enable-admin-api", "--storage.tsdb.retention.time=60d",
              ready=answers(f"{url}/-/ready"))
    targets = sum(len(config["targets"]) for job in jobs for config in job["static_configs"])
    query = urllib.parse.quote("count(sum_over_time(up[1m]) >= 2)")

    # The first scrape comes some seconds after it is ready.
    def has_scraped():
        status, body = answer(f"{url}/api/v1/query?query={query}")
        result = json.loads(body)["data"]["result"] if status == 200 else []
        return bool(result) and int(result[0]["value"][1]) >= targets
    run.wait(name, has_scraped)
    return url


def start_versitygw(run):
    for name in ("accounts", "versions", "data"):
        (run.folder / "s3" / name).mkdir(parents=True)
    address = run.address("versitygw")
    run.start("versitygw", Engine("versitygw").program("versitygw"), "--port", address, "--iam-dir", run.folder / "s3" / "accounts",
              "posix", "--versioning-dir", run.folder / "s3" / "versions", run.folder / "s3" / "data",
              env={"ROOT_ACCESS_KEY": KEYS["access"], "ROOT_SECRET_KEY": KEYS["secret"]},
              ready=lambda: answer(f"http://{address}/")[0] == 403)  # unsigned
    run.urls["versitygw"] = f"http://{address}"
    run.facts["versitygw-keys"] = KEYS


CEPH = """[global]
fsid = {fsid}
mon host = [v2:127.0.0.1:{monitor}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
mon data avail warn = 1
mon data avail crit = 1
run dir = {folder}/run
admin socket = {folder}/run/$name.asok
pid file =
log file = {folder}/log/$name.log
ms bind ipv6 = false
ms bind port min = {first}
ms bind port max = {last}
[mon.a]
mon data = {folder}/mon
[osd.0]
osd data = {folder}/osd
osd objectstore = memstore
memstore device bytes = 4294967296
osd memory target = 939524096
[client.rgw]
ms mon client mode = crc
rgw frontends = beast endpoint=127.0.0.1:{gateway}
rgw data = {folder}/rgw
rgw enable usage log = false
rgw dns name = localhost
"""


def start_ceph(run):
    """Monitor, one store in memory and the gateway; neither manager nor cephx."""
    folder, program = run.folder / "ceph", Engine("ceph").program
    for name in ("mon", "osd", "run", "log", "rgw"):
        (folder / name).mkdir(parents=True)
    identity, store = str(uuid.uuid4()), str(uuid.uuid4())
    configuration = folder / "ceph.conf"
    first = run.port("ceph-osd", row=20)
    configuration.write_text(CEPH.format(fsid=identity, folder=folder, monitor=run.port("ceph-mon"), gateway=run.port("ceph-rgw"),
                                         first=first, last=first + 19))

    def once(*command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise Broken(f"{command[0]}: {done.stderr[-1000:]}")
        return done.stdout

    once(program("monmaptool"), "--create", "--fsid", identity, "--addv", "a", f"[v2:127.0.0.1:{run.port('ceph-mon')}]",
         folder / "monmap")
    once(program("ceph-mon"), "--mkfs", "-i", "a", "--monmap", folder / "monmap", "-c", configuration)
    run.start("ceph-mon", program("ceph-mon"), "-f", "-i", "a", "-c", configuration)
    # The store's identity has to be the same in both, or it stays down for ever without an error.
    once(program("ceph"), "-c", configuration, "--connect-timeout", "30", "osd", "new", store)
    once(program("ceph-osd"), "-i", "0", "--mkfs", "--osd-uuid", store, "-c", configuration)
    run.start("ceph-osd", program("ceph-osd"), "-f", "-i", "0", "-c", configuration)
    url = f"http://{run.address('ceph-rgw')}"
    run.start("ceph-rgw", program("radosgw"), "-f", "-n", "client.rgw", "-c", configuration, ready=answers(url + "/"))
    once(program("radosgw-admin"), "-c", configuration, "user", "create", "--uid=t", "--display-name=T",
         f"--access-key={KEYS['access']}", f"--secret-key={KEYS['secret']}")
    run.facts["ceph-keys"] = KEYS
    run.urls["ceph"] = url


def copied(run, name):
    """A model repository of its own for this run."""
    target = run.folder / name
    shutil.copytree(DATA / name, target)
    return target


def start_triton(run):
    venv = Engine("triton").folder / "venv"
    packages = next((venv / "lib").glob("python3.*")) / "site-packages"
    server = packages / "pytriton" / "tritonserver"
    backends = run.folder / "triton-backends" / "python"
    shutil.copytree(server / "backends" / "python", backends)
    version = packages.parent.name.removeprefix("python")
    shutil.copy(server / "python_backend_stubs" / version / "triton_python_backend_stub", backends)
    http, metrics = run.address("triton"), run.address("triton-metrics")
    # Without the libraries its stub dies, and the server waits for it for ever.
    run.start("triton", server / "bin" / "tritonserver", f"--model-repository={copied(run, 'triton')}",
              f"--backend-directory={backends.parent}", "--model-control-mode=explicit", "--load-model=addsub",
              "--http-address=127.0.0.1", f"--http-port={run.port('triton')}", "--grpc-address=127.0.0.1",
              f"--grpc-port={run.port('triton-grpc')}", "--metrics-address=127.0.0.1",
              f"--metrics-port={run.port('triton-metrics')}", "--allow-gpu-metrics=false", "--exit-on-error=false",
              env={"LD_LIBRARY_PATH": packages / "nvidia_pytriton.libs", "PYTHONPATH": packages,
                   "PATH": f"{venv / 'bin'}:/usr/bin:/bin"},
              ready=answers(f"http://{http}/v2/health/ready"))
    run.urls.update({"triton": f"http://{http}", "triton-metrics": f"http://{metrics}/metrics"})


def start_mlserver(run):
    venv, models = Engine("mlserver").folder / "venv", copied(run, "mlserver")
    http = run.address("mlserver")
    run.start("mlserver", venv / "bin" / "mlserver", "start", models, cwd=models,
              env={"MLSERVER_HOST": "127.0.0.1", "MLSERVER_HTTP_PORT": run.port("mlserver"),
                   "MLSERVER_GRPC_PORT": run.port("mlserver-grpc"), "MLSERVER_METRICS_PORT": run.port("mlserver-metrics"),
                   "MLSERVER_PARALLEL_WORKERS": "0", "PYTHONPATH": models / "addsub", "PATH": f"{venv / 'bin'}:/usr/bin:/bin"},
              ready=answers(f"http://{http}/v2/health/ready"))
    run.urls.update({"mlserver": f"http://{http}", "mlserver-metrics": f"http://{run.address('mlserver-metrics')}/metrics"})


def start_llama_server(run):
    model = run.folder / "tiny.gguf"
    tools = Engine("model-tools").folder / "venv" / "bin" / "python"
    made = subprocess.run([str(tools), str(DATA / "tiny_model.py"), str(model)], capture_output=True, text=True, timeout=60)
    if made.returncode:
        raise Broken(f"tiny_model.py: {made.stderr[-1000:]}")
    address = run.address("llama-server")
    run.start("llama-server", Engine("llama-server").program("llama-server"), "-m", model, "--alias", "tiny", "--host", "127.0.0.1",
              "--port", run.port("llama-server"), "-c", "2048", "-np", "4", "-t", "1", "--metrics", "--slots", "--offline",
              ready=answers(f"http://{address}/health"))
    run.urls["llama-server"] = f"http://{address}"
