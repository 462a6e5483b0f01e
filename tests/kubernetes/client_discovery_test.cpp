// Pure parts of discovery, node changes and the service proxy.

#include "platform/kubernetes/discovery.h"
#include "platform/kubernetes/node_patch.h"
#include "platform/kubernetes/service_proxy.h"
#include "tests/support/qt_printers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using ::testing::HasSubstr;

QByteArray aggregated(const QByteArray &items)
{
    return R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[)" +
           items + "]}";
}

QByteArray groupOf(const QByteArray &name, const QByteArray &version, const QByteArray &resource,
                   const QByteArray &freshness = "Current")
{
    return R"({"metadata":{"name":")" + name + R"("},"versions":[{"version":")" + version +
           R"(","freshness":")" + freshness + R"(","resources":[{"resource":")" + resource +
           R"(","responseKind":{"group":"","version":"","kind":"X"},"scope":"Cluster","verbs":["get","list"],"subresources":[{"subresource":"status"}]}]}]})";
}

TEST(DiscoveryTest, ReadsAggregatedGroups)
{
    const Result<QList<ApiGroup>> groups = parseAggregatedDiscovery(aggregated(
        groupOf("resource.k8s.io", "v1", "resourceslices") + "," +
        R"({"metadata":{},"versions":[{"version":"v1","resources":[{"resource":"pods","scope":"Namespaced","verbs":["list"],"responseKind":{"kind":"Pod"}}]}]})"));
    ASSERT_OK(groups);
    ASSERT_EQ(groups->size(), 2);
    const ApiResource *slices = groups->at(0).versions.value(0).find(QStringLiteral("resourceslices"));
    ASSERT_TRUE(slices);
    EXPECT_FALSE(slices->namespaced);
    EXPECT_EQ(slices->subresources, QStringList{QStringLiteral("status")});
    EXPECT_TRUE(groups->at(1).name.isEmpty());
    EXPECT_TRUE(groups->at(1).versions.value(0).find(QStringLiteral("pods"))->namespaced);
}

TEST(DiscoveryTest, OldAnswersAskForTheFallback)
{
    EXPECT_EQ(parseAggregatedDiscovery(R"({"kind":"APIGroupList","groups":[]})").error().code,
              ErrorCode::NotSupported);
    EXPECT_EQ(parseAggregatedDiscovery(R"({"kind":"APIVersions","versions":["v1"]})").error().code,
              ErrorCode::NotSupported);
    EXPECT_EQ(parseAggregatedDiscovery("<html>").error().code, ErrorCode::Protocol);
    EXPECT_EQ(parseAggregatedDiscovery(aggregated({}).chopped(3)).error().code, ErrorCode::Protocol);
}

TEST(DiscoveryTest, HostileAnswersReadAsNothing)
{
    for (const QByteArray &items :
         {QByteArray("null"), QByteArray("5,{},[]"), QByteArray(R"({"metadata":null,"versions":null})"),
          QByteArray(R"({"versions":[null,{"resources":[null,{"verbs":{}}]}]})")})
        EXPECT_OK(parseAggregatedDiscovery(aggregated(items))) << items.toStdString();
    EXPECT_FALSE(parseApiGroupList("{}"));
    EXPECT_FALSE(parseApiResourceList("[1]"));
}

TEST(DiscoveryTest, LegacyListsGiveTheSame)
{
    const Result<QList<ApiGroup>> groups = parseApiGroupList(
        R"({"kind":"APIGroupList","groups":[{"name":"g","versions":[{"version":"v1"},{"version":"v2"}],"preferredVersion":{"version":"v2"}}]})");
    ASSERT_OK(groups);
    EXPECT_EQ(groups->at(0).versions.at(0).version, QStringLiteral("v2"));
    EXPECT_EQ(groups->at(0).versions.at(1).version, QStringLiteral("v1"));
    const Result<QList<ApiResource>> resources = parseApiResourceList(
        R"({"kind":"APIResourceList","resources":[{"name":"pods","namespaced":true,"kind":"Pod","verbs":["list"]},{"name":"pods/log","kind":"Pod","verbs":["get"]},{"name":"gone/status"}]})");
    ASSERT_OK(resources);
    ASSERT_EQ(resources->size(), 1);
    EXPECT_EQ(resources->first().subresources, QStringList{QStringLiteral("log")});
}

Capabilities capabilitiesFrom(const QByteArray &items)
{
    return capabilitiesOf({.groups = *parseAggregatedDiscovery(aggregated(items))});
}

TEST(CapabilitiesTest, AreWhatGroupsAndResourcesTell)
{
    const Capabilities none = capabilitiesFrom({});
    EXPECT_FALSE(none.hasDra() || none.hasKueue() || none.hasKeda() || none.hasVolcano() ||
                 none.hasKserve() || none.metricsServer);
    const Capabilities all = capabilitiesFrom(groupOf("resource.k8s.io", "v1beta1", "resourceslices") + "," +
                                              groupOf("kueue.x-k8s.io", "v1beta2", "clusterqueues") + "," +
                                              groupOf("keda.sh", "v1alpha1", "scaledobjects") + "," +
                                              groupOf("batch.volcano.sh", "v1alpha1", "jobs") + "," +
                                              groupOf("serving.kserve.io", "v1beta1", "inferenceservices") +
                                              "," + groupOf("metrics.k8s.io", "v1beta1", "nodes"));
    EXPECT_EQ(all.draVersion, QStringLiteral("v1beta1"));
    EXPECT_EQ(all.kueueVersion, QStringLiteral("v1beta2"));
    EXPECT_EQ(all.kedaVersion, QStringLiteral("v1alpha1"));
    EXPECT_EQ(all.volcanoVersion, QStringLiteral("v1alpha1"));
    EXPECT_TRUE(all.hasKserve() && all.metricsServer);
}

TEST(CapabilitiesTest, DraIsTheNewestFormThatWeRead)
{
    QByteArray item = R"({"metadata":{"name":"resource.k8s.io"},"versions":[)";
    for (const char *version : {"v2", "v1beta1", "v1", "v1alpha3"})
        item +=
            QByteArray(R"({"version":")") + version + R"(","resources":[{"resource":"resourceslices"}]},)";
    EXPECT_EQ(capabilitiesFrom(item.chopped(1) + "]}").draVersion, QStringLiteral("v1"));
    EXPECT_FALSE(capabilitiesFrom(groupOf("resource.k8s.io", "v1alpha2", "resourceslices")).hasDra());
    EXPECT_FALSE(capabilitiesFrom(groupOf("resource.k8s.io", "v1", "deviceclasses")).hasDra());
}

TEST(CapabilitiesTest, AServerThatDoesNotAnswerIsUnknownAndNotMissing)
{
    const Capabilities stale = capabilitiesFrom(
        R"({"metadata":{"name":"keda.sh"},"versions":[{"version":"v1alpha1","freshness":"Stale","resources":[]}]})");
    EXPECT_FALSE(stale.hasKeda());
    EXPECT_EQ(stale.unknownGroups, QStringList{QStringLiteral("keda.sh")});
    EXPECT_TRUE(capabilitiesFrom(groupOf("keda.sh", "v1alpha1", "scaledobjects", "Stale"))
                    .hasKeda()); // old, but known
}

TEST(NodePatchTest, WritesWhatKubectlWrites)
{
    EXPECT_EQ(nodePatchBody({.unschedulable = true}), R"({"spec":{"unschedulable":true}})");
    EXPECT_EQ(nodePatchBody({.unschedulable = false}), R"({"spec":{"unschedulable":null}})");
    EXPECT_EQ(nodePatchBody(
                  {.label = NodeEdit::Label{QStringLiteral("tongchi.io/business"), QStringLiteral("mixed")}}),
              R"({"metadata":{"labels":{"tongchi.io/business":"mixed"}}})");
    EXPECT_EQ(nodePatchBody({.label = NodeEdit::Label{QStringLiteral("tongchi.io/business"), std::nullopt}},
                            QStringLiteral("7")),
              R"({"metadata":{"labels":{"tongchi.io/business":null},"resourceVersion":"7"}})");
    EXPECT_EQ(nodePath(QStringLiteral("a/../b?c")), "/api/v1/nodes/a%2F..%2Fb%3Fc");
}

TEST(NodePatchTest, GuardRefusesWhatOthersChanged)
{
    const NodeEdit label{.label = NodeEdit::Label{QStringLiteral("k"), std::nullopt}};
    const Result<NodeState> node = parseNodeState(
        R"({"kind":"Node","metadata":{"name":"n","uid":"u","resourceVersion":"5","labels":{"k":"mixed"}},"spec":{"unschedulable":true}})",
        {.unschedulable = false, .label = label.label});
    ASSERT_OK(node);
    EXPECT_EQ(node->fields.label->value, QStringLiteral("mixed"));
    EXPECT_EQ(node->fields.unschedulable, true);
    EXPECT_OK(checkNodeGuard(*node, QStringLiteral("u"), std::nullopt));
    EXPECT_OK(checkNodeGuard(*node, {}, NodeEdit{.unschedulable = true}));
    EXPECT_OK(checkNodeGuard(
        *node, {}, NodeEdit{.label = NodeEdit::Label{QStringLiteral("k"), QStringLiteral("mixed")}}));
    EXPECT_EQ(checkNodeGuard(*node, {}, NodeEdit{.unschedulable = false}).error().code, ErrorCode::Conflict);
    EXPECT_EQ(checkNodeGuard(*node, {}, label).error().code, ErrorCode::Conflict);
    EXPECT_THAT(
        englishText(checkNodeGuard(*node, QStringLiteral("other"), std::nullopt).error()).toStdString(),
        HasSubstr("removed and added again"));
    EXPECT_FALSE(parseNodeState(R"({"kind":"Pod"})", {}));
    EXPECT_FALSE(parseNodeState("{", {}));
    const Result<NodeState> bare = parseNodeState(R"({"kind":"Node","metadata":{"labels":null},"spec":null})",
                                                  {.unschedulable = true, .label = label.label});
    ASSERT_OK(bare);
    EXPECT_EQ(bare->fields.unschedulable, false);
    EXPECT_FALSE(bare->fields.label->value);
}

TEST(ServiceProxyTest, EncodesNamesButNotTheColons)
{
    EXPECT_EQ(servicePath(QStringLiteral("monitoring"), QStringLiteral("http:prometheus-k8s:9090"),
                          "/api/v1/query?query=up"),
              "/api/v1/namespaces/monitoring/services/http:prometheus-k8s:9090/proxy/api/v1/query?query=up");
    EXPECT_EQ(servicePath(QStringLiteral("a/b"), QStringLiteral("x?y"), "/"),
              "/api/v1/namespaces/a%2Fb/services/x%3Fy/proxy/");
}

TEST(ServiceProxyTest, PicksPrometheusAndNotItsCompanions)
{
    const Result<QList<ServiceCandidate>> found = prometheusCandidates(R"({"kind":"ServiceList","items":[
        {"metadata":{"name":"prometheus-operated","namespace":"m","labels":{"operated-prometheus":"true"}},"spec":{"ports":[{"name":"web","port":9090}]}},
        {"metadata":{"name":"prometheus-node-exporter","namespace":"m"},"spec":{"ports":[{"port":9100}]}},
        {"metadata":{"name":"prometheus-operator","namespace":"m"},"spec":{"ports":[{"name":"https","port":8443}]}},
        {"metadata":{"name":"prometheus-k8s","namespace":"m"},"spec":{"ports":[{"name":"reloader-web","port":8080},{"name":"web","port":9090}]}},
        {"metadata":{"name":"kps-prometheus","namespace":"k"},"spec":{"ports":[{"name":"http-web","port":9091}]}},
        {"metadata":{"name":"secure-prometheus","namespace":"s"},"spec":{"ports":[{"name":"https","port":443}]}},
        {"metadata":{"name":"prometheus","namespace":"none"},"spec":{}}, null, {"spec":{"ports":[{"port":9090}]}},
        {"metadata":{"name":"prometheus","namespace":"odd"},"spec":{"ports":[{"port":"x"},{"port":-1},{"port":99999}]}}]})");
    ASSERT_OK(found);
    QStringList names;
    for (const ServiceCandidate &candidate : *found)
        names << candidate.nameSpace + u'/' + candidate.service;
    EXPECT_EQ(names, (QStringList{QStringLiteral("m/http:prometheus-k8s:9090"),
                                  QStringLiteral("k/http:kps-prometheus:9091"),
                                  QStringLiteral("s/https:secure-prometheus:443"),
                                  QStringLiteral("m/http:prometheus-operated:9090")}));
}

TEST(ServiceProxyTest, OnlyAPrometheusIsOne)
{
    EXPECT_EQ(*parsePrometheusBuildInfo(R"({"status":"success","data":{"version":"2.42.0"}})"),
              QStringLiteral("2.42.0"));
    for (const char *body : {"", "<html>", "{}", R"({"status":"success"})", R"({"status":"error","data":{}})",
                             R"({"database":"ok"})"})
        EXPECT_EQ(parsePrometheusBuildInfo(body).error().code, ErrorCode::Protocol) << body;
}

} // namespace
} // namespace tongchi
