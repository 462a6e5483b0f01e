#pragma once

#include "tests/real/support/bed.h"

namespace tongchi::real {

struct ApiReply
{
    int status = 0; ///< 0: nobody answered
    QByteArray body;
    QJsonObject object() const;
    /// Of a watch: one object a line.
    QList<QJsonObject> events() const;
};

/// Asks the API server, or another server by its whole address, without anything of the product; as
/// administrator by token. Waits for the end of the answer.
ApiReply askApi(const Bed &bed, const QByteArray &verb, const QString &pathOrUrl,
                const QByteArray &json = {});

} // namespace tongchi::real
