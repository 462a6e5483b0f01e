#include "platform/kubernetes/kubeconfig_yaml.h"

#include <QtCore/qcoreapplication.h>
#include <exception>
#include <istream>
#include <streambuf>
#include <unordered_map>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace tongchi {

namespace {

/// Builds the tree from the parser's events. yaml-cpp's own tree is not used: it has no limits, and comparing
/// or destroying a deep one recurses without end.
class YamlTreeBuilder final : public YAML::EventHandler
{
public:
    enum class Trouble { None, TooDeep, TooLarge, EndlessAlias };

    void OnDocumentStart(const YAML::Mark &) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        add(std::make_shared<KubeconfigYaml>(), mark, anchor);
    }

    void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        if (stopped(mark))
            return;
        const auto known = m_anchors.find(anchor);
        if (known == m_anchors.end()) { // it names a node that is still open: a ring
            stop(Trouble::EndlessAlias, mark);
            return;
        }
        attach(known->second, mark);
    }

    void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                  const std::string &value) override
    {
        auto node = std::make_shared<KubeconfigYaml>();
        node->plain = tag == "?";
        if (!node->plain || (value != "~" && value != "null" && value != "Null" && value != "NULL")) {
            node->kind = KubeconfigYaml::Kind::Scalar;
            node->text = value;
        }
        add(std::move(node), mark, anchor);
    }

    void OnSequenceStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override
    {
        open(KubeconfigYaml::Kind::Sequence, mark, anchor);
    }
    void OnMapStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override
    {
        open(KubeconfigYaml::Kind::Mapping, mark, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapEnd() override { close(); }

    Trouble trouble() const { return m_trouble; }
    int line() const { return m_line; }
    int column() const { return m_column; }
    KubeconfigYamlPtr takeRoot()
    {
        return m_root ? std::move(m_root) : std::make_shared<const KubeconfigYaml>();
    }

private:
    struct OpenNode
    {
        std::shared_ptr<KubeconfigYaml> node;
        YAML::anchor_t anchor = 0;
        bool haveKey = false;
        bool keyIsText = false;
        std::string key;
    };

    void stop(Trouble trouble, const YAML::Mark &mark)
    {
        if (m_trouble != Trouble::None)
            return;
        m_trouble = trouble;
        m_line = mark.line + 1;
        m_column = mark.column + 1;
    }

    bool stopped(const YAML::Mark &mark)
    {
        if (m_trouble == Trouble::None && ++m_nodes > kubeconfigNodeLimit)
            stop(Trouble::TooLarge, mark);
        return m_trouble != Trouble::None;
    }

    void add(std::shared_ptr<KubeconfigYaml> node, const YAML::Mark &mark, YAML::anchor_t anchor)
    {
        if (stopped(mark))
            return;
        node->line = mark.line + 1;
        if (anchor)
            m_anchors[anchor] = node;
        attach(std::move(node), mark);
    }

    void open(KubeconfigYaml::Kind kind, const YAML::Mark &mark, YAML::anchor_t anchor)
    {
        if (stopped(mark))
            return;
        if (int(m_open.size()) >= kubeconfigDepthLimit) {
            stop(Trouble::TooDeep, mark);
            return;
        }
        OpenNode opened;
        opened.node = std::make_shared<KubeconfigYaml>();
        opened.node->kind = kind;
        opened.node->line = mark.line + 1;
        opened.anchor = anchor;
        m_open.push_back(std::move(opened));
    }

    void close()
    {
        if (m_trouble != Trouble::None || m_open.empty())
            return;
        OpenNode closed = std::move(m_open.back());
        m_open.pop_back();
        if (closed.anchor)
            m_anchors[closed.anchor] = closed.node;
        YAML::Mark mark;
        mark.line = closed.node->line - 1;
        attach(std::move(closed.node), mark);
    }

    void attach(KubeconfigYamlPtr node, const YAML::Mark &mark)
    {
        if (m_open.empty()) {
            m_root = std::move(node);
            return;
        }
        OpenNode &parent = m_open.back();
        // Aliases can pile up levels without nesting in the text; the destructor recurses over these.
        if (node->depth + 1 > kubeconfigDepthLimit) {
            stop(Trouble::TooDeep, mark);
            return;
        }
        if (node->depth + 1 > parent.node->depth)
            parent.node->depth = node->depth + 1;
        if (parent.node->kind == KubeconfigYaml::Kind::Sequence) {
            parent.node->items.push_back(std::move(node));
        } else if (!parent.haveKey) {
            parent.haveKey = true;
            parent.keyIsText = node->kind == KubeconfigYaml::Kind::Scalar;
            parent.key = node->text;
        } else {
            parent.haveKey = false;
            if (parent.keyIsText) // a key that is a list or a map means nothing to us
                parent.node->entries.emplace_back(std::move(parent.key), std::move(node));
        }
    }

    KubeconfigYamlPtr m_root;
    std::vector<OpenNode> m_open;
    std::unordered_map<YAML::anchor_t, KubeconfigYamlPtr> m_anchors;
    Trouble m_trouble = Trouble::None;
    int m_nodes = 0;
    int m_line = 0;
    int m_column = 0;
};

/// Lets the parser read the bytes where they are.
class YamlBytesBuffer final : public std::streambuf
{
public:
    explicit YamlBytesBuffer(const QByteArray &bytes)
    {
        auto *begin = const_cast<char *>(bytes.constData()); // setg() wants it; nothing is written
        setg(begin, begin, begin + bytes.size());
    }
};

/// Whether the line has a tab where only blanks may be.
bool isIndentedWithTab(const QByteArray &utf8, int line)
{
    qsizetype begin = 0;
    for (int i = 0; i < line && begin >= 0; ++i)
        begin = utf8.indexOf('\n', begin) + 1;
    while (begin < utf8.size() && utf8.at(begin) == ' ')
        ++begin;
    return begin < utf8.size() && utf8.at(begin) == '\t';
}

struct YamlAdvice
{
    const char *text;
    const char *remedy;
};

/// What the parser found, in an operator's words.
YamlAdvice yamlAdvice(const YAML::Mark &mark, const std::string &message, const QByteArray &utf8)
{
    namespace Said = YAML::ErrorMsg;
    if (message == Said::EOF_IN_SCALAR) {
        return {QT_TRANSLATE_NOOP("Error", "The file is not valid YAML: it ends at line %1, column %2 inside "
                                           "a quoted text."),
                QT_TRANSLATE_NOOP("Error", "If the file was cut off, copy or download it again; otherwise "
                                           "look for a quotation mark that is not closed.")};
    }
    if (message == Said::END_OF_MAP_FLOW || message == Said::END_OF_SEQ_FLOW) {
        if (mark.pos >= int(utf8.size())) { // the column of such a mark means nothing
            return {QT_TRANSLATE_NOOP("Error", "The file is not valid YAML: it ends at line %1 "
                                               "before a bracket is closed."),
                    QT_TRANSLATE_NOOP("Error", "If the file was cut off, copy or download it again; "
                                               "otherwise look for a bracket that is not closed.")};
        }
        return {
            QT_TRANSLATE_NOOP("Error", "The file is not valid YAML: line %1, column %2, inside brackets."),
            QT_TRANSLATE_NOOP("Error", "Look for a bracket, a comma or a colon that is missing here.")};
    }
    if (isIndentedWithTab(utf8, mark.line)) {
        return {QT_TRANSLATE_NOOP("Error", "The file is not valid YAML: line %1, column %2, where a tab "
                                           "stands in the indentation."),
                QT_TRANSLATE_NOOP("Error", "Indent with blanks, then load the file again.")};
    }
    for (const char *misfit :
         {Said::MAP_VALUE, Said::MAP_KEY, Said::BLOCK_ENTRY, Said::END_OF_MAP, Said::END_OF_SEQ}) {
        if (message == misfit) {
            return {QT_TRANSLATE_NOOP("Error", "The file is not valid YAML: line %1, column %2, which does "
                                               "not fit the lines above."),
                    QT_TRANSLATE_NOOP("Error", "Look at the indentation here, and for a colon or a hyphen "
                                               "that is missing or too many.")};
        }
    }
    return {QT_TRANSLATE_NOOP("Error", "The file is not valid YAML: line %1, column %2."),
            QT_TRANSLATE_NOOP("Error", "Correct the file at this place and load it again.")};
}

tl::unexpected<Error> yamlFailure(const YAML::Mark &mark, const std::string &message, const QByteArray &utf8,
                                  const QString &subject)
{
    const QString detail = QString::fromStdString(message).left(200);
    if (mark.is_null()) {
        return failure({.code = ErrorCode::Invalid,
                        .text = QT_TRANSLATE_NOOP("Error", "The file is not valid YAML."),
                        .remedy = QT_TRANSLATE_NOOP("Error", "Correct the file and load it again."),
                        .subject = subject,
                        .detail = detail});
    }
    const YamlAdvice advice = yamlAdvice(mark, message, utf8);
    return failure({.code = ErrorCode::Invalid,
                    .text = advice.text,
                    .arguments = {QString::number(mark.line + 1), QString::number(mark.column + 1)},
                    .remedy = advice.remedy,
                    .subject = subject,
                    .detail = detail});
}

Status yamlTrouble(const YamlTreeBuilder &builder, const QString &subject)
{
    const QStringList place{QString::number(builder.line()), QString::number(builder.column())};
    switch (builder.trouble()) {
    case YamlTreeBuilder::Trouble::None:
        return {};
    case YamlTreeBuilder::Trouble::TooDeep:
        return failure({.code = ErrorCode::Invalid,
                        .text = QT_TRANSLATE_NOOP(
                            "Error", "The file nests more than %3 levels deep: line %1, column %2."),
                        .arguments = place + QStringList{QString::number(kubeconfigDepthLimit)},
                        .remedy = QT_TRANSLATE_NOOP(
                            "Error", "No kubeconfig does that; check where the file comes from."),
                        .subject = subject});
    case YamlTreeBuilder::Trouble::TooLarge:
        return failure(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "The file holds more than %3 values: line %1, column %2."),
             .arguments = place + QStringList{QString::number(kubeconfigNodeLimit)},
             .remedy =
                 QT_TRANSLATE_NOOP("Error", "No kubeconfig does that; check where the file comes from."),
             .subject = subject});
    case YamlTreeBuilder::Trouble::EndlessAlias:
        return failure(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "An alias in the file contains itself: line %1, column %2."),
             .arguments = place,
             .remedy = QT_TRANSLATE_NOOP("Error", "Correct the file at this place and load it again."),
             .subject = subject});
    }
    return {};
}

/// "<<" takes values of another map where this one is silent. Merges of merges can fan out, hence the budget.
const KubeconfigYaml *findYamlKey(const KubeconfigYaml &node, std::string_view key, int &budget)
{
    for (const auto &[name, value] : node.entries) {
        if (name == key)
            return value.get();
    }
    for (const auto &[name, value] : node.entries) {
        if (name != "<<")
            continue;
        if (value->kind == KubeconfigYaml::Kind::Mapping && --budget > 0) {
            if (const KubeconfigYaml *found = findYamlKey(*value, key, budget))
                return found;
        }
        for (const KubeconfigYamlPtr &item : value->items) {
            if (item->kind != KubeconfigYaml::Kind::Mapping || --budget <= 0)
                continue;
            if (const KubeconfigYaml *found = findYamlKey(*item, key, budget))
                return found;
        }
    }
    return nullptr;
}

} // namespace

Result<KubeconfigYamlDocument> parseKubeconfigYaml(const QByteArray &utf8, const QString &subject)
{
    // yaml-cpp answers bad input with exceptions and, deep inside, with some of the standard library's.
    YamlTreeBuilder builder;
    try {
        YamlBytesBuffer buffer(utf8);
        std::istream stream(&buffer);
        YAML::Parser parser(stream);
        KubeconfigYamlDocument document;
        if (parser.HandleNextDocument(builder)) {
            if (Status status = yamlTrouble(builder, subject); !status)
                return tl::unexpected(status.error());
            // Only whether there is more is asked; what it says is not our concern.
            document.moreDocuments = bool(parser);
        }
        document.root = builder.takeRoot();
        return document;
    } catch (const YAML::Exception &exception) {
        if (Status status = yamlTrouble(builder, subject); !status)
            return tl::unexpected(status.error());
        return yamlFailure(exception.mark, exception.msg, utf8, subject);
    } catch (const std::exception &exception) {
        return yamlFailure(YAML::Mark::null_mark(), exception.what(), utf8, subject);
    }
}

const KubeconfigYaml *KubeconfigYaml::find(std::string_view key) const
{
    int budget = 1000;
    return findYamlKey(*this, key, budget);
}

int KubeconfigYaml::count(std::string_view key) const
{
    int result = 0;
    for (const auto &entry : entries)
        result += entry.first == key ? 1 : 0;
    return result;
}

} // namespace tongchi
