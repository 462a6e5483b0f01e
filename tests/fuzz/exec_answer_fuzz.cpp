// Any bytes as what a credential plug-in prints, on both of its outputs.

#include "platform/kubernetes/exec_credential.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    using namespace tongchi;
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const ExecCommand command{.command = QStringLiteral("plug-in"),
                              .apiVersion = QStringLiteral("client.authentication.k8s.io/v1")};
    const Result<Credential> credential = parseExecAnswer(bytes, command);
    if (credential && credential->authorization.isEmpty() && credential->certificatePem.isEmpty())
        std::abort();
    if (credential && credential->authorization.contains('\n'))
        std::abort();
    if (execMessage(bytes, 400).size() > 400)
        std::abort();
    return 0;
}
