#include "models/common/formatting.h"

#include "models/common/formatting_text.h"

#include <QDateTime>
#include <array>
#include <cmath>

namespace tongchi {
namespace {

QDateTime inZone(Instant instant, const QTimeZone &zone)
{
    return QDateTime::fromMSecsSinceEpoch(instant.time_since_epoch().count(), Qt::UTC).toTimeZone(zone);
}

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

/// The vendor's number for a memory of about so many GiB; 0 when none fits.
int usualSize(double bytes)
{
    constexpr std::array sizes{8, 11, 12, 16, 20, 24, 32, 40, 48, 64, 80, 94, 96, 120, 128, 141, 144, 192};
    const double size = bytes / gib;
    for (const int candidate : sizes) {
        if (size <= candidate * 1.005 && size >= candidate * 0.93)
            return candidate;
    }
    return 0;
}

} // namespace

double nominalGigabytes(std::int64_t bytes)
{
    const int size = usualSize(double(bytes));
    return size ? size : double(bytes) / 1e9;
}

double usedGigabytes(std::int64_t used, std::optional<std::int64_t> total)
{
    return double(used) / (total && usualSize(double(*total)) ? gib : 1e9);
}

QString nominalGigabytesText(std::int64_t bytes)
{
    return QString::number(nominalGigabytes(bytes), 'f', usualSize(double(bytes)) ? 0 : 1);
}

Formatting::Formatting(QLocale locale) : m_locale(std::move(locale)) {}

QString Formatting::count(qint64 value) const
{
    return value < 0 ? QChar(0x2212) + m_locale.toString(-value) : m_locale.toString(value);
}

QString Formatting::percent(double value, int decimals) const
{
    return m_locale.toString(value, 'f', decimals) + u'%';
}

QString Formatting::gigabytes(double gigabytes, int decimals) const
{
    return m_locale.toString(gigabytes, 'f', decimals);
}

QString Formatting::memoryPair(std::optional<std::int64_t> used, std::optional<std::int64_t> total) const
{
    const QString left = used ? gigabytes(usedGigabytes(*used, total)) : missing();
    const QString right = total ? nominalGigabytesText(*total) : missing();
    return left + QStringLiteral(" / ") + right + QStringLiteral(" GB");
}

QString Formatting::terabytes(double gigabytes) const
{
    return m_locale.toString(gigabytes / 1e3, 'f', 1);
}

QString Formatting::watts(double value) const
{
    if (value >= 1e6)
        return m_locale.toString(value / 1e6, 'f', 2) + QStringLiteral(" MW");
    if (value >= 10'000)
        return m_locale.toString(value / 1e3, 'f', 1) + QStringLiteral(" kW");
    return m_locale.toString(value, 'f', 0) + QStringLiteral(" W");
}

QString Formatting::celsius(double value) const
{
    return m_locale.toString(value, 'f', 0) + QStringLiteral(" °C");
}

QString Formatting::age(std::chrono::milliseconds value) const
{
    using namespace std::chrono;
    const auto seconds = std::max<qint64>(0, duration_cast<std::chrono::seconds>(value).count());
    if (seconds < 60)
        return FormattingText::tr("%1 s", "age in a narrow column, seconds").arg(seconds);
    if (seconds < 3'600)
        return FormattingText::tr("%1 min", "age in a narrow column, minutes").arg(seconds / 60);
    if (seconds < 48 * 3'600)
        return FormattingText::tr("%1 h", "age in a narrow column, hours").arg(seconds / 3'600);
    return FormattingText::tr("%1 d", "age in a narrow column, days").arg(seconds / 86'400);
}

QString Formatting::duration(std::chrono::milliseconds value) const
{
    using namespace std::chrono;
    const auto seconds = std::max<qint64>(0, duration_cast<std::chrono::seconds>(value).count());
    if (seconds < 60)
        return FormattingText::tr("%1 s", "duration in a sentence").arg(seconds);
    if (seconds < 3'600) {
        return seconds % 60 ? FormattingText::tr("%1 min %2 s", "duration in a sentence")
                                  .arg(seconds / 60)
                                  .arg(seconds % 60)
                            : FormattingText::tr("%1 min", "duration in a sentence").arg(seconds / 60);
    }
    if (seconds < 48 * 3'600) {
        return FormattingText::tr("%1 h %2 min", "duration in a sentence")
            .arg(seconds / 3'600)
            .arg(seconds % 3'600 / 60);
    }
    return FormattingText::tr("%1 d", "duration in a sentence").arg(seconds / 86'400);
}

QString Formatting::timeOfDay(Instant instant, const QTimeZone &zone) const
{
    return inZone(instant, zone).toString(QStringLiteral("HH:mm:ss"));
}

QString Formatting::zoneOffset(Instant instant, const QTimeZone &zone)
{
    const int minutes = zone.offsetFromUtc(inZone(instant, zone)) / 60;
    QString text = QStringLiteral("UTC");
    if (minutes == 0)
        return text;
    text += minutes < 0 ? QChar(0x2212) : QChar(u'+');
    text += QString::number(std::abs(minutes) / 60);
    if (std::abs(minutes) % 60)
        text += u':' + QStringLiteral("%1").arg(std::abs(minutes) % 60, 2, 10, QChar(u'0'));
    return text;
}

QString Formatting::clockLine(Instant instant, const QTimeZone &zone) const
{
    const QDateTime time = inZone(instant, zone);
    const QString date = isChinese() ? m_locale.toString(time, QStringLiteral("M月d日 ddd"))
                                     : m_locale.toString(time, QStringLiteral("ddd d MMM"));
    return date + u' ' + time.toString(QStringLiteral("HH:mm:ss")) + u' ' + zoneOffset(instant, zone);
}

QString sentencesText(const QString &first, const QString &second)
{
    if (first.isEmpty() || second.isEmpty())
        return first + second;
    const bool closed = QStringLiteral("\u3002\uff01\uff1f\uff1b\uff1a").contains(first.back());
    return closed ? first + second : QString(first + u' ' + second);
}

QString originText(const QString &source, const QStringList &series)
{
    //: Between two series of which the first that is there counts.
    return source + FormattingText::tr(": ", "behind the name of an exporter") +
           series.join(FormattingText::tr(", else "));
}

QString listText(const QStringList &names)
{
    //: Stands between the names of a list.
    return names.join(FormattingText::tr(", "));
}

} // namespace tongchi
