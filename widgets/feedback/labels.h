#pragma once

#include <QLabel>
#include <QString>

namespace tongchi {

/// A label that shows exactly its text: never rich text, whatever it contains. `role` picks the style sheet's
/// rule
/// ("title", "caption", "secondary", "small", "smallTertiary", "warn", "error", "code").
QLabel *plainLabel(const char *role, QWidget *parent, const QString &text = {});

/// Gives a widget another rule of the style sheet and has it read again.
void setStyleRole(QWidget *widget, const char *property, const QString &value);

/// Wraps a label at `width` and gives it the height that takes; a layout with centred items would give it one
/// line.
void fitWrapped(QLabel *label, int width);

/// Text from outside for a button or a menu: an ampersand stays one instead of marking a key.
QString buttonText(const QString &text);

/// A horizontal hairline in border.subtle.
QWidget *hairline(QWidget *parent);

} // namespace tongchi
