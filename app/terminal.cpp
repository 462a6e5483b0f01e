#include "app/terminal.h"

#include "models/common/error_text.h"

#include <QCoreApplication>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tongchi {

void tell(const QString &text)
{
    std::fprintf(stderr, "tongchi: %s\n", text.toUtf8().constData());
}

void tell(const Error &error)
{
    tell(errorLine(error));
}

bool printResult(const QByteArray &text)
{
    const bool whole =
        std::fwrite(text.constData(), 1, std::size_t(text.size()), stdout) == std::size_t(text.size());
    if (std::fflush(stdout) == 0 && whole)
        return true;
    if (errno != EPIPE) { // whoever read it has had enough
        const QString reason = QString::fromLocal8Bit(std::strerror(errno));
        tell(substituteArguments(
            QCoreApplication::translate("Terminal", "Standard output cannot be written: %1."), {reason}));
    }
    return false;
}

} // namespace tongchi
