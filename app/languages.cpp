#include "app/languages.h"

#include <QCoreApplication>
#include <QLibraryInfo>

namespace tongchi {

namespace {

/// The language of messages, not of numbers: LC_ALL, LC_MESSAGES, LANG, and LANGUAGE before them.
bool isSystemChinese()
{
    return QLocale::system().uiLanguages().value(0).startsWith(QLatin1String("zh"));
}

QString languageCode(const QString &wanted)
{
    if (wanted == QLatin1String("en") || wanted == QLatin1String("zh"))
        return wanted;
    return isSystemChinese() ? QStringLiteral("zh") : QStringLiteral("en");
}

} // namespace

Languages::Languages(QObject *parent) : QObject(parent) {}

Languages::~Languages() = default;

void Languages::use(const QString &code)
{
    const QString wanted = languageCode(code);
    if (wanted == m_current)
        return;
    m_current = wanted;
    const bool chinese = wanted == QLatin1String("zh");
    if (m_texts)
        QCoreApplication::removeTranslator(m_texts.get());
    if (m_qtTexts)
        QCoreApplication::removeTranslator(m_qtTexts.get());
    m_qtTexts = std::make_unique<QTranslator>();
    if (chinese &&
        m_qtTexts->load(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(m_qtTexts.get());
    m_texts = std::make_unique<QTranslator>();
    // English too: its file holds the plural forms.
    if (m_texts->load(chinese ? QStringLiteral(":/i18n/tongchi_zh_CN.qm")
                              : QStringLiteral(":/i18n/tongchi_en.qm")))
        QCoreApplication::installTranslator(m_texts.get());
    Q_EMIT changed();
}

QString Languages::errorSentence(const QString &code, const char *text)
{
    QTranslator translator;
    const bool chinese = languageCode(code) == QLatin1String("zh");
    const QString translated = chinese && translator.load(QStringLiteral(":/i18n/tongchi_zh_CN.qm"))
                                   ? translator.translate("Error", text)
                                   : QString();
    return translated.isEmpty() ? QString::fromUtf8(text) : translated;
}

Formatting Languages::formatting() const
{
    return Formatting(m_current == QLatin1String("zh") ? QLocale(QLocale::Chinese, QLocale::China)
                                                       : QLocale(QLocale::English, QLocale::UnitedStates));
}

} // namespace tongchi
