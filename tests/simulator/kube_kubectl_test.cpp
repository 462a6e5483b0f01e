// Somebody else's client on the pool. Skipped where there is no kubectl.

#include "tests/simulator/server_test_pool.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace tongchi::test {
namespace {

class KubeKubectl : public PoolTest
{
protected:
    void SetUp() override
    {
        program = QStandardPaths::findExecutable(QStringLiteral("kubectl"));
        if (program.isEmpty())
            GTEST_SKIP() << "kubectl is not installed";
        PoolTest::SetUp();
        ASSERT_OK(pool->writeKubeconfig(folder.filePath(QStringLiteral("config"))));
    }
    /// Output of a kubectl that succeeded.
    QByteArray kubectl(const QStringList &arguments, const QByteArray &input = {})
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), folder.path());
        process.setProcessEnvironment(environment);
        process.start(program,
                      QStringList{QStringLiteral("--kubeconfig"), folder.filePath(QStringLiteral("config"))} +
                          arguments);
        process.write(input);
        process.closeWriteChannel();
        EXPECT_TRUE(waitUntil(
            [&] {
                return process.state() == QProcess::NotRunning && process.error() != QProcess::FailedToStart;
            },
            std::chrono::seconds(40)));
        EXPECT_EQ(process.exitCode(), 0)
            << arguments.join(u' ').toStdString() << ": " << process.readAllStandardError().toStdString();
        return process.readAllStandardOutput();
    }
    static QStringList words(const char *line) { return QString::fromLatin1(line).split(u' '); }

    QString program;
    QTemporaryDir folder;
};

TEST_F(KubeKubectl, GetsAndDescribes)
{
    EXPECT_EQ(kubectl(words("get nodes --no-headers")).count('\n'), 5);
    EXPECT_TRUE(kubectl(words("get pods -A")).contains("p-0009"));
    EXPECT_TRUE(kubectl(words("get node e-0001 -o yaml")).contains("kubernetes.io/hostname: e-0001"));
    const QByteArray described = kubectl(words("describe node e-0001"));
    EXPECT_TRUE(described.contains("Non-terminated Pods:") && described.contains("p-0002"))
        << described.toStdString();
    EXPECT_TRUE(kubectl(words("api-resources")).contains("resourceslices"));
}

TEST_F(KubeKubectl, LabelsAndCordons)
{
    kubectl(words("label node e-0001 tongchi.io/business=training --overwrite"));
    kubectl(words("cordon e-0001"));
    const QByteArray seen = kubectl(
        {QStringLiteral("get"), QStringLiteral("node"), QStringLiteral("e-0001"), QStringLiteral("-o"),
         QStringLiteral("jsonpath={.metadata.labels.tongchi\\.io/business} {.spec.unschedulable}")});
    EXPECT_EQ(seen, QByteArray("training true"));
    kubectl(words("uncordon e-0001"));
}

TEST_F(KubeKubectl, AppliesOnTheServerWithoutTurningValidationOff)
{
    const QByteArray map =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: check, namespace: default}\ndata: {a: b}\n";
    EXPECT_EQ(kubectl(words("apply --server-side --dry-run=server -f -"), map),
              QByteArray("configmap/check serverside-applied (server dry run)\n"));
    kubectl(words("apply --server-side -f -"), map);
    EXPECT_TRUE(kubectl(words("get configmap check -o yaml")).contains("a: b"));
    kubectl(words("delete configmap check"));
}

TEST_F(KubeKubectl, TypedClientsMaySendProtocolBuffers)
{
    EXPECT_EQ(kubectl(words("auth can-i patch nodes")), QByteArray("yes\n"));
    EXPECT_TRUE(kubectl(words("auth whoami")).contains("admin"));
    kubectl(words("create namespace tides"));
    kubectl(words("create configmap week --from-literal=monday=training -n tides"));
    EXPECT_EQ(kubectl({QStringLiteral("get"), QStringLiteral("configmap"), QStringLiteral("week"),
                       QStringLiteral("-n"), QStringLiteral("tides"), QStringLiteral("-o"),
                       QStringLiteral("jsonpath={.data}")}),
              QByteArray(R"({"monday":"training"})"));
    kubectl(words("create deployment web --image=nginx:1 --replicas=2 -n tides"));
    EXPECT_TRUE(kubectl(words("get deployment web -n tides -o wide")).contains("app=web"));
}

} // namespace
} // namespace tongchi::test
