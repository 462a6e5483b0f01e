#include "platform/kubernetes/exec_process.h"

#include <csignal>
#include <unistd.h>

namespace tongchi {

std::unique_ptr<QProcess> makeDetachedFromTerminal()
{
    auto process = std::make_unique<QProcess>();
    process->setStandardInputFile(QProcess::nullDevice());
    process->setChildProcessModifier([] { ::setsid(); });
    return process;
}

void killProcessGroup(const QProcess &process)
{
    if (process.processId() > 0)
        ::kill(-pid_t(process.processId()), SIGKILL);
}

void abandonProcess(std::unique_ptr<QProcess> process)
{
    if (!process)
        return;
    process->disconnect();
    killProcessGroup(*process);
    QProcess *left = process.release();
    // QProcess would complain, and wait, if it were destroyed before the end of its process is noticed.
    if (left->state() == QProcess::NotRunning)
        left->deleteLater();
    else
        QObject::connect(left, &QProcess::finished, left, &QObject::deleteLater);
}

} // namespace tongchi
