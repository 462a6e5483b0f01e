#pragma once

#include <QLocale>
#include <clocale>
#include <string>

namespace tongchi::test {

/// Decimal commas, a Turkish dotless i, and grouping with blanks and apostrophes.
inline constexpr const char *everyLocale[] = {"C",           "de_DE.UTF-8", "tr_TR.UTF-8",
                                              "fr_FR.UTF-8", "de_CH.UTF-8", "zh_CN.UTF-8"};

/// Qt's default locale, and the C library's where the machine has generated it, for one scope.
class LocaleScope
{
public:
    explicit LocaleScope(const char *name) : m_before(std::setlocale(LC_ALL, nullptr))
    {
        m_generated = std::setlocale(LC_ALL, name) != nullptr;
        QLocale::setDefault(QLocale(QString::fromLatin1(name).section(u'.', 0, 0)));
    }
    ~LocaleScope()
    {
        std::setlocale(LC_ALL, m_before.c_str());
        QLocale::setDefault(QLocale::c());
    }
    LocaleScope(const LocaleScope &) = delete;
    LocaleScope &operator=(const LocaleScope &) = delete;
    bool isGenerated() const { return m_generated; }

private:
    std::string m_before;
    bool m_generated = false;
};

} // namespace tongchi::test
