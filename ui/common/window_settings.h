#pragma once

#include <QHash>
#include <QString>

namespace tongchi {

/// What the window keeps between runs, as short texts by key ("language", "columns.cards"). The application
/// gives one that is written to disk; a value that cannot be read is as if it were not there.
class WindowSettings
{
public:
    virtual ~WindowSettings() = default;
    virtual QString value(const QString &key, const QString &fallback = {}) const = 0;
    virtual void setValue(const QString &key, const QString &value) = 0;
};

/// Kept for this run only.
class MemoryWindowSettings final : public WindowSettings
{
public:
    QString value(const QString &key, const QString &fallback = {}) const override
    {
        return m_values.value(key, fallback);
    }
    void setValue(const QString &key, const QString &value) override { m_values.insert(key, value); }

private:
    QHash<QString, QString> m_values;
};

} // namespace tongchi
