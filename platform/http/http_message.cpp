#include "platform/http/http_message.h"

namespace tongchi {

QByteArray headerValue(const HeaderList &headers, QByteArrayView name)
{
    for (const auto &[key, value] : headers) {
        if (key.size() == name.size() &&
            qstrnicmp(key.constData(), key.size(), name.data(), name.size()) == 0)
            return value;
    }
    return {};
}

} // namespace tongchi
