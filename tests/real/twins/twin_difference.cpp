#include "tests/real/twins/twin_difference.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <array>
#include <utility>

namespace tongchi::twins {

namespace {

constexpr std::array<std::pair<Place, const char *>, 8> placeNames{{
    {Place::Transport, "transport"},
    {Place::Status, "status"},
    {Place::Header, "header"},
    {Place::Shape, "shape"},
    {Place::Value, "value"},
    {Place::ErrorClass, "error class"},
    {Place::Words, "words"},
    {Place::Order, "order"},
}};

QByteArray shortText(const QJsonValue &value)
{
    QByteArray text;
    if (value.isUndefined())
        return "nothing";
    if (value.isObject())
        text = QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
    else if (value.isArray())
        text = QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact);
    else {
        text = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
        text = text.mid(1, text.size() - 2);
    }
    return text.size() > 700 ? text.left(700) + "..." : text;
}

bool isFailure(const QJsonValue &body)
{
    return (body[QLatin1String("kind")] == QLatin1String("Status") &&
            body[QLatin1String("status")] == QLatin1String("Failure")) ||
           (body[QLatin1String("status")] == QLatin1String("error") &&
            !body[QLatin1String("errorType")].isUndefined());
}

/// The same elements, each as often.
bool sameElements(const QJsonArray &a, const QJsonArray &b)
{
    const auto sorted = [](const QJsonArray &array) {
        std::vector<QByteArray> texts;
        for (const QJsonValue &item : array)
            texts.push_back(QJsonDocument(QJsonArray{item}).toJson(QJsonDocument::Compact));
        std::sort(texts.begin(), texts.end());
        return texts;
    };
    return a.size() == b.size() && sorted(a) == sorted(b);
}

QJsonArray sortedArray(const QJsonArray &array)
{
    std::vector<QJsonValue> items(array.begin(), array.end());
    std::stable_sort(items.begin(), items.end(), [](const QJsonValue &a, const QJsonValue &b) {
        return QJsonDocument(QJsonArray{a}).toJson(QJsonDocument::Compact) <
               QJsonDocument(QJsonArray{b}).toJson(QJsonDocument::Compact);
    });
    QJsonArray out;
    for (const QJsonValue &item : items)
        out.append(item);
    return out;
}

class BodyComparer
{
public:
    BodyComparer(const QByteArray &step, const Comparison &how, std::vector<Difference> *out)
        : m_step(step), m_how(how), m_out(out)
    {
    }

    void compare(const QJsonValue &real, const QJsonValue &embedded, const QByteArray &path, bool failure)
    {
        if (path.isEmpty() && isFailure(real) != isFailure(embedded)) {
            // One of them refuses: a list of keys would say no more.
            report(Place::ErrorClass, path, shortText(real), shortText(embedded));
            return;
        }
        failure = failure || isFailure(real);
        if (real.type() != embedded.type()) {
            report(failure ? Place::ErrorClass : Place::Shape, path, shortText(real), shortText(embedded));
        } else if (real.isObject()) {
            compareObjects(real.toObject(), embedded.toObject(), path, failure);
        } else if (real.isArray()) {
            compareArrays(real.toArray(), embedded.toArray(), path, failure);
        } else if (!m_how.shapeOnly && real != embedded && !matchesAny(path, m_how.masked)) {
            const bool words = failure && (path.endsWith("/message") || path.endsWith("/error"));
            report(words     ? Place::Words
                   : failure ? Place::ErrorClass
                             : Place::Value,
                   path, shortText(real), shortText(embedded));
        }
    }

private:
    void report(Place place, const QByteArray &path, const QByteArray &real, const QByteArray &embedded)
    {
        m_out->push_back({m_step, place, path.isEmpty() ? QByteArray("/") : path, real, embedded});
    }

    static bool matchesAny(const QByteArray &path, const QList<QByteArray> &patterns)
    {
        return std::any_of(patterns.begin(), patterns.end(),
                           [&path](const QByteArray &pattern) { return pathMatches(path, pattern); });
    }

    void compareObjects(const QJsonObject &real, const QJsonObject &embedded, const QByteArray &path,
                        bool failure)
    {
        QStringList keys = real.keys();
        for (const QString &key : embedded.keys()) {
            if (!real.contains(key))
                keys.append(key);
        }
        for (const QString &key : keys) {
            const QByteArray inner = path + '/' + key.toUtf8().replace("~", "~0").replace("/", "~1");
            const QJsonValue left = real.contains(key) ? real.value(key) : QJsonValue(QJsonValue::Undefined);
            const QJsonValue right =
                embedded.contains(key) ? embedded.value(key) : QJsonValue(QJsonValue::Undefined);
            if (right.isUndefined() && matchesAny(path, m_how.subset))
                continue;
            if (left.isUndefined() || right.isUndefined())
                report(failure ? Place::ErrorClass : Place::Shape, inner, shortText(left), shortText(right));
            else
                compare(left, right, inner, failure);
        }
    }

    void compareArrays(QJsonArray real, QJsonArray embedded, const QByteArray &path, bool failure)
    {
        for (auto partial = m_how.partial.begin(); partial != m_how.partial.end(); ++partial) {
            if (pathMatches(path, partial.key())) {
                comparePart(real, embedded, path, QString::fromUtf8(partial.value()), failure);
                return;
            }
        }
        if (m_how.shapeOnly) {
            if (real.isEmpty() != embedded.isEmpty())
                report(Place::Shape, path, shortText(real), shortText(embedded));
            else if (!real.isEmpty())
                compare(real.first(), embedded.first(), path + "/0", failure);
            return;
        }
        if (matchesAny(path, m_how.unordered)) {
            real = sortedArray(real);
            embedded = sortedArray(embedded);
        }
        if (real != embedded && sameElements(real, embedded)) {
            report(Place::Order, path, shortText(real), shortText(embedded));
            return;
        }
        if (real.size() != embedded.size()) {
            report(failure ? Place::ErrorClass : Place::Shape, path,
                   QByteArray::number(real.size()) + " elements: " + shortText(real),
                   QByteArray::number(embedded.size()) + " elements: " + shortText(embedded));
            return;
        }
        for (qsizetype i = 0; i < real.size(); ++i)
            compare(real.at(i), embedded.at(i), path + '/' + QByteArray::number(i), failure);
    }

    /// The embedded list may lack elements, but not have others, and those it has are the same.
    void comparePart(const QJsonArray &real, const QJsonArray &embedded, const QByteArray &path,
                     const QString &name, bool failure)
    {
        const QStringList steps = name.split(u'/', Qt::SkipEmptyParts);
        const auto nameOf = [&steps](QJsonValue element) {
            for (const QString &step : steps)
                element = element[step];
            return element;
        };
        qsizetype place = 0;
        for (const QJsonValue &element : embedded) {
            const QJsonValue wanted = nameOf(element);
            const QByteArray inner = path + '/' + wanted.toString().toUtf8().replace("/", "~1");
            qsizetype at = 0;
            while (at < real.size() && nameOf(real.at(at)) != wanted)
                ++at;
            if (at == real.size()) {
                report(Place::Shape, inner, "nothing", shortText(element));
                continue;
            }
            if (at < place)
                report(Place::Order, inner, "before its neighbour", "behind it");
            place = std::max(place, at);
            compare(real.at(at), element, inner, failure);
        }
    }

    QByteArray m_step;
    const Comparison &m_how;
    std::vector<Difference> *m_out;
};

/// The types of events in their order, then each event.
void compareEvents(const TwinStep &step, const TwinAnswer &real, const TwinAnswer &embedded,
                   std::vector<Difference> *out)
{
    const auto typesOf = [](const QJsonArray &events) {
        QJsonArray types;
        for (const QJsonValue &event : events) {
            const QJsonValue metadata = event[QLatin1String("object")][QLatin1String("metadata")];
            types.append(QString(event[QLatin1String("type")].toString() + u' ' +
                                 metadata[QLatin1String("name")].toString()));
        }
        return types;
    };
    const QJsonArray left = real.body.toArray();
    const QJsonArray right = embedded.body.toArray();
    const QJsonArray leftTypes = typesOf(left);
    const QJsonArray rightTypes = typesOf(right);
    if (leftTypes != rightTypes) {
        out->push_back({step.name, sameElements(leftTypes, rightTypes) ? Place::Order : Place::Shape,
                        "events", shortText(leftTypes), shortText(rightTypes)});
        return;
    }
    BodyComparer comparer(step.name, step.comparison, out);
    for (qsizetype i = 0; i < left.size(); ++i)
        comparer.compare(left.at(i), right.at(i), '/' + QByteArray::number(i), false);
}

const char *formName(TwinAnswer::Kind kind)
{
    switch (kind) {
    case TwinAnswer::Kind::Json:
        return "JSON";
    case TwinAnswer::Kind::Text:
        return "text";
    case TwinAnswer::Kind::Events:
        return "a stream of events";
    case TwinAnswer::Kind::Nothing:
        break;
    }
    return "an empty body";
}

void compareAnswers(const TwinStep &step, const TwinAnswer &real, const TwinAnswer &embedded,
                    std::vector<Difference> *out)
{
    if (real.problem != embedded.problem) {
        out->push_back({step.name, Place::Transport, "connection", real.problem, embedded.problem});
        return;
    }
    if (real.status != embedded.status)
        out->push_back({step.name, Place::Status, "status", QByteArray::number(real.status),
                        QByteArray::number(embedded.status)});
    QList<QByteArray> names = real.headers.keys();
    for (const QByteArray &name : embedded.headers.keys()) {
        if (!names.contains(name))
            names.append(name);
    }
    for (const QByteArray &name : names) {
        if (real.headers.value(name) != embedded.headers.value(name))
            out->push_back({step.name, Place::Header, name, real.headers.value(name, "nothing"),
                            embedded.headers.value(name, "nothing")});
    }
    if (real.kind != embedded.kind) {
        out->push_back({step.name, Place::Shape, "body", formName(real.kind) + QByteArray(": ") + real.text,
                        formName(embedded.kind) + QByteArray(": ") + embedded.text});
        return;
    }
    if (real.kind == TwinAnswer::Kind::Events)
        compareEvents(step, real, embedded, out);
    else if (real.kind == TwinAnswer::Kind::Json)
        BodyComparer(step.name, step.comparison, out).compare(real.body, embedded.body, {}, false);
    else if (real.text != embedded.text && !step.comparison.shapeOnly)
        out->push_back({step.name, Place::Words, "text", real.text, embedded.text});
}

} // namespace

const char *placeName(Place place)
{
    for (const auto &[candidate, name] : placeNames) {
        if (candidate == place)
            return name;
    }
    return "";
}

std::optional<Place> placeOf(const QByteArray &name)
{
    for (const auto &[candidate, text] : placeNames) {
        if (name == text)
            return candidate;
    }
    return std::nullopt;
}

bool pathMatches(const QByteArray &path, const QByteArray &pattern)
{
    const QList<QByteArray> steps = path.split('/');
    const QList<QByteArray> wanted = pattern.split('/');
    for (qsizetype i = 0; i < wanted.size(); ++i) {
        if (wanted.at(i) == "**")
            return steps.size() >= i;
        if (i >= steps.size() || (wanted.at(i) != "*" && wanted.at(i) != steps.at(i)))
            return false;
    }
    return steps.size() == wanted.size();
}

std::vector<Difference> differencesOf(const TwinCall &call, const Transcript &real,
                                      const Transcript &embedded)
{
    std::vector<Difference> found;
    std::vector<const TwinStep *> steps;
    for (const TwinStep &step : call.steps)
        steps.push_back(&step);
    for (std::size_t i = 0; i < std::max(real.size(), embedded.size()); ++i) {
        if (i >= real.size() || i >= embedded.size() || i >= steps.size()) {
            found.push_back({{},
                             Place::Transport,
                             "steps",
                             QByteArray::number(real.size()),
                             QByteArray::number(embedded.size())});
            break;
        }
        compareAnswers(*steps[i], real[i], embedded[i], &found);
    }
    return found;
}

QByteArray describe(const Difference &difference)
{
    QByteArray text = "  ";
    if (!difference.step.isEmpty())
        text += difference.step + ": ";
    return text + placeName(difference.place) + " at " + difference.path +
           "\n    real:     " + difference.real + "\n    embedded: " + difference.embedded + '\n';
}

} // namespace tongchi::twins
