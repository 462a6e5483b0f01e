#include "platform/simulator/printer_columns.h"
#include "platform/simulator/printer_table.h"

#include <algorithm>

namespace tongchi::simulator {

void nodeCells(JsonElement object, Instant now, std::vector<QByteArray> &out);
void podCells(JsonElement object, Instant now, std::vector<QByteArray> &out);
void eventCells(JsonElement object, Instant now, std::vector<QByteArray> &out);

namespace {

QByteArray nodeAddress(JsonElement object, const char *wanted)
{
    simdjson::dom::array list;
    if (object.at_pointer("/status/addresses").get(list) == simdjson::SUCCESS) {
        for (JsonElement address : list) {
            if (elementText(address, "/type") == wanted)
                return elementText(address, "/address");
        }
    }
    return "<none>";
}

/// Reason of a container that does not simply run, or empty.
QByteArray containerReason(JsonElement status)
{
    const QByteArray waiting = elementText(status, "/state/waiting/reason");
    if (!waiting.isEmpty())
        return waiting;
    const QByteArray ended = elementText(status, "/state/terminated/reason");
    if (!ended.isEmpty())
        return ended;
    JsonElement terminated;
    if (status.at_pointer("/state/terminated").get(terminated) != simdjson::SUCCESS)
        return {};
    if (const qint64 signal = elementNumber(terminated, "/signal"))
        return "Signal:" + QByteArray::number(signal);
    return "ExitCode:" + QByteArray::number(elementNumber(terminated, "/exitCode"));
}

} // namespace

void nodeCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    QByteArray status = "Unknown";
    simdjson::dom::array conditions;
    if (object.at_pointer("/status/conditions").get(conditions) == simdjson::SUCCESS) {
        for (JsonElement condition : conditions) {
            if (elementText(condition, "/type") == "Ready")
                status = elementText(condition, "/status") == "True" ? "Ready" : "NotReady";
        }
    }
    if (elementText(object, "/spec/unschedulable") == "true")
        status += ",SchedulingDisabled";
    QByteArrayList roles;
    simdjson::dom::object labels;
    if (object.at_pointer("/metadata/labels").get(labels) == simdjson::SUCCESS) {
        for (const auto &label : labels) {
            const QByteArray key(label.key.data(), qsizetype(label.key.size()));
            std::string_view value;
            if (key.startsWith("node-role.kubernetes.io/") && key.size() > 24)
                roles.append(key.mid(24));
            else if (key == "kubernetes.io/role" && label.value.get(value) == simdjson::SUCCESS &&
                     !value.empty())
                roles.append(QByteArray(value.data(), qsizetype(value.size())));
        }
    }
    std::sort(roles.begin(), roles.end());
    out = {cellText(elementText(object, "/metadata/name")),
           cellText(status),
           cellText(textOr(roles.join(','), "<none>")),
           ageCell(object, "/metadata/creationTimestamp", now),
           cellText(elementText(object, "/status/nodeInfo/kubeletVersion")),
           cellText(nodeAddress(object, "InternalIP")),
           cellText(nodeAddress(object, "ExternalIP")),
           cellText(textOr(elementText(object, "/status/nodeInfo/osImage"), "<unknown>")),
           cellText(textOr(elementText(object, "/status/nodeInfo/kernelVersion"), "<unknown>")),
           cellText(textOr(elementText(object, "/status/nodeInfo/containerRuntimeVersion"), "<unknown>"))};
}

void podCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    qint64 restarts = 0;
    qint64 ready = 0;
    QByteArray reason = textOr(elementText(object, "/status/reason"), "");
    if (reason.isEmpty())
        reason = elementText(object, "/status/phase");
    bool anyRunning = false;
    simdjson::dom::array statuses;
    if (object.at_pointer("/status/containerStatuses").get(statuses) == simdjson::SUCCESS) {
        for (JsonElement status : statuses) {
            restarts += elementNumber(status, "/restartCount");
            const bool isReady = elementText(status, "/ready") == "true";
            const QByteArray own = containerReason(status);
            if (!own.isEmpty())
                reason = own;
            else if (isReady)
                anyRunning = true;
            ready += isReady ? 1 : 0;
        }
        if (reason == "Completed" && anyRunning)
            reason = ready > 0 ? "Running" : "NotReady";
    }
    if (reason == "Pending") {
        simdjson::dom::array conditions;
        if (object.at_pointer("/status/conditions").get(conditions) == simdjson::SUCCESS) {
            for (JsonElement condition : conditions) {
                if (elementText(condition, "/type") == "PodScheduled" &&
                    elementText(condition, "/reason") == "SchedulingGated")
                    reason = "SchedulingGated";
            }
        }
    }
    if (!elementText(object, "/metadata/deletionTimestamp").isEmpty())
        reason = elementText(object, "/status/reason") == "NodeLost" ? "Unknown" : "Terminating";
    const qsizetype containers = elementCount(object, "/spec/containers");
    out = {cellText(elementText(object, "/metadata/name")),
           cellText(QByteArray::number(ready) + '/' + QByteArray::number(containers)),
           cellText(reason),
           cellText(QByteArray::number(restarts)),
           ageCell(object, "/metadata/creationTimestamp", now),
           cellText(textOr(elementText(object, "/status/podIP"), "<none>")),
           cellText(textOr(elementText(object, "/spec/nodeName"), "<none>")),
           cellText(textOr(elementText(object, "/status/nominatedNodeName"), "<none>")),
           cellText("<none>")};
}

void eventCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    const bool hasLast = !elementText(object, "/lastTimestamp").isEmpty();
    const bool hasFirst = !elementText(object, "/firstTimestamp").isEmpty();
    const QByteArray last = ageCell(object, hasLast ? "/lastTimestamp" : "/eventTime", now);
    const QByteArray first = ageCell(object, hasFirst ? "/firstTimestamp" : "/eventTime", now);
    QByteArray target = elementText(object, "/involvedObject/kind").toLower();
    const QByteArray name = elementText(object, "/involvedObject/name");
    if (!name.isEmpty())
        target += '/' + name;
    QByteArray source = elementText(object, "/source/component");
    if (source.isEmpty())
        source = elementText(object, "/reportingComponent");
    const QByteArray host = elementText(object, "/source/host");
    if (!host.isEmpty())
        source += ", " + host;
    out = {last,
           cellText(elementText(object, "/type")),
           cellText(elementText(object, "/reason")),
           cellText(target),
           cellText(elementText(object, "/involvedObject/fieldPath")),
           cellText(source),
           cellText(elementText(object, "/message").trimmed()),
           first,
           QByteArray::number(qMax<qint64>(1, elementNumber(object, "/count"))),
           cellText(elementText(object, "/metadata/name"))};
}

} // namespace tongchi::simulator
