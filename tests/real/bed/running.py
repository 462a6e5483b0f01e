"""Starts a keeper and asks it for engines."""

import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

from . import building
from .cache import NotBuilt
from .engines import in_order, recipes_of
from .keeper import Broken, ask

PREFIX = "tongchi-real-"


def provide(engines, bare=False):
    """Fetches and builds what is missing. 0, or the exit code that says why not."""
    missing = building.provide(recipes_of(in_order(engines, bare)))
    if any(isinstance(problem, NotBuilt) for problem in missing.values()):
        return 1
    return 77 if missing else 0


def all_runs():
    """Folders of this user's runs whose keeper answers to its name."""
    found = []
    for folder in sorted(pathlib.Path(tempfile.gettempdir()).glob(PREFIX + "*")):
        try:
            os.kill(int((folder / "keeper").read_text()), 0)
            found.append(str(folder))
        except (OSError, ValueError):
            continue
    return found


def up(engines, bare=False, folder=None, owner=0, heard=None):
    """run.json of a bed in which `engines` run. `owner`: the process with which all of it ends. Broken: nothing is left of it."""
    if folder is None:
        folder = tempfile.mkdtemp(prefix=PREFIX)
        launch(folder, owner)
    try:
        return ask(folder, {"do": "up", "engines": list(engines), "bare": bare}, heard)["run"]
    except Broken:
        await_end(folder)
        raise


def down(folder):
    """Broken where nothing runs; returns when nothing is left."""
    try:
        ask(folder, {"do": "down"})
    finally:
        await_end(folder)


def await_end(folder):
    """Until the keeper of `folder` is gone, and with it all that it started."""
    try:
        keeper = os.pidfd_open(int((pathlib.Path(folder) / "keeper").read_text()))
    except (OSError, ValueError):
        return
    select.select([keeper], [], [], 60)
    os.close(keeper)


def launch(folder, owner):
    top = pathlib.Path(__file__).resolve().parent.parent
    keeper = subprocess.Popen([sys.executable, "-m", "bed.keeper", folder, str(owner)], cwd=top, start_new_session=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(pathlib.Path(folder) / "keeper.log", "w"))
    end = time.monotonic() + 10
    while not (pathlib.Path(folder) / "control").exists():
        if keeper.poll() is not None or time.monotonic() > end:
            raise Broken("the keeper did not start: " + (pathlib.Path(folder) / "keeper.log").read_text()[-1000:])
        time.sleep(0.01)
