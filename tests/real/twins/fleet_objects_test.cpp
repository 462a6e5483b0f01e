// The objects that the embedded pool is made of, given to the real API server as a strict dry run: it takes
// each of them, and gives back what the pool shows.

#include "tests/real/support/real_test.h"
#include "tests/real/twins/twin_difference.h"
#include "tests/real/twins/twin_server.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <gtest/gtest.h>

namespace tongchi::twins {
namespace {

struct FleetKind
{
    const char *root;
    const char *plural;
    bool namespaced;
};
constexpr qsizetype mostOfAKind = 30;
constexpr FleetKind fleetKinds[] = {
    {"/api/v1", "nodes", false},
    {"/api/v1", "pods", true},
    {"/api/v1", "services", true},
    {"/api/v1", "events", true},
    {"/apis/apps/v1", "deployments", true},
    {"/apis/apps/v1", "statefulsets", true},
    {"/apis/batch/v1", "jobs", true},
    {"/apis/resource.k8s.io/v1", "deviceclasses", false},
    {"/apis/resource.k8s.io/v1", "resourceslices", false},
    {"/apis/resource.k8s.io/v1", "resourceclaims", true},
    {"/apis/resource.k8s.io/v1", "resourceclaimtemplates", true},
};

RawAnswer ask(const TwinServer &server, const QByteArray &method, const QByteArray &target,
              const QByteArray &body = {})
{
    RawRequest request{method, target, {}, body};
    request.headers = {{"Accept", "application/json"},
                       {"Content-Type", "application/json"},
                       {"User-Agent", "twins/1.0"},
                       {"Authorization", "Bearer " + server.tokens.value("admin")}};
    return exchange(server.endpoints.value("kubernetes"), request);
}

/// Events about nodes stand in the default namespace.
QByteArray namespaceOf(const QByteArray &kind)
{
    return kind == "Event" ? QByteArray("default") : QByteArray("twins");
}

void withoutMember(QJsonObject *object, const QList<const char *> &path)
{
    const QString key = QLatin1String(path.first());
    if (path.size() == 1) {
        object->remove(key);
        return;
    }
    QJsonObject inner = object->value(key).toObject();
    withoutMember(&inner, path.mid(1));
    object->insert(key, inner);
}

/// As a client would send it: without what the server alone knows, in the namespace of the twins.
QJsonObject asNew(QJsonObject object, const QString &apiVersion, const QString &kind, bool namespaced)
{
    QJsonObject metadata = object[QLatin1String("metadata")].toObject();
    for (const char *own : {"resourceVersion", "uid", "creationTimestamp", "generation", "managedFields",
                            "deletionTimestamp", "deletionGracePeriodSeconds"})
        metadata.remove(QLatin1String(own));
    if (namespaced)
        metadata.insert(QStringLiteral("namespace"), QString::fromLatin1(namespaceOf(kind.toLatin1())));
    metadata.insert(QStringLiteral("name"), QString(u"twins-" + metadata[QLatin1String("name")].toString()));
    if (kind == QLatin1String("Pod"))
        withoutMember(&object,
                      {"spec", "priority"}); // admission computes it from a class that the bed has not
    if (kind == QLatin1String("Job")) {
        withoutMember(&object, {"spec", "selector"}); // made from the uid
        for (const char *label : {"batch.kubernetes.io/controller-uid", "controller-uid",
                                  "batch.kubernetes.io/job-name", "job-name"}) {
            withoutMember(&object, {"spec", "template", "metadata", "labels", label});
            withoutMember(&metadata, {"labels", label});
        }
    }
    object.insert(QStringLiteral("metadata"), metadata);
    object.insert(QStringLiteral("apiVersion"), apiVersion);
    object.insert(QStringLiteral("kind"), kind);
    return object;
}

/// What of the object the real one gave back otherwise; empty: nothing.
QByteArray changedIn(const QJsonObject &sent, const QJsonObject &answered, bool withStatus)
{
    Comparison how;
    how.subset = {"/**"};
    TwinCall call;
    call.steps.push_back({});
    call.steps.front().comparison = how;
    QByteArray text;
    for (const QString &part :
         {QStringLiteral("metadata"), QStringLiteral("spec"), QStringLiteral("status")}) {
        if (!sent.contains(part) || (part == QLatin1String("status") && !withStatus))
            continue;
        TwinAnswer real;
        TwinAnswer ours;
        real.status = ours.status = 201;
        real.kind = ours.kind = TwinAnswer::Kind::Json;
        real.body = answered[part];
        ours.body = sent[part];
        for (const Difference &difference : differencesOf(call, {real}, {ours}))
            text += part.toUtf8() + describe(difference);
    }
    return text;
}

REAL_TEST(TwinsFleet, IsTakenByTheRealServer, "6: the pool's own objects are what the real server would hold")
{
    QString problem;
    const TwinServer real = realTwin(&problem);
    if (problem.isEmpty())
        prepare(real, "kubernetes", &problem);
    ASSERT_TRUE(problem.isEmpty()) << problem.toStdString();
    EmbeddedTwin pool(600); // enough for every way in which cards are published
    ASSERT_TRUE(pool.problem().isEmpty()) << pool.problem().toStdString();
    for (const FleetKind &kind : fleetKinds) {
        const QByteArray list = QByteArray(kind.root) + '/' + kind.plural;
        const QJsonObject all = QJsonDocument::fromJson(ask(pool.server(), "GET", list).text()).object();
        const QString listKind = all[QLatin1String("kind")].toString();
        ASSERT_TRUE(listKind.endsWith(QLatin1String("List"))) << list.toStdString();
        const QByteArray target =
            (kind.namespaced ? QByteArray(kind.root) + "/namespaces/" +
                                   namespaceOf(listKind.chopped(4).toLatin1()) + '/' + kind.plural
                             : list) +
            "?dryRun=All&fieldValidation=Strict";
        int taken = 0;
        QSet<QByteArray> said; // the same fault of many objects is said once
        const QJsonArray items = all[QLatin1String("items")].toArray();
        const qsizetype stride = std::max<qsizetype>(1, items.size() / mostOfAKind);
        for (qsizetype i = 0; i < items.size(); i += stride) {
            const QJsonObject item = items.at(i).toObject();
            const QJsonObject object = asNew(item, all[QLatin1String("apiVersion")].toString(),
                                             listKind.chopped(4), kind.namespaced);
            QJsonObject compared = object;
            const bool isNode = QByteArrayView(kind.plural) == QByteArrayView("nodes");
            if (isNode)
                withoutMember(&compared, {"spec", "taints"}); // admission adds one
            const RawAnswer answer =
                ask(real, "POST", target, QJsonDocument(object).toJson(QJsonDocument::Compact));
            const QJsonObject answered = QJsonDocument::fromJson(answer.text()).object();
            QByteArray fault;
            if (answer.status != 201)
                fault = answered[QLatin1String("message")].toString().toUtf8();
            else
                fault = changedIn(compared, answered, isNode);
            const QByteArray name =
                object[QLatin1String("metadata")][QLatin1String("name")].toString().toUtf8();
            fault.replace(name, "NAME");
            ++taken;
            if (fault.isEmpty() || said.contains(fault) || said.size() > 8)
                continue;
            said.insert(fault);
            ADD_FAILURE() << kind.plural << ' ' << name.toStdString() << ": " << fault.toStdString();
        }
        std::printf("     %d %s\n", taken, kind.plural);
    }
}

} // namespace
} // namespace tongchi::twins
