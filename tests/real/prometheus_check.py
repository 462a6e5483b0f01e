"""The console's telemetry against a real Prometheus.

It scrapes the exporters' pages of the embedded pool, so what it stores, evaluates and answers is the real program's
work. The same cards must come out as over the pool's own Prometheus.
"""

import json
import math
import signal
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from control_plane import Broken, free_ports
from watched_inventory import Run, environment, identity

CARDS = 400
MEASURED = ("utilization_percent", "memory_used_bytes", "temperature_celsius", "power_watts")


class Prometheus:
    """One server in a folder. Ended by stop(), also when start() failed."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        (self.port,) = free_ports(1)
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self, targets):
        config = {"global": {"scrape_interval": "2s", "scrape_timeout": "2s"},
                  "scrape_configs": [{"job_name": "exporters", "honor_labels": True, "static_configs": [
                      {"targets": [address], "labels": {"__metrics_path__": path, "page": path}} for address, path in targets]}]}
        (self.folder / "prometheus.json").write_text(json.dumps(config))  # YAML takes JSON
        log = open(self.folder / "prometheus.log", "ab")
        self.process = subprocess.Popen(
            [self.program, f"--config.file={self.folder / 'prometheus.json'}", f"--storage.tsdb.path={self.folder / 'tsdb'}",
             f"--web.listen-address=127.0.0.1:{self.port}"], stdout=log, stderr=log, start_new_session=True)
        log.close()
        self._until(lambda: self._get("/-/ready") is not None, "did not become ready")
        # Two scrapes of every target: then nothing is missing for being new.
        self._until(lambda: self.value("count(sum_over_time(up[1m]) >= 2)") == len(targets), "did not scrape all targets")

    def value(self, query):
        answer = self._get("/api/v1/query?" + urllib.parse.urlencode({"query": query}))
        result = json.loads(answer)["data"]["result"] if answer else []
        return float(result[0]["value"][1]) if result else None

    def _get(self, path):
        try:
            with urllib.request.urlopen(self.url + path, timeout=5) as answer:
                return answer.read()
        except (OSError, urllib.error.URLError):
            return None

    def _until(self, condition, problem, limit=60):
        end = time.monotonic() + limit
        while not condition():
            if self.process.poll() is not None or time.monotonic() > end:
                log = (self.folder / "prometheus.log").read_text(errors="replace").splitlines()
                raise Broken(f"Prometheus {problem}:\n" + "\n".join(log[-5:]))
            time.sleep(0.1)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def check_telemetry(checks, program, server, folder, gtest):
    """`server`: the real program. `gtest`: the console's own test, or None where it was not built."""
    kubeconfig = folder / "kubeconfig"
    pool = subprocess.Popen([program, "pool", "serve", "--cards", str(CARDS), "--clusters", "1", "--write-kubeconfig",
                             kubeconfig], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(folder))
    real = Prometheus(server, folder)
    try:
        ready = json.loads(pool.stdout.readline())
        pages = urllib.parse.urlparse(next(iter(ready["endpoints"].values()))["prometheus"])
        options = ("--kubeconfig", str(kubeconfig), "--output", "json")
        wanted = Run(program, folder, *options).document()
        began = time.monotonic()
        real.start([(pages.netloc, f"{pages.path}/metrics/{node['name']}") for node in wanted["nodes"]
                    if page_exists(pages, node["name"])])
        series = real.value('count({__name__=~".+"})')
        print(f"     a real Prometheus has {series:.0f} series after {time.monotonic() - began:.1f} s", flush=True)
        done = Run(program, folder, *options, "--prometheus", real.url)
        checks.hold(done.code == 0, "exit code with a real Prometheus", f"{done.code} after {done.seconds:.2f} s {done.messages}")
        compare(checks, wanted, done.document())
        check_console_hour(checks, gtest, kubeconfig, real.url, folder)
        real.stop()
        done = Run(program, folder, *options, "--prometheus", real.url)
        cluster = done.document()["clusters"][0]
        checks.hold(done.code == 3 and cluster["metrics"]["state"] == "failed" and len(done.document()["cards"]) == CARDS,
                    "without it the cards are listed and it is said", f"{done.code}, {cluster['metrics']['error']}")
    finally:
        real.stop()
        pool.terminate()
        pool.wait()


def page_exists(pages, node):
    try:
        with urllib.request.urlopen(f"{pages.scheme}://{pages.netloc}{pages.path}/metrics/{node}", timeout=5) as page:
            return bool(page.read())
    except (OSError, urllib.error.URLError):
        return False


def compare(checks, wanted, found):
    cards = {identity(card): card for card in found["cards"]}
    missing, extra, far = [], [], []
    for card in wanted["cards"]:
        other = cards[identity(card)]
        for key in MEASURED:
            have, want = other[key], card[key]
            if (have is None) != (want is None):
                (missing if have is None else extra).append((identity(card), key))
            # The load moves between the two runs; what is far off is another card's or another unit's.
            elif have is not None and not math.isclose(have, want, rel_tol=0.5, abs_tol=30 if have < 1000 else 8e9):
                far.append((identity(card), key, have, want))
    reported = found["totals"]["reported"]
    checks.hold(not missing, "what the pool's own Prometheus reports, a real one does", f"{reported}; missing {missing[:3]}")
    checks.hold(len(extra) <= len(wanted["cards"]) // 50, "and nothing else", f"{len(extra)} {extra[:2]}")
    checks.hold(not far, "with the same values", far[:3])
    notes = found["clusters"][0]["notes"]
    checks.hold(not [note for note in notes if "could not be read" in note], "no answer was unreadable", notes)


def check_console_hour(checks, gtest, kubeconfig, url, folder):
    if gtest is None:
        checks.leave_out("a card's last hour", "its test was not built")
        return
    done = subprocess.run([gtest, "--gtest_brief=1", "--gtest_filter=CardHourOnRealPrometheus.*"], capture_output=True, text=True,
                          timeout=120, env={**environment(folder), "TONGCHI_REAL_KUBECONFIG": str(kubeconfig),
                                            "TONGCHI_REAL_PROMETHEUS": url})
    checks.hold(done.returncode == 0, "a card's last hour with temperature and power", done.stdout if done.returncode else "")
