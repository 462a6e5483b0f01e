#include "platform/kubernetes/kubeconfig_entries.h"

#include "platform/kubernetes/kubeconfig_fields.h"

#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

constexpr const char *execVersionPrefix = "client.authentication.k8s.io/";

/// Impersonate-Extra-<key>: the key is percent-encoded as far as it is no token character, in lower case.
QByteArray impersonationKey(const QString &key)
{
    return "Impersonate-Extra-" + key.toLower().toUtf8().toPercentEncoding("!#$&'*+^`|");
}

void readImpersonation(KubeconfigFields &fields, KubeUser &user)
{
    const QString as = fields.text("as");
    const QString uid = fields.text("as-uid");
    const QStringList groups = fields.list("as-groups");
    const KubeconfigYaml *extra = fields.node("as-user-extra");
    if (as.isEmpty() && (!uid.isEmpty() || !groups.isEmpty() || extra)) {
        fields.fail({.code = ErrorCode::Invalid,
                     .text = QT_TRANSLATE_NOOP(
                         "Error", "The user %1 names as-uid, as-groups or as-user-extra without as."),
                     .arguments = {fields.owner()},
                     .remedy = QT_TRANSLATE_NOOP("Error", "Add the field as with the name to act as.")});
        return;
    }
    const auto add = [&user](const QByteArray &header, const QString &value) {
        user.impersonation.append({header, value.toUtf8()});
    };
    if (!as.isEmpty())
        add("Impersonate-User", as);
    if (!uid.isEmpty())
        add("Impersonate-Uid", uid);
    for (const QString &group : groups)
        add("Impersonate-Group", group);
    if (extra) {
        for (const auto &[key, values] : extra->entries) {
            for (const KubeconfigYamlPtr &value : values->items)
                add(impersonationKey(QString::fromUtf8(key.data(), qsizetype(key.size()))),
                    QString::fromUtf8(value->text.data(), qsizetype(value->text.size())));
        }
    }
    for (const auto &header : std::as_const(user.impersonation)) {
        if (!fitsHeader(header.first) || !fitsHeader(header.second)) {
            fields.fail(
                {.code = ErrorCode::Invalid,
                 .text = QT_TRANSLATE_NOOP(
                     "Error", "A name that the user %1 acts as holds a line break or a control character."),
                 .arguments = {fields.owner()},
                 .remedy = QT_TRANSLATE_NOOP("Error", "Correct the fields that begin with as.")});
        }
    }
}

void readCertificate(KubeconfigFields &fields, KubeUser &user, const FilePath &folder)
{
    user.certificatePem = fields.base64("client-certificate-data");
    user.certificateFile = fields.path("client-certificate", folder);
    user.keyPem = fields.base64("client-key-data");
    user.keyFile = fields.path("client-key", folder);
    if (!user.certificatePem.isEmpty()) {
        user.certificateFile.clear(); // data wins
        if (Status status = checkCertificatePem(user.certificatePem,
                                                QStringLiteral("client-certificate-data"), fields.owner());
            !status)
            fields.fail(std::move(status.error()));
    }
    if (!user.keyPem.isEmpty()) {
        user.keyFile.clear();
        if (Status status = checkKeyPem(user.keyPem, QStringLiteral("client-key-data"), fields.owner());
            !status)
            fields.fail(std::move(status.error()));
    }
    const bool hasKey = !user.keyPem.isEmpty() || !user.keyFile.isEmpty();
    if (user.hasCertificate() != hasKey) {
        fields.fail(
            {.code = ErrorCode::Invalid,
             .text =
                 hasKey
                     ? QT_TRANSLATE_NOOP("Error", "The user %1 has a client-key but no client-certificate.")
                     : QT_TRANSLATE_NOOP("Error", "The user %1 has a client-certificate but no client-key."),
             .arguments = {fields.owner()},
             .remedy = QT_TRANSLATE_NOOP("Error", "Both are needed; add the missing one.")});
    }
}

} // namespace

Result<ExecCommand> readExecCommand(const KubeconfigYaml &map, const QString &userName, const FilePath &file)
{
    KubeconfigFields fields(map, userName, displayPath(file));
    ExecCommand exec;
    exec.userName = userName;
    exec.file = file;
    exec.command = fields.text("command");
    exec.args = fields.list("args");
    exec.apiVersion = fields.text("apiVersion");
    exec.installHint = fields.text("installHint").trimmed();
    exec.provideClusterInfo = fields.flag("provideClusterInfo");
    if (const KubeconfigYaml *env = fields.node("env")) {
        for (const KubeconfigYamlPtr &item : env->items) {
            KubeconfigFields variable(*item, userName, displayPath(file));
            const QString name = variable.text("name");
            const QString value = variable.text("value");
            if (variable.hasFailed() || name.isEmpty() || name.contains(u'=') || name.contains(QChar(0)) ||
                value.contains(QChar(0))) {
                fields.fail({.code = ErrorCode::Invalid,
                             .text = QT_TRANSLATE_NOOP(
                                 "Error", "An env entry of the user %1 has no usable name or value."),
                             .arguments = {fields.owner()},
                             .remedy = QT_TRANSLATE_NOOP("Error", "Each entry needs a name and a value.")});
                break;
            }
            exec.env.append({name, value});
        }
    }
    bool zero = exec.command.contains(QChar(0));
    for (const QString &arg : std::as_const(exec.args))
        zero = zero || arg.contains(QChar(0));
    if (exec.command.trimmed().isEmpty() || zero) {
        fields.fail(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "The credential plug-in of the user %1 names no command."),
             .arguments = {fields.owner()},
             .remedy = QT_TRANSLATE_NOOP("Error", "Add the field command below exec.")});
    }
    const QString prefix = QString::fromLatin1(execVersionPrefix);
    const QString version =
        exec.apiVersion.startsWith(prefix) ? exec.apiVersion.mid(prefix.size()) : QString();
    if (version != QLatin1String("v1") && version != QLatin1String("v1beta1")) {
        fields.fail(
            {.code = ErrorCode::NotSupported,
             .text = exec.apiVersion.isEmpty()
                         ? QT_TRANSLATE_NOOP(
                               "Error", "The credential plug-in of the user %1 in %2 names no apiVersion.")
                         : QT_TRANSLATE_NOOP("Error", "The credential plug-in of the user %1 in %2 asks for "
                                                      "%3, which no longer exists."),
             .arguments = {fields.owner(), displayPath(file), shortened(exec.apiVersion)},
             .remedy = QT_TRANSLATE_NOOP(
                 "Error", "Write client.authentication.k8s.io/v1beta1 or client.authentication.k8s.io/v1 as "
                          "its apiVersion, whichever the plug-in answers in.")});
    }
    const QString mode = fields.text("interactiveMode");
    if (mode == QLatin1String("Never")) {
        exec.interactive = ExecCommand::Interactive::Never;
    } else if (mode == QLatin1String("Always")) {
        exec.interactive = ExecCommand::Interactive::Always;
        fields.fail(
            {.code = ErrorCode::NotSupported,
             .text = QT_TRANSLATE_NOOP("Error", "The credential plug-in of the user %1 always asks questions "
                                                "in a terminal, which is not there."),
             .arguments = {fields.owner()},
             .remedy = QT_TRANSLATE_NOOP("Error", "Use a token for this cluster, or set interactiveMode to "
                                                  "IfAvailable if the plug-in can do without.")});
    } else if (mode == QLatin1String("IfAvailable") ||
               (mode.isEmpty() && version == QLatin1String("v1beta1"))) {
        exec.interactive = ExecCommand::Interactive::IfAvailable;
    } else {
        fields.fail(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP(
                 "Error",
                 "The interactiveMode of the credential plug-in of the user %1 is missing or unknown."),
             .arguments = {fields.owner()},
             .remedy = QT_TRANSLATE_NOOP("Error", "Write Never or IfAvailable.")});
    }
    if (fields.hasFailed())
        return tl::unexpected(fields.error());
    return exec;
}

Result<KubeUser> readKubeUser(const KubeconfigYaml &map, const QString &name, const FilePath &file)
{
    const FilePath folder = folderOf(file);
    KubeconfigFields fields(map, name, displayPath(file));
    KubeUser user;
    readCertificate(fields, user, folder);
    user.token = fields.text("token").trimmed().toUtf8();
    user.tokenFile = fields.path("tokenFile", folder);
    user.username = fields.text("username");
    user.password = fields.text("password");
    readImpersonation(fields, user);
    if (!fitsHeader(user.token)) {
        fields.fail({.code = ErrorCode::Invalid,
                     .text = QT_TRANSLATE_NOOP(
                         "Error", "The token of the user %1 holds a line break or a control character."),
                     .arguments = {fields.owner()},
                     .remedy = QT_TRANSLATE_NOOP("Error", "Copy the value again from where it came.")});
    }
    if (!user.username.isEmpty() && user.hasToken()) {
        fields.fail(
            {.code = ErrorCode::Invalid,
             .text =
                 QT_TRANSLATE_NOOP("Error", "The user %1 has a token and a user name with password at once."),
             .arguments = {fields.owner()},
             .remedy = QT_TRANSLATE_NOOP("Error", "Remove one of them; nothing says which one is meant.")});
    }
    if (user.username.contains(u':') || !fitsHeader(user.username.toUtf8())) {
        fields.fail(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "The user name of %1 holds a colon or a control character."),
             .arguments = {fields.owner()},
             .remedy = QT_TRANSLATE_NOOP("Error", "Such a name cannot be sent; use another credential.")});
    }
    const bool isStatic = user.hasCertificate() || user.hasToken() || !user.username.isEmpty();
    if (!isStatic) { // static credentials first: then neither a plug-in nor a provider is asked
        if (const KubeconfigYaml *exec = fields.node("exec")) {
            if (Result<ExecCommand> command = readExecCommand(*exec, name, file))
                user.exec = *std::move(command);
            else
                fields.fail(std::move(command.error()));
        } else if (const KubeconfigYaml *provider = fields.node("auth-provider")) {
            const KubeconfigYaml *providerName = provider->find("name");
            fields.fail(
                {.code = ErrorCode::NotSupported,
                 .text = QT_TRANSLATE_NOOP("Error",
                                           "The user %1 uses the auth-provider %2, which is not supported."),
                 .arguments = {fields.owner(), providerName
                                                   ? shortened(QString::fromStdString(providerName->text))
                                                   : QString()},
                 .remedy = QT_TRANSLATE_NOOP(
                     "Error",
                     "Let your login tool write an exec entry instead, for instance kubelogin for oidc.")});
        }
    }
    if (fields.hasFailed())
        return tl::unexpected(fields.error());
    return user;
}

} // namespace tongchi
