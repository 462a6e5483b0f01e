#pragma once

#include "ui/connections/connections_view.h"
#include "widgets/feedback/scrim_dialog.h"

#include <QTimer>

QT_BEGIN_NAMESPACE
class QComboBox;
class QGridLayout;
class QLineEdit;
class QPushButton;
QT_END_NAMESPACE

namespace tongchi {

class FilePicker;
class ProfileList;
class TestList;

/// Profiles left, form in the middle, test results right. Tests run by themselves 600 ms after the last key;
/// every result is one line of fact and, if wrong, one of remedy. A plug-in's command is shown in full and
/// asked for once.
class ConnectionsDialog final : public ScrimDialog
{
    Q_OBJECT

public:
    ConnectionsDialog(const Theme &theme, ConnectionsView &connections, FilePicker &files, QWidget *window,
                      QMargins insets);

    void openDialog();

protected:
    void changeEvent(QEvent *event) override;

private:
    QWidget *buildProfiles();
    QWidget *buildForm();
    QWidget *buildResults();
    void retranslate();
    void refresh();
    void fillForm();
    void edited();
    void showQuestion();

    const Theme &m_theme;
    ConnectionsView &m_connections;
    FilePicker &m_files;
    QTimer m_testTimer;
    bool m_filling = false;
    QString m_shownProfile;

    ProfileList *m_profiles = nullptr;
    QPushButton *m_add = nullptr;
    QLabel *m_demoHint = nullptr;
    QPushButton *m_demo = nullptr;
    QWidget *m_form = nullptr;
    QLabel *m_demoText = nullptr;
    QLabel *m_kubernetesHead = nullptr;
    QLabel *m_metricsHead = nullptr;
    QList<QLabel *> m_fieldNames;
    QLineEdit *m_title = nullptr;
    QLineEdit *m_kubeconfig = nullptr;
    QPushButton *m_choose = nullptr;
    QComboBox *m_context = nullptr;
    QLabel *m_fileProblem = nullptr;
    QLineEdit *m_prometheus = nullptr;
    QLabel *m_proxy = nullptr;
    QPushButton *m_remove = nullptr;
    QWidget *m_question = nullptr;
    QLabel *m_questionText = nullptr;
    QLabel *m_questionCommand = nullptr;
    QPushButton *m_questionYes = nullptr;
    QPushButton *m_questionNo = nullptr;
    QLabel *m_resultsHead = nullptr;
    QLabel *m_testedAt = nullptr;
    TestList *m_tests = nullptr;
    QLabel *m_note = nullptr;
    QPushButton *m_testAgain = nullptr;
    QPushButton *m_connect = nullptr;
};

} // namespace tongchi
