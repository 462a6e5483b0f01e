"""Which engines there are, from what each is made and what it needs of the machine."""

import dataclasses

KUBERNETES = "1.36.3"
STAMP = "k8s.io/component-base/version"


@dataclasses.dataclass(frozen=True)
class GoProgram:
    name: str  # in the folder bin of the engine
    package: str
    linker_flags: str = ""


@dataclasses.dataclass(frozen=True)
class GoRecipe:
    """Programs of one Go module of their own (pins/NAME/go.mod and go.sum): what different engines require does not go together."""
    programs: tuple
    # (module, folder inside it, name in the engine's folder): published manifests that are read at run time.
    manifests: tuple = ()


@dataclasses.dataclass(frozen=True)
class DebianRecipe:
    """Programs unpacked from Debian's packages, since installing them would start services."""
    packages: tuple
    programs: tuple
    shared: str = ""  # a folder of usr/share that the programs look for; kept under the name `share`


@dataclasses.dataclass(frozen=True)
class PythonRecipe:
    """A venv with exactly what pins/NAME.txt lists; `imports` must work in it."""
    imports: tuple


@dataclasses.dataclass(frozen=True)
class SourceRecipe:
    """llama-server: built with CMake from the source package that pins/NAME.txt names."""
    program: str


@dataclasses.dataclass(frozen=True)
class InstalledRecipe:
    """Debian's packages that start nothing by themselves; installed."""
    packages: tuple
    programs: tuple


def kubernetes_program(name):
    major, minor, _ = KUBERNETES.split(".")
    flags = f"-X {STAMP}.gitVersion=v{KUBERNETES} -X {STAMP}.gitMajor={major} -X {STAMP}.gitMinor={minor}"
    return GoProgram(name, f"k8s.io/kubernetes/cmd/{name}", flags)


RECIPES = {
    "etcd": GoRecipe((GoProgram("etcd", "engines/etcd"),)),
    "kubernetes": GoRecipe(tuple(map(kubernetes_program, (
        "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl")))),
    "kwok": GoRecipe((GoProgram("kwok", "sigs.k8s.io/kwok/cmd/kwok"),),
                     (("sigs.k8s.io/kwok", "kustomize/stage", "stage"),)),
    "prometheus": DebianRecipe(("prometheus",), ("prometheus", "promtool")),
    "alertmanager": DebianRecipe(("prometheus-alertmanager",), ("prometheus-alertmanager", "amtool"), "prometheus"),
    "node-exporter": DebianRecipe(("prometheus-node-exporter",), ("prometheus-node-exporter",)),
    "kueue": GoRecipe((GoProgram("kueue", "sigs.k8s.io/kueue/cmd/kueue"),), (("sigs.k8s.io/kueue", "config", "config"),)),
    "keda": GoRecipe((GoProgram("keda-operator", "github.com/kedacore/keda/v2/cmd/operator"),
                      GoProgram("keda-adapter", "github.com/kedacore/keda/v2/cmd/adapter")),
                     (("github.com/kedacore/keda/v2", "config/crd", "crd"),)),
    "versitygw": GoRecipe((GoProgram("versitygw", "github.com/versity/versitygw/cmd/versitygw"),)),
    "ceph": InstalledRecipe(("radosgw", "ceph-mon", "ceph-osd", "ceph-common"),
                            ("ceph-mon", "ceph-osd", "radosgw", "radosgw-admin", "ceph", "monmaptool")),
    "triton": PythonRecipe(("pytriton",)),
    "mlserver": PythonRecipe(("mlserver",)),
    "model-tools": PythonRecipe(("onnx", "onnxruntime", "safetensors", "picklescan", "modelscan", "gguf")),
    "llama-server": SourceRecipe("llama-server"),
}
