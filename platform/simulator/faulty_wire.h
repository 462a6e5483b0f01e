#pragma once

#include "platform/simulator/link_faults.h"

#include <QObject>
#include <QTimer>

QT_BEGIN_NAMESPACE
class QTcpSocket;
QT_END_NAMESPACE

namespace tongchi::simulator {

/// The sending half of one connection's socket, with what is wrong with the way (LinkFaults) in between.
class FaultyWire final : public QObject
{
    Q_OBJECT

public:
    /// Both outlive the wire.
    FaultyWire(QTcpSocket *socket, LinkFaults &faults, QObject *parent);

    /// False when the socket does not take it.
    bool write(const char *bytes, qsizetype size);
    /// What the client's kernel has not taken yet.
    qint64 unsent() const;
    /// Everything has been handed to the socket, which sends it before it closes.
    bool isIdle() const { return m_waiting.size() == 0; }
    /// Nothing is sent any more.
    void freeze();
    /// The connection ends after so many further bytes, and with a reset rather than an end if wanted; at
    /// once when there are none.
    void breakAfter(const LinkFaults::Break &end);
    /// A delay or drip is over.
    void hurry();
    /// A piece of a body as it has to be sent: damaged, if its turn has come.
    QByteArray pieceOfBody(QByteArray piece);

Q_SIGNALS:
    /// Something has been sent.
    void sent();
    /// The connection was ended; the wire is of no more use.
    void broken();

private:
    void pour();
    void breakIfDue();
    void breakNow();

    QTcpSocket *m_socket;
    LinkFaults &m_faults;
    PacedBytes m_waiting;
    QTimer m_timer;
    std::optional<LinkFaults::Break> m_break; ///< afterBytes: what is left of them
    bool m_frozen = false;
};

} // namespace tongchi::simulator
