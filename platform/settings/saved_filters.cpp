#include "platform/settings/saved_filters.h"

#include "platform/settings/settings_store.h"

#include <QJsonArray>
#include <QJsonObject>

namespace tongchi {

SavedFilters::SavedFilters(SettingsStore *settings, const QString &pane)
    : m_settings(*settings), m_key(QStringLiteral("filters.") + pane)
{
}

QList<SavedFilter> SavedFilters::list() const
{
    QList<SavedFilter> filters;
    for (const auto &item : m_settings.json(m_key).toArray()) {
        const QJsonObject object = item.toObject();
        const SavedFilter filter{object.value(QLatin1String("name")).toString(),
                                 object.value(QLatin1String("expression")).toString()};
        if (!filter.name.isEmpty() && !filter.expression.isEmpty())
            filters << filter;
    }
    return filters;
}

void SavedFilters::setList(const QList<SavedFilter> &filters)
{
    QJsonArray array;
    for (const SavedFilter &filter : filters)
        array << QJsonObject{{QStringLiteral("name"), filter.name},
                             {QStringLiteral("expression"), filter.expression}};
    m_settings.setJson(m_key, array);
}

void SavedFilters::save(const SavedFilter &filter)
{
    QList<SavedFilter> filters = list();
    for (SavedFilter &each : filters) {
        if (each.name == filter.name) {
            each = filter;
            setList(filters);
            return;
        }
    }
    filters << filter;
    setList(filters);
}

void SavedFilters::remove(const QString &name)
{
    QList<SavedFilter> filters = list();
    filters.removeIf([&name](const SavedFilter &each) { return each.name == name; });
    setList(filters);
}

} // namespace tongchi
