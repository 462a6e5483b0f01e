#include "tests/support/loopback_server.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

namespace tongchi::test {

namespace {

using BioPtr = std::unique_ptr<BIO, decltype(&BIO_free)>;

QByteArray gzipBytes(const QByteArray &plain)
{
    z_stream z = {};
    deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    QByteArray packed(qsizetype(deflateBound(&z, uLong(plain.size()))), Qt::Uninitialized);
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(plain.constData()));
    z.avail_in = uInt(plain.size());
    z.next_out = reinterpret_cast<Bytef *>(packed.data());
    z.avail_out = uInt(packed.size());
    deflate(&z, Z_FINISH);
    packed.resize(qsizetype(z.total_out));
    deflateEnd(&z);
    return packed;
}

BioPtr memoryBio(const QByteArray &pem)
{
    return {BIO_new_mem_buf(pem.constData(), int(pem.size())), &BIO_free};
}

SSL_CTX *makeContext(const TestIdentity &identity, const QByteArray &clientAuthorityPem)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    X509 *certificate =
        PEM_read_bio_X509(memoryBio(identity.certificatePem).get(), nullptr, nullptr, nullptr);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(memoryBio(identity.keyPem).get(), nullptr, nullptr, nullptr);
    if (SSL_CTX_use_certificate(context, certificate) != 1 || SSL_CTX_use_PrivateKey(context, key) != 1)
        ADD_FAILURE() << "the server's certificate and key do not fit";
    X509_free(certificate);
    EVP_PKEY_free(key);
    if (!clientAuthorityPem.isEmpty()) {
        X509 *authority = PEM_read_bio_X509(memoryBio(clientAuthorityPem).get(), nullptr, nullptr, nullptr);
        X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority);
        SSL_CTX_add_client_CA(context, authority);
        X509_free(authority);
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    }
    return context;
}

QByteArray chunk(const QByteArray &bytes)
{
    return QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n";
}

} // namespace

QByteArray ReceivedRequest::header(QByteArrayView name) const
{
    const QList<QByteArray> values = headerValues(name);
    return values.isEmpty() ? QByteArray() : values.first();
}

QList<QByteArray> ReceivedRequest::headerValues(QByteArrayView name) const
{
    QList<QByteArray> values;
    for (const auto &[key, value] : headers) {
        if (key.compare(name, Qt::CaseInsensitive) == 0)
            values << value;
    }
    return values;
}

LiveBody::LiveBody() : m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

LiveBody::~LiveBody()
{
    ::close(m_wake);
}

void LiveBody::push(const QByteArray &bytes)
{
    const std::lock_guard lock(m_mutex);
    m_pieces.push_back(bytes);
    ::eventfd_write(m_wake, 1);
}

void LiveBody::end()
{
    const std::lock_guard lock(m_mutex);
    m_finish = Finish::End;
    ::eventfd_write(m_wake, 1);
}

void LiveBody::cut()
{
    const std::lock_guard lock(m_mutex);
    m_finish = Finish::Cut;
    ::eventfd_write(m_wake, 1);
}

void LiveBody::reset()
{
    const std::lock_guard lock(m_mutex);
    m_finish = Finish::Reset;
    ::eventfd_write(m_wake, 1);
}

bool LiveBody::isOpen() const
{
    const std::lock_guard lock(m_mutex);
    return m_open;
}

bool LiveBody::clientLeft() const
{
    const std::lock_guard lock(m_mutex);
    return m_clientLeft;
}

Answer Answer::json(const QByteArray &text, int status)
{
    Answer answer;
    answer.status = status;
    answer.body = text;
    answer.headers.emplace_back("Content-Type", "application/json");
    return answer;
}

Answer Answer::text(const QByteArray &text, int status)
{
    Answer answer;
    answer.status = status;
    answer.body = text;
    answer.headers.emplace_back("Content-Type", "text/plain");
    return answer;
}

Answer Answer::redirect(int status, const QByteArray &location)
{
    Answer answer;
    answer.status = status;
    answer.headers.emplace_back("Location", location);
    return answer;
}

Answer Answer::raw(const QByteArray &bytes)
{
    Answer answer;
    answer.body = bytes;
    answer.framing = Framing::Raw;
    answer.then = Then::Close;
    return answer;
}

Answer Answer::silence()
{
    Answer answer;
    answer.silent = true;
    answer.then = Then::Stall;
    return answer;
}

Answer Answer::stream(std::shared_ptr<LiveBody> body, const QByteArray &type)
{
    Answer answer;
    answer.framing = Framing::Chunked;
    answer.live = std::move(body);
    answer.headers.emplace_back("Content-Type", type);
    return answer;
}

Answer &&Answer::with(const QByteArray &name, const QByteArray &value) &&
{
    headers.emplace_back(name, value);
    return std::move(*this);
}

Answer &&Answer::gzipped() &&
{
    body = gzipBytes(body);
    headers.emplace_back("Content-Encoding", "gzip");
    return std::move(*this);
}

Answer &&Answer::chunked() &&
{
    framing = Framing::Chunked;
    return std::move(*this);
}

Answer &&Answer::inPieces(qsizetype bytes) &&
{
    pieceBytes = bytes;
    return std::move(*this);
}

Answer &&Answer::cut(qint64 bytes, Then what) &&
{
    cutAfter = bytes;
    then = what;
    return std::move(*this);
}

/// A socket, perhaps with TLS on it; all calls block.
class LoopbackServer::Channel
{
public:
    Channel(int descriptor, SSL_CTX *context) : socket(descriptor)
    {
        if (!context)
            return;
        m_ssl = SSL_new(context);
        SSL_set_fd(m_ssl, socket);
        good = SSL_accept(m_ssl) == 1;
    }
    ~Channel() { SSL_free(m_ssl); }
    Channel(const Channel &) = delete;
    Channel &operator=(const Channel &) = delete;

    qint64 read(char *buffer, size_t size)
    {
        return m_ssl ? SSL_read(m_ssl, buffer, int(size)) : ::recv(socket, buffer, size, 0);
    }
    bool write(const char *bytes, size_t size)
    {
        if (!m_ssl)
            return sendAll(socket, bytes, size);
        return size == 0 || SSL_write(m_ssl, bytes, int(size)) == int(size);
    }
    void farewell()
    {
        if (m_ssl)
            SSL_shutdown(m_ssl);
    }
    QByteArray serverName() const
    {
        return m_ssl ? QByteArray(SSL_get_servername(m_ssl, TLSEXT_NAMETYPE_host_name)) : QByteArray();
    }
    QByteArray clientName() const
    {
        X509 *certificate = m_ssl ? SSL_get1_peer_certificate(m_ssl) : nullptr;
        if (!certificate)
            return {};
        char name[256] = {};
        X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
        X509_free(certificate);
        return name;
    }

    const int socket;
    bool good = true;
    int number = 0;

private:
    SSL *m_ssl = nullptr;
};

LoopbackServer::LoopbackServer() : LoopbackServer(Options{}) {}

LoopbackServer::LoopbackServer(Options options) : m_options(std::move(options))
{
    if (m_options.tls)
        m_context = makeContext(*m_options.tls, m_options.clientAuthorityPem);
    m_listener = std::make_unique<LoopbackListener>(m_options.family, [this](int socket) { serve(socket); });
}

LoopbackServer::~LoopbackServer()
{
    stop();
    SSL_CTX_free(static_cast<SSL_CTX *>(m_context));
    for (const QByteArray &request : m_unexpected)
        ADD_FAILURE() << "the server was asked something unexpected: " << request.constData();
}

void LoopbackServer::stop()
{
    m_listener->stop();
}

QUrl LoopbackServer::url(const QByteArray &path) const
{
    return urlAs(m_options.family == LoopbackListener::Family::V4 ? "127.0.0.1" : "[::1]", path);
}

QUrl LoopbackServer::urlAs(const QByteArray &host, const QByteArray &path) const
{
    const QByteArray scheme = m_options.tls ? "https://" : "http://";
    return QUrl::fromEncoded(scheme + host + ':' + QByteArray::number(port()) + path);
}

void LoopbackServer::on(const QByteArray &method, const QByteArray &path, const Answer &always)
{
    on(method, path, [always](const ReceivedRequest &) { return always; });
}

void LoopbackServer::on(const QByteArray &method, const QByteArray &path, Handler handler)
{
    const std::lock_guard lock(m_mutex);
    m_routes.push_back({method, path, std::move(handler)});
}

void LoopbackServer::onSequence(const QByteArray &method, const QByteArray &path, std::vector<Answer> answers)
{
    struct Sequence
    {
        std::mutex mutex;
        std::vector<Answer> answers;
        size_t next = 0;
    };
    const auto sequence = std::make_shared<Sequence>();
    sequence->answers = std::move(answers);
    on(method, path, [this, sequence](const ReceivedRequest &request) {
        const std::lock_guard lock(sequence->mutex);
        if (sequence->next < sequence->answers.size())
            return sequence->answers[sequence->next++];
        const std::lock_guard record(m_mutex);
        m_unexpected.push_back(request.method + ' ' + request.target + " (all answers were used)");
        return Answer::text("unexpected", 404);
    });
}

std::vector<ReceivedRequest> LoopbackServer::requests() const
{
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

std::vector<ReceivedRequest> LoopbackServer::requests(const QByteArray &path) const
{
    std::vector<ReceivedRequest> found;
    for (const ReceivedRequest &request : requests()) {
        if (request.path() == path)
            found.push_back(request);
    }
    return found;
}

int LoopbackServer::requestCount() const
{
    const std::lock_guard lock(m_mutex);
    return int(m_requests.size());
}

void LoopbackServer::serve(int socket)
{
    Channel channel(socket, static_cast<SSL_CTX *>(m_context));
    channel.number = ++m_nextConnection;
    QByteArray buffer;
    while (channel.good) {
        const std::optional<ReceivedRequest> request = readRequest(channel, buffer);
        if (!request)
            return;
        {
            const std::lock_guard lock(m_mutex);
            m_requests.push_back(*request);
        }
        if (!send(channel, *request, answerTo(*request)))
            return;
    }
}

std::optional<ReceivedRequest> LoopbackServer::readRequest(Channel &channel, QByteArray &buffer)
{
    const auto readMore = [&] {
        char piece[64 * 1024];
        const qint64 count = channel.read(piece, sizeof piece);
        if (count > 0)
            buffer.append(piece, qsizetype(count));
        return count > 0;
    };
    qsizetype end = -1;
    while ((end = buffer.indexOf("\r\n\r\n")) < 0) {
        if (!readMore())
            return std::nullopt;
    }
    ReceivedRequest request;
    const QList<QByteArray> lines = buffer.left(end).split('\n');
    buffer.remove(0, end + 4);
    const QList<QByteArray> words = lines.first().trimmed().split(' ');
    request.method = words.value(0);
    request.target = words.value(1);
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        request.headers.emplace_back(line.left(colon), line.mid(colon + 1).trimmed());
    }
    const qint64 length = request.header("Content-Length").toLongLong();
    while (buffer.size() < length) {
        if (!readMore())
            return std::nullopt;
    }
    request.body = buffer.left(length);
    buffer.remove(0, length);
    request.serverName = channel.serverName();
    request.clientName = channel.clientName();
    request.connection = channel.number;
    return request;
}

Answer LoopbackServer::answerTo(const ReceivedRequest &request)
{
    Handler handler;
    {
        const std::lock_guard lock(m_mutex);
        for (auto route = m_routes.rbegin(); route != m_routes.rend() && !handler; ++route) {
            if (route->method != request.method && route->method != "*")
                continue;
            const QByteArray subject = route->path.contains('?') ? request.target : request.path();
            const bool matches = route->path.endsWith('*') ? subject.startsWith(route->path.chopped(1))
                                                           : subject == route->path;
            if (matches)
                handler = route->handler;
        }
        if (!handler && !m_allowUnexpected)
            m_unexpected.push_back(request.method + ' ' + request.target);
    }
    return handler ? handler(request) : Answer::text("no route", 404);
}

bool LoopbackServer::send(Channel &channel, const ReceivedRequest &request, const Answer &answer)
{
    QByteArray wire;
    if (answer.framing == Answer::Framing::Raw) {
        wire = answer.body;
    } else if (!answer.silent) {
        wire = "HTTP/1.1 " + QByteArray::number(answer.status) + " Whatever\r\n";
        for (const auto &[name, value] : answer.headers)
            wire += name + ": " + value + "\r\n";
        const bool bodyless = answer.status == 204 || answer.status == 304;
        if (answer.framing == Answer::Framing::Chunked) {
            wire += "Transfer-Encoding: chunked\r\n";
        } else if (answer.framing == Answer::Framing::Length && !bodyless) {
            const qint64 length = answer.announcedLength >= 0 ? answer.announcedLength : answer.body.size();
            wire += "Content-Length: " + QByteArray::number(length) + "\r\n";
        } else if (answer.framing == Answer::Framing::UntilClose) {
            wire += "Connection: close\r\n";
        }
        wire += "\r\n";
        if (request.method != "HEAD" && !answer.live) {
            const QByteArray part = answer.cutAfter >= 0 ? answer.body.left(answer.cutAfter) : answer.body;
            if (answer.framing != Answer::Framing::Chunked) {
                wire += part;
            } else {
                // Small pieces become small chunks, so that chunk borders are everywhere too.
                const qsizetype step =
                    answer.pieceBytes > 0 ? answer.pieceBytes : std::max<qsizetype>(part.size(), 1);
                for (qsizetype at = 0; at < part.size(); at += step)
                    wire += chunk(part.mid(at, step));
                if (answer.cutAfter < 0)
                    wire += "0\r\n\r\n";
            }
        }
    }
    const qsizetype step = answer.pieceBytes > 0 ? answer.pieceBytes : std::max<qsizetype>(wire.size(), 1);
    constexpr qsizetype largest = 1024 * 1024;
    for (qsizetype at = 0; at < wire.size(); at += std::min(step, largest)) {
        const qsizetype size = std::min(std::min(step, largest), wire.size() - at);
        if (!channel.write(wire.constData() + at, size_t(size)))
            return false;
        m_written += size;
    }
    if (answer.live)
        return sendLive(channel, answer.live);
    switch (answer.framing == Answer::Framing::UntilClose && answer.then == Answer::Then::KeepAlive
                ? Answer::Then::Close
                : answer.then) {
    case Answer::Then::KeepAlive:
        return true;
    case Answer::Then::Close:
        channel.farewell();
        return false;
    case Answer::Then::Reset:
        resetOnClose(channel.socket);
        return false;
    case Answer::Then::Stall:
        waitUntilPeerLeaves(channel.socket);
        return false;
    }
    return false;
}

bool LoopbackServer::sendLive(Channel &channel, const std::shared_ptr<LiveBody> &live)
{
    {
        const std::lock_guard lock(live->m_mutex);
        live->m_open = true;
    }
    const auto leave = [&live] {
        const std::lock_guard lock(live->m_mutex);
        live->m_clientLeft = true;
        return false;
    };
    while (true) {
        std::deque<QByteArray> pieces;
        LiveBody::Finish finish = LiveBody::Finish::No;
        {
            const std::lock_guard lock(live->m_mutex);
            pieces.swap(live->m_pieces);
            finish = live->m_finish;
            eventfd_t scrap = 0;
            ::eventfd_read(live->m_wake, &scrap);
        }
        for (const QByteArray &piece : pieces) {
            const QByteArray wire = chunk(piece);
            if (!channel.write(wire.constData(), size_t(wire.size())))
                return leave();
            m_written += wire.size();
        }
        if (finish == LiveBody::Finish::End)
            return channel.write("0\r\n\r\n", 5);
        if (finish == LiveBody::Finish::Reset)
            resetOnClose(channel.socket);
        if (finish != LiveBody::Finish::No)
            return false;
        if (!pieces.empty())
            continue;
        pollfd waits[] = {{channel.socket, POLLIN | POLLRDHUP, 0}, {live->m_wake, POLLIN, 0}};
        ::poll(waits, 2, -1);
        if (waits[0].revents & (POLLRDHUP | POLLHUP | POLLERR))
            return leave();
        if (waits[0].revents & POLLIN) {
            char scrap[1024];
            if (channel.read(scrap, sizeof scrap) <= 0)
                return leave();
        }
    }
}

} // namespace tongchi::test
