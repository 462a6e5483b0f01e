#pragma once

#include "models/inventory/inventory_controller.h"
#include "models/inventory/node_action_controller.h"
#include "tests/models/fake_source.h"
#include "tests/models/pool_builder.h"
#include "ui/common/file_picker.h"
#include "ui/common/window_settings.h"
#include "ui/connections/connections_view.h"
#include "ui/shell/main_window.h"
#include "widgets/feedback/toast_stack.h"
#include "widgets/theme/theme.h"

#include <memory>

namespace tongchi::test {

/// Answers with a name given before; asking twice fails.
class QueuedFilePicker final : public FilePicker
{
public:
    QStringList answers;
    void pickSaveFile(QWidget *, const QString &, const QString &, const QString &,
                      std::function<void(QString)> done) override
    {
        if (!answers.isEmpty())
            done(answers.takeFirst());
    }
    void pickOpenFile(QWidget *, const QString &, const QString &, const QString &,
                      std::function<void(QString)> done) override
    {
        if (!answers.isEmpty())
            done(answers.takeFirst());
    }
};

/// Connections that say what the test sets.
class FakeConnections final : public ConnectionsView
{
    Q_OBJECT

public:
    QList<ConnectionProfile> list;
    QString current = QStringLiteral("demo");
    ConnectionForm shownForm;
    QList<ConnectionContext> contextList;
    QString problemOfFile;
    QList<ConnectionTest> testList;
    QList<PluginQuestion> questionList;
    int testsAsked = 0, demoStarts = 0, connects = 0;
    QString answered;

    QList<ConnectionProfile> profiles() const override { return list; }
    QString currentProfile() const override { return current; }
    void selectProfile(const QString &id) override
    {
        current = id;
        Q_EMIT changed();
    }
    void attend() override {}
    void addProfile() override
    {
        list.append({QStringLiteral("new"), QStringLiteral("New connection"), {}});
        selectProfile(QStringLiteral("new"));
    }
    void removeProfile(const QString &) override {}
    ConnectionForm form() const override { return shownForm; }
    void setForm(const ConnectionForm &form) override
    {
        shownForm = form;
        Q_EMIT changed();
    }
    QList<ConnectionContext> contexts() const override { return contextList; }
    QString fileProblem() const override { return problemOfFile; }
    QList<ConnectionTest> tests() const override { return testList; }
    QString testedAt() const override { return QStringLiteral("14:42:06"); }
    bool isTesting() const override { return false; }
    void test() override { ++testsAsked; }
    void runTestAction(const QString &) override {}
    QString connectText() const override { return QStringLiteral("Connect"); }
    QString connectProblem() const override { return {}; }
    bool currentIsConnected() const override { return false; }
    void connectCurrent() override
    {
        ++connects;
        Q_EMIT connected(current);
    }
    void disconnectCurrent() override {}
    void startDemo() override { ++demoStarts; }
    QList<PluginQuestion> questions() const override { return questionList; }
    void answer(const QString &id, bool agreed) override
    {
        answered = id + (agreed ? QStringLiteral(" yes") : QStringLiteral(" no"));
        questionList.clear();
        Q_EMIT changed();
    }
};

/// A main window over real models and clusters that say what the test tells them to.
struct SampleWindow
{
    StringPool strings;
    ManualClock clock;
    Theme theme;
    InventoryController inventory{strings, clock, {}};
    NodeActionController actions{inventory, [this](const AuditEntry &entry) { audit.push_back(entry); }};
    FakeConnections connections;
    QueuedFilePicker files;
    MemoryWindowSettings settings;
    std::vector<AuditEntry> audit;
    QString language;
    std::unique_ptr<MainWindow> window;

    SampleWindow() = default;
    /// Clusters go before the action controller: an answer still on its way must find its context alive
    /// (Qt 6.4 asserts when a promise is dropped after the context of its continuation).
    ~SampleWindow();
    /// Call after settings were prepared.
    void open();
    /// Adds a cluster; its nodes are sent by the caller.
    FakeSource *addCluster(quint32 id, const QString &name);
    /// The fleet of the pictures in small: `nodes` nodes in four regions and three clusters, with telemetry.
    /// of the last `samples` minutes.
    void fillFleet(int nodes, int samples = 60);
    std::vector<FakeSource *> clusters;
    std::vector<std::unique_ptr<PoolBuilder>> builders;
};

} // namespace tongchi::test
