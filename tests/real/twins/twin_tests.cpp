#include "tests/real/twins/twin_tests.h"

#include "tests/real/twins/reviewed_list.h"

#include <gtest/gtest.h>

namespace tongchi::twins {

namespace {

/// Shared by all calls of a program; ended while the application still lives.
class EmbeddedOfAllCalls : public ::testing::Environment
{
public:
    void TearDown() override { m_twin.reset(); }
    const TwinServer *serverFor(const QByteArray &engine, QString *problem)
    {
        if (!m_twin)
            m_twin = std::make_unique<EmbeddedTwin>();
        *problem = m_twin->problem();
        if (problem->isEmpty() && !m_prepared.contains(engine)) {
            m_prepared.append(engine);
            prepare(m_twin->server(), engine, problem);
        }
        return &m_twin->server();
    }

private:
    std::unique_ptr<EmbeddedTwin> m_twin;
    QList<QByteArray> m_prepared;
};

EmbeddedOfAllCalls *embedded = nullptr; // GoogleTest's

struct Tables
{
    std::vector<TwinCall> calls;
    ReviewedList reviewed;
    QString problem;
};

const Tables &tables()
{
    static const Tables all = [] {
        Tables read;
        read.calls = readTwinCalls(twinsFolder() + QStringLiteral("/calls"), &read.problem);
        if (read.problem.isEmpty())
            read.reviewed =
                ReviewedList::read(twinsFolder() + QStringLiteral("/reviewed.yaml"), &read.problem);
        return read;
    }();
    return all;
}

class TwinTest : public ::testing::Test
{
public:
    TwinTest(const TwinCall &call, RealAnswers real) : m_call(call), m_real(std::move(real)) {}

private:
    void TestBody() override
    {
        QString problem;
        const Transcript real = m_real(m_call, &problem);
        ASSERT_TRUE(problem.isEmpty()) << problem.toStdString();
        const TwinServer *server = embedded->serverFor(m_call.engine, &problem);
        ASSERT_TRUE(problem.isEmpty()) << problem.toStdString();
        const Transcript other = run(m_call, *server, &problem);
        ASSERT_TRUE(problem.isEmpty()) << problem.toStdString();
        const auto complaints = tables().reviewed.complaints(m_call.id, differencesOf(m_call, real, other));
        EXPECT_TRUE(complaints.isEmpty()) << m_call.id.toStdString() << " is not answered alike:\n"
                                          << complaints.join().toStdString();
    }

    const TwinCall &m_call;
    RealAnswers m_real;
};

class TableTest : public ::testing::Test
{
    void TestBody() override
    {
        EXPECT_TRUE(tables().problem.isEmpty()) << tables().problem.toStdString();
        EXPECT_GT(tables().calls.size(), 100u);
        const QList<QByteArray> lost = tables().reviewed.withoutCall(tables().calls);
        EXPECT_TRUE(lost.isEmpty()) << "reviewed, but in no table: " << lost.join(", ").toStdString();
    }
};

} // namespace

const std::vector<TwinCall> &twinCalls()
{
    return tables().calls;
}

QString twinsFolder()
{
    return QStringLiteral(TONGCHI_SOURCE_DIR "/tests/real/twins");
}

void registerTwinTests(const char *suite, const RealAnswers &real, bool recorded)
{
    embedded = new EmbeddedOfAllCalls;
    ::testing::AddGlobalTestEnvironment(embedded);
    ::testing::RegisterTest(suite, "TablesAreRight", nullptr, nullptr, __FILE__, __LINE__,
                            []() -> ::testing::Test * { return new TableTest; });
    for (const TwinCall &call : tables().calls) {
        if (recorded && call.live)
            continue;
        ::testing::RegisterTest(suite, call.id.constData(), nullptr, nullptr, __FILE__, __LINE__,
                                [&call, real]() -> ::testing::Test * { return new TwinTest(call, real); });
    }
}

} // namespace tongchi::twins
