#pragma once

#include <QList>
#include <QString>

namespace tongchi {

class SettingsStore;

/// A filter that the operator gave a name.
struct SavedFilter
{
    QString name;
    QString expression;
    bool operator==(const SavedFilter &) const = default;
};

/// The saved filters of one pane, in the operator's order. GUI thread, as the settings.
class SavedFilters
{
public:
    /// `pane`: "cards". `settings` must outlive this.
    SavedFilters(SettingsStore *settings, const QString &pane);

    QList<SavedFilter> list() const;
    void setList(const QList<SavedFilter> &filters);
    /// Adds, or replaces the one of this name.
    void save(const SavedFilter &filter);
    void remove(const QString &name);

private:
    SettingsStore &m_settings;
    const QString m_key;
};

} // namespace tongchi
