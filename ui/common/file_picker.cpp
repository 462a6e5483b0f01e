#include "ui/common/file_picker.h"

#include <QFileDialog>

namespace tongchi {

namespace {

void openFileDialog(QFileDialog *dialog, std::function<void(QString)> done)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog,
                     [done = std::move(done)](const QString &file) { done(file); });
    dialog->open();
}

} // namespace

void NativeFilePicker::pickSaveFile(QWidget *parent, const QString &title, const QString &suggestedName,
                                    const QString &filter, std::function<void(QString)> done)
{
    auto *dialog = new QFileDialog(parent, title, QString(), filter);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(suggestedName);
    openFileDialog(dialog, std::move(done));
}

void NativeFilePicker::pickOpenFile(QWidget *parent, const QString &title, const QString &folder,
                                    const QString &filter, std::function<void(QString)> done)
{
    auto *dialog = new QFileDialog(parent, title, folder, filter);
    dialog->setAcceptMode(QFileDialog::AcceptOpen);
    dialog->setFileMode(QFileDialog::ExistingFile);
    openFileDialog(dialog, std::move(done));
}

} // namespace tongchi
