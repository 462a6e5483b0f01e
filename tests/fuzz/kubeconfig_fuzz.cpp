// Any bytes as a kubeconfig, alone and joined with itself. No file that it names is opened.

#include "platform/core/text_encoding.h"
#include "platform/kubernetes/kubeconfig_merge.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    using namespace tongchi;
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<DecodedText> text = decodeText(bytes, QStringLiteral("fuzz"));
    if (!text)
        return 0;
    const Result<KubeconfigFile> first = parseKubeconfigFile(text->utf8, "/one/config");
    if (!first)
        return 0;
    const Result<KubeconfigFile> second = parseKubeconfigFile(text->utf8, "/two/config");
    if (!second)
        std::abort(); // the same text is read the same way
    const Kubeconfig config = mergeKubeconfigs({*first, *second});
    for (const KubeContext &context : config.contexts) {
        if (context.isUsable() != context.parts.has_value() || context.name.isEmpty())
            std::abort();
        if (context.parts &&
            (!context.parts->cluster.server.isValid() || context.parts->cluster.server.host().isEmpty()))
            std::abort();
        if (context.parts && context.parts->user.exec) {
            (void)execCommandLine(*context.parts->user.exec);
            (void)execConsentKey(*context.parts->user.exec);
        }
    }
    return 0;
}
