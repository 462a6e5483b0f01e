#include "tests/real/support/raw_api.h"

#include "tests/support/wait.h"

#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QSslConfiguration>
#include <gtest/gtest.h>

namespace tongchi::real {

QJsonObject ApiReply::object() const
{
    return QJsonDocument::fromJson(body).object();
}

QList<QJsonObject> ApiReply::events() const
{
    QList<QJsonObject> events;
    for (const QByteArray &line : body.split('\n')) {
        if (!line.trimmed().isEmpty())
            events << QJsonDocument::fromJson(line).object();
    }
    return events;
}

ApiReply askApi(const Bed &bed, const QByteArray &verb, const QString &pathOrUrl, const QByteArray &json)
{
    const bool isPath = pathOrUrl.startsWith(QLatin1Char('/'));
    QNetworkRequest request{QUrl(isPath ? bed.url(QStringLiteral("kubernetes")) + pathOrUrl : pathOrUrl)};
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    if (isPath) {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        EXPECT_TRUE(tls.addCaCertificates(bed.fact(QStringLiteral("ca")).toString()));
        request.setSslConfiguration(tls);
        request.setRawHeader("Authorization", "Bearer admin-token");
    }
    QNetworkAccessManager network; // with no connection that a restarted server has closed
    network.setProxy(QNetworkProxy::NoProxy);
    const std::unique_ptr<QNetworkReply> reply(network.sendCustomRequest(request, verb, json));
    EXPECT_TRUE(test::waitUntil([&reply] { return reply->isFinished(); }, std::chrono::seconds(60)))
        << pathOrUrl.toStdString();
    return {reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), reply->readAll()};
}

} // namespace tongchi::real
