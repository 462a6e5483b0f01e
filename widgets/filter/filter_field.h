#pragma once

#include "widgets/filter/filter_field_source.h"

#include <QTimer>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QLineEdit;
class QToolButton;
QT_END_NAMESPACE

namespace tongchi {

class FigureLabel;
class PopoverList;
class Theme;

/// The filter: finished words are painted as tokens, the word being typed stands in a bare line edit behind
/// them.
///
/// A blank or Enter finishes a word; Backspace at the start takes the last token back; Left and Right walk
/// over the tokens, Delete removes and Enter edits the one with the ring; a click on a token edits it, on its
/// cross removes it. textChanged() comes with every key: filtering is live. Suggestions open 80 ms after the
/// last key.
class FilterField final : public QWidget
{
    Q_OBJECT

public:
    FilterField(const Theme &theme, const FilterFieldSource &source, QWidget *parent = nullptr);

    /// All words, joined by blanks.
    QString text() const;
    /// Sets all words as tokens; emits textChanged() only when the text differs.
    void setText(const QString &text);
    void clear() { setText({}); }
    void setPlaceholder(const QString &text);
    /// "2,312 of 7,500", or empty.
    void setCount(const QString &text);
    /// Reads the tokens again, after a change of language.
    void refreshTokens();

    QLineEdit *editor() const { return m_edit; }
    PopoverList *suggestions() const { return m_popover; }
    int tokenCount() const { return int(m_tokens.size()); }
    /// The first token that cannot be read, as a sentence; empty when all can.
    QString error() const;

    QSize sizeHint() const override { return {400, 28}; }
    QSize minimumSizeHint() const override { return {200, 28}; }

Q_SIGNALS:
    void textChanged(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Place
    {
        QRectF box;
        QRectF cross;
    };

    void retranslate();
    void layOut();
    void finishWord();
    void editToken(int index);
    void removeToken(int index);
    void changed();
    void showSuggestions();
    void accept(int row);
    bool handleKey(QKeyEvent *event);
    QStringList words() const;
    int tokenAt(const QPointF &point) const;

    const Theme &m_theme;
    const FilterFieldSource &m_source;
    QList<FilterFieldToken> m_tokens;
    QList<Place> m_places;
    QList<FilterFieldSuggestion> m_suggestions;
    QString m_lastText;
    QLineEdit *m_edit;
    FigureLabel *m_count;
    QToolButton *m_clear;
    PopoverList *m_popover;
    QTimer m_suggestTimer;
    int m_current = -1; ///< token with the keyboard's ring
    bool m_quiet = false;
};

} // namespace tongchi
