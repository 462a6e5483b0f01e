#pragma once

#include <QJsonObject>
#include <QString>
#include <map>

namespace tongchi::real {

/// Cards of `tongchi inventory --output json` by what names them: "cluster node vendor slot".
using Cards = std::map<QString, QJsonObject>;

QString identityOf(const QJsonObject &card);
/// A card that is listed twice fails the test.
Cards cardsOf(const QJsonObject &document);
/// Of one node, by slot.
std::map<int, QJsonObject> cardsOfNode(const Cards &cards, const QString &node);
/// An entry of `clusters`, or fails the test.
QJsonObject clusterOf(const QJsonObject &document, const QString &name);
QJsonObject nodeOf(const QJsonObject &document, const QString &name);

/// For a message: what is different, some lines of it.
std::string differenceOf(const Cards &shown, const Cards &truth);

} // namespace tongchi::real
