"""`tongchi inventory` as another program reads it: once, and with --watch as a stream that is replayed."""

import json
import os
import subprocess
import threading
import time


def environment(home):
    """Of the program under test: a home of its own, no proxy, no cluster of the person who runs the tests."""
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "LD_LIBRARY_PATH", "ASAN_OPTIONS") if key in os.environ}
    return {**kept, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "QT_QPA_PLATFORM": "offscreen"}


def identity(card):
    return card["cluster"], card["node"], card["vendor"], card["slot"]


class Run:
    """One finished run."""

    def __init__(self, program, home, *arguments, timeout=60):
        began = time.monotonic()
        done = subprocess.run([program, "inventory", *arguments], capture_output=True, text=True, env=environment(home),
                              timeout=timeout)
        self.seconds = time.monotonic() - began
        self.code, self.output, self.messages = done.returncode, done.stdout, " ".join(done.stderr.split())

    def document(self):
        return json.loads(self.output)


class Watch:
    """A running `inventory --watch --output json`. A thread replays its lines into `cards`, under the lock `moved`."""

    def __init__(self, program, home, *arguments):
        self.cards = {}  # identity -> card
        self.problems = []  # what the stream itself got wrong
        self.moved = threading.Condition()
        self._whole = False
        self._home = home
        self._messages = open(home / "watch.log", "wb")
        self._process = subprocess.Popen([program, "inventory", "--watch", "--output", "json", *arguments],
                                         stdout=subprocess.PIPE, stderr=self._messages, env=environment(home))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        try:
            self._replay_all()
        except (KeyError, TypeError, UnicodeDecodeError) as problem:
            with self.moved:
                self.problems.append(f"not understood: {problem!r}")
                self.moved.notify_all()

    def _replay_all(self):
        decoder, text = json.JSONDecoder(), ""
        while block := os.read(self._process.stdout.fileno(), 1 << 20):
            text += block.decode()
            while text := text.lstrip():
                try:
                    value, end = decoder.raw_decode(text)
                except json.JSONDecodeError:
                    break  # the rest of it is still on its way
                text = text[end:]
                with self.moved:
                    self._replay(value)
                    self.moved.notify_all()

    def _replay(self, value):
        if not self._whole:
            self._whole = True
            for card in value["cards"]:
                if identity(card) in self.cards:
                    self.problems.append(f"listed twice: {identity(card)}")
                self.cards[identity(card)] = card
            return
        if len(value["removed_cards"]) != value["removed"]:
            self.problems.append(f"{value['removed']} removed, {len(value['removed_cards'])} named")
        for card in value["removed_cards"]:
            if self.cards.pop(identity(card), None) is None:
                self.problems.append(f"removed but never shown: {identity(card)}")
        for card in value["changed"]:
            self.cards[identity(card)] = card
        if len(self.cards) != value["cards"]:
            self.problems.append(f"{len(self.cards)} cards after replaying, the line says {value['cards']}")

    def wait(self, condition, limit):
        """Seconds until condition(cards) held, counted from now; None when it did not."""
        began = time.monotonic()
        with self.moved:
            held = self.moved.wait_for(lambda: self._whole and condition(self.cards), limit)
        return time.monotonic() - began if held else None

    def of_node(self, node):
        with self.moved:
            return [card for card in self.cards.values() if card["node"] == node]

    def is_running(self):
        return self._process.poll() is None

    def stop(self):
        """Exit code after SIGTERM, as a service manager would end it."""
        self._process.terminate()
        try:
            code = self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = None
        self._reader.join(10)
        self._messages.close()
        return code
