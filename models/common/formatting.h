#pragma once

#include "platform/core/clock.h"

#include <QLocale>
#include <QString>
#include <QStringList>
#include <QTimeZone>
#include <chrono>
#include <cstdint>
#include <optional>

namespace tongchi {

/// Numbers as design.md section 15 wants them on screen, in the interface's language. Files, JSON and
/// requests never use these: they are locale-free.
class Formatting
{
public:
    explicit Formatting(QLocale locale = QLocale(QLocale::English));

    const QLocale &locale() const { return m_locale; }
    bool isChinese() const { return m_locale.language() == QLocale::Chinese; }

    static QString missing() { return QStringLiteral("\u2014"); }
    QString count(qint64 value) const;                           ///< 7,500
    QString percent(double value, int decimals = 0) const;       ///< 62%
    QString gigabytes(double gigabytes, int decimals = 1) const; ///< number alone
    QString memoryPair(std::optional<std::int64_t> used,
                       std::optional<std::int64_t> total) const;     ///< 51.2 / 64 GB
    QString terabytes(double gigabytes) const;                       ///< 242.9, number alone
    QString watts(double value) const;                               ///< 236 W
    QString celsius(double value) const;                             ///< 75 °C
    QString age(std::chrono::milliseconds value) const;              ///< 2 s, 2 min, 3 h, 2 d; narrow column
    QString duration(std::chrono::milliseconds value) const;         ///< 41 s, 3 min 12 s, 1 h 24 min, 2 d
    QString timeOfDay(Instant instant, const QTimeZone &zone) const; ///< 14:42:08
    QString clockLine(Instant instant, const QTimeZone &zone) const; ///< Wed 30 Dec 14:42:08 UTC+8
    static QString zoneOffset(Instant instant, const QTimeZone &zone); ///< UTC+8

private:
    QLocale m_locale;
};

/// One sentence behind another. Behind a Chinese full stop there is no blank.
QString sentencesText(const QString &first, const QString &second);

/// Where a number comes from: "exporter: metric, else other metric". GUI thread.
QString originText(const QString &source, const QStringList &series);

/// Names one after another as the interface's language lists them: "a, b" or "a、b". GUI thread.
QString listText(const QStringList &names);

/// Memory of a card in gigabytes as vendors count: 81559 MiB is 80, 65536 MiB is 64. Anything not within 7 %
/// of a usual size is as it is, in 10^9 bytes. Sums of cards add up these.
double nominalGigabytes(std::int64_t bytes);
/// Used memory in the unit of the card's total: where that is a nominal size, which stands for GiB, in GiB.
double usedGigabytes(std::int64_t used, std::optional<std::int64_t> total);
/// nominalGigabytes() as text: "80", or "23.9" with one decimal.
QString nominalGigabytesText(std::int64_t bytes);

} // namespace tongchi
