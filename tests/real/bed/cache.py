"""Where the engines are kept: one folder an engine, outside the tree, named by what it was made from.

A folder's name ends in a digest of its pins and its recipe and, for what Go builds, in the Go version. Changing a pin makes a new
folder and leaves the old one for whoever still works with the old pin.
"""

import contextlib
import fcntl
import hashlib
import os
import pathlib

PINS = pathlib.Path(__file__).resolve().parent.parent / "pins"


class NotFetched(Exception):
    """Something could not be had from its registry, or a tool that fetches it is not there. Nothing is wrong with us."""


class NotBuilt(Exception):
    """What was fetched does not build."""


def cache_folder():
    """TONGCHI_ENGINES, or tongchi-engines in the user's cache folder."""
    given = os.environ.get("TONGCHI_ENGINES")
    if given:
        return pathlib.Path(given)
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tongchi-engines"


def digest(*parts):
    """`parts`: bytes or text; twelve hexadecimal digits."""
    total = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        total.update(len(data).to_bytes(8, "big"))
        total.update(data)
    return total.hexdigest()[:12]


@contextlib.contextmanager
def locked(folder):
    """Two builders of one engine: the second waits and then finds everything there."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
