"""Runs suites of real_engines_test on beds of their own and counts."""

import json
import os
import pathlib
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time

from . import building, running
from .cache import NotFetched
from .engines import ENGINES, in_order, recipes_of
from .keeper import Broken
from .suites import SUITES

RESULT = re.compile(r"^\[\s+(OK|FAILED|SKIPPED)\s+\] (\w+\.\w+)(?: \((\d+) ms\))?$")


class Tally:
    def __init__(self):
        self.passed = self.failed = self.not_run = 0

    def summary(self):
        return f"real: {self.passed} passed, {self.failed} failed, {self.not_run} not run"

    def count(self, outcome, test, reason=""):
        word = {"passed": "ok     ", "failed": "FAILED ", "not_run": "NOT RUN"}[outcome]
        setattr(self, outcome, getattr(self, outcome) + 1)
        print(f"{word} {test}{': ' + reason if reason else ''}", flush=True)


def proved_points(tests):
    """{test: point} of all tests of the program, in their order."""
    done = subprocess.run([tests, "--gtest_list_tests"], capture_output=True, text=True,
                          env={**os.environ, "TONGCHI_REAL_LIST": "1"})
    points = {}
    for line in done.stdout.splitlines():
        if line.startswith("point\t"):
            _, name, point = line.split("\t", 2)
            points[name] = point
    return points


def tests_of(tests, suite):
    done = subprocess.run([tests, "--gtest_list_tests", f"--gtest_filter={suite.filter}"], capture_output=True, text=True)
    names, group = [], ""
    for line in done.stdout.splitlines():
        if line.startswith("  "):
            names.append(group + line.split("#")[0].strip())
        elif line.endswith("."):
            group = line
    return names


def run_suite(name, program, tests, tally, only=None):
    suite = SUITES[name]
    names = [test for test in tests_of(tests, suite) if not only or re.search(only, test)]
    if not names:
        return
    engines, absent = available(suite)
    if absent and not suite.apart:
        engine, reason = next(iter(absent.items()))
        outcome = "not_run" if reason.startswith("not fetched") else "failed"
        for test in names:
            tally.count(outcome, test, f"{engine}: {reason}")
        return
    print(f"== {name}: {', '.join(in_order(engines, suite.bare))}", flush=True)
    began = time.monotonic()
    try:
        run = running.up(engines, suite.bare, owner=os.getpid(), heard=lambda text: print(f"        {text}", flush=True))
    except Broken as problem:
        for test in names:
            tally.count("failed", test, f"the bed did not start: {problem}")
        return
    try:
        (pathlib.Path(run["folder"]) / "absent.json").write_text(json.dumps(absent))
        run_tests(names, suite, run, program, tests, tally, began + suite.limit)
    finally:
        running.down(run["folder"])
    print(f"        {name}: {time.monotonic() - began:.0f} s", flush=True)


def available(suite):
    """Engines that can be started, and {engine: reason} of those that cannot."""
    engines, absent = [], {}
    missing = building.provide(recipes_of(in_order(suite.engines, suite.bare)))
    for engine in suite.engines:
        for recipe in recipes_of(in_order([engine], suite.bare)):
            if recipe in missing:
                word = "not fetched" if isinstance(missing[recipe], NotFetched) else "does not build"
                absent[engine] = f"{word}: {missing[recipe]}"
        if engine not in absent:
            engines.append(engine)
    return engines, absent


def run_tests(names, suite, run, program, tests, tally, deadline):
    left = dict.fromkeys(names)
    with tempfile.TemporaryDirectory(prefix="tongchi-home-") as home:
        kept = {key: os.environ[key] for key in ("PATH", "LANG", "LD_LIBRARY_PATH", "ASAN_OPTIONS") if key in os.environ}
        environment = {**kept, "HOME": home, "XDG_RUNTIME_DIR": home, "QT_QPA_PLATFORM": "offscreen",
                       "TONGCHI_REAL_RUN": run["folder"], "TONGCHI_PROGRAM": str(program)}
        process = subprocess.Popen([tests, "--gtest_filter=" + ":".join(names), "--gtest_color=no"], env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, errors="replace")
        lines = queue.Queue()
        reader = threading.Thread(target=lambda: [lines.put(line) for line in process.stdout] + [lines.put(None)], daemon=True)
        reader.start()
        try:
            read_results(lines, left, tally, deadline)
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            code = process.wait()
    for test in left:
        late = time.monotonic() > deadline
        tally.count("failed", test, f"not done after {suite.limit} s" if late else f"the tests ended before it ({code})")


def read_results(lines, left, tally, deadline):
    said = []
    while True:
        try:
            line = lines.get(timeout=max(0.1, deadline - time.monotonic()))
        except queue.Empty:
            print("".join(said), end="")
            return
        if line is None:
            break
        found = RESULT.match(line.rstrip())
        if not found or found[2] not in left:
            if not line.startswith(("[ RUN", "[----", "[====", "Note: Google", "Running main")):
                said.append("        " + line)
            continue
        outcome, test, took = found.groups()
        del left[test]
        words = {"OK": "passed", "FAILED": "failed", "SKIPPED": "not_run"}
        reason = "".join(said).strip().splitlines()[-1].strip() if outcome == "SKIPPED" and said else f"{took} ms"
        if outcome != "SKIPPED":
            print("".join(said), end="")
        tally.count(words[outcome], test, reason)
        said = []
    if left:
        print("".join(said), end="")


def list_tests(tests, chosen):
    """Every test with its suite and the point that it proves; a test without a point is a fault."""
    points, status = proved_points(tests), 0
    for name in chosen:
        for test in tests_of(tests, SUITES[name]):
            print(f"{name:10} {test:60} {points.get(test, 'PROVES NOTHING')}")
            status |= test not in points
    listed = {test for suite in SUITES.values() for test in tests_of(tests, suite)}
    for test in points.keys() - listed:
        print(f"in no suite: {test}")
        status = 1
    return status
