// The bars of speed: the console against curl and kubectl on a real API server with 12,500 nodes and 100,000
// pods, all figures from one run on one machine, side by side. It wants a machine that does nothing else; the
// load averages are printed with the figures.

#include "tests/real/support/bed.h"
#include "tests/real/support/measured.h"
#include "tests/real/support/real_test.h"
#include "tests/support/connect_once.h"
#include "tests/support/wait.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace tongchi::real {
namespace {

constexpr int pairCount = 7;

/// One program's run, and what it cost the server.
struct Reading
{
    double seconds = 0;
    double cpuSeconds = 0;
    double serverSeconds = 0; ///< CPU, until it is idle again
    double peakMiB = 0;
};

struct Comparison
{
    std::vector<Reading> curl, console; ///< by pair
    std::vector<test::ConnectFigures> model;
    Reading plainCurl; ///< with no further option
    Reading command;   ///< tongchi inventory --output json
    Reading kubectl;
    QByteArray inventory; ///< what that command printed
    bool whole = false;   ///< everything could be measured
};

double middleOf(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

template <typename Of> double medianOf(const std::vector<Reading> &readings, Of of)
{
    std::vector<double> values;
    for (const Reading &reading : readings)
        values.push_back(reading.*of);
    return middleOf(values);
}

template <typename Of> double medianOf(const std::vector<test::ConnectFigures> &figures, Of of)
{
    std::vector<double> values;
    for (const test::ConnectFigures &each : figures)
        values.push_back(double(each.*of));
    return middleOf(values);
}

/// Of each pair: a machine that is slow for a while is slow for both.
template <typename Of> double ratioOf(const Comparison &comparison, Of of)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < comparison.curl.size(); ++i)
        ratios.push_back(comparison.console[i].*of / comparison.curl[i].*of);
    return middleOf(ratios);
}

std::array<double, 3> loadAverages()
{
    std::array<double, 3> loads{};
    getloadavg(loads.data(), int(loads.size()));
    return loads;
}

class Measuring
{
public:
    Comparison compared()
    {
        Comparison result;
        const auto loads = loadAverages();
        // Neither is measured while the server still warms up.
        if (!curl() || !console(nullptr))
            return result;
        for (int pair = 0; pair < pairCount; ++pair) {
            std::optional<Reading> theirs, ours;
            test::ConnectFigures figures;
            const bool oursFirst = pair % 2;
            if (oursFirst)
                ours = console(&figures);
            theirs = curl();
            if (!oursFirst)
                ours = console(&figures);
            if (!theirs || !ours)
                return result;
            result.curl.push_back(*theirs);
            result.console.push_back(*ours);
            result.model.push_back(figures);
        }
        const QStringList inventory{m_bed.program(),
                                    QStringLiteral("inventory"),
                                    kubeconfigOption(),
                                    m_bed.kubeconfigPath(),
                                    QStringLiteral("--context"),
                                    QStringLiteral("real"),
                                    QStringLiteral("--output"),
                                    QStringLiteral("json")};
        const Measured command = run(inventory, OutputIs::ThrownAway, &result.command);
        result.inventory = measured(inventory, OutputIs::Kept).output;
        const Measured plain = run(
            curlCommand({QStringLiteral("--compressed")}, {QStringLiteral("/api/v1/nodes?resourceVersion=0"),
                                                           QStringLiteral("/api/v1/pods?resourceVersion=0")}),
            OutputIs::ThrownAway, &result.plainCurl);
        const Measured kubectl =
            run({m_bed.fact(QStringLiteral("kubectl")).toString(), kubeconfigOption(), m_bed.kubeconfigPath(),
                 QStringLiteral("get"), QStringLiteral("nodes,pods"), QStringLiteral("-A"),
                 QStringLiteral("-o"), QStringLiteral("json")},
                OutputIs::ThrownAway, &result.kubectl);
        result.whole = plain.code == 0 && command.code == 0 && kubectl.code == 0;
        print(result, loads);
        return result;
    }

private:
    static QString kubeconfigOption() { return QStringLiteral("--kubeconfig"); }

    /// Idle: less than a twentieth of a core for half a second.
    void awaitIdleServer()
    {
        const auto cpu = [this] { return m_bed.cpuTimeOf(QStringLiteral("apiserver")); };
        auto last = cpu();
        QDeadlineTimer window(std::chrono::milliseconds(500));
        EXPECT_TRUE(test::waitUntil(
            [&] {
                if (!window.hasExpired())
                    return false;
                const auto now = cpu();
                const bool idle = now - last <= std::chrono::milliseconds(30);
                last = now;
                window.setRemainingTime(std::chrono::milliseconds(500));
                return idle;
            },
            std::chrono::minutes(1)))
            << "the API server is not idle";
    }

    /// A collection costs the server as much as half a list and comes with every third one, whoever asked
    /// for it. After this one none falls into the next reading; both readers leave the same garbage.
    void collectGarbage()
    {
        (void)measured(curlCommand({}, {QStringLiteral("/debug/pprof/heap?gc=1")}), OutputIs::ThrownAway);
        awaitIdleServer();
    }

    /// From an idle server to an idle server.
    Measured run(const QStringList &command, OutputIs output, Reading *reading)
    {
        collectGarbage();
        const auto before = m_bed.cpuTimeOf(QStringLiteral("apiserver"));
        const Measured done = measured(command, output);
        awaitIdleServer();
        const auto spent = m_bed.cpuTimeOf(QStringLiteral("apiserver")) - before;
        *reading = {done.seconds, done.cpuSeconds, double(spent.count()) / 1000, done.peakMiB};
        return done;
    }

    QStringList curlCommand(const QStringList &options, const QStringList &paths) const
    {
        const QString pki = m_bed.folder() + QStringLiteral("/pki/");
        QStringList command{QStringLiteral("curl"),         QStringLiteral("--silent"),
                            QStringLiteral("--show-error"), QStringLiteral("--fail"),
                            QStringLiteral("--noproxy"),    QStringLiteral("*"),
                            QStringLiteral("--cacert"),     pki + QStringLiteral("ca.crt"),
                            QStringLiteral("--cert"),       pki + QStringLiteral("admin.crt"),
                            QStringLiteral("--key"),        pki + QStringLiteral("admin.key")};
        command += options;
        for (const QString &path : paths)
            command << QStringLiteral("-o") << QStringLiteral("/dev/null")
                    << m_bed.url(QStringLiteral("kubernetes")) + path;
        return command;
    }

    /// Reads both lists, compressed, and throws them away. In the two ways that cost the server least: over
    /// HTTP/1.1 (HTTP/2 takes it almost twice the CPU), and not laid out for people, as it does for curl
    /// unless told otherwise: twice the bytes, and none of them before all are there.
    std::optional<Reading> curl()
    {
        Reading reading;
        const Measured done =
            run(curlCommand({QStringLiteral("--compressed"), QStringLiteral("--http1.1")},
                            {QStringLiteral("/api/v1/nodes?resourceVersion=0&pretty=false"),
                             QStringLiteral("/api/v1/pods?resourceVersion=0&pretty=false")}),
                OutputIs::ThrownAway, &reading);
        return done.code == 0 ? std::optional(reading) : std::nullopt;
    }

    /// From the start of a process to the complete model of the console in it.
    std::optional<Reading> console(test::ConnectFigures *figures)
    {
        Reading reading;
        const Measured done = run({QCoreApplication::applicationDirPath() + QStringLiteral("/connect_once"),
                                   m_bed.kubeconfigPath(), QStringLiteral("real")},
                                  OutputIs::Kept, &reading);
        const auto told = test::ConnectFigures::fromLine(done.output);
        EXPECT_TRUE(told) << "the model did not become complete: " << done.output.toStdString();
        if (!told || done.code != 0)
            return std::nullopt;
        reading.seconds = done.secondsToWords;
        if (figures)
            *figures = *told;
        return reading;
    }

    static void printRow(const char *name, double wall, double cpu, double server, double peak)
    {
        std::printf("  %-44s %7.2f s  client CPU %6.2f s  server CPU %6.2f s  memory %6.0f MiB\n", name, wall,
                    cpu, server, peak);
    }
    static void printRow(const char *name, const Reading &reading)
    {
        printRow(name, reading.seconds, reading.cpuSeconds, reading.serverSeconds, reading.peakMiB);
    }
    static void printRow(const char *name, const std::vector<Reading> &readings)
    {
        printRow(name, medianOf(readings, &Reading::seconds), medianOf(readings, &Reading::cpuSeconds),
                 medianOf(readings, &Reading::serverSeconds), medianOf(readings, &Reading::peakMiB));
    }

    static void print(const Comparison &result, const std::array<double, 3> &loads)
    {
        const auto now = loadAverages();
        std::printf("load averages %.1f %.1f %.1f before, %.1f %.1f %.1f after; medians of %d pairs\n",
                    loads[0], loads[1], loads[2], now[0], now[1], now[2], pairCount);
        for (std::size_t i = 0; i < result.curl.size(); ++i)
            std::printf("  pair %zu: curl %.2f s, server %.2f s; console %.2f s, server %.2f s\n", i + 1,
                        result.curl[i].seconds, result.curl[i].serverSeconds, result.console[i].seconds,
                        result.console[i].serverSeconds);
        printRow("curl --compressed, its default ways", result.plainCurl);
        printRow("curl --compressed, the cheapest ways", result.curl);
        printRow("console, start to complete model", result.console);
        printRow("tongchi inventory --output json", result.command);
        printRow("kubectl get nodes,pods -A -o json >/dev/null", result.kubectl);
        const double wall = medianOf(result.console, &Reading::seconds);
        const double cpu = medianOf(result.console, &Reading::cpuSeconds);
        std::printf("  connect to complete model %.2f s; %.2f of curl's time (limit %.2f), %.2f of its "
                    "server CPU (limit %.2f);\n"
                    "  kubectl's time / %.0f (limit %.0f), its CPU / %.0f (limit %.0f); memory growth %.0f "
                    "MiB (limit %.0f), peak %.0f MiB\n",
                    medianOf(result.model, &test::ConnectFigures::seconds),
                    ratioOf(result, &Reading::seconds), timeOfCurl, ratioOf(result, &Reading::serverSeconds),
                    serverOfCurl, result.kubectl.seconds / wall, timeOfKubectl,
                    result.kubectl.cpuSeconds / cpu, cpuOfKubectl,
                    medianOf(result.model, &test::ConnectFigures::growthMiB), growthMiB,
                    medianOf(result.model, &test::ConnectFigures::peakMiB));
        std::fflush(stdout);
    }

    Bed m_bed;

public:
    static constexpr double timeOfCurl = 1.2;
    static constexpr double serverOfCurl = 1.05; ///< no higher, as far as it can be told apart
    static constexpr double timeOfKubectl = 15;
    static constexpr double cpuOfKubectl = 40;
    static constexpr double growthMiB = 57.2; ///< 60 MB
};

class NightlyLargeCluster : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!compared)
            compared = Measuring().compared();
        ASSERT_TRUE(compared->whole) << "not everything could be measured";
    }

    static std::optional<Comparison> compared;
};

std::optional<Comparison> NightlyLargeCluster::compared;

QJsonObject parsedLine(const QByteArray &text)
{
    return QJsonDocument::fromJson(text).object();
}

REAL_TEST_F(NightlyLargeCluster, EveryCardIsShown, "Speed: what is compared is the whole inventory")
{
    QFile file(Bed().folder() + QStringLiteral("/large-cluster.json"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QJsonObject expected = parsedLine(file.readAll());
    QHash<QString, int> cards;
    QSet<QString> nodes;
    int withPods = 0;
    const QJsonArray shown = parsedLine(compared->inventory).value(QLatin1String("cards")).toArray();
    for (const QJsonValue &value : shown) {
        const QJsonObject card = value.toObject();
        ++cards[card.value(QLatin1String("vendor")).toString() + QLatin1Char('/') +
                card.value(QLatin1String("model")).toString()];
        nodes.insert(card.value(QLatin1String("node")).toString());
        withPods += card.value(QLatin1String("workloads")).toArray().size() == 1;
    }
    const QJsonObject models = expected.value(QLatin1String("cards")).toObject();
    EXPECT_EQ(cards.size(), models.size());
    for (auto model = models.begin(); model != models.end(); ++model)
        EXPECT_EQ(cards.value(model.key()), model.value().toInt()) << model.key().toStdString();
    EXPECT_EQ(nodes.size(), expected.value(QLatin1String("nodes")).toInt());
    EXPECT_EQ(withPods, expected.value(QLatin1String("cards_with_pods")).toInt());
    for (const test::ConnectFigures &figures : compared->model)
        EXPECT_EQ(int(figures.cards), int(shown.size()));
    const QByteArray others =
        Bed().kubectl({"get", "--raw", "/api/v1/pods?limit=1&fieldSelector=status.phase!=Running"});
    EXPECT_TRUE(parsedLine(others).value(QLatin1String("items")).toArray().isEmpty()) << others.toStdString();
}

REAL_TEST_F(NightlyLargeCluster, IsReadAlmostAsFastAsCurlReads,
            "Speed: complete within 1.2 times of what curl --compressed takes for nodes and pods")
{
    EXPECT_LE(ratioOf(*compared, &Reading::seconds), Measuring::timeOfCurl);
}

REAL_TEST_F(NightlyLargeCluster, CostsTheServerNoMoreThanCurl, "Speed: server CPU no higher than curl's")
{
    EXPECT_LE(ratioOf(*compared, &Reading::serverSeconds), Measuring::serverOfCurl);
}

REAL_TEST_F(NightlyLargeCluster, TakesAFifteenthOfKubectlsTime, "Speed: a fifteenth of kubectl in time")
{
    EXPECT_LE(medianOf(compared->console, &Reading::seconds) * Measuring::timeOfKubectl,
              compared->kubectl.seconds);
}

REAL_TEST_F(NightlyLargeCluster, TakesAFortiethOfKubectlsCpu, "Speed: a fortieth of kubectl in client CPU")
{
    EXPECT_LE(medianOf(compared->console, &Reading::cpuSeconds) * Measuring::cpuOfKubectl,
              compared->kubectl.cpuSeconds);
}

REAL_TEST_F(NightlyLargeCluster, GrowsByLessThanSixtyMegabytes, "Speed: memory growth under 60 MB")
{
    EXPECT_LT(medianOf(compared->model, &test::ConnectFigures::growthMiB), Measuring::growthMiB);
}

} // namespace
} // namespace tongchi::real
