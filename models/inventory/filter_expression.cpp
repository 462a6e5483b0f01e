#include "models/inventory/filter_expression.h"

#include "models/inventory/card_condition.h"

#include <QHash>
#include <QLocale>
#include <QtCore/qcoreapplication.h>
#include <algorithm>
#include <cmath>
#include <vector>

namespace tongchi {

using namespace Qt::Literals::StringLiterals;

namespace {

struct KeyNames
{
    FilterKey key;
    const char16_t *english;
    QStringList others;
};

const QList<KeyNames> &keyTable()
{
    using enum FilterKey;
    static const QList<KeyNames> table{
        {Vendor, u"vendor", {u"厂商"_s}},
        {Model, u"model", {u"型号"_s, u"卡型"_s}},
        {Variant, u"variant", {u"变体"_s, u"子型号"_s}},
        {Region, u"region", {u"区域"_s}},
        {Node, u"node", {u"节点"_s}},
        {Cluster, u"pool", {u"cluster"_s, u"资源池"_s, u"集群"_s}},
        {Label, u"label", {u"标签"_s, u"业务标签"_s}},
        {Utilization, u"util", {u"utilization"_s, u"utilisation"_s, u"利用率"_s}},
        {Memory, u"mem", {u"memory"_s, u"显存"_s}},
        {FreeMemory, u"memfree", {u"空闲显存"_s, u"剩余显存"_s}},
        {Temperature, u"temp", {u"temperature"_s, u"温度"_s}},
        {Power, u"power", {u"功耗"_s}},
        {Health, u"health", {u"健康"_s, u"健康状态"_s}},
        {Workload, u"workload", {u"负载"_s}},
        {Owner, u"owner", {u"归属"_s}},
        {Age, u"age", {u"时延"_s, u"数据时延"_s}},
        {Driver, u"driver", {u"驱动"_s}},
        {Pod, u"pod", {}},
        {Uuid, u"uuid", {u"id"_s}},
        {Shares, u"shares", {u"份额"_s}},
        {Flag, u"flag", {u"标记"_s}},
    };
    return table;
}

const QHash<QString, FilterKey> &keysByName()
{
    static const QHash<QString, FilterKey> names = [] {
        QHash<QString, FilterKey> all;
        for (const KeyNames &entry : keyTable()) {
            all.insert(QString::fromUtf16(entry.english), entry.key);
            for (const QString &other : entry.others)
                all.insert(other, entry.key);
        }
        return all;
    }();
    return names;
}

/// Words that mean a canonical value, by key. Regions are data; the four of the demo pool and other common
/// ones have their Chinese names here so that both spellings find them.
const QHash<QString, QString> &valueWords(FilterKey key)
{
    static const QHash<QString, QString> vendors{
        {u"英伟达"_s, u"nvidia"_s}, {u"昇腾"_s, u"ascend"_s},      {u"华为"_s, u"ascend"_s},
        {u"huawei"_s, u"ascend"_s}, {u"寒武纪"_s, u"cambricon"_s}, {u"nv"_s, u"nvidia"_s},
        {u"as"_s, u"ascend"_s},     {u"cb"_s, u"cambricon"_s},     {u"其他"_s, u"other"_s},
    };
    static const QHash<QString, QString> labels{
        {u"推理"_s, u"inference"_s}, {u"训练"_s, u"training"_s}, {u"混合"_s, u"mixed"_s},
        {u"空闲"_s, u"idle"_s},      {u"未知"_s, u"unknown"_s},
    };
    static const QHash<QString, QString> health{
        {u"健康"_s, u"healthy"_s},        {u"故障"_s, u"fault"_s},      {u"过热"_s, u"hot"_s},
        {u"已封锁"_s, u"cordoned"_s},     {u"封锁"_s, u"cordoned"_s},   {u"离线"_s, u"offline"_s},
        {u"未上报"_s, u"not_reported"_s}, {u"unhealthy"_s, u"fault"_s}, {u"不可用"_s, u"tainted"_s},
    };
    static const QHash<QString, QString> regions{
        {u"北京"_s, u"beijing"_s},    {u"乌兰察布"_s, u"ulanqab"_s}, {u"贵阳"_s, u"guiyang"_s},
        {u"深圳"_s, u"shenzhen"_s},   {u"上海"_s, u"shanghai"_s},    {u"广州"_s, u"guangzhou"_s},
        {u"杭州"_s, u"hangzhou"_s},   {u"成都"_s, u"chengdu"_s},     {u"重庆"_s, u"chongqing"_s},
        {u"南京"_s, u"nanjing"_s},    {u"武汉"_s, u"wuhan"_s},       {u"西安"_s, u"xian"_s},
        {u"呼和浩特"_s, u"hohhot"_s}, {u"中卫"_s, u"zhongwei"_s},    {u"张家口"_s, u"zhangjiakou"_s},
        {u"香港"_s, u"hongkong"_s},
    };
    static const QHash<QString, QString> models{
        {u"昇腾 910b"_s, u"ascend 910b"_s}, {u"昇腾910b"_s, u"ascend 910b"_s}, {u"910b"_s, u"ascend 910b"_s},
        {u"4090"_s, u"rtx 4090"_s},         {u"rtx4090"_s, u"rtx 4090"_s},     {u"mlu370"_s, u"mlu370-x8"_s},
    };
    static const QHash<QString, QString> none;
    switch (key) {
    case FilterKey::Vendor:
        return vendors;
    case FilterKey::Label:
        return labels;
    case FilterKey::Health:
        return health;
    case FilterKey::Region:
        return regions;
    case FilterKey::Model:
        return models;
    default:
        return none;
    }
}

QChar halfWidth(QChar c)
{
    switch (c.unicode()) {
    case 0xFF1A:
        return u':';
    case 0xFF0C:
        return u',';
    case 0x3001:
        return u',';
    case 0xFF1C:
        return u'<';
    case 0xFF1E:
        return u'>';
    case 0xFF1D:
        return u'=';
    case 0xFF0D:
        return u'-';
    case 0x2212:
        return u'-';
    case 0xFF0A:
        return u'*';
    case 0x3000:
        return u' ';
    case 0x201C:
    case 0x201D:
    case 0xFF02:
        return u'"';
    case 0x2264:
        return QChar(0x2264);
    default:
        break;
    }
    if (c.unicode() >= 0xFF10 && c.unicode() <= 0xFF19)
        return QChar(ushort(c.unicode() - 0xFF10 + u'0'));
    if (c.unicode() == 0xFF05)
        return u'%';
    if (c.unicode() == 0xFF0E)
        return u'.';
    return c;
}

struct Word
{
    qsizetype start = 0;
    qsizetype length = 0;
    QString text; ///< half-width, quotes kept
};

QList<Word> wordsOf(const QString &text)
{
    QList<Word> words;
    Word word;
    bool quoted = false;
    const auto finish = [&](qsizetype end) {
        if (!word.text.isEmpty()) {
            word.length = end - word.start;
            words << word;
        }
        word = {};
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = halfWidth(text.at(i));
        if (c.isSpace() && !quoted) {
            finish(i);
            continue;
        }
        if (word.text.isEmpty())
            word.start = i;
        if (c == u'"')
            quoted = !quoted;
        word.text += c;
    }
    finish(text.size());
    return words;
}

QString unquoted(QString text)
{
    return text.remove(u'"').trimmed();
}

FilterToken broken(FilterToken token, const char *text, QStringList arguments, const char *remedy)
{
    token.error =
        Error{.code = ErrorCode::Invalid, .text = text, .arguments = std::move(arguments), .remedy = remedy};
    return token;
}

std::optional<double> plainNumber(const QString &text)
{
    bool ok = false;
    const double value = QLocale::c().toDouble(text, &ok);
    return ok && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Number with a unit of the key, in the key's base unit.
std::optional<double> numberOf(FilterKey key, QString text)
{
    text = text.trimmed().toLower();
    struct Unit
    {
        const char16_t *suffix;
        double factor;
    };
    static const QList<Unit> seconds{{u"ms", 0.001},  {u"秒", 1},    {u"分钟", 60},  {u"分", 60},
                                     {u"小时", 3600}, {u"时", 3600}, {u"天", 86400}, {u"min", 60},
                                     {u"s", 1},       {u"m", 60},    {u"h", 3600},   {u"d", 86400}};
    // Memory of cards is named by its nominal size, which stands for GiB (architecture of the Formatting
    // class).
    static const QList<Unit> bytes{{u"tib", 1099511627776.0}, {u"gib", 1073741824.0}, {u"mib", 1048576.0},
                                   {u"tb", 1099511627776.0},  {u"gb", 1073741824.0},  {u"mb", 1048576.0},
                                   {u"t", 1099511627776.0},   {u"g", 1073741824.0},   {u"m", 1048576.0}};
    static const QList<Unit> percent{{u"%", 1}};
    static const QList<Unit> celsius{{u"°c", 1}, {u"℃", 1}, {u"c", 1}};
    static const QList<Unit> watts{{u"kw", 1000}, {u"w", 1}};
    const QList<Unit> *units = &percent;
    double bare = 1;
    switch (key) {
    case FilterKey::Age:
        units = &seconds;
        break;
    case FilterKey::Memory:
    case FilterKey::FreeMemory:
        units = &bytes;
        bare = 1073741824.0;
        break;
    case FilterKey::Temperature:
        units = &celsius;
        break;
    case FilterKey::Power:
        units = &watts;
        break;
    default:
        break;
    }
    double factor = bare;
    for (const Unit &unit : *units) {
        const QString suffix = QString::fromUtf16(unit.suffix);
        if (text.endsWith(suffix)) {
            text.chop(suffix.size());
            factor = unit.factor;
            break;
        }
    }
    const auto value = plainNumber(text.trimmed());
    return value ? std::optional(*value * factor) : std::nullopt;
}

/// The values of a key that has no others; empty: any word may be one.
QStringList closedWords(FilterKey key)
{
    QStringList words;
    if (key == FilterKey::Label) {
        words << QStringLiteral("unknown");
        for (int i = 1; i < 5; ++i)
            words << QString::fromLatin1(labelKey(BusinessLabel(i)));
    } else if (key == FilterKey::Health) {
        for (int i = 0; i < cardConditionCount; ++i)
            words << QString::fromLatin1(conditionKey(CardCondition(i)));
    }
    return words;
}

/// How many letters are wrong, missing, too many or swapped with their neighbour.
int slipsBetween(const QString &a, const QString &b)
{
    std::vector<std::vector<int>> slips(std::size_t(a.size()) + 1,
                                        std::vector<int>(std::size_t(b.size()) + 1));
    for (std::size_t i = 0; i <= std::size_t(a.size()); ++i) {
        for (std::size_t j = 0; j <= std::size_t(b.size()); ++j) {
            if (i == 0 || j == 0) {
                slips[i][j] = int(i + j);
                continue;
            }
            const auto at = [](const QString &text, std::size_t n) { return text[qsizetype(n) - 1]; };
            slips[i][j] = std::min({slips[i - 1][j] + 1, slips[i][j - 1] + 1,
                                    slips[i - 1][j - 1] + (at(a, i) == at(b, j) ? 0 : 1)});
            if (i > 1 && j > 1 && at(a, i) == at(b, j - 1) && at(a, i - 1) == at(b, j))
                slips[i][j] = std::min(slips[i][j], slips[i - 2][j - 2] + 1);
        }
    }
    return slips[std::size_t(a.size())][std::size_t(b.size())];
}

/// The key that was meant, if `name` is one with a slip or two; empty: something else stands before the
/// colon.
QString meantKey(const QString &name)
{
    constexpr qsizetype longestName = 20;
    if (name.size() < 3 || name.size() > longestName)
        return {};
    for (auto it = keysByName().cbegin(); it != keysByName().cend(); ++it) {
        if (it.key().size() >= 3 && slipsBetween(name, it.key()) <= (it.key().size() < 5 ? 1 : 2))
            return filterKeyName(it.value());
    }
    return {};
}

FilterToken tokenOf(const Word &word)
{
    FilterToken token;
    token.start = word.start;
    token.length = word.length;
    QString text = word.text;
    if (text.startsWith(u'-') && text.size() > 1) {
        token.negated = true;
        text.remove(0, 1);
    }
    qsizetype at = -1;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size() && at < 0; ++i) {
        const QChar c = text.at(i);
        quoted = quoted != (c == u'"');
        if (!quoted &&
            (c == u':' || c == u'<' || c == u'>' || c == u'=' || c == QChar(0x2264) || c == QChar(0x2265)))
            at = i;
    }
    const QString name = at > 0 ? text.left(at).toLower() : QString();
    if (at <= 0 || !keysByName().contains(name)) {
        if (at > 0 && text.at(at) != u':' && !quoted) {
            return broken(token, QT_TRANSLATE_NOOP("Error", "“%1” is not a filter key."), {text.left(at)},
                          QT_TRANSLATE_NOOP("Error",
                                            "Keys are vendor, model, region, node, label, util, mem, temp, "
                                            "power, health, workload, age and others; see the suggestions."));
        }
        if (const QString meant = at > 0 && !quoted ? meantKey(name) : QString(); !meant.isEmpty()) {
            return broken(
                token, QT_TRANSLATE_NOOP("Error", "“%1” is not a filter key; %2 is."), {text.left(at), meant},
                QT_TRANSLATE_NOOP("Error", "Correct it, or put it in quotes to look for the text."));
        }
        token.values = {unquoted(text).toLower()};
        if (token.values.first().isEmpty()) {
            return broken(
                token, QT_TRANSLATE_NOOP("Error", "This token is empty."), {},
                QT_TRANSLATE_NOOP("Error", "Type a word, or a key and a value such as region:beijing."));
        }
        return token;
    }
    token.key = keysByName().value(name);
    qsizetype valueAt = at + 1;
    switch (text.at(at).unicode()) {
    case u'<':
        token.op = FilterOperator::Less;
        break;
    case u'>':
        token.op = FilterOperator::Greater;
        break;
    case 0x2264:
        token.op = FilterOperator::LessOrEqual;
        break;
    case 0x2265:
        token.op = FilterOperator::GreaterOrEqual;
        break;
    default:
        token.op = FilterOperator::Equals;
        break;
    }
    if (valueAt < text.size() && text.at(at) != u':' && text.at(valueAt) == u'=') {
        if (token.op == FilterOperator::Less)
            token.op = FilterOperator::LessOrEqual;
        else if (token.op == FilterOperator::Greater)
            token.op = FilterOperator::GreaterOrEqual;
        ++valueAt;
    }
    // key:<20 and key:>=80 are typed as often as key<20
    if (text.at(at) == u':' && valueAt < text.size() &&
        (text.at(valueAt) == u'<' || text.at(valueAt) == u'>')) {
        const bool less = text.at(valueAt) == u'<';
        ++valueAt;
        const bool orEqual = valueAt < text.size() && text.at(valueAt) == u'=';
        valueAt += orEqual ? 1 : 0;
        token.op = less ? (orEqual ? FilterOperator::LessOrEqual : FilterOperator::Less)
                        : (orEqual ? FilterOperator::GreaterOrEqual : FilterOperator::Greater);
    }
    const QString value = text.mid(valueAt);
    if (unquoted(value).isEmpty()) {
        return broken(token, QT_TRANSLATE_NOOP("Error", "“%1” has no value yet."), {filterKeyName(token.key)},
                      QT_TRANSLATE_NOOP("Error", "Type a value behind it, or take one of the suggestions."));
    }
    if (isNumericKey(token.key)) {
        const auto number = numberOf(token.key, unquoted(value));
        if (!number) {
            return broken(
                token, QT_TRANSLATE_NOOP("Error", "“%1” is not a number that %2 can be compared with."),
                {unquoted(value), filterKeyName(token.key)},
                QT_TRANSLATE_NOOP("Error", "Write for instance util<20, memfree>=40GB or age>90s."));
        }
        token.number = *number;
        token.values = {unquoted(value)};
        return token;
    }
    if (token.op != FilterOperator::Equals) {
        return broken(token, QT_TRANSLATE_NOOP("Error", "%1 has no order, so < and > mean nothing for it."),
                      {filterKeyName(token.key)},
                      QT_TRANSLATE_NOOP("Error", "Write a colon between key and value."));
    }
    QString part;
    quoted = false;
    const QString terminated = value + u',';
    for (const QChar c : terminated) {
        quoted = quoted != (c == u'"');
        if (c == u',' && !quoted) {
            const QString one = unquoted(part);
            if (!one.isEmpty())
                token.values << canonicalFilterValue(token.key, one);
            part.clear();
        } else {
            part += c;
        }
    }
    if (token.values.isEmpty()) {
        return broken(token, QT_TRANSLATE_NOOP("Error", "“%1” has no value yet."), {filterKeyName(token.key)},
                      QT_TRANSLATE_NOOP("Error", "Type a value behind it, or take one of the suggestions."));
    }
    const QStringList words = closedWords(token.key);
    for (const QString &one : std::as_const(token.values)) {
        const bool known = words.isEmpty() || one.contains(u'*') ||
                           std::any_of(words.begin(), words.end(), [&one](const QString &each) {
                               return each.startsWith(one);
                           }); // still typed
        if (!known)
            return broken(token, QT_TRANSLATE_NOOP("Error", "“%1” is no value of %2; there are: %3."),
                          {one, filterKeyName(token.key), words.join(QStringLiteral(", "))},
                          QT_TRANSLATE_NOOP("Error", "Take one of the suggestions."));
    }
    return token;
}

QString quotedIfNeeded(const QString &value)
{
    const bool needed =
        std::any_of(value.begin(), value.end(), [](QChar c) { return c.isSpace() || c == u','; });
    return needed ? u'"' + value + u'"' : value;
}

} // namespace

bool isNumericKey(FilterKey key)
{
    using enum FilterKey;
    return key == Utilization || key == Memory || key == FreeMemory || key == Temperature || key == Power ||
           key == Age || key == Shares;
}

QString filterKeyName(FilterKey key)
{
    for (const KeyNames &entry : keyTable()) {
        if (entry.key == key)
            return QString::fromUtf16(entry.english);
    }
    return {};
}

QStringList filterKeyNames(FilterKey key)
{
    for (const KeyNames &entry : keyTable()) {
        if (entry.key == key)
            return QStringList{QString::fromUtf16(entry.english)} + entry.others;
    }
    return {};
}

QList<FilterKey> filterKeys()
{
    QList<FilterKey> keys;
    for (const KeyNames &entry : keyTable())
        keys << entry.key;
    return keys;
}

QString canonicalFilterValue(FilterKey key, const QString &typed)
{
    const QString lower = typed.toLower();
    return valueWords(key).value(lower, lower);
}

QString FilterToken::canonical() const
{
    QString text = negated ? QStringLiteral("-") : QString();
    if (key == FilterKey::FreeText) {
        // In quotes where it would be read as something else: a key, a negation, several words.
        const QString word = values.value(0);
        const QList<FilterToken> read = parseFilter(word);
        const bool same = read.size() == 1 && read[0].key == FilterKey::FreeText && !read[0].negated &&
                          !read[0].error && read[0].values == values;
        return text + (same ? word : QString(u'"' + word + u'"'));
    }
    text += filterKeyName(key);
    switch (op) {
    case FilterOperator::Equals:
        text += isNumericKey(key) ? u'=' : u':';
        break;
    case FilterOperator::Less:
        text += u'<';
        break;
    case FilterOperator::LessOrEqual:
        text += QStringLiteral("<=");
        break;
    case FilterOperator::Greater:
        text += u'>';
        break;
    case FilterOperator::GreaterOrEqual:
        text += QStringLiteral(">=");
        break;
    }
    QStringList parts;
    for (const QString &value : values)
        parts << quotedIfNeeded(value);
    return text + parts.join(u',');
}

QList<FilterToken> parseFilter(const QString &text)
{
    QList<FilterToken> tokens;
    for (const Word &word : wordsOf(text))
        tokens << tokenOf(word);
    return tokens;
}

QString canonicalFilter(const QList<FilterToken> &tokens)
{
    QStringList parts;
    for (const FilterToken &token : tokens)
        parts << token.canonical();
    return parts.join(u' ');
}

} // namespace tongchi
