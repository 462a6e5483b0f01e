#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>
#include <gtest/gtest.h>

namespace tongchi::test {

/// A file or folder below tests/data.
inline QString dataPath(const QString &relative)
{
    return QStringLiteral(TONGCHI_SOURCE_DIR "/tests/data/") + relative;
}

inline QByteArray readData(const QString &relative)
{
    QFile file(dataPath(relative));
    if (!file.open(QIODevice::ReadOnly)) {
        ADD_FAILURE() << "cannot read " << file.fileName().toStdString();
        return {};
    }
    return file.readAll();
}

} // namespace tongchi::test
