#include "platform/kubernetes/api_status.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace tongchi {

namespace {

constexpr qsizetype kMostCauses = 20;

} // namespace

std::optional<ApiStatus> parseApiStatus(std::string_view json)
{
    const QJsonObject object =
        QJsonDocument::fromJson(QByteArray::fromRawData(json.data(), qsizetype(json.size()))).object();
    const QString kind = object.value(QLatin1String("kind")).toString();
    // The timeout filter of the server leaves the kind out.
    const bool nameless = kind.isEmpty() && object.value(QLatin1String("status")) == QLatin1String("Failure");
    if (kind != QLatin1String("Status") && !nameless)
        return std::nullopt;
    ApiStatus status;
    status.code = object.value(QLatin1String("code")).toInt();
    status.reason = object.value(QLatin1String("reason")).toString();
    status.message = object.value(QLatin1String("message")).toString();
    status.continueToken = object.value(QLatin1String("metadata"))
                               .toObject()
                               .value(QLatin1String("continue"))
                               .toString()
                               .toUtf8();
    const QJsonObject details = object.value(QLatin1String("details")).toObject();
    if (const int seconds = details.value(QLatin1String("retryAfterSeconds")).toInt(); seconds > 0)
        status.retryAfter = std::chrono::seconds(seconds);
    status.kind = details.value(QLatin1String("kind")).toString();
    status.name = details.value(QLatin1String("name")).toString();
    status.group = details.value(QLatin1String("group")).toString();
    const QJsonArray causes = details.value(QLatin1String("causes")).toArray();
    status.versionTooLarge = status.message.contains(QLatin1String("Too large resource version"));
    for (const QJsonValue &cause : causes) {
        const QJsonObject fields = cause.toObject();
        const ApiCause read{fields.value(QLatin1String("reason")).toString(),
                            fields.value(QLatin1String("field")).toString(),
                            fields.value(QLatin1String("message")).toString()};
        if (read.reason == QLatin1String("ResourceVersionTooLarge"))
            status.versionTooLarge = true;
        if (status.causes.size() < kMostCauses && !status.causes.contains(read))
            status.causes << read;
    }
    return status;
}

} // namespace tongchi
