#include "platform/kubernetes/pod_parser.h"

#include "platform/kubernetes/json_access.h"

#include <algorithm>
#include <array>
#include <limits>

namespace tongchi {

namespace {

using json::Shape;
/// The names lie in the parser's buffers until it reads the next pod.
using Requests = std::vector<std::pair<std::string_view, std::int64_t>>;
using RequestRefill = json::Refill<std::pair<std::string, std::int64_t>>;

constexpr std::size_t kPodAnnotationBytes = 64 * 1024;

// Prefixes of annotations by which schedulers and device plugins say which cards a pod got.
constexpr std::array<std::string_view, 19> kCardAnnotationPrefixes = {
    "hami.io/",       "huawei.com/",     "ascend.kubectl.kubernetes.io/",
    "CAMBRICON_",     "cambricon.com/",  "nvidia.com/",
    "volcano.sh/",    "4pd.io/",         "metax-tech.com/",
    "mthreads.com/",  "iluvatar.ai/",    "enflame.com/",
    "hygon.com/",     "kunlunxin.com/",  "birentech.com/",
    "amd.com/",       "vastaitech.com/", "aws.amazon.com/neuron",
    "predicate-time",
};

bool namesCards(std::string_view annotation)
{
    return std::any_of(kCardAnnotationPrefixes.begin(), kCardAnnotationPrefixes.end(),
                       [&](std::string_view prefix) { return annotation.starts_with(prefix); });
}

std::int64_t addSaturated(std::int64_t a, std::int64_t b)
{
    return b > std::numeric_limits<std::int64_t>::max() - a ? std::numeric_limits<std::int64_t>::max()
                                                            : a + b;
}

std::int64_t &amountOf(Requests &requests, std::string_view name)
{
    for (auto &[known, amount] : requests) {
        if (known == name)
            return amount;
    }
    return requests.emplace_back(name, 0).second;
}

std::int64_t amountIn(const Requests &requests, std::string_view name)
{
    for (const auto &[known, amount] : requests) {
        if (known == name)
            return amount;
    }
    return 0;
}

PodPhase podPhase(std::string_view text)
{
    return text == "Running"     ? PodPhase::Running
           : text == "Pending"   ? PodPhase::Pending
           : text == "Succeeded" ? PodPhase::Succeeded
           : text == "Failed"    ? PodPhase::Failed
                                 : PodPhase::Unknown;
}

Shape readPodLabels(json::ondemand::value value, PodRecord &record, std::string &plainApp)
{
    return json::eachEntry(value, [&](std::string_view key, json::ondemand::value text) {
        if (key == "tongchi.io/business")
            return json::readText(text, record.businessLabel);
        if (key == "app.kubernetes.io/name")
            return json::readText(text, record.appName);
        return key == "app" ? json::readText(text, plainApp) : Shape::Fine;
    });
}

Shape readPodAnnotations(json::ondemand::value value,
                         json::Refill<std::pair<std::string, std::string>> &annotations)
{
    return json::eachEntry(value, [&](std::string_view key, json::ondemand::value text) {
        if (namesCards(key))
            json::valueFor(annotations, key).assign(json::cutText(json::textOf(text), kPodAnnotationBytes));
        return Shape::Fine;
    });
}

Shape readPodOwners(json::ondemand::value value, PodRecord &record)
{
    return json::eachElement(value, [&](json::ondemand::value element) {
        std::string_view kind, name;
        bool controller = false;
        const Shape shape = json::eachField(element, [&](auto key, json::ondemand::value field) {
            if (key == "kind")
                kind = json::textOf(field);
            else if (key == "name")
                name = json::textOf(field);
            else if (key == "controller")
                controller = json::boolOf(field).value_or(false);
            return Shape::Fine;
        });
        if (controller) {
            record.ownerKind.assign(kind);
            record.ownerName.assign(name);
        }
        return shape;
    });
}

// resources.requests, with resources.limits where there is no request of that name.
Shape readPodAmounts(json::ondemand::value value, Requests &amounts)
{
    return json::eachEntry(value, [&](std::string_view key, json::ondemand::value text) {
        if (key.find('/') == std::string_view::npos)
            return Shape::Fine;
        if (const auto quantity = Quantity::parse(json::amountTextOf(text));
            quantity && !quantity->isNegative())
            amountOf(amounts, key) = quantity->roundedUp();
        return Shape::Fine;
    });
}

Shape readPodClaims(json::ondemand::value value, std::vector<std::string> &claims, std::string_view field)
{
    return json::eachElement(value, [&](json::ondemand::value element) {
        return json::eachField(element, [&](auto key, json::ondemand::value text) {
            if (!key.unsafe_is_equal(field))
                return Shape::Fine;
            const std::string_view name = json::textOf(text);
            if (!name.empty() && std::find(claims.begin(), claims.end(), name) == claims.end())
                claims.emplace_back(name);
            return Shape::Fine;
        });
    });
}

// containerStatuses[].allocatedResourcesStatus[].resources[] (source: core/v1 ResourceHealth).
Shape readPodDeviceHealth(json::ondemand::value statuses, std::vector<std::string> &unhealthy)
{
    return json::eachElement(statuses, [&](json::ondemand::value status) {
        return json::eachField(status, [&](auto statusKey, json::ondemand::value allocated) {
            if (!(statusKey == "allocatedResourcesStatus"))
                return Shape::Fine;
            return json::eachElement(allocated, [&](json::ondemand::value resource) {
                return json::eachField(resource, [&](auto resourceKey, json::ondemand::value devices) {
                    if (!(resourceKey == "resources"))
                        return Shape::Fine;
                    return json::eachElement(devices, [&](json::ondemand::value device) {
                        std::string_view id, health;
                        const Shape shape =
                            json::eachField(device, [&](auto key, json::ondemand::value text) {
                                if (key == "resourceID")
                                    id = json::textOf(text);
                                else if (key == "health")
                                    health = json::textOf(text);
                                return Shape::Fine;
                            });
                        if (!id.empty() && health == "Unhealthy")
                            unhealthy.emplace_back(id);
                        return shape;
                    });
                });
            });
        });
    });
}

} // namespace

struct PodParser::Private
{
    json::Document document;
    Requests containers;  ///< sum of the containers
    Requests sidecars;    ///< sum of the init containers that keep running
    Requests initPeak;    ///< largest init container together with the sidecars started before it
    Requests one, limits; ///< of the container being read
    std::string plainApp;

    Shape resources(json::ondemand::value value)
    {
        return json::eachField(value, [&](auto key, json::ondemand::value field) {
            if (key == "requests")
                return readPodAmounts(field, one);
            return key == "limits" ? readPodAmounts(field, limits) : Shape::Fine;
        });
    }

    Shape containerList(json::ondemand::value value, bool init)
    {
        return json::eachElement(value, [&](json::ondemand::value element) {
            bool sidecar = false;
            one.clear();
            limits.clear();
            const Shape shape = json::eachField(element, [&](auto key, json::ondemand::value field) {
                if (key == "resources")
                    return resources(field);
                if (key == "restartPolicy")
                    sidecar = json::textOf(field) == "Always";
                return Shape::Fine;
            });
            for (const auto &[name, amount] : limits) {
                if (std::none_of(one.begin(), one.end(),
                                 [&name = name](const auto &known) { return known.first == name; }))
                    one.emplace_back(name, amount);
            }
            for (const auto &[name, amount] : one) {
                if (!init || sidecar) {
                    std::int64_t &sum = amountOf(init ? sidecars : containers, name);
                    sum = addSaturated(sum, amount);
                } else {
                    std::int64_t &peak = amountOf(initPeak, name);
                    peak = std::max(peak, addSaturated(amountIn(sidecars, name), amount));
                }
            }
            return shape;
        });
    }

    // The order in which fields arrive does not matter: the three sums are joined at the end.
    void totals(RequestRefill requests)
    {
        for (const Requests *sums : {&sidecars, &initPeak}) {
            for (const auto &[name, amount] : *sums)
                amountOf(containers, name);
        }
        for (auto &[name, amount] : containers) {
            amount = std::max(addSaturated(amount, amountIn(sidecars, name)), amountIn(initPeak, name));
            if (amount <= 0)
                continue;
            auto &request = requests.next();
            request.first.assign(name);
            request.second = amount;
        }
    }

    Shape metadata(json::ondemand::value value, PodRecord &record,
                   json::Refill<std::pair<std::string, std::string>> &annotations)
    {
        return json::eachField(value, [&](auto key, json::ondemand::value field) {
            if (key == "labels")
                return readPodLabels(field, record, plainApp);
            if (key == "annotations")
                return readPodAnnotations(field, annotations);
            if (key == "ownerReferences")
                return readPodOwners(field, record);
            if (key == "deletionTimestamp") {
                record.terminating = !json::textOf(field).empty();
                return Shape::Fine;
            }
            json::readCommonMetadata(key, field, record.key, record.resourceVersion);
            return Shape::Fine;
        });
    }

    Shape spec(json::ondemand::value value, PodRecord &record)
    {
        return json::eachField(value, [&](auto key, json::ondemand::value field) {
            if (key == "nodeName")
                return json::readText(field, record.node);
            if (key == "containers")
                return containerList(field, false);
            if (key == "initContainers")
                return containerList(field, true);
            return key == "resourceClaims" ? readPodClaims(field, record.claims, "resourceClaimName")
                                           : Shape::Fine;
        });
    }

    Shape status(json::ondemand::value value, PodRecord &record)
    {
        return json::eachField(value, [&](auto key, json::ondemand::value field) {
            if (key == "phase") {
                record.phase = podPhase(json::textOf(field));
                return Shape::Fine;
            }
            if (key == "containerStatuses" || key == "initContainerStatuses")
                return readPodDeviceHealth(field, record.unhealthyDevices);
            if (key == "resourceClaimStatuses")
                return readPodClaims(field, record.claims, "resourceClaimName");
            if (key == "extendedResourceClaimStatus") {
                return json::eachField(field, [&](auto name, json::ondemand::value text) {
                    if (name == "resourceClaimName") {
                        if (const auto claim = json::textOf(text); !claim.empty())
                            record.claims.emplace_back(claim);
                    }
                    return Shape::Fine;
                });
            }
            return Shape::Fine;
        });
    }
};

PodParser::PodParser() : d(std::make_unique<Private>()) {}
PodParser::~PodParser() = default;

bool PodParser::parse(std::string_view json, PodRecord &record, UnreadableObject &why)
{
    for (std::string *text :
         {&record.key.nameSpace, &record.key.name, &record.key.uid, &record.resourceVersion, &record.node,
          &record.businessLabel, &record.ownerKind, &record.ownerName, &record.appName, &d->plainApp})
        text->clear();
    record.phase = PodPhase::Unknown;
    record.terminating = false;
    record.claims.clear();
    record.unhealthyDevices.clear();
    for (Requests *requests : {&d->containers, &d->sidecars, &d->initPeak})
        requests->clear();
    json::Refill<std::pair<std::string, std::string>> annotations(record.cardAnnotations);

    const char *reason = nullptr;
    const bool read = d->document.read(json, reason, [&](auto key, json::ondemand::value value) {
        if (key == "metadata")
            return d->metadata(value, record, annotations);
        if (key == "spec")
            return d->spec(value, record);
        return key == "status" ? d->status(value, record) : Shape::Fine;
    });
    if (read && record.key.name.empty())
        reason = "the object has no name";
    if (reason)
        return json::unreadable(json, reason, why);
    d->totals(RequestRefill(record.requests));
    if (record.appName.empty())
        record.appName = d->plainApp;
    return true;
}

} // namespace tongchi
