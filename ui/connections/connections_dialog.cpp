#include "ui/connections/connections_dialog.h"

#include "ui/common/file_picker.h"
#include "ui/connections/profile_list.h"
#include "ui/connections/test_list.h"
#include "widgets/feedback/labels.h"
#include "widgets/theme/plain_tool_tip.h"
#include "widgets/theme/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>

namespace tongchi {

ConnectionsDialog::ConnectionsDialog(const Theme &theme, ConnectionsView &connections, FilePicker &files,
                                     QWidget *window, QMargins insets)
    : ScrimDialog(theme, window, QSize(1040, 694), insets), m_theme(theme), m_connections(connections),
      m_files(files)
{
    setObjectName(QStringLiteral("connectionsDialog"));
    auto *columns = new QHBoxLayout;
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    const auto divider = [this] {
        auto *line = new QFrame(card());
        line->setProperty("role", QStringLiteral("line"));
        line->setStyleSheet(
            QStringLiteral("QFrame { max-height: 16777215px; min-height: 0; max-width: 1px; }"));
        line->setFixedWidth(1);
        return line;
    };
    columns->addWidget(buildProfiles());
    columns->addWidget(divider());
    columns->addWidget(buildForm(), 1);
    columns->addWidget(divider());
    columns->addWidget(buildResults());
    body()->addLayout(columns, 1);

    m_note = plainLabel("smallSecondary", this);
    m_testAgain = new QPushButton(this);
    m_testAgain->setObjectName(QStringLiteral("testAgain"));
    m_testAgain->setIcon(theme.icon("refresh", 16, ColorToken::TextPrimary));
    m_testAgain->setIconSize(QSize(19, 16));
    m_connect = new QPushButton(this);
    m_connect->setObjectName(QStringLiteral("connectButton"));
    m_connect->setProperty("kind", QStringLiteral("primary"));
    foot()->addWidget(m_note);
    foot()->addStretch();
    foot()->addWidget(m_testAgain);
    foot()->addWidget(m_connect);

    m_testTimer.setSingleShot(true);
    m_testTimer.setInterval(600);
    connect(&m_testTimer, &QTimer::timeout, this, [this] { m_connections.test(); });
    connect(m_testAgain, &QPushButton::clicked, this, [this] { m_connections.test(); });
    connect(m_connect, &QPushButton::clicked, this, [this] {
        if (m_connections.currentIsConnected())
            m_connections.disconnectCurrent();
        else
            m_connections.connectCurrent();
    });
    connect(&m_connections, &ConnectionsView::changed, this, [this] {
        if (isOpen())
            refresh();
    });
    connect(&m_connections, &ConnectionsView::connected, this, [this] { closeDialog(); });
    retranslate();
}

QWidget *ConnectionsDialog::buildProfiles()
{
    auto *side = new QWidget(card());
    side->setProperty("role", QStringLiteral("sunken"));
    side->setAttribute(Qt::WA_StyledBackground);
    side->setFixedWidth(232);
    m_profiles = new ProfileList(m_theme, side);
    m_add = new QPushButton(side);
    m_add->setObjectName(QStringLiteral("addConnection"));
    m_add->setProperty("kind", QStringLiteral("link"));
    m_add->setIcon(m_theme.icon("plus", 16, ColorToken::AccentText));
    m_add->setIconSize(QSize(20, 16));
    m_demoHint = plainLabel("smallSecondary", side);
    m_demoHint->setWordWrap(true);
    m_demo = new QPushButton(side);
    m_demo->setObjectName(QStringLiteral("startDemo"));
    m_demo->setProperty("small", true);
    auto *area = new QScrollArea(side);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget;
    content->setProperty("role", QStringLiteral("sunken"));
    content->setAttribute(Qt::WA_StyledBackground);
    auto *inner = new QVBoxLayout(content);
    inner->setContentsMargins(0, 0, 0, 12);
    inner->setSpacing(0);
    inner->addWidget(m_profiles);
    auto *addRow = new QHBoxLayout;
    addRow->setContentsMargins(6, 4, 8, 0);
    addRow->addWidget(m_add, 0, Qt::AlignLeft);
    inner->addLayout(addRow);
    inner->addSpacing(16);
    auto *hint = new QVBoxLayout;
    hint->setContentsMargins(24, 0, 20, 0);
    hint->setSpacing(8);
    hint->addWidget(m_demoHint);
    hint->addWidget(m_demo, 0, Qt::AlignLeft);
    inner->addLayout(hint);
    inner->addStretch();
    area->setWidget(content);
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(area);
    connect(m_profiles, &ProfileList::chosen, this,
            [this](const QString &id) { m_connections.selectProfile(id); });
    connect(m_add, &QPushButton::clicked, this, [this] {
        m_connections.addProfile();
        m_kubeconfig->setFocus(Qt::OtherFocusReason);
    });
    connect(m_demo, &QPushButton::clicked, this, [this] { m_connections.startDemo(); });
    return side;
}

QWidget *ConnectionsDialog::buildForm()
{
    auto *page = new QWidget(card());
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(20, 12, 20, 12);
    layout->setSpacing(0);
    m_demoText = plainLabel("secondary", page);
    m_demoText->setWordWrap(true);
    layout->addWidget(m_demoText);

    m_question = new QWidget(page);
    m_question->setObjectName(QStringLiteral("pluginQuestion"));
    auto *question = new QVBoxLayout(m_question);
    question->setContentsMargins(0, 0, 0, 14);
    question->setSpacing(6);
    m_questionText = plainLabel("body", m_question);
    m_questionText->setWordWrap(true);
    m_questionCommand = plainLabel("code", m_question);
    m_questionCommand->setWordWrap(true);
    m_questionCommand->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_questionYes = new QPushButton(m_question);
    m_questionYes->setObjectName(QStringLiteral("pluginYes"));
    m_questionNo = new QPushButton(m_question);
    m_questionNo->setObjectName(QStringLiteral("pluginNo"));
    auto *answers = new QHBoxLayout;
    answers->addWidget(m_questionYes);
    answers->addWidget(m_questionNo);
    answers->addStretch();
    question->addWidget(m_questionText);
    question->addWidget(m_questionCommand);
    question->addLayout(answers);
    layout->addWidget(m_question);

    m_form = new QWidget(page);
    auto *grid = new QGridLayout(m_form);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(0);
    grid->setVerticalSpacing(10);
    grid->setColumnMinimumWidth(0, 144);
    grid->setColumnStretch(1, 1);
    const auto field = [&](int row, QWidget *editor, const char *name) {
        auto *label = plainLabel("smallSecondary", m_form);
        editor->setObjectName(QString::fromLatin1(name));
        grid->addWidget(label, row, 0);
        grid->addWidget(editor, row, 1);
        m_fieldNames.append(label);
    };
    m_kubernetesHead = plainLabel("section", m_form);
    grid->addWidget(m_kubernetesHead, 0, 0, 1, 2);
    field(1, m_title = new QLineEdit(m_form), "connectionTitle");
    auto *fileRow = new QWidget(m_form);
    auto *fileLayout = new QHBoxLayout(fileRow);
    fileLayout->setContentsMargins(0, 0, 0, 0);
    fileLayout->setSpacing(8);
    m_kubeconfig = new QLineEdit(fileRow);
    m_choose = new QPushButton(fileRow);
    m_choose->setObjectName(QStringLiteral("chooseKubeconfig"));
    fileLayout->addWidget(m_kubeconfig, 1);
    fileLayout->addWidget(m_choose);
    field(2, fileRow, "kubeconfigRow");
    m_kubeconfig->setObjectName(QStringLiteral("kubeconfigPath"));
    m_fileProblem = plainLabel("error", m_form);
    m_fileProblem->setObjectName(QStringLiteral("kubeconfigProblem"));
    m_fileProblem->setWordWrap(true);
    grid->addWidget(m_fileProblem, 3, 1);
    field(4, m_context = new QComboBox(m_form), "connectionContext");
    m_context->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_metricsHead = plainLabel("section", m_form);
    m_metricsHead->setContentsMargins(0, 8, 0, 0);
    grid->addWidget(m_metricsHead, 5, 0, 1, 2);
    field(6, m_prometheus = new QLineEdit(m_form), "prometheusUrl");
    m_proxy = plainLabel("caption", m_form);
    m_proxy->setObjectName(QStringLiteral("proxyHint"));
    m_proxy->setWordWrap(true);
    grid->addWidget(m_proxy, 7, 1);
    m_remove = new QPushButton(m_form);
    m_remove->setObjectName(QStringLiteral("removeConnection"));
    m_remove->setProperty("kind", QStringLiteral("danger"));
    m_remove->setProperty("small", true);
    grid->addWidget(m_remove, 8, 1, Qt::AlignLeft);
    layout->addWidget(m_form);
    layout->addStretch();

    for (QLineEdit *edit : {m_title, m_kubeconfig, m_prometheus})
        connect(edit, &QLineEdit::textEdited, this, [this] { edited(); });
    connect(m_context, &QComboBox::activated, this, [this] { edited(); });
    connect(m_choose, &QPushButton::clicked, this, [this] {
        m_files.pickOpenFile(this, tr("Choose a kubeconfig file"), m_kubeconfig->text(), tr("All files (*)"),
                             [this](const QString &file) {
                                 m_kubeconfig->setText(file);
                                 edited();
                             });
    });
    connect(m_remove, &QPushButton::clicked, this,
            [this] { m_connections.removeProfile(m_connections.currentProfile()); });
    connect(m_questionYes, &QPushButton::clicked, this, [this] {
        if (const auto list = m_connections.questions(); !list.isEmpty())
            m_connections.answer(list.constFirst().id, true);
    });
    connect(m_questionNo, &QPushButton::clicked, this, [this] {
        if (const auto list = m_connections.questions(); !list.isEmpty())
            m_connections.answer(list.constFirst().id, false);
    });
    auto *area = new QScrollArea(card());
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    page->setProperty("role", QStringLiteral("pane"));
    page->setAttribute(Qt::WA_StyledBackground);
    area->setWidget(page);
    return area;
}

QWidget *ConnectionsDialog::buildResults()
{
    auto *side = new QWidget(card());
    side->setProperty("role", QStringLiteral("sunken"));
    side->setAttribute(Qt::WA_StyledBackground);
    side->setFixedWidth(322);
    m_resultsHead = plainLabel("section", side);
    m_testedAt = plainLabel("caption", side);
    m_tests = new TestList(m_theme, side);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(16, 12, 16, 4);
    head->addWidget(m_resultsHead);
    head->addStretch();
    head->addWidget(m_testedAt);
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_tests, 1);
    connect(m_tests, &TestList::actionTriggered, this,
            [this](const QString &id) { m_connections.runTestAction(id); });
    return side;
}

void ConnectionsDialog::retranslate()
{
    setTitle(tr("Connections"), "connection");
    m_add->setText(tr("Add connection"));
    m_demoHint->setText(tr("New here? The demo pool speaks the same protocols on loopback: 7,500 simulated "
                           "cards, no cluster needed."));
    m_demo->setText(tr("Start demo pool"));
    m_demoText->setText(tr("The demo pool runs inside this program and listens on loopback only. Its three "
                           "clusters answer as real ones do: Kubernetes API, device plugins, HAMi, resource "
                           "slices and exporters. All its data is simulated."));
    m_kubernetesHead->setText(tr("Kubernetes"));
    m_metricsHead->setText(tr("Metrics"));
    const QStringList names{tr("Name"), tr("kubeconfig"), tr("Context"), tr("Prometheus")};
    for (qsizetype i = 0; i < m_fieldNames.size(); ++i)
        m_fieldNames[i]->setText(names[i]);
    m_title->setAccessibleName(names[0]);
    m_kubeconfig->setAccessibleName(names[1]);
    m_context->setAccessibleName(names[2]);
    m_prometheus->setAccessibleName(names[3]);
    m_kubeconfig->setPlaceholderText(QStringLiteral("~/.kube/config"));
    m_prometheus->setPlaceholderText(tr("Found in the cluster"));
    m_choose->setText(tr("Choose…"));
    m_remove->setText(tr("Remove this connection"));
    m_questionYes->setText(tr("Run it"));
    m_questionNo->setText(tr("Do not run it"));
    m_resultsHead->setText(tr("Test results"));
    m_note->setText(
        tr("Nothing is contacted before you connect or test. Credentials stay in your kubeconfig."));
    m_testAgain->setText(tr("Test again"));
    refresh();
}

void ConnectionsDialog::changeEvent(QEvent *event)
{
    ScrimDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void ConnectionsDialog::openDialog()
{
    m_shownProfile.clear();
    m_connections.attend();
    refresh();
    open();
    if (QWidget *current = m_profiles->currentButton())
        current->setFocus(Qt::OtherFocusReason);
}

void ConnectionsDialog::refresh()
{
    const QList<ConnectionProfile> profiles = m_connections.profiles();
    const QString current = m_connections.currentProfile();
    m_profiles->setProfiles(profiles, current);
    if (!m_profiles->buttons().isEmpty())
        setTabOrder(m_profiles->buttons().constLast(), m_add);
    bool demo = false;
    bool demoRuns = false;
    for (const ConnectionProfile &profile : profiles) {
        demo = demo || (profile.isDemo && profile.id == current);
        demoRuns = demoRuns || (profile.isDemo && profile.isConnected);
    }
    m_demoHint->setVisible(!demoRuns);
    m_demo->setVisible(!demoRuns);
    m_demoText->setVisible(demo);
    m_form->setVisible(!demo);
    fillForm();
    showQuestion();
    m_testedAt->setText(m_connections.testedAt());
    m_tests->setTests(m_connections.tests());
    m_testAgain->setEnabled(!m_connections.isTesting());
    m_connect->setText(m_connections.connectText());
    const QString problem = m_connections.connectProblem();
    m_connect->setEnabled(problem.isEmpty());
    m_connect->setToolTip(plainToolTip(problem));
    m_connect->setAccessibleDescription(problem);
}

void ConnectionsDialog::fillForm()
{
    m_filling = true;
    const ConnectionForm form = m_connections.form();
    const bool other = m_shownProfile != m_connections.currentProfile();
    m_shownProfile = m_connections.currentProfile();
    const auto put = [other](QLineEdit *edit, const QString &text) {
        // What is being typed is newer than what the model knows.
        if ((other || !edit->hasFocus()) && edit->text() != text)
            edit->setText(text);
    };
    put(m_title, form.title);
    put(m_kubeconfig, form.kubeconfig);
    put(m_prometheus, form.prometheus);
    const QList<ConnectionContext> contexts = m_connections.contexts();
    QStringList texts;
    int chosen = -1;
    for (const ConnectionContext &context : contexts) {
        if (context.name == form.context)
            chosen = int(texts.size());
        texts.append(context.problem.isEmpty() ? context.name + QStringLiteral("   ") + context.server
                                               : context.name + QStringLiteral("   ") + context.problem);
    }
    QStringList shown;
    for (int i = 0; i < m_context->count(); ++i)
        shown.append(m_context->itemText(i));
    if (shown != texts) {
        m_context->clear();
        for (qsizetype i = 0; i < texts.size(); ++i)
            m_context->addItem(texts[i], contexts[i].name);
    }
    m_context->setCurrentIndex(chosen);
    m_context->setEnabled(!contexts.isEmpty());
    m_fileProblem->setText(m_connections.fileProblem());
    m_fileProblem->setVisible(!m_connections.fileProblem().isEmpty());
    setStyleRole(m_kubeconfig, "invalid",
                 m_connections.fileProblem().isEmpty() ? QStringLiteral("false") : QStringLiteral("true"));
    m_proxy->setText(form.proxy);
    m_proxy->setVisible(!form.proxy.isEmpty());
    m_filling = false;
}

void ConnectionsDialog::edited()
{
    if (m_filling)
        return;
    ConnectionForm form = m_connections.form();
    form.title = m_title->text();
    form.kubeconfig = m_kubeconfig->text().trimmed();
    form.prometheus = m_prometheus->text().trimmed();
    if (m_context->currentIndex() >= 0) // a file that is half typed or half written lists none
        form.context = m_context->currentData().toString();
    m_connections.setForm(form);
    m_testTimer.start();
}

void ConnectionsDialog::showQuestion()
{
    const QList<PluginQuestion> questions = m_connections.questions();
    m_question->setVisible(!questions.isEmpty());
    if (questions.isEmpty())
        return;
    const PluginQuestion &question = questions.constFirst();
    m_questionText->setText(
        tr("The context %1 gets its credentials from a program. Run it? You are asked once for this command.")
            .arg(question.context));
    m_questionCommand->setText(question.command);
    m_questionCommand->setToolTip(plainToolTip(question.hint));
}

} // namespace tongchi
