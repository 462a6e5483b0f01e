#include "app/services.h"

#include "platform/http/proxy_choice.h"

#include <QDir>
#include <QFile>
#include <QProcessEnvironment>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

Services::Services()
    : devices(DeviceCatalog::builtIn()), metrics(MetricCatalog::builtIn()),
      loginPath(std::make_shared<LoginPath>(loginPathOptions()))
{
}

Services::~Services() = default;

SessionEnvironment Services::sessionEnvironment()
{
    return {&strings, &clock, &devices, &metrics};
}

ConnectionEnvironment Services::connectionEnvironment()
{
    ConnectionEnvironment environment;
    environment.clock = &clock;
    environment.loginPath = loginPath;
    environment.exec.onMessage = pluginMessages.listener();
    return environment;
}

QList<FilePath> kubeconfigFilesOf(const QStringList &typed)
{
    QList<FilePath> files;
    for (QString part : typed.join(u':').split(u':', Qt::SkipEmptyParts)) {
        part = part.trimmed();
        if (part == QLatin1String("~") || part.startsWith(QLatin1String("~/")))
            part.replace(0, 1, QDir::homePath());
        files << QFile::encodeName(part);
    }
    return files;
}

std::optional<QString> prometheusFor(const QString &cluster, const QStringList &entries)
{
    std::optional<QString> url;
    for (const QString &entry : entries) {
        const PrometheusEntry parts = prometheusEntry(entry);
        if (parts.cluster.isEmpty() || parts.cluster == cluster)
            url = parts.url;
    }
    return url;
}

Status checkPrometheusNames(const QStringList &entries, const QStringList &clusters)
{
    for (const QString &entry : entries) {
        const QString name = prometheusEntry(entry).cluster;
        if (name.isEmpty() || clusters.contains(name))
            continue;
        return failure(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "--prometheus names the cluster “%1”, which is not among the "
                                                "chosen ones: %2."),
             .arguments = {name, clusters.join(QStringLiteral(", "))},
             .remedy = QT_TRANSLATE_NOOP("Error", "Correct the name, or choose its context as well.")});
    }
    return {};
}

SessionOptions Services::sessionFor(const KubeContext &context, std::shared_ptr<const ExecConsent> consent,
                                    const QStringList &prometheus)
{
    return sessionFor(std::make_shared<const LiveContext>(context), std::move(consent), prometheus);
}

SessionOptions Services::sessionFor(std::shared_ptr<const LiveContext> context,
                                    std::shared_ptr<const ExecConsent> consent, const QStringList &prometheus)
{
    SessionOptions options;
    options.name = context->state().context.name;
    options.connect = [context, consent, environment = connectionEnvironment()] {
        return makeLiveConnection(context, environment, consent);
    };
    if (const auto address = prometheusFor(options.name, prometheus)) {
        const QUrl url(*address);
        options.metricsAddress = displayUrl(url);
        options.connectMetrics = [url,
                                  environment = connectionEnvironment()]() -> Result<ConnectionSettings> {
            if (!url.isValid() || url.host().isEmpty() ||
                (url.scheme() != QLatin1String("http") && url.scheme() != QLatin1String("https"))) {
                return failure({.code = ErrorCode::Invalid,
                                .text = QT_TRANSLATE_NOOP(
                                    "Error", "The address of Prometheus is not an http or https URL."),
                                .remedy = QT_TRANSLATE_NOOP(
                                    "Error", "Write it whole, for instance https://prometheus.example:9090."),
                                .subject = displayUrl(url)});
            }
            ConnectionSettings settings;
            settings.server = url;
            auto proxy = chooseProxy(url, {}, environment.variables);
            if (!proxy)
                return failure(proxy.error());
            settings.proxy = *proxy;
            return settings;
        };
    }
    return options;
}

namespace {

Error unknownContext(const QString &name, const QStringList &known)
{
    return {.code = ErrorCode::NotFound,
            .text = QT_TRANSLATE_NOOP("Error", "There is no context named “%1”; there are: %2."),
            .arguments = {name, known.join(QStringLiteral(", "))},
            .remedy = QT_TRANSLATE_NOOP("Error", "Choose one of these, or another kubeconfig.")};
}

} // namespace

Result<QList<KubeContext>> chosenContexts(const Kubeconfig &kubeconfig, const CommandLine &command)
{
    QStringList known;
    for (const KubeContext &context : kubeconfig.contexts)
        known << context.name;
    if (known.isEmpty()) {
        // Why there is none says more than that there is none.
        if (!kubeconfig.notes.isEmpty())
            return failure(kubeconfig.notes.first());
        return failure({.code = ErrorCode::NotFound,
                        .text = QT_TRANSLATE_NOOP("Error", "No context was found."),
                        .remedy = QT_TRANSLATE_NOOP(
                            "Error", "Give a kubeconfig with --kubeconfig, or use --embedded.")});
    }
    if (command.allContexts)
        return kubeconfig.contexts;
    QStringList names = command.contexts;
    if (names.isEmpty() && !kubeconfig.currentContext.isEmpty()) {
        if (kubeconfig.currentProblem)
            return failure(*kubeconfig.currentProblem);
        names << kubeconfig.currentContext;
    }
    if (names.isEmpty() && known.size() == 1)
        names = known;
    if (names.isEmpty()) {
        return failure({.code = ErrorCode::NotFound,
                        .text = QT_TRANSLATE_NOOP("Error", "No current context is set; there are: %1."),
                        .arguments = {known.join(QStringLiteral(", "))},
                        .remedy = QT_TRANSLATE_NOOP(
                            "Error", "Name one with --context, or take them all with --all-contexts.")});
    }
    names.removeDuplicates();
    QList<KubeContext> chosen;
    for (const QString &name : std::as_const(names)) {
        const KubeContext *context = kubeconfig.find(name);
        if (!context)
            return failure(unknownContext(name, known));
        chosen << *context;
    }
    return chosen;
}

Status checkPoolContexts(const QStringList &names, const QList<PoolCluster> &clusters)
{
    QStringList known;
    for (const PoolCluster &cluster : clusters)
        known << cluster.name;
    for (const QString &name : names) {
        if (!known.contains(name))
            return failure(unknownContext(name, known));
    }
    return {};
}

} // namespace tongchi
