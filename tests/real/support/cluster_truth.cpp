#include "tests/real/support/cluster_truth.h"

#include "tests/real/support/inventory_output.h"

#include <QFile>
#include <QJsonDocument>
#include <gtest/gtest.h>

namespace tongchi::real {

namespace {

QJsonObject member(const QJsonObject &object, const char *key)
{
    return object.value(QLatin1String(key)).toObject();
}

QString text(const QJsonObject &object, const char *key)
{
    return object.value(QLatin1String(key)).toString();
}

/// Resources of which one unit is one card, where HAMi or time slicing do not make it a share.
constexpr const char *wholeCards[] = {"nvidia.com/gpu", "huawei.com/Ascend910", "cambricon.com/mlu",
                                      "hygon.com/dcunum", "example.com/npu9"};

qint64 wholeCardsIn(const QJsonObject &amounts)
{
    qint64 count = 0;
    for (const char *resource : wholeCards)
        count += text(amounts, resource).toLongLong();
    return count;
}

bool isReady(const QJsonObject &node)
{
    for (const QJsonValue &condition : member(node, "status").value(QLatin1String("conditions")).toArray()) {
        if (text(condition.toObject(), "type") == QLatin1String("Ready"))
            return text(condition.toObject(), "status") == QLatin1String("True");
    }
    return false;
}

bool keepsWorkAway(const QJsonObject &node)
{
    const QJsonObject spec = member(node, "spec");
    for (const QJsonValue &taint : spec.value(QLatin1String("taints")).toArray()) {
        const QString effect = text(taint.toObject(), "effect");
        if (effect == QLatin1String("NoSchedule") || effect == QLatin1String("NoExecute"))
            return true;
    }
    return spec.value(QLatin1String("unschedulable")).toBool();
}

/// UUIDs in HAMi's annotation of a pod: "UUID,TYPE,memory,cores:;".
std::set<QString> hamiDevices(const QJsonObject &annotations)
{
    std::set<QString> devices;
    for (auto it = annotations.begin(); it != annotations.end(); ++it) {
        if (!it.key().startsWith(QLatin1String("hami.io/")) ||
            !it.key().endsWith(QLatin1String("devices-allocated")))
            continue;
        for (const QString &part : it.value().toString().split(QLatin1Char(':'))) {
            if (const QString device = part.section(QLatin1Char(','), 0, 0);
                !device.isEmpty() && device != QLatin1String(";"))
                devices.insert(device);
        }
    }
    return devices;
}

struct Holding
{
    qint64 whole = 0;
    std::set<QString> devices; ///< HAMi's
};

} // namespace

QJsonObject expectedCards(const Bed &bed)
{
    QFile file(bed.folder() + QStringLiteral("/cards.json"));
    if (!file.open(QIODevice::ReadOnly))
        ADD_FAILURE() << "the bed has no cards.json";
    return QJsonDocument::fromJson(file.readAll()).object();
}

QJsonObject plainObject(QJsonObject object)
{
    const QJsonObject whole = object.value(QLatin1String("metadata")).toObject();
    QJsonObject metadata;
    for (const char *key : {"name", "namespace", "labels", "annotations"}) {
        if (whole.contains(QLatin1String(key)))
            metadata.insert(QLatin1String(key), whole.value(QLatin1String(key)));
    }
    object.insert(QStringLiteral("metadata"), metadata);
    return object;
}

ClusterTruth truthOf(const Bed &bed)
{
    std::map<QString, qint64> known;
    for (const QJsonValue &node : expectedCards(bed).value(QLatin1String("nodes")).toArray())
        known[text(node.toObject(), "name")] = node.toObject().value(QLatin1String("cards")).toArray().size();
    ClusterTruth truth;
    std::map<QString, Holding> holdings;
    const QJsonArray items = bed.kubectlObject({"get", "nodes,pods,resourceclaims.resource.k8s.io", "-A"})
                                 .value(QLatin1String("items"))
                                 .toArray();
    for (const QJsonValue &value : items) {
        const QJsonObject item = value.toObject(), metadata = member(item, "metadata");
        const QString kind = text(item, "kind"), name = text(metadata, "name");
        if (kind == QLatin1String("Node")) {
            NodeTruth &node = truth[name];
            node.schedulable = isReady(item) && !keepsWorkAway(item);
            node.businessLabel = text(member(metadata, "labels"), "tongchi.io/business");
            node.cards =
                known.contains(name) ? known[name] : wholeCardsIn(member(member(item, "status"), "capacity"));
        } else if (kind == QLatin1String("Pod")) {
            const QString phase = text(member(item, "status"), "phase");
            const QString place = text(member(item, "spec"), "nodeName");
            if (place.isEmpty() || phase == QLatin1String("Succeeded") || phase == QLatin1String("Failed"))
                continue;
            const QJsonObject annotations = member(metadata, "annotations");
            const std::set<QString> devices = hamiDevices(annotations);
            holdings[place].devices.insert(devices.begin(), devices.end());
            if (devices.empty()) {
                for (const QJsonValue &container :
                     member(item, "spec").value(QLatin1String("containers")).toArray())
                    holdings[place].whole +=
                        wholeCardsIn(member(member(container.toObject(), "resources"), "limits"));
            }
            if (!devices.empty() || annotations.contains(QLatin1String("huawei.com/AscendReal")))
                truth[place].pods.insert(text(metadata, "namespace") + QLatin1Char('/') + name);
        } else if (kind == QLatin1String("ResourceClaim")) {
            const QJsonObject status = member(item, "status");
            const QJsonArray users = status.value(QLatin1String("reservedFor")).toArray();
            if (users.isEmpty())
                continue;
            for (const QJsonValue &result :
                 member(member(status, "allocation"), "devices").value(QLatin1String("results")).toArray()) {
                const QString place = text(result.toObject(), "pool"); // one a node, of its name
                ++holdings[place].whole;
                for (const QJsonValue &user : users)
                    truth[place].pods.insert(text(metadata, "namespace") + QLatin1Char('/') +
                                             text(user.toObject(), "name"));
            }
        }
    }
    for (const auto &[place, holding] : holdings)
        truth[place].held = holding.whole + qint64(holding.devices.size());
    std::erase_if(truth, [](const auto &entry) { return entry.second.cards == 0; });
    return truth;
}

ClusterTruth shownIn(const QJsonObject &document)
{
    ClusterTruth shown;
    for (const QJsonValue &value : document.value(QLatin1String("nodes")).toArray()) {
        const QJsonObject node = value.toObject();
        shown[text(node, "name")] = {.schedulable = node.value(QLatin1String("schedulable")).toBool(),
                                     .businessLabel = text(node, "business_label"),
                                     .held = node.value(QLatin1String("held")).toInteger(-1)};
    }
    for (const QJsonValue &value : document.value(QLatin1String("cards")).toArray()) {
        const QJsonObject card = value.toObject();
        const QString name = text(card, "node");
        NodeTruth &node = shown[name];
        ++node.cards;
        EXPECT_EQ(card.value(QLatin1String("schedulable")).toBool(), node.schedulable) << name.toStdString();
        EXPECT_EQ(text(card, "node_business_label"), node.businessLabel) << name.toStdString();
        for (const QJsonValue &pod : card.value(QLatin1String("workloads")).toArray())
            node.pods.insert(pod.toString());
        for (const QJsonValue &slice : card.value(QLatin1String("slices")).toArray()) {
            if (const QString pod = text(slice.toObject(), "workload"); !pod.isEmpty())
                node.pods.insert(pod);
        }
    }
    for (const QJsonValue &value : document.value(QLatin1String("nodes")).toArray()) {
        const QString name = text(value.toObject(), "name");
        EXPECT_EQ(value.toObject().value(QLatin1String("cards")).toInteger(), shown[name].cards)
            << name.toStdString();
    }
    return shown;
}

std::string differenceOf(const ClusterTruth &shown, const ClusterTruth &truth)
{
    std::string all =
        std::to_string(shown.size()) + " nodes shown, " + std::to_string(truth.size()) + " are the truth";
    const auto add = [&all](const QString &name, const char *who, const NodeTruth *node) {
        if (all.size() > 2'000)
            return;
        all += "\n  " + name.toStdString() + ' ' + who + ": ";
        if (!node) {
            all += "not there";
            return;
        }
        all += std::string(node->schedulable ? "schedulable" : "not schedulable") + ", label \"" +
               node->businessLabel.toStdString() + "\", " + std::to_string(node->cards) + " cards, " +
               std::to_string(node->held) + " held, pods";
        for (const QString &pod : node->pods)
            all += ' ' + pod.toStdString();
    };
    const auto find = [](const ClusterTruth &in, const QString &name) {
        const auto at = in.find(name);
        return at == in.end() ? nullptr : &at->second;
    };
    std::set<QString> names;
    for (const ClusterTruth *side : {&shown, &truth}) {
        for (const auto &entry : *side)
            names.insert(entry.first);
    }
    for (const QString &name : names) {
        const NodeTruth *left = find(shown, name), *right = find(truth, name);
        if (left && right && *left == *right)
            continue;
        add(name, "shown", left);
        add(name, "truth", right);
    }
    return all;
}

} // namespace tongchi::real
