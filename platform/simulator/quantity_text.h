#pragma once

#include <QByteArray>

namespace tongchi::simulator {

/// A quantity in the form that the API server gives it back in: "0.5" as "500m", "81920Mi" as "80Gi". What
/// has more than 18 digits is left as it is.
QByteArray canonicalQuantity(const QByteArray &text);

/// What is wrong with a quantity, in the words of k8s.io/apimachinery; empty: nothing.
QByteArray quantityProblem(const QByteArray &text);

/// Negative: below zero; a quantity that cannot be read counts as zero.
int quantitySign(const QByteArray &text);
/// Without a fraction.
bool isWholeQuantity(const QByteArray &text);

} // namespace tongchi::simulator
