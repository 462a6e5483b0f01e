#pragma once

#include <QByteArray>
#include <vector>

namespace tongchi::simulator {

// What may be a name, in the words of k8s.io/apimachinery. Empty: nothing is wrong.

/// The name of most objects.
std::vector<QByteArray> subdomainProblems(const QByteArray &name);
/// The name of a namespace: a subdomain of one part.
std::vector<QByteArray> dnsLabelProblems(const QByteArray &name);
/// The key of a label or annotation.
std::vector<QByteArray> qualifiedNameProblems(const QByteArray &key);
std::vector<QByteArray> labelValueProblems(const QByteArray &value);
/// The key of an entry of a ConfigMap or Secret.
std::vector<QByteArray> dataKeyProblems(const QByteArray &key);

} // namespace tongchi::simulator
