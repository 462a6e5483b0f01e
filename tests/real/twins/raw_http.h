#pragma once

#include <QByteArray>
#include <QList>
#include <QSslSocket>
#include <QString>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace tongchi::twins {

using Headers = QList<std::pair<QByteArray, QByteArray>>;

/// Where a server listens on loopback.
struct RawEndpoint
{
    quint16 port = 0;
    bool tls = false;
    QByteArray authorityPem; ///< what its certificate is checked against
};

struct RawRequest
{
    QByteArray method = "GET";
    QByteArray target; ///< path and query, sent as it is
    Headers headers;
    QByteArray body;
};

/// What came over the wire; nothing is interpreted besides the framing.
struct RawAnswer
{
    int status = 0; ///< 0: no head came
    Headers headers;
    QByteArray body; ///< without its chunks, still in its content encoding
    bool complete = false;
    QString problem; ///< why there is no more; empty: all is well

    QByteArray header(QByteArrayView name) const; ///< first value, names compared without case
    QByteArray text() const;                      ///< the body, inflated when it is gzip
};

/// One request on one connection of its own, blocking. Not the product's client, which could hide what a
/// server does.
class RawExchange
{
public:
    explicit RawExchange(RawEndpoint endpoint) : m_endpoint(std::move(endpoint)) {}

    /// Connects, sends the request and reads the head; false: see answer().problem.
    bool send(const RawRequest &request);
    /// Reads on until the answer is complete, or `enough` says so of what has come. False when neither
    /// happens.
    bool readBody(const std::function<bool(const QByteArray &body)> &enough = {});
    const RawAnswer &answer() const { return m_answer; }

private:
    enum class Framing { Length, Chunked, UntilClose };
    bool fail(const QString &problem);
    bool fill();
    bool readHead();
    bool takeBody();
    bool takeChunks();

    RawEndpoint m_endpoint;
    std::unique_ptr<QSslSocket> m_socket;
    QByteArray m_in;
    RawAnswer m_answer;
    Framing m_framing = Framing::UntilClose;
    qint64 m_left = 0; ///< of a body of known length
    bool m_closed = false;
};

/// The whole exchange.
RawAnswer exchange(const RawEndpoint &endpoint, const RawRequest &request);

} // namespace tongchi::twins
