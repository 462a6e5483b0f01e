#pragma once

#include <QString>
#include <functional>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace tongchi {

/// Asks for a file name. An interface so that tests answer from a queue; never a nested event loop. `done` is
/// not called when the operator cancels. GUI thread.
class FilePicker
{
public:
    virtual ~FilePicker() = default;
    virtual void pickSaveFile(QWidget *parent, const QString &title, const QString &suggestedName,
                              const QString &filter, std::function<void(QString)> done) = 0;
    virtual void pickOpenFile(QWidget *parent, const QString &title, const QString &folder,
                              const QString &filter, std::function<void(QString)> done) = 0;
};

/// The platform's own dialogs.
class NativeFilePicker final : public FilePicker
{
public:
    void pickSaveFile(QWidget *parent, const QString &title, const QString &suggestedName,
                      const QString &filter, std::function<void(QString)> done) override;
    void pickOpenFile(QWidget *parent, const QString &title, const QString &folder, const QString &filter,
                      std::function<void(QString)> done) override;
};

} // namespace tongchi
