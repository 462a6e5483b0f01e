"""Nodes of all card models in every encoding in which cards appear, and what `tongchi inventory` has to say of each.

The left sides are what device plugins, HAMi, DRA drivers and Ascend's device plugin write; the right sides are the
operator's view: one entry a physical card, its own memory, the short name of its model.
"""

import dataclasses
import json

from .kubernetes import KWOK_ANNOTATION

MIB = 1024 * 1024
NAMESPACE = "cards"


def stage(name, duration):
    """Annotations that tell kwok how long a pod stays in a stage: exactly so long only with both."""
    return {f"{name}.stage.kwok.x-k8s.io/{key}": duration for key in ("delay", "jitter-delay")}


# By itself it draws one to five seconds for each step, and up to the grace period for the end.
QUICK = {**stage("pod-create", "100ms"), **stage("pod-ready", "100ms"), **stage("pod-delete", "100ms")}
GRACE = 1  # second


@dataclasses.dataclass
class CardNode:
    name: str
    cards: list  # expected, by slot: only the keys given are compared
    labels: dict = dataclasses.field(default_factory=dict)
    annotations: dict = dataclasses.field(default_factory=dict)
    amounts: dict = dataclasses.field(default_factory=dict)  # resource -> capacity and allocatable
    others: list = dataclasses.field(default_factory=list)  # objects beside the node
    pods: list = dataclasses.field(default_factory=list)
    schedulable: bool = True

    def manifest(self):
        labels = {"kubernetes.io/hostname": self.name, "topology.kubernetes.io/region": "beijing", **self.labels}
        amounts = {"cpu": "64", "memory": "512Gi", "pods": "110", **{k: str(v) for k, v in self.amounts.items()}}
        spec = {} if self.schedulable else {"unschedulable": True}
        return {"apiVersion": "v1", "kind": "Node", "spec": spec,
                "metadata": {"name": self.name, "labels": labels,
                             "annotations": {KWOK_ANNOTATION: "fake", **self.annotations}},
                "status": {"capacity": amounts, "allocatable": amounts}}


def pod(name, node=None, resources=None, annotations=None, business=None, **spec):
    """A pod that uses cards; bound to `node`, or left to the real scheduler."""
    labels = {"tongchi.io/business": business} if business else {}
    container = {"name": "main", "image": "none", "resources": {"limits": resources or {}}}
    container.update(spec.pop("container", {}))
    if node:
        spec["nodeName"] = node
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": NAMESPACE, "labels": labels, "annotations": {**QUICK, **(annotations or {})}},
            "spec": {"containers": [container], "terminationGracePeriodSeconds": GRACE, **spec}}


def expect(vendor, model, variant, memory_mib, count=1, **more):
    memory = memory_mib * MIB if memory_mib else None
    return [{"vendor": vendor, "model": model, "variant": variant, "memory_bytes": memory, **more} for _ in range(count)]


def gpu_labels(product, memory, count, **more):
    labels = {"nvidia.com/gpu.present": "true", "nvidia.com/gpu.product": product, "nvidia.com/gpu.memory": str(memory),
              "nvidia.com/gpu.count": str(count), "nvidia.com/gpu.replicas": "1"}
    labels.update({f"nvidia.com/{key.replace('__', '-').replace('_', '.')}": value for key, value in more.items()})
    return labels


def nvidia_nodes():
    yield CardNode("labels-h100", labels=gpu_labels("NVIDIA-H100-80GB-HBM3", 81559, 8), amounts={"nvidia.com/gpu": 8},
                   cards=expect("nvidia", "H100", "SXM5-80GB", 81559, 8, shares=1, sources=["vendor_labels", "capacity"]),
                   pods=[pod("by-scheduler", resources={"nvidia.com/gpu": "2"}, business="training",
                             nodeSelector={"kubernetes.io/hostname": "labels-h100"})])
    yield CardNode("labels-t4", labels=gpu_labels("Tesla-T4", 15360, 4), amounts={"nvidia.com/gpu": 4}, schedulable=False,
                   cards=expect("nvidia", "T4", None, 15360, 4, schedulable=False))
    yield CardNode("labels-a10", labels=gpu_labels("NVIDIA-A10", 23028, 4), amounts={"nvidia.com/gpu": 4},
                   cards=expect("nvidia", "A10", None, 23028, 4))
    yield CardNode("time-slicing", labels=gpu_labels("NVIDIA-A10-SHARED", 23028, 2, gpu_replicas="4",
                                                     gpu_sharing__strategy="time-slicing"),
                   amounts={"nvidia.com/gpu": 8}, cards=expect("nvidia", "A10", None, 23028, 2, shares=4))
    mixed = gpu_labels("NVIDIA-A100-SXM4-80GB", 81920, 2, mig_capable="true", mig_strategy="mixed")
    yield CardNode("mig-mixed", labels=mixed, cards=expect("nvidia", "A100", "SXM4-80GB", 81920, 2, slices=3),
                   amounts={"nvidia.com/gpu": 0, "nvidia.com/mig-3g.40gb": 2, "nvidia.com/mig-2g.20gb": 4})
    single = gpu_labels("NVIDIA-A100-SXM4-80GB-MIG-1g.10gb", 9728, 14, mig_capable="true", mig_strategy="single")
    # The label's memory is one instance's: of the card's own nothing is known.
    yield CardNode("mig-single", labels=single, amounts={"nvidia.com/gpu": 14},
                   cards=expect("nvidia", "A100", "SXM4-80GB", None, 2, slices=7))


def hami_nodes():
    cards = ["GPU-11111111-0000-4000-8000-000000000000", "GPU-11111111-0000-4000-8000-000000000001"]
    old = "".join(f"{uuid},10,24564,100,NVIDIA-NVIDIA GeForce RTX 4090,{i},true,{i},hami-core:" for i, uuid in enumerate(cards))
    yield CardNode("hami-old", annotations={"hami.io/node-nvidia-register": old,
                                            "hami.io/node-handshake": "Requesting_2026-11-30 09:00:00"},
                   amounts={"nvidia.com/gpu": 20},
                   cards=[dict(card, uuid=uuid) for card, uuid in
                          zip(expect("nvidia", "RTX 4090", None, 24564, 2, shares=10, health="healthy"), cards)],
                   pods=[pod("hami-share", "hami-old", {"nvidia.com/gpu": "1"}, business="inference", annotations={
                       "hami.io/vgpu-node": "hami-old", "hami.io/bind-phase": "success",
                       "hami.io/vgpu-devices-allocated": f"{cards[1]},NVIDIA,6144,30:;"})])
    oldest = "GPU-22222222-0000-4000-8000-000000000000,10,32768,100,NVIDIA-Tesla V100-PCIE-32GB,0,true:"
    yield CardNode("hami-oldest", annotations={"hami.io/node-nvidia-register": oldest}, amounts={"nvidia.com/gpu": 10},
                   cards=expect("nvidia", "V100", "PCIe-32GB", 32768, shares=10))
    # What has Go's zero value is left out: the first card's index, and the health of a card that is not well.
    new = [{"id": "GPU-33333333-0000-4000-8000-000000000000", "count": 10, "devmem": 81920, "devcore": 100,
            "type": "NVIDIA A100-SXM4-80GB", "mode": "hami-core", "health": True},
           {"id": "GPU-33333333-0000-4000-8000-000000000001", "index": 1, "count": 10, "devmem": 81920, "devcore": 100,
            "type": "NVIDIA A100-SXM4-80GB", "mode": "hami-core"}]
    healthy, unhealthy = expect("nvidia", "A100", "SXM4-80GB", 81920, 2, shares=10)
    yield CardNode("hami-new", annotations={"hami.io/node-nvidia-register": json.dumps(new)}, amounts={"nvidia.com/gpu": 20},
                   cards=[dict(healthy, health="healthy", uuid=new[0]["id"]), dict(unhealthy, health="unhealthy", uuid=new[1]["id"])])
    ascend = [{"id": f"A0B1C2D3-0000-4000-8000-00000000000{i}", **({"index": i} if i else {}), "count": 4, "devmem": 65536,
               "devcore": 20, "type": "Ascend910B3", "health": True, "custominfo": {"NetworkID": 0}} for i in range(2)]
    yield CardNode("hami-ascend", annotations={"hami.io/node-register-Ascend910B3": json.dumps(ascend),
                                               "hami.io/node-handshake-Ascend910B3": "Reported_2026.11.30 09:00:05"},
                   amounts={"huawei.com/Ascend910B3": 8},
                   cards=[dict(card, uuid=there["id"]) for card, there in
                          zip(expect("huawei", "Ascend 910B", "910B3", 65536, 2, shares=4, health="healthy"), ascend)],
                   pods=[pod("vnpu", "hami-ascend", {"huawei.com/Ascend910B3": "1"}, annotations={
                       "hami.io/Ascend910B3-devices-allocated": f"{ascend[0]['id']},Ascend910B3,32768,10:;"})])


def ascend_labels(chip, memory):
    return {"accelerator": "huawei-Ascend910", "accelerator-type": "module-910b-8", "host-arch": "huawei-arm",
            "node.kubernetes.io/npu.chip.name": chip, "mind-cluster/npu-chip-memory": memory}


def device_info(node, unhealthy, code):
    fault = [{"fault_type": "CardUnhealthy", "npu_name": unhealthy, "fault_level": "RestartNPU",
              "large_model_fault_level": "RestartNPU", "fault_handling": "RestartNPU", "fault_code": code}]
    devices = {"huawei.com/Ascend910": "", "huawei.com/Ascend910-Unhealthy": unhealthy,
               "huawei.com/Ascend910-NetworkUnhealthy": "", "huawei.com/Ascend910-Recovering": "",
               "huawei.com/Ascend910-Fault": json.dumps(fault)}
    info = {"DeviceInfo": {"DeviceList": devices, "UpdateTime": 1772441000}, "SuperPodID": -2, "ServerIndex": -2,
            "CheckCode": "0"}
    return {"apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": f"mindx-dl-deviceinfo-{node}", "namespace": "kube-system",
                         "labels": {"mx-consumer-cim": "true"}},
            "data": {"DeviceInfoCfg": json.dumps(info)}}


def ascend_nodes():
    cards = expect("huawei", "Ascend 910B", "910B3", 65536, 8, health="healthy")
    cards[4] = dict(cards[4], health="unhealthy")
    yield CardNode("ascend-910b3", labels=ascend_labels("910B3", "64G"), amounts={"huawei.com/Ascend910": 8}, cards=cards,
                   others=[device_info("ascend-910b3", "Ascend910-4", "80E18005")],
                   pods=[pod("npu-job", "ascend-910b3", {"huawei.com/Ascend910": "2"}, business="training",
                             annotations={"huawei.com/AscendReal": "Ascend910-0,Ascend910-1"})])
    yield CardNode("ascend-910b4", labels=ascend_labels("910B4", "32G"), amounts={"huawei.com/Ascend910": 8},
                   cards=expect("huawei", "Ascend 910B", "910B4", 32768, 8))
    yield CardNode("ascend-vnpu", labels=ascend_labels("910B3", "64G"), cards=expect("huawei", "Ascend 910B", "910B3", 65536, 4,
                                                                                   slices=2),
                   amounts={"huawei.com/Ascend910": 0, "huawei.com/Ascend910-10c.3cpu.32g": 8})


def cambricon_nodes():
    labels = {"Model": "MLU370-X8", "DriverVersion": "v5.10.29"}
    yield CardNode("mlu-plain", labels=labels, amounts={"cambricon.com/mlu": 8},
                   cards=expect("cambricon", "MLU370-X8", None, None, 8))
    yield CardNode("mlu-smlu", labels=labels,
                   amounts={"cambricon.com/mlu.smlu.vcore": 400, "cambricon.com/mlu.smlu.vmemory": 400,
                            "cambricon.com/real-mlu-counts": 4},
                   cards=expect("cambricon", "MLU370-X8", None, None, 4))
    yield CardNode("mlu-chips", labels=labels, amounts={"cambricon.com/mlu": 4, "cambricon.com/real-mlu-counts": 2},
                   cards=expect("cambricon", "MLU370-X8", None, None, 2, slices=2))


def other_nodes():
    yield CardNode("hygon", amounts={"hygon.com/dcunum": 4}, cards=expect("hygon", "Hygon DCU", None, None, 4))
    yield CardNode("unknown-vendor", amounts={"example.com/npu9": 4},
                   cards=expect("example.com", "example.com/npu9", None, None, 4))
    yield CardNode("no-cards", amounts={"rdma/hca": 63, "devices.kubevirt.io/kvm": 1000}, cards=[])


def dra_uuid(node, number):
    return f"GPU-{'44444444' if node == 'dra' else '55555555'}-0000-4000-8000-00000000000{number}"


def dra_device(node, number, taints=()):
    return {"name": f"gpu-{number}", "taints": list(taints), "capacity": {"memory": {"value": "81559Mi"}},
            "attributes": {"type": {"string": "gpu"}, "uuid": {"string": dra_uuid(node, number)},
                           "productName": {"string": "NVIDIA H100 80GB HBM3"}, "architecture": {"string": "Hopper"},
                           "driverVersion": {"version": "570.86.15"},
                           "resource.kubernetes.io/pciBusID": {"string": f"0000:1{number}:00.0"}}}


def dra_slice(node, devices):
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": f"{node}-gpu"},
            "spec": {"driver": "gpu.nvidia.com", "nodeName": node, "devices": devices,
                     "pool": {"name": node, "generation": 1, "resourceSliceCount": 1}}}


def workload(kind, name, node, replicas, resources=None, business="inference", claim=None):
    """What a controller makes pods of, placed by the real scheduler on the node that has the cards."""
    labels = {"app": name, "tongchi.io/business": business}
    container = {"name": "main", "image": "none", "resources": {"limits": resources or {}}}
    spec = {"containers": [container], "nodeSelector": {"kubernetes.io/hostname": node}, "terminationGracePeriodSeconds": GRACE}
    if claim:
        container["resources"] = {"claims": [{"name": "gpu"}]}
        spec["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": claim}]
    pod_metadata = {"labels": labels, "annotations": dict(QUICK)}
    version, more = "apps/v1", {"replicas": replicas, "selector": {"matchLabels": {"app": name}}}
    if kind == "StatefulSet":
        more.update(serviceName=name, podManagementPolicy="Parallel")
    if kind == "Job":
        version, more = "batch/v1", {"parallelism": replicas, "completions": replicas}
        spec["restartPolicy"] = "Never"
        # kwok ends a job's pods at once unless both are given.
        pod_metadata["annotations"].update(stage("pod-complete", "24h"))
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": NAMESPACE},
            "spec": {**more, "template": {"metadata": pod_metadata, "spec": spec}}}


def all_workloads():
    return [workload("Deployment", "chat", "labels-a10", 3, {"nvidia.com/gpu": "1"}),
            workload("StatefulSet", "embed", "ascend-910b4", 2, {"huawei.com/Ascend910": "2"}),
            workload("Job", "tune", "mlu-plain", 2, {"cambricon.com/mlu": "1"}, business="training"),
            workload("Deployment", "rank", "dra-pool", 3, claim="one-card")]


def dra_nodes():
    xid = {"key": "gpu.nvidia.com/xid", "value": "79", "effect": "NoSchedule"}
    device_class = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu.nvidia.com"},
                    "spec": {"selectors": [{"cel": {"expression": "device.driver == 'gpu.nvidia.com'"}}]}}
    template = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate",
                "metadata": {"name": "one-card", "namespace": NAMESPACE},
                "spec": {"spec": {"devices": {"requests": [{"name": "card",
                                                            "exactly": {"deviceClassName": "gpu.nvidia.com"}}]}}}}
    well, tainted = expect("nvidia", "H100", "SXM5-80GB", 81559, 2, sources=["dra"])
    yield CardNode("dra", cards=[dict(well, uuid=dra_uuid("dra", 0), health="healthy"),
                                 dict(tainted, uuid=dra_uuid("dra", 1), health="unhealthy")],
                   others=[dra_slice("dra", [dra_device("dra", 0), dra_device("dra", 1, [xid])]), device_class, template],
                   pods=[pod("by-claim", business="inference", container={"resources": {"claims": [{"name": "gpu"}]}},
                             nodeSelector={"kubernetes.io/hostname": "dra"},
                             resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "one-card"}])])


    yield CardNode("dra-pool", cards=[dict(well, uuid=dra_uuid("dra-pool", number)) for number in range(4)],
                   others=[dra_slice("dra-pool", [dra_device("dra-pool", number) for number in range(4)])])


def all_nodes():
    return [*nvidia_nodes(), *hami_nodes(), *ascend_nodes(), *cambricon_nodes(), *other_nodes(), *dra_nodes()]


# Which cards each pod above must be shown on: pod -> (node, slots). The tainted card of "dra" is not given to a pod.
WORKLOADS = {"hami-share": ("hami-old", [1]), "vnpu": ("hami-ascend", [0]), "npu-job": ("ascend-910b3", [0, 1]),
             "by-claim": ("dra", [0])}
# NVIDIA's plug-in tells nobody which cards a pod got: a count on the node is all there is.
HELD = {"labels-h100": 2, "labels-a10": 3, "ascend-910b4": 4, "mlu-plain": 2}
