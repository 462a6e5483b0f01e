#pragma once

#include "platform/core/result.h"

#include <QByteArray>
#include <QModelIndex>
#include <QString>
#include <QUrl>
#include <QVariant>
#include <ostream>

QT_BEGIN_NAMESPACE
inline void PrintTo(const QString &text, std::ostream *out)
{
    *out << '"' << text.toStdString() << '"';
}
inline void PrintTo(const QByteArray &bytes, std::ostream *out)
{
    *out << '"' << bytes.toStdString() << '"';
}
inline void PrintTo(const QUrl &url, std::ostream *out)
{
    *out << url.toString().toStdString();
}
inline void PrintTo(const QVariant &value, std::ostream *out)
{
    *out << value.toString().toStdString();
}
inline void PrintTo(const QModelIndex &index, std::ostream *out)
{
    *out << "index(" << index.row() << ", " << index.column() << ')';
}
QT_END_NAMESPACE

namespace tongchi {
inline void PrintTo(const Error &error, std::ostream *out)
{
    *out << errorCodeName(error.code) << ": " << englishText(error).toStdString() << " ["
         << error.detail.toStdString() << ']';
}
} // namespace tongchi

/// Says why a Result that should hold a value does not.
#define EXPECT_OK(result)                                                                                    \
    EXPECT_TRUE((result).has_value())                                                                        \
        << ((result) ? std::string() : ::tongchi::englishText((result).error()).toStdString())
#define ASSERT_OK(result)                                                                                    \
    ASSERT_TRUE((result).has_value())                                                                        \
        << ((result) ? std::string() : ::tongchi::englishText((result).error()).toStdString())
