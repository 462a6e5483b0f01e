// Any bytes as an answer of the API server: statuses, discovery, reviews, nodes, services.

#include "platform/kubernetes/access_review.h"
#include "platform/kubernetes/api_error.h"
#include "platform/kubernetes/discovery.h"
#include "platform/kubernetes/kubernetes_client.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    using namespace tongchi;
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    for (const int status : {403, 409, 422, 500}) {
        const Error error =
            apiError(status, {{"Warning", bytes}, {"Retry-After", bytes}}, {bytes.constData(), size}, {});
        if (!error.text || englishText(error).contains(u'\n'))
            std::abort();
    }
    (void)warningTexts({{"Warning", bytes}});
    if (const Result<QList<ApiGroup>> groups = parseAggregatedDiscovery(bytes))
        (void)capabilitiesOf({.groups = *groups});
    (void)parseApiGroupList(bytes);
    (void)parseApiResourceList(bytes);
    (void)parseAccessReview(bytes, {});
    (void)parseSelfSubjectReview(bytes);
    (void)parseServerVersion(bytes);
    (void)parsePrometheusBuildInfo(bytes);
    (void)prometheusCandidates(bytes);
    const NodeEdit wanted{.unschedulable = true, .label = NodeEdit::Label{QStringLiteral("k"), std::nullopt}};
    if (const Result<NodeState> node = parseNodeState(bytes, wanted))
        (void)checkNodeGuard(*node, QStringLiteral("u"), wanted);
    return 0;
}
