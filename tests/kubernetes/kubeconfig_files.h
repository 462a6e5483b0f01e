#pragma once

#include "platform/kubernetes/kubeconfig_loader.h"
#include "platform/kubernetes/kubeconfig_merge.h"
#include "tests/support/paths.h"
#include "tests/support/qt_printers.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace tongchi::test {

inline QString kubeconfigData(const QString &relative)
{
    return dataPath(QStringLiteral("kubernetes/kubeconfig/") + relative);
}

/// A kubeconfig with one context "c" of one cluster and one user; the arguments are YAML flow maps.
inline QByteArray oneContext(const QByteArray &cluster, const QByteArray &user = "{}",
                             const QByteArray &context = "")
{
    return "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters:\n- name: k\n  cluster: " + cluster +
           "\nusers:\n- name: u\n  user: " + user +
           "\ncontexts:\n- name: c\n  context: {cluster: k, user: u" + context + "}\n";
}

/// Merges texts as if they were files /one/1.yaml, /one/2.yaml, ...
inline Kubeconfig mergeTexts(const QList<QByteArray> &texts)
{
    QList<KubeconfigFile> files;
    for (const QByteArray &text : texts) {
        const FilePath path = "/one/" + QByteArray::number(files.size() + 1) + ".yaml";
        Result<KubeconfigFile> file = parseKubeconfigFile(text, path);
        EXPECT_OK(file) << text.toStdString();
        if (file)
            files << *std::move(file);
    }
    return mergeKubeconfigs(files);
}

/// The only context of one text.
inline KubeContext contextOf(const QByteArray &text)
{
    const Kubeconfig config = mergeTexts({text});
    EXPECT_EQ(config.contexts.size(), 1) << text.toStdString();
    return config.contexts.value(0);
}

inline QString problemOf(const KubeContext &context)
{
    return context.problem ? englishText(*context.problem) : QString();
}

/// A folder of the test with files in it.
class TestFolder
{
public:
    QString path(const QString &relative = {}) const { return m_folder.path() + u'/' + relative; }
    FilePath bytes(const QString &relative = {}) const { return path(relative).toUtf8(); }
    void write(const QString &relative, const QByteArray &text, QFile::Permissions permissions = {})
    {
        QDir().mkpath(QFileInfo(path(relative)).path());
        QFile file(path(relative));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly)) << path(relative).toStdString();
        file.write(text);
        file.close();
        if (permissions)
            file.setPermissions(permissions);
    }
    void program(const QString &relative, const QByteArray &script)
    {
        write(relative, script, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

private:
    QTemporaryDir m_folder;
};

} // namespace tongchi::test
