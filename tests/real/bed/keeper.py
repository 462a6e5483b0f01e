"""The process that owns a run: it starts the engines, keeps them, and takes them with it however it ends.

One folder a run. Requests come as lines of JSON over F/control (a Unix socket, one client at a time); each is answered by any number
of {"said": text} and one {"done": true, ...} or {"error": text}. Everything happens in one thread: a child that asks for
the death of its parent is told of the thread's that started it.
"""

import ctypes
import json
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import time

START_LIMIT = float(os.environ.get("TONGCHI_START_LIMIT", 60))  # seconds
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIBC = ctypes.CDLL(None, use_errno=True)


class Broken(Exception):
    """The test bed does not work; says nothing about the program under test."""


class Interrupted(Exception):
    """Nobody waits for the answer any more."""


def follow_the_keeper():
    """In the child: SIGKILL when the keeper dies."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def is_free(port):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_INET, kind) as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


class Process:
    def __init__(self, name, argv, env, cwd, patience):
        self.name, self.argv, self.env, self.cwd, self.patience = name, argv, env, cwd, patience
        self.running = None  # Popen
        self.paused = False


class Run:
    """What one folder's engines have in common. Engines' start functions get it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.processes = {}  # name -> Process, in the order of their start
        self.started = []  # engines, in the order of their start
        self.urls = {}
        self.facts = {}  # further keys of run.json
        self.again = {}  # process -> condition of its being ready
        self._ports = {}
        self._random = random.Random()
        self.client = None  # the socket of who asked
        self.owner = None  # pidfd

    # Ports: below those that the system gives to outgoing connections, so that nobody takes one between two starts.

    def port(self, name, row=1):
        """The first of `row` neighbours, the same for the same name."""
        if name not in self._ports:
            taken = {port for first, count in self._ports.values() for port in range(first, first + count)}
            for _ in range(1000):
                first = self._random.randrange(20000, 32000)
                if all(port not in taken and is_free(port) for port in range(first, first + row)):
                    self._ports[name] = (first, row)
                    break
            else:
                raise Broken("no free port")
        return self._ports[name][0]

    def address(self, name):
        return f"127.0.0.1:{self.port(name)}"

    # Processes

    def start(self, name, *argv, ready=None, env=None, patience=5, cwd=None, limit=START_LIMIT):
        """Starts and, with `ready`, waits until it holds, `limit` seconds at most. `patience`: seconds between SIGTERM and SIGKILL at the end. `env` is added to a
        plain environment."""
        if name in self.processes and self.processes[name].running:
            raise Broken(f"{name} runs already: what is asked for needs a run of its own")
        plain = {key: os.environ[key] for key in ("PATH", "LANG", "HOME", "TMPDIR") if key in os.environ}
        process = Process(name, [str(word) for word in argv], {**plain, **{key: str(value) for key, value in (env or {}).items()}},
                          str(cwd or self.folder), patience)
        self.processes[name] = process
        self.again[name] = ready
        self._launch(process)
        if ready:
            self.wait(name, ready, limit)

    @staticmethod
    def alone():
        """The beginning of a command line whose mounts nobody else sees."""
        return ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])

    def _launch(self, process):
        with open(self.log(process.name), "ab") as log:
            # A session of its own: an interrupt at a terminal does not reach it, and its children end with its group.
            process.running = subprocess.Popen(process.argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=process.cwd,
                                               env=process.env, start_new_session=True, preexec_fn=follow_the_keeper)
        process.paused = False

    def log(self, name):
        return self.folder / "log" / name

    def last_words(self, name, lines=8):
        try:
            return "\n".join(self.log(name).read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""

    def wait(self, name, ready, limit=START_LIMIT):
        """Until ready() holds; `name`: the process whose log tells why it does not."""
        end = time.monotonic() + limit
        while not ready():
            process = self.processes.get(name)
            if process is not None and process.running.poll() is not None:
                raise Broken(f"{name} ended by itself ({process.running.returncode}):\n{self.last_words(name)}")
            if time.monotonic() > end:
                raise Broken(f"{name} was not ready after {limit:g} s:\n{self.last_words(name)}")
            self.check_client()
            time.sleep(0.05)

    def check_client(self):
        if self.owner is not None and select.select([self.owner], [], [], 0)[0]:
            raise Interrupted
        if self.client is not None and select.select([self.client], [], [], 0)[0]:
            if not self.client.recv(1, socket.MSG_PEEK):
                raise Interrupted

    def end(self, name, kill=False):
        process = self.processes[name]
        if process.running is None:
            return
        group = process.running.pid
        if not kill and process.running.poll() is None:
            if process.paused:
                os.killpg(group, signal.SIGCONT)
            process.running.terminate()
            try:
                process.running.wait(process.patience)
            except subprocess.TimeoutExpired:
                pass
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.running.wait()
        process.running = None
        process.paused = False

    def end_all(self):
        for name in reversed(list(self.processes)):
            self.end(name)
        # What an engine left in another session has come to us.
        while children := pathlib.Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split():
            for child in children:
                try:
                    os.kill(int(child), signal.SIGKILL)
                    os.waitpid(int(child), 0)
                except (ProcessLookupError, ChildProcessError):
                    pass

    def resident_megabytes(self, name):
        try:
            status = pathlib.Path(f"/proc/{self.processes[name].running.pid}/status").read_text()
        except (OSError, AttributeError):
            return 0
        return next((int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmRSS:")), 0)

    # What others read

    def write(self):
        """run.json, as a whole."""
        content = {"folder": str(self.folder), "engines": self.started, "urls": self.urls, **self.facts,
                   "processes": {name: process.running.pid for name, process in self.processes.items() if process.running}}
        part = self.folder / "run.json.part"
        part.write_text(json.dumps(content, indent=1))
        part.rename(self.folder / "run.json")
        return content

    def say(self, text):
        if self.client is not None:
            send(self.client, {"said": text})


def send(client, value):
    try:
        client.sendall((json.dumps(value) + "\n").encode())
    except OSError:
        pass


def ask(folder, request, heard=None):
    """Sends one request to the keeper of `folder`; the answer, or Broken. `heard`: called with what it says on the way."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(pathlib.Path(folder) / "control"))
        except OSError as problem:
            raise Broken(f"nothing runs in {folder}: {problem.strerror}") from None
        connection.sendall((json.dumps(request) + "\n").encode())
        for line in connection.makefile():
            answer = json.loads(line)
            if "said" in answer:
                if heard:
                    heard(answer["said"])
            elif "error" in answer:
                raise Broken(answer["error"])
            else:
                return answer
    raise Broken(f"the keeper of {folder} went away")


class Keeper:
    def __init__(self, folder, owner):
        from . import engines
        self.engines = engines
        self.run = Run(folder)
        if owner:
            self.run.owner = os.pidfd_open(owner)
        self.asked = False  # to end
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)
        signal.signal(signal.SIGTERM, self._leave)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def _leave(self, number, frame):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise SystemExit

    def serve(self):
        (self.run.folder / "log").mkdir(exist_ok=True)
        (self.run.folder / "keeper").write_text(str(os.getpid()))
        door = socket.socket(socket.AF_UNIX)
        door.bind(str(self.run.folder / "control"))
        door.listen()
        try:
            while not self.asked:
                waiting = [door] + ([self.run.owner] if self.run.owner is not None else [])
                ready, _, _ = select.select(waiting, [], [])
                if self.run.owner in ready:
                    return
                client, _ = door.accept()
                with client:
                    self._answer(client)
        finally:
            door.close()
            self.run.end_all()
            shutil.rmtree(self.run.folder, ignore_errors=True)

    def _answer(self, client):
        line = client.makefile().readline()
        if not line:
            return
        request = json.loads(line)
        self.run.client = client
        try:
            answer = getattr(self, "do_" + request.pop("do"))(**request)
            send(client, {"done": True, **(answer or {})})
        except Interrupted:
            self.asked = True
        except Exception as problem:  # pylint: disable=broad-except
            send(client, {"error": str(problem) if isinstance(problem, Broken) else repr(problem)})
        finally:
            self.run.client = None

    # Requests

    def do_up(self, engines, bare=False):
        """On failure the whole run ends: half a bed proves nothing."""
        try:
            for name in self.engines.in_order(engines, bare, self.run.started):
                began = time.monotonic()
                self.engines.START[name](self.run)
                self.run.started.append(name)
                self.run.say(f"{name}: ready after {time.monotonic() - began:.1f} s")
        except BaseException:
            self.asked = True
            raise
        return {"run": self.run.write()}

    def do_down(self):
        self.asked = True
        self.run.end_all()

    def do_stop(self, process):
        self.run.end(process)
        self.run.write()

    def do_kill(self, process):
        """As a crash."""
        self.run.end(process, kill=True)
        self.run.write()

    def do_pause(self, process):
        os.killpg(self.run.processes[process].running.pid, signal.SIGSTOP)
        self.run.processes[process].paused = True

    def do_resume(self, process):
        os.killpg(self.run.processes[process].running.pid, signal.SIGCONT)
        self.run.processes[process].paused = False

    def do_start(self, process):
        """Again, as it was started the first time; answers when it is ready."""
        there = self.run.processes[process]
        if there.running is not None:
            raise Broken(f"{process} runs")
        self.run._launch(there)
        if self.run.again[process]:
            self.run.wait(process, self.run.again[process])
        self.run.write()

    def do_prometheus(self, name, jobs):
        """One more Prometheus, process `name`, that scrapes these."""
        from . import services
        url = services.run_prometheus(self.run, name, jobs)
        self.run.write()
        return {"url": url}

    def do_memory(self):
        return {"megabytes": {name: self.run.resident_megabytes(name) for name in self.run.processes}}


def main():
    folder, owner = sys.argv[1], int(sys.argv[2])
    Keeper(folder, owner).serve()


if __name__ == "__main__":
    main()
