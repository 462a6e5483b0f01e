"""Fetches and builds engines into the cache; what is there already is left alone, also after a break."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

from . import recipes
from .cache import PINS, NotBuilt, NotFetched, cache_folder, digest, locked

GO_NEEDED = (1, 26)
PYTHON = "/usr/bin/python3"  # Debian's: Triton's stub is made for its version and wants its shared library
COMPLETE = "complete"  # the file that is written last


def say(text):
    print(text, file=sys.stderr, flush=True)


def tail(text, lines=12):
    return "\n".join(text.strip().splitlines()[-lines:])


def ran(command, error, **options):
    """Standard output; raises `error` with the command's last words."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    except FileNotFoundError:
        raise NotFetched(f"{command[0]} is not installed") from None
    if done.returncode:
        raise error(f"{' '.join(str(word) for word in command[:4])} ...:\n{tail(done.stderr or done.stdout)}")
    return done.stdout


def go_version():
    """As `go env GOVERSION` says it, or None where Go is missing or too old."""
    go = shutil.which("go")
    if not go:
        return None
    text = subprocess.run([go, "env", "GOVERSION"], capture_output=True, text=True,
                          env={**os.environ, "GOTOOLCHAIN": "local"}).stdout.strip()
    try:
        number = tuple(int(part) for part in text.removeprefix("go").split(".")[:2])
    except ValueError:
        return None
    return text if number >= GO_NEEDED else None


def python_tag():
    return f"python3.{sys.version_info[1]}"


class Engine:
    """One engine in the cache."""

    def __init__(self, name):
        self.name = name
        self.recipe = recipes.RECIPES[name]
        self.folder = self._folder()

    def _folder(self):
        pins = [file.read_bytes() for file in sorted((PINS / self.name).glob("*"))] if (PINS / self.name).is_dir() else []
        pins += [file.read_bytes() for file in [PINS / f"{self.name}.txt"] if file.exists()]
        folder = cache_folder() / f"{self.name}-{digest(repr(self.recipe), *pins)}"
        if isinstance(self.recipe, recipes.PythonRecipe):
            return folder.with_name(f"{folder.name}-{python_tag()}")
        if isinstance(self.recipe, recipes.GoRecipe):
            version = go_version()
            if version is None:
                # What another Go built from the same pins runs without any.
                built = sorted(cache_folder().glob(f"{folder.name}-go*/{COMPLETE}"))
                return built[-1].parent if built else folder.with_name(f"{folder.name}-go")
            return folder.with_name(f"{folder.name}-{version}")
        return folder

    def is_there(self):
        if isinstance(self.recipe, recipes.InstalledRecipe):
            return all(shutil.which(program) for program in self.recipe.programs)
        return (self.folder / COMPLETE).exists()

    def program(self, name):
        """Path of a program of this engine; the engine is there."""
        if isinstance(self.recipe, recipes.InstalledRecipe):
            return pathlib.Path(shutil.which(name))
        return self.folder / "bin" / name

    def provide(self):
        """Raises NotFetched or NotBuilt. True when something was done."""
        if self.is_there():
            return False
        began = time.monotonic()
        with locked(self.folder if not isinstance(self.recipe, recipes.InstalledRecipe) else cache_folder()):
            if self.is_there():
                return False
            say(f"{self.name}: into {self.folder}" if self.folder.exists() else f"{self.name}: installing")
            (self.folder / "bin").mkdir(parents=True, exist_ok=True)
            BUILDERS[type(self.recipe)](self)
            (self.folder / COMPLETE).write_text(f"{self.name}\n")
        say(f"{self.name}: ready after {time.monotonic() - began:.0f} s")
        return True


# Go

def build_go(engine):
    if go_version() is None:
        raise NotFetched(f"Go {'.'.join(map(str, GO_NEEDED))} or newer is not in PATH")
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly -buildvcs=false"}
    module = PINS / engine.name
    missing = [program for program in engine.recipe.programs if not engine.program(program.name).exists()]
    for program in missing:
        say(f"{engine.name}: fetching what {program.name} is made of")
        listed = subprocess.run(["go", "list", "-deps", program.package], cwd=module, env=environment, capture_output=True, text=True)
        if listed.returncode:
            ours = "go.sum" in listed.stderr or "updates to go.mod" in listed.stderr
            raise (NotBuilt if ours else NotFetched)(f"{program.package}:\n{tail(listed.stderr, 4)}")
    for number, program in enumerate(missing, 1):
        say(f"{engine.name}: building {program.name} ({number} of {len(missing)})")
        target = engine.program(program.name)
        part = target.with_suffix(".part")
        ran(["nice", "go", "build", "-trimpath", "-ldflags", f"-s -w {program.linker_flags}".strip(), "-o", part, program.package],
            NotBuilt, cwd=module, env=environment)
        part.rename(target)
    for module_name, folder, name in engine.recipe.manifests:
        there = ran(["go", "list", "-m", "-f", "{{.Dir}}", module_name], NotFetched, cwd=module, env=environment).strip()
        # The module cache is read-only, and so would be its copy.
        shutil.rmtree(engine.folder / name, ignore_errors=True)
        shutil.copytree(pathlib.Path(there) / folder, engine.folder / name, copy_function=shutil.copyfile)
        for parent, folders, _ in os.walk(engine.folder / name):
            os.chmod(parent, 0o755)


# Debian

def build_debian(engine):
    unpacked = engine.folder / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    unpacked.mkdir()
    try:
        ran(["apt-get", "download", "-q", *engine.recipe.packages], NotFetched, cwd=unpacked)
    except NotFetched:
        # The lists may be missing or old; only root may renew them.
        ran(["apt-get", "update", "-qq"], NotFetched)
        ran(["apt-get", "download", "-q", *engine.recipe.packages], NotFetched, cwd=unpacked)
    for package in unpacked.glob("*.deb"):
        ran(["dpkg-deb", "-x", package, unpacked], NotBuilt)
    for program in engine.recipe.programs:
        (unpacked / "usr" / "bin" / program).rename(engine.program(program))
    if engine.recipe.shared:
        share = engine.folder / "share"
        shutil.rmtree(share, ignore_errors=True)
        share.mkdir()
        (unpacked / "usr" / "share" / engine.recipe.shared).rename(share / engine.recipe.shared)
    shutil.rmtree(unpacked)


def install_debian(engine):
    if os.geteuid() != 0:
        raise NotFetched(f"only root can install {' '.join(engine.recipe.packages)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    ran(["apt-get", "update", "-qq"], NotFetched)
    ran(["apt-get", "install", "-y", "-q", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=500", *engine.recipe.packages],
        NotFetched, env=environment)


# Python

def make_venv(folder):
    if not (folder / "bin" / "python").exists():
        ran([PYTHON, "-m", "venv", folder], NotFetched)


def build_python(engine):
    venv = engine.folder / "venv"
    make_venv(venv)
    pins = PINS / f"{engine.name}.txt"
    wheels = engine.folder / "wheels"
    pip = [venv / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "-q"]
    # Fetching apart from installing: what cannot be had is not run, what was had and does not install is a failure.
    ran([*pip, "download", "--no-deps", "-r", pins, "-d", wheels], NotFetched)
    ran([*pip, "install", "--no-deps", "--no-index", "--find-links", wheels, "-r", pins], NotBuilt)
    ran([venv / "bin" / "python", "-c", "import " + ", ".join(engine.recipe.imports)], NotBuilt)
    shutil.rmtree(wheels)


# CMake

def build_source(engine):
    pins = PINS / f"{engine.name}.txt"
    source = engine.folder / "source"
    if not source.exists():
        fetched = engine.folder / "fetched"
        shutil.rmtree(fetched, ignore_errors=True)
        venv = engine.folder / "venv"
        make_venv(venv)
        ran([venv / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "-q", "download", "--no-deps", "--no-binary",
             ":all:", "-r", pins, "-d", fetched], NotFetched)
        shutil.rmtree(venv)
        archive = next(fetched.glob("*.tar.gz"))
        ran(["tar", "-xzf", archive, "-C", fetched], NotBuilt)
        next(path for path in fetched.iterdir() if path.is_dir()).rename(source)
        shutil.rmtree(fetched)
    build = engine.folder / "build"
    switches = ("BUILD_SHARED_LIBS LLAMA_BUILD_TESTS LLAMA_BUILD_EXAMPLES LLAMA_BUILD_APP LLAMA_BUILD_UI LLAMA_USE_PREBUILT_UI "
                "LLAMA_OPENSSL GGML_NATIVE GGML_OPENMP").split()
    ran(["cmake", "-S", source / "vendor" / "llama.cpp", "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         *[f"-D{switch}=OFF" for switch in switches]], NotBuilt)
    say(f"{engine.name}: building {engine.recipe.program}")
    ran(["nice", "cmake", "--build", build, "--target", engine.recipe.program, "-j", os.cpu_count() or 2], NotBuilt)
    (build / "bin" / engine.recipe.program).rename(engine.program(engine.recipe.program))
    shutil.rmtree(build)
    shutil.rmtree(source)


BUILDERS = {recipes.GoRecipe: build_go, recipes.DebianRecipe: build_debian, recipes.InstalledRecipe: install_debian,
            recipes.PythonRecipe: build_python, recipes.SourceRecipe: build_source}


def provide(names):
    """{name: error} of those that are not there afterwards; one that fails does not hinder the others."""
    missing = {}
    for name in names:
        engine = Engine(name)
        try:
            engine.provide()
        except (NotFetched, NotBuilt) as problem:
            missing[name] = problem
            word = "could not be fetched" if isinstance(problem, NotFetched) else "does not build"
            say(f"{name} {word}: {problem}")
    return missing
