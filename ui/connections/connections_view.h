#pragma once

#include <QList>
#include <QObject>
#include <QString>

namespace tongchi {

/// One line of the list at the left.
struct ConnectionProfile
{
    QString id;       ///< stable; the demo pool's is "demo"
    QString title;    ///< "Beijing production"; the operator may change it
    QString subtitle; ///< context, or "runs inside this program"
    bool isDemo = false;
    bool isConnected = false;
    bool isBusy = false;     ///< connecting
    bool isTroubled = false; ///< connected, and its cluster does not answer or refuses
};

/// What the form edits. Paths and URLs as typed; empty: not given.
struct ConnectionForm
{
    QString title;
    QString kubeconfig; ///< empty: the usual places (KUBECONFIG, ~/.kube/config)
    QString context;
    QString prometheus; ///< empty: found in the cluster, reached through the API server
    QString proxy;      ///< shown as a hint, never with a password
    bool operator==(const ConnectionForm &) const = default;
};

struct ConnectionContext
{
    QString name;
    QString server;  ///< without credentials
    QString problem; ///< a sentence when the entry cannot be used
};

/// One line of the test: a fact, and if it is wrong a remedy.
struct ConnectionTest
{
    enum class State { Waiting, Running, Passed, Warning, Failed };
    QString id;
    QString title; ///< "Kubernetes API"
    State state = State::Waiting;
    QString fact; ///< "v1.31.4 · 326 nodes · 2,608 cards"
    QString remedy;
    QString latency; ///< "18 ms"
    QString action;  ///< text of a link behind the remedy; empty: none
};

/// A credential plug-in that a kubeconfig wants to run; nothing runs before the operator has agreed.
struct PluginQuestion
{
    QString id;
    QString context;
    QString command; ///< as it would be run, arguments included
    QString hint;    ///< installHint of the kubeconfig
};

/// What the connections dialog shows and asks for. Everything here is already in the interface's language and
/// plain text; after a change of language the implementation emits changed(). GUI thread; nothing blocks.
class ConnectionsView : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    virtual QList<ConnectionProfile> profiles() const = 0;
    virtual QString currentProfile() const = 0;
    virtual void selectProfile(const QString &id) = 0;
    /// The dialog is about to open: the profile that most needs a look becomes the current one, and one whose
    /// cluster is in trouble is tested.
    virtual void attend() = 0;
    /// A new profile becomes the current one.
    virtual void addProfile() = 0;
    virtual void removeProfile(const QString &id) = 0;

    /// Of the current profile.
    virtual ConnectionForm form() const = 0;
    virtual void setForm(const ConnectionForm &form) = 0;
    /// Contexts in the files of the form; a file that cannot be read leaves its reason in fileProblem().
    virtual QList<ConnectionContext> contexts() const = 0;
    virtual QString fileProblem() const = 0;

    /// Results for the current profile, in order; they fill one by one.
    virtual QList<ConnectionTest> tests() const = 0;
    virtual QString testedAt() const = 0; ///< "14:42:06"; empty: never
    virtual bool isTesting() const = 0;
    virtual void test() = 0;
    virtual void runTestAction(const QString &testId) = 0;

    /// Text of the main button for the current profile ("Connect", "Connect without Prometheus",
    /// "Disconnect"), and why it is off.
    virtual QString connectText() const = 0;
    virtual QString connectProblem() const = 0;
    virtual bool currentIsConnected() const = 0;
    virtual void connectCurrent() = 0;
    virtual void disconnectCurrent() = 0;
    virtual void startDemo() = 0;

    /// Set while a plug-in waits for the operator's word.
    virtual QList<PluginQuestion> questions() const = 0;
    virtual void answer(const QString &questionId, bool agreed) = 0;

Q_SIGNALS:
    /// Profiles, form, contexts, tests or questions.
    void changed();
    /// A cluster was connected: the dialog may close.
    void connected(const QString &profileId);
};

} // namespace tongchi
