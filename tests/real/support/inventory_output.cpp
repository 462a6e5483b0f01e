#include "tests/real/support/inventory_output.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <gtest/gtest.h>

namespace tongchi::real {

namespace {

QJsonObject entryOf(const QJsonObject &document, const char *list, const QString &name)
{
    for (const QJsonValue &entry : document.value(QLatin1String(list)).toArray()) {
        if (entry.toObject().value(QLatin1String("name")).toString() == name)
            return entry.toObject();
    }
    ADD_FAILURE() << "no " << name.toStdString() << " in " << list;
    return {};
}

} // namespace

QString identityOf(const QJsonObject &card)
{
    QStringList words;
    for (const char *key : {"cluster", "node", "vendor"})
        words << card.value(QLatin1String(key)).toString();
    words << QString::number(card.value(QLatin1String("slot")).toInt(-1));
    return words.join(QLatin1Char(' '));
}

Cards cardsOf(const QJsonObject &document)
{
    Cards cards;
    for (const QJsonValue &card : document.value(QLatin1String("cards")).toArray()) {
        const QString identity = identityOf(card.toObject());
        EXPECT_TRUE(cards.emplace(identity, card.toObject()).second)
            << "listed twice: " << identity.toStdString();
    }
    return cards;
}

std::map<int, QJsonObject> cardsOfNode(const Cards &cards, const QString &node)
{
    std::map<int, QJsonObject> found;
    for (const auto &[identity, card] : cards) {
        if (card.value(QLatin1String("node")).toString() == node)
            found.emplace(card.value(QLatin1String("slot")).toInt(), card);
    }
    return found;
}

QJsonObject clusterOf(const QJsonObject &document, const QString &name)
{
    return entryOf(document, "clusters", name);
}

QJsonObject nodeOf(const QJsonObject &document, const QString &name)
{
    return entryOf(document, "nodes", name);
}

std::string differenceOf(const Cards &shown, const Cards &truth)
{
    std::string text =
        std::to_string(shown.size()) + " cards shown, " + std::to_string(truth.size()) + " are the truth";
    const auto add = [&text](const char *what, const QString &card, const std::string &more = {}) {
        if (text.size() < 2'000)
            text += std::string("\n  ") + what + ' ' + card.toStdString() + more;
    };
    for (const auto &[identity, card] : shown) {
        const auto found = truth.find(identity);
        if (found == truth.end()) {
            add("ghost", identity);
            continue;
        }
        for (auto it = card.begin(); it != card.end(); ++it) {
            if (it.value() != found->second.value(it.key()))
                add("otherwise", identity, ": " + it.key().toStdString());
        }
    }
    for (const auto &[identity, card] : truth) {
        if (!shown.contains(identity))
            add("missing", identity);
    }
    return text;
}

} // namespace tongchi::real
