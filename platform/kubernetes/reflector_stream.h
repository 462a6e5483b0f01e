#pragma once

#include "platform/kubernetes/reflector_base.h"

namespace tongchi {

/// One request of a reflector. Once it is detached, nothing that the client still says reaches the reflector.
class ReflectorBase::Stream final : public StreamSink
{
public:
    explicit Stream(ReflectorBase *owner) : m_owner(owner) {}

    void onHeaders(int status, const HeaderList &headers) override
    {
        if (m_owner)
            m_owner->headersArrived(status, headers);
    }
    void onData(std::string_view bytes, Monotonic) override
    {
        if (m_owner)
            m_owner->dataArrived(bytes);
    }
    void onFinished(const Status &status) override
    {
        if (m_owner)
            m_owner->streamFinished(status);
    }

    void detach() { m_owner = nullptr; }
    std::unique_ptr<StreamHandle> handle;

private:
    ReflectorBase *m_owner;
};

} // namespace tongchi
