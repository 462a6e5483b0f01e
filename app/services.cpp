#include "app/services.h"

#include "platform/http/proxy_choice.h"

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

std::optional<QString> prometheusFor(const QString &cluster, const QStringList &entries)
{
    std::optional<QString> url;
    for (const QString &entry : entries) {
        const qsizetype equals = entry.indexOf(u'=');
        const bool named = equals > 0 && !entry.left(equals).contains(u'/');
        if (!named || entry.left(equals) == cluster)
            url = named ? entry.mid(equals + 1) : entry;
    }
    return url;
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

Result<QList<KubeContext>> chosenContexts(const Kubeconfig &kubeconfig, const CommandLine &command)
{
    if (command.allContexts) {
        if (kubeconfig.contexts.isEmpty()) {
            return failure({.code = ErrorCode::NotFound,
                            .text = QT_TRANSLATE_NOOP("Error", "No context was found."),
                            .remedy = QT_TRANSLATE_NOOP(
                                "Error", "Give a kubeconfig with --kubeconfig, or use --embedded.")});
        }
        return kubeconfig.contexts;
    }
    QStringList names = command.contexts;
    if (names.isEmpty() && !kubeconfig.currentContext.isEmpty())
        names << kubeconfig.currentContext;
    if (names.isEmpty() && kubeconfig.contexts.size() == 1)
        names << kubeconfig.contexts.first().name;
    if (names.isEmpty()) {
        if (!kubeconfig.notes.isEmpty() && kubeconfig.contexts.isEmpty())
            return failure(kubeconfig.notes.first());
        QStringList known;
        for (const KubeContext &context : kubeconfig.contexts)
            known << context.name;
        return failure(
            {.code = ErrorCode::NotFound,
             .text = known.isEmpty()
                         ? QT_TRANSLATE_NOOP("Error", "No context was found.")
                         : QT_TRANSLATE_NOOP("Error", "No current context is set; there are: %1."),
             .arguments = {known.join(QStringLiteral(", "))},
             .remedy = QT_TRANSLATE_NOOP(
                 "Error",
                 "Name one with --context, give a kubeconfig with --kubeconfig, or use --embedded.")});
    }
    QList<KubeContext> chosen;
    for (const QString &name : std::as_const(names)) {
        const KubeContext *context = kubeconfig.find(name);
        if (!context) {
            return failure({.code = ErrorCode::NotFound,
                            .text = QT_TRANSLATE_NOOP("Error", "There is no context named “%1”."),
                            .arguments = {name},
                            .remedy = QT_TRANSLATE_NOOP(
                                "Error", "Look at the names in the kubeconfig, then choose again.")});
        }
        chosen << *context;
    }
    return chosen;
}

} // namespace tongchi
