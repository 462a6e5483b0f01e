// Each engine of the bed does what it is there for.

#include "tests/real/support/bed.h"
#include "tests/real/support/real_test.h"
#include "tests/support/wait.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>

namespace tongchi::real {
namespace {

struct Reply
{
    int status = 0;
    QByteArray body;
    QJsonObject object() const { return QJsonDocument::fromJson(body).object(); }
};

class Engine : public ::testing::Test
{
protected:
    void SetUp() override { m_network.setProxy(QNetworkProxy::NoProxy); }
    Reply send(const QByteArray &verb, const char *engine, const char *path, const QByteArray &body = {})
    {
        QNetworkRequest request{QUrl(bed.url(QString::fromUtf8(engine)) + QString::fromUtf8(path))};
        request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
        const std::unique_ptr<QNetworkReply> reply(m_network.sendCustomRequest(request, verb, body));
        EXPECT_TRUE(test::waitUntil([&] { return reply->isFinished(); }, std::chrono::seconds(20)))
            << engine << path;
        return {reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), reply->readAll()};
    }

    Bed bed;

private:
    QNetworkAccessManager m_network;
};

const char smokeNode[] = R"([{"apiVersion": "v1", "kind": "Node",
  "metadata": {"name": "smoke-node", "annotations": {"kwok.x-k8s.io/node": "fake"}},
  "status": {"allocatable": {"cpu": "8", "memory": "16Gi", "pods": "20"},
             "capacity": {"cpu": "8", "memory": "16Gi", "pods": "20"}}}])";

REAL_TEST_F(Engine, KubernetesPlacesPodsOnKwokNodes,
            "1: etcd, API server, controller manager, scheduler and kwok work together")
{
    REQUIRE_ENGINE(bed, "kwok");
    const QJsonObject server =
        bed.kubectlObject({"version"}).value(QLatin1String("serverVersion")).toObject();
    EXPECT_EQ(server.value(QLatin1String("gitVersion")).toString(), QStringLiteral("v1.36.3"));
    bed.create(QByteArray(smokeNode));
    (void)bed.kubectl({"create", "deployment", "smoke", "--image=none", "--replicas=2"});
    (void)bed.kubectl({"rollout", "status", "deployment", "smoke", "--timeout=60s"});
    (void)bed.kubectl({"delete", "deployment", "smoke"});
    (void)bed.kubectl({"delete", "node", "smoke-node"});
}

const char smokeQueue[] = R"([
 {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor", "metadata": {"name": "smoke"}},
 {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "smoke"},
  "spec": {"namespaceSelector": {}, "resourceGroups": [{"coveredResources": ["example.com/card"],
    "flavors": [{"name": "smoke", "resources": [{"name": "example.com/card", "nominalQuota": "4"}]}]}]}},
 {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
  "metadata": {"name": "smoke", "namespace": "default"}, "spec": {"clusterQueue": "smoke"}}])";

const char smokeJob[] = R"([{"apiVersion": "batch/v1", "kind": "Job",
  "metadata": {"name": "smoke", "namespace": "default", "labels": {"kueue.x-k8s.io/queue-name": "smoke"}},
  "spec": {"suspend": true, "template": {"spec": {"restartPolicy": "Never", "containers": [
    {"name": "main", "image": "none", "resources": {"limits": {"example.com/card": "2"}}}]}}}}])";

REAL_TEST_F(Engine, KueueAdmitsAJob, "1, 2: Kueue with its webhooks, in a mount namespace of its own")
{
    REQUIRE_ENGINE(bed, "kueue");
    bed.create(QByteArray(smokeQueue));
    bed.create(QByteArray(smokeJob));
    (void)bed.kubectl({"wait", "--for=jsonpath={.spec.suspend}=false", "job/smoke", "--timeout=60s"});
    const QByteArray pending = bed.kubectl(
        {"get", "--raw", "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/smoke/pendingworkloads"});
    EXPECT_TRUE(pending.contains("PendingWorkloadsSummary")) << pending.toStdString();
    (void)bed.kubectl(
        {"delete", "job/smoke", "localqueue/smoke", "clusterqueue/smoke", "resourceflavor/smoke"});
}

REAL_TEST_F(Engine, KedaScalesByAWindowOfTheClock, "1: KEDA's operator and adapter answer external metrics")
{
    REQUIRE_ENGINE(bed, "keda");
    (void)bed.kubectl({"create", "deployment", "tide", "--image=none", "--replicas=1"});
    // A window that is open all day but for one minute, half a day from now.
    const QTime closes = QDateTime::currentDateTimeUtc().time().addSecs(12 * 3600);
    const auto cron = [](QTime at) {
        return QStringLiteral("%1 %2 * * *").arg(at.minute()).arg(at.hour()).toUtf8();
    };
    bed.create(R"([{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject",
      "metadata": {"name": "tide", "namespace": "default"},
      "spec": {"scaleTargetRef": {"name": "tide"}, "minReplicaCount": 1, "maxReplicaCount": 4, "triggers": [
        {"type": "cron", "metadata": {"timezone": "Etc/UTC", "desiredReplicas": "3",
          "start": ")" +
               cron(closes.addSecs(60)) + R"(", "end": ")" + cron(closes) + R"("}}]}}])");
    (void)bed.kubectl({"wait", "--for=condition=Active", "scaledobject/tide", "--timeout=60s"});
    (void)bed.kubectl({"wait", "--for=jsonpath={.spec.replicas}=3", "deployment/tide", "--timeout=60s"});
    (void)bed.kubectl({"delete", "scaledobject/tide", "deployment/tide"});
}

REAL_TEST_F(Engine, PrometheusScrapesTheNodeExporter,
            "1: Prometheus and node exporter from Debian's packages")
{
    REQUIRE_ENGINE(bed, "prometheus");
    REQUIRE_ENGINE(bed, "node-exporter");
    const Reply reply = send("GET", "prometheus", "/api/v1/query?query=node_memory_MemTotal_bytes");
    ASSERT_EQ(reply.status, 200);
    const QJsonObject data = reply.object().value(QLatin1String("data")).toObject();
    EXPECT_EQ(data.value(QLatin1String("result")).toArray().size(), 1) << reply.body.toStdString();
}

REAL_TEST_F(Engine, AlertmanagerTakesAnAlert, "1: Alertmanager from Debian's package, unpacked only")
{
    REQUIRE_ENGINE(bed, "alertmanager");
    const char alerts[] = "/api/v2/alerts";
    ASSERT_EQ(send("POST", "alertmanager", alerts, R"([{"labels":{"alertname":"Smoke"}}])").status, 200);
    EXPECT_TRUE(test::waitUntil([&] { return send("GET", "alertmanager", alerts).body.contains("Smoke"); }));
}

/// An object goes in and comes out again, signed by somebody else's client.
void storeAndFetch(const QString &server, const QJsonObject &keys)
{
    const QStringList signer{QStringLiteral("-sS"),
                             QStringLiteral("--fail-with-body"),
                             QStringLiteral("--noproxy"),
                             QStringLiteral("*"),
                             QStringLiteral("--aws-sigv4"),
                             QStringLiteral("aws:amz:us-east-1:s3"),
                             QStringLiteral("--user"),
                             keys.value(QLatin1String("access")).toString() + QLatin1Char(':') +
                                 keys.value(QLatin1String("secret")).toString()};
    const auto curl = [&](const QStringList &more, const QByteArray &content = {}) {
        const QByteArray hash = QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex();
        const QStringList headers{QStringLiteral("-H"),
                                  QStringLiteral("x-amz-content-sha256: ") + QString::fromLatin1(hash),
                                  QStringLiteral("-H"), QStringLiteral("Content-Type: text/plain")};
        const Finished done = runProgram(QStringLiteral("curl"), signer + headers + more, content);
        EXPECT_EQ(done.code, 0) << done.messages.toStdString() << done.output.toStdString();
        return done.output;
    };
    const QString bucket = server + QStringLiteral("/smoke"), object = bucket + QStringLiteral("/one.txt");
    (void)curl({QStringLiteral("-X"), QStringLiteral("PUT"), bucket});
    (void)curl({QStringLiteral("-X"), QStringLiteral("PUT"), QStringLiteral("--data-binary"),
                QStringLiteral("@-"), object},
               "hello");
    EXPECT_EQ(curl({object}), QByteArrayLiteral("hello"));
}

REAL_TEST_F(Engine, VersityGatewayKeepsAnObject, "1: VersityGW")
{
    REQUIRE_ENGINE(bed, "versitygw");
    storeAndFetch(bed.url(QStringLiteral("versitygw")),
                  bed.fact(QStringLiteral("versitygw-keys")).toObject());
}

REAL_TEST_F(Engine, CephGatewayKeepsAnObject, "1: Ceph RGW, with an object store in memory")
{
    REQUIRE_ENGINE(bed, "ceph");
    storeAndFetch(bed.url(QStringLiteral("ceph")), bed.fact(QStringLiteral("ceph-keys")).toObject());
}

const char sumRequest[] = R"({"inputs": [
  {"name": "A", "shape": [1, 4], "datatype": "FP32", "data": [1, 2, 3, 4]},
  {"name": "B", "shape": [1, 4], "datatype": "FP32", "data": [4, 5, 6, 7]}]})";

void expectSum(const Reply &reply)
{
    ASSERT_EQ(reply.status, 200) << reply.body.toStdString();
    const QJsonObject output = reply.object().value(QLatin1String("outputs")).toArray().first().toObject();
    EXPECT_EQ(output.value(QLatin1String("data")).toArray(), (QJsonArray{5, 7, 9, 11}))
        << reply.body.toStdString();
}

REAL_TEST_F(Engine, TritonInfers, "1: Triton with its python backend")
{
    REQUIRE_ENGINE(bed, "triton");
    expectSum(send("POST", "triton", "/v2/models/addsub/infer", sumRequest));
    const Reply refused = send("POST", "triton", "/v2/repository/models/broken/load", "{}");
    EXPECT_EQ(refused.status, 400);
    EXPECT_TRUE(refused.body.contains("boom at load")) << refused.body.toStdString();
}

REAL_TEST_F(Engine, MlServerInfers, "1: MLServer")
{
    REQUIRE_ENGINE(bed, "mlserver");
    expectSum(send("POST", "mlserver", "/v2/models/addsub/infer", sumRequest));
}

REAL_TEST_F(Engine, LlamaServerStreamsTokens, "1: llama-server on a model of random weights")
{
    REQUIRE_ENGINE(bed, "llama-server");
    const Reply reply = send("POST", "llama-server", "/v1/chat/completions", R"({"model": "tiny",
      "stream": true, "max_tokens": 8, "stream_options": {"include_usage": true},
      "messages": [{"role": "user", "content": "the"}]})");
    ASSERT_EQ(reply.status, 200) << reply.body.toStdString();
    EXPECT_TRUE(reply.body.contains("data: {")) << reply.body.toStdString();
    EXPECT_TRUE(reply.body.contains(R"("completion_tokens":8)")) << reply.body.toStdString();
    EXPECT_TRUE(reply.body.trimmed().endsWith("data: [DONE]")) << reply.body.toStdString();
}

} // namespace
} // namespace tongchi::real
