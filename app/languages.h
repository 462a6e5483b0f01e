#pragma once

#include "models/common/formatting.h"

#include <QObject>
#include <QTranslator>
#include <memory>

namespace tongchi {

/// The language of the interface, switched while the program runs: installs our texts and Qt's own, and posts
/// LanguageChange to every widget through QCoreApplication::installTranslator().
class Languages : public QObject
{
    Q_OBJECT
public:
    explicit Languages(QObject *parent = nullptr);
    ~Languages() override;

    /// "en" or "zh"; anything else: the system's language.
    void use(const QString &code);
    QString current() const { return m_current; }
    Formatting formatting() const;
    /// A text of errors in that language, where no application is there to translate.
    static QString errorSentence(const QString &code, const char *text);

Q_SIGNALS:
    void changed();

private:
    QString m_current;
    std::unique_ptr<QTranslator> m_texts, m_qtTexts;
};

} // namespace tongchi
