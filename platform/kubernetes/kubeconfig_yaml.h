#pragma once

#include "platform/core/result.h"

#include <QByteArray>
#include <QString>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tongchi {

class KubeconfigYaml;
using KubeconfigYamlPtr = std::shared_ptr<const KubeconfigYaml>;

/// One node of a YAML (or JSON) document, immutable. Anchors are shared, not copied, so that a small file
/// cannot become a large tree; whoever walks a tree completely has to bound the walk (see toJson()).
class KubeconfigYaml
{
public:
    enum class Kind { Null, Scalar, Sequence, Mapping };

    Kind kind = Kind::Null;
    bool plain = true; ///< a scalar without quotes: "true" and "5" mean more than text
    std::string text;  ///< of a scalar, UTF-8
    std::vector<KubeconfigYamlPtr> items;
    std::vector<std::pair<std::string, KubeconfigYamlPtr>> entries; ///< in file order, also doubled keys
    int line = 0;                                                   ///< from 1
    int depth = 1; ///< levels from here down, aliases followed

    bool isNull() const { return kind == Kind::Null; }
    /// First value of a key, also through "<<"; null when there is none or this is no mapping.
    const KubeconfigYaml *find(std::string_view key) const;
    /// How often the key stands here itself.
    int count(std::string_view key) const;
};

struct KubeconfigYamlDocument
{
    KubeconfigYamlPtr root;     ///< never null
    bool moreDocuments = false; ///< the file goes on after a "---"; only the first part was read
};

/// Parses the first document of hostile text: at most `kubeconfigDepthLimit` levels and `kubeconfigNodeLimit`
/// nodes. Error Invalid with line and column; `subject` names the file. Never throws.
[[nodiscard]] Result<KubeconfigYamlDocument> parseKubeconfigYaml(const QByteArray &utf8,
                                                                 const QString &subject);

inline constexpr int kubeconfigDepthLimit = 100;
inline constexpr int kubeconfigNodeLimit = 500'000;

/// The tree as JSON text, for the `config` of an exec plug-in. Empty when it would be longer than `limit`
/// bytes.
QByteArray kubeconfigYamlToJson(const KubeconfigYaml &value, qsizetype limit = 64 * 1024);

/// Whether two trees say the same; false as well when that cannot be told with little work.
bool sameKubeconfigYaml(const KubeconfigYaml &left, const KubeconfigYaml &right);

} // namespace tongchi
