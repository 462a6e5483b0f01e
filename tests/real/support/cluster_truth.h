#pragma once

#include "tests/real/support/bed.h"

#include <map>
#include <set>

namespace tongchi::real {

/// What there is to say about a node that has cards, by two ways that share nothing: kubectl's objects,
/// counted here, and the console's output.
struct NodeTruth
{
    bool schedulable = false;
    QString businessLabel; ///< of the node
    qint64 cards = 0;
    qint64 held = 0;
    std::set<QString> pods; ///< "namespace/name", where something tells which card a pod has
    bool operator==(const NodeTruth &) const = default;
};
using ClusterTruth = std::map<QString, NodeTruth>; ///< by the node's name

/// From `kubectl get`: pods of Deployments, Jobs, StatefulSets or alone, and claims. How many cards a node of
/// the bed has says cards.json, since shares and slices are no cards; of any other node its capacity does.
ClusterTruth truthOf(const Bed &bed);
/// From `inventory --output json`. A node whose cards disagree with it fails the test.
ClusterTruth shownIn(const QJsonObject &document);

/// For a message.
std::string differenceOf(const ClusterTruth &shown, const ClusterTruth &truth);

/// An object as one would write it: without what the server adds.
QJsonObject plainObject(QJsonObject object);

/// cards.json: what the nodes of the bed are to be shown as.
QJsonObject expectedCards(const Bed &bed);

} // namespace tongchi::real
