#include "platform/simulator/printer_columns.h"

#include "platform/simulator/json_value.h"
#include "platform/simulator/printer_table.h"

#include <QDateTime>
#include <algorithm>
#include <cstring>

namespace tongchi::simulator {

void nodeCells(JsonElement object, Instant now, std::vector<QByteArray> &out);
void podCells(JsonElement object, Instant now, std::vector<QByteArray> &out);
void eventCells(JsonElement object, Instant now, std::vector<QByteArray> &out);

namespace {

QByteArray nameCell(JsonElement object)
{
    return cellText(elementText(object, "/metadata/name"));
}

QByteArray createdCell(JsonElement object, Instant now)
{
    return ageCell(object, "/metadata/creationTimestamp", now);
}

void plainCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    out = {nameCell(object), createdCell(object, now)};
}

void namespaceCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    out = {nameCell(object), cellText(elementText(object, "/status/phase")), createdCell(object, now)};
}

void configMapCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    const qsizetype entries = elementCount(object, "/data") + elementCount(object, "/binaryData");
    out = {nameCell(object), QByteArray::number(entries), createdCell(object, now)};
}

void secretCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    out = {nameCell(object), cellText(elementText(object, "/type")),
           QByteArray::number(elementCount(object, "/data")), createdCell(object, now)};
}

void serviceCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    QByteArray ports;
    simdjson::dom::array list;
    if (object.at_pointer("/spec/ports").get(list) == simdjson::SUCCESS) {
        for (JsonElement port : list) {
            if (!ports.isEmpty())
                ports += ',';
            ports += QByteArray::number(elementNumber(port, "/port"));
            if (const qint64 nodePort = elementNumber(port, "/nodePort"))
                ports += ':' + QByteArray::number(nodePort);
            ports += '/' + textOr(elementText(port, "/protocol"), "TCP");
        }
    }
    out = {nameCell(object),
           cellText(textOr(elementText(object, "/spec/type"), "ClusterIP")),
           cellText(textOr(elementText(object, "/spec/clusterIP"), "<none>")),
           cellText("<none>"),
           cellText(textOr(ports, "<none>")),
           createdCell(object, now),
           cellText(textOr(selectorText(object, "/spec/selector"), "<none>"))};
}

void templateCells(JsonElement object, std::vector<QByteArray> &out, bool selector = true)
{
    QByteArray names;
    QByteArray images;
    simdjson::dom::array containers;
    if (object.at_pointer("/spec/template/spec/containers").get(containers) == simdjson::SUCCESS) {
        for (JsonElement container : containers) {
            names += (names.isEmpty() ? "" : ",") + elementText(container, "/name");
            images += (images.isEmpty() ? "" : ",") + elementText(container, "/image");
        }
    }
    out.push_back(cellText(names));
    out.push_back(cellText(images));
    if (selector)
        out.push_back(cellText(textOr(selectorText(object, "/spec/selector/matchLabels"), "<none>")));
}

QByteArray numberCell(JsonElement object, const char *pointer)
{
    return QByteArray::number(elementNumber(object, pointer));
}

QByteArray readyCell(JsonElement object)
{
    return cellText(QByteArray::number(elementNumber(object, "/status/readyReplicas")) + '/' +
                    QByteArray::number(elementNumber(object, "/spec/replicas", 1)));
}

void deploymentCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    out = {nameCell(object), readyCell(object), numberCell(object, "/status/updatedReplicas"),
           numberCell(object, "/status/availableReplicas"), createdCell(object, now)};
    templateCells(object, out);
}

void daemonSetCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    out = {nameCell(object),
           numberCell(object, "/status/desiredNumberScheduled"),
           numberCell(object, "/status/currentNumberScheduled"),
           numberCell(object, "/status/numberReady"),
           numberCell(object, "/status/updatedNumberScheduled"),
           numberCell(object, "/status/numberAvailable"),
           cellText(textOr(selectorText(object, "/spec/template/spec/nodeSelector"), "<none>")),
           createdCell(object, now)};
    templateCells(object, out);
}

void replicaSetCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    out = {nameCell(object), numberCell(object, "/spec/replicas"), numberCell(object, "/status/replicas"),
           numberCell(object, "/status/readyReplicas"), createdCell(object, now)};
    templateCells(object, out);
}

void statefulSetCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    out = {nameCell(object), readyCell(object), createdCell(object, now)};
    templateCells(object, out, false);
}

void jobCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    QByteArray state = "Running";
    simdjson::dom::array conditions;
    if (object.at_pointer("/status/conditions").get(conditions) == simdjson::SUCCESS) {
        for (JsonElement condition : conditions) {
            const QByteArray type = elementText(condition, "/type");
            if (elementText(condition, "/status") == "True" &&
                (type == "Complete" || type == "Failed" || type == "Suspended"))
                state = type;
        }
    }
    out = {nameCell(object), cellText(state),
           cellText(QByteArray::number(elementNumber(object, "/status/succeeded")) + '/' +
                    QByteArray::number(elementNumber(object, "/spec/completions", 1))),
           cellText(elementText(object, "/status/startTime").isEmpty()
                        ? QByteArray()
                        : ageCell(object, "/status/startTime", now).replace('"', "")),
           createdCell(object, now)};
    templateCells(object, out);
}

void resourceSliceCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    out = {nameCell(object), cellText(elementText(object, "/spec/nodeName")),
           cellText(elementText(object, "/spec/driver")), cellText(elementText(object, "/spec/pool/name")),
           createdCell(object, now)};
}

void resourceClaimCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    QByteArray state;
    if (!elementText(object, "/metadata/deletionTimestamp").isEmpty())
        state = "deleted";
    JsonElement allocation;
    if (object.at_pointer("/status/allocation").get(allocation) != simdjson::SUCCESS) {
        state = state.isEmpty() ? QByteArray("pending") : state;
    } else {
        state += state.isEmpty() ? "allocated" : ",allocated";
        if (elementCount(object, "/status/reservedFor") > 0)
            state += ",reserved";
    }
    out = {nameCell(object), cellText(state), createdCell(object, now)};
}

void leaseCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    out = {nameCell(object), cellText(elementText(object, "/spec/holderIdentity")), createdCell(object, now)};
}

void budgetCells(JsonElement object, Instant now, std::vector<QByteArray> &out)
{
    const auto amount = [&](const char *pointer) {
        const QByteArray text = elementText(object, pointer);
        return cellText(text.isEmpty() ? QByteArray("N/A") : text);
    };
    out = {nameCell(object), amount("/spec/minAvailable"), amount("/spec/maxUnavailable"),
           numberCell(object, "/status/disruptionsAllowed"), createdCell(object, now)};
}

const std::vector<PrinterColumn> workloadTail = {
    {"Containers", "string", "", 1}, {"Images", "string", "", 1}, {"Selector", "string", "", 1}};

std::vector<PrinterColumn> withTail(std::vector<PrinterColumn> columns)
{
    columns.insert(columns.end(), workloadTail.begin(), workloadTail.end());
    return columns;
}

const std::vector<PrinterColumns> allColumns = {
    {"Node",
     {{"Name", "string", "name"},
      {"Status"},
      {"Roles"},
      {"Age"},
      {"Version"},
      {"Internal-IP", "string", "", 1},
      {"External-IP", "string", "", 1},
      {"OS-Image", "string", "", 1},
      {"Kernel-Version", "string", "", 1},
      {"Container-Runtime", "string", "", 1}},
     nodeCells},
    {"Pod",
     {{"Name", "string", "name"},
      {"Ready"},
      {"Status"},
      {"Restarts"},
      {"Age"},
      {"IP", "string", "", 1},
      {"Node", "string", "", 1},
      {"Nominated Node", "string", "", 1},
      {"Readiness Gates", "string", "", 1}},
     podCells},
    {"Event",
     {{"Last Seen"},
      {"Type"},
      {"Reason"},
      {"Object"},
      {"Subobject", "string", "", 1},
      {"Source", "string", "", 1},
      {"Message"},
      {"First Seen", "string", "", 1},
      {"Count", "string", "", 1},
      {"Name", "string", "name", 1}},
     eventCells},
    {"Namespace", {{"Name", "string", "name"}, {"Status"}, {"Age"}}, namespaceCells},
    {"ConfigMap", {{"Name", "string", "name"}, {"Data"}, {"Age"}}, configMapCells},
    {"Secret", {{"Name", "string", "name"}, {"Type"}, {"Data"}, {"Age"}}, secretCells},
    {"Service",
     {{"Name", "string", "name"},
      {"Type"},
      {"Cluster-IP"},
      {"External-IP"},
      {"Port(s)"},
      {"Age"},
      {"Selector", "string", "", 1}},
     serviceCells},
    {"Deployment", withTail({{"Name", "string", "name"}, {"Ready"}, {"Up-to-date"}, {"Available"}, {"Age"}}),
     deploymentCells},
    {"DaemonSet",
     withTail({{"Name", "string", "name"},
               {"Desired", "integer"},
               {"Current", "integer"},
               {"Ready", "integer"},
               {"Up-to-date", "integer"},
               {"Available", "integer"},
               {"Node Selector"},
               {"Age"}}),
     daemonSetCells},
    {"ReplicaSet",
     withTail({{"Name", "string", "name"},
               {"Desired", "integer"},
               {"Current", "integer"},
               {"Ready", "integer"},
               {"Age"}}),
     replicaSetCells},
    {"StatefulSet",
     {{"Name", "string", "name"},
      {"Ready"},
      {"Age"},
      {"Containers", "string", "", 1},
      {"Images", "string", "", 1}},
     statefulSetCells},
    {"Job", withTail({{"Name", "string", "name"}, {"Status"}, {"Completions"}, {"Duration"}, {"Age"}}),
     jobCells},
    {"ResourceSlice",
     {{"Name", "string", "name"}, {"Node"}, {"Driver"}, {"Pool"}, {"Age"}},
     resourceSliceCells},
    {"ResourceClaim", {{"Name", "string", "name"}, {"State"}, {"Age"}}, resourceClaimCells},
    {"Lease", {{"Name", "string", "name"}, {"Holder"}, {"Age"}}, leaseCells},
    {"PodDisruptionBudget",
     {{"Name", "string", "name"},
      {"Min Available"},
      {"Max Unavailable"},
      {"Allowed Disruptions", "integer"},
      {"Age"}},
     budgetCells},
};
const PrinterColumns plainColumns = {"", {{"Name", "string", "name"}, {"Age"}}, plainCells};

} // namespace

const PrinterColumns &printerColumns(const char *kind)
{
    for (const PrinterColumns &candidate : allColumns) {
        if (std::strcmp(candidate.kind, kind) == 0)
            return candidate;
    }
    return plainColumns;
}

QByteArray elementText(JsonElement object, const char *pointer)
{
    JsonElement found;
    if (object.at_pointer(pointer).get(found) != simdjson::SUCCESS)
        return {};
    std::string_view text;
    if (found.get(text) == simdjson::SUCCESS)
        return QByteArray(text.data(), qsizetype(text.size()));
    qint64 number = 0;
    std::int64_t value = 0;
    if (found.get(value) == simdjson::SUCCESS) {
        number = value;
        return QByteArray::number(number);
    }
    bool flag = false;
    if (found.get(flag) == simdjson::SUCCESS)
        return flag ? "true" : "false";
    return {};
}

qint64 elementNumber(JsonElement object, const char *pointer, qint64 fallback)
{
    std::int64_t value = 0;
    return object.at_pointer(pointer).get(value) == simdjson::SUCCESS ? value : fallback;
}

qsizetype elementCount(JsonElement object, const char *pointer)
{
    JsonElement found;
    if (object.at_pointer(pointer).get(found) != simdjson::SUCCESS)
        return 0;
    simdjson::dom::array list;
    if (found.get(list) == simdjson::SUCCESS)
        return qsizetype(list.size());
    simdjson::dom::object map;
    return found.get(map) == simdjson::SUCCESS ? qsizetype(map.size()) : 0;
}

QByteArray cellText(const QByteArray &text)
{
    QByteArray out;
    writeJsonString(out, text);
    return out;
}

QByteArray textOr(const QByteArray &text, const char *fallback)
{
    return text.isEmpty() ? QByteArray(fallback) : text;
}

QByteArray ageCell(JsonElement object, const char *pointer, Instant now)
{
    const QDateTime at =
        QDateTime::fromString(QString::fromLatin1(elementText(object, pointer)), Qt::ISODateWithMs);
    if (!at.isValid())
        return "\"<unknown>\"";
    const std::chrono::milliseconds age(now.time_since_epoch().count() - at.toMSecsSinceEpoch());
    return cellText(humanDuration(age));
}

QByteArray selectorText(JsonElement object, const char *pointer)
{
    simdjson::dom::object map;
    if (object.at_pointer(pointer).get(map) != simdjson::SUCCESS)
        return {};
    std::vector<QByteArray> terms;
    for (const auto &field : map) {
        std::string_view value;
        if (field.value.get(value) == simdjson::SUCCESS)
            terms.push_back(QByteArray(field.key.data(), qsizetype(field.key.size())) + '=' +
                            QByteArray(value.data(), qsizetype(value.size())));
    }
    std::sort(terms.begin(), terms.end());
    QByteArray out;
    for (const QByteArray &term : terms)
        out += (out.isEmpty() ? "" : ",") + term;
    return out;
}

} // namespace tongchi::simulator
