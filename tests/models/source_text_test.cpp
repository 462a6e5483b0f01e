#include "models/inventory/source_text.h"
#include "tests/support/qt_printers.h"

#include <QCoreApplication>
#include <QTranslator>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

/// Puts brackets around every phrase that it is asked for.
class Bracketing final : public QTranslator
{
public:
    Bracketing() { QCoreApplication::installTranslator(this); }
    ~Bracketing() override { QCoreApplication::removeTranslator(this); }
    bool isEmpty() const override { return false; }
    QString translate(const char *context, const char *text, const char *, int) const override
    {
        return qstrcmp(context, "SourceText") == 0 ? u'[' + QString::fromUtf8(text) + u']' : QString();
    }
};

TEST(SourceText, KnowsThePhrasesThatThePlatformWrites)
{
    const Bracketing brackets;
    const auto told = [](const char *text) { return sourceText(QString::fromUtf8(text)); };
    EXPECT_EQ(told("model of the chip"), QStringLiteral("[model of the chip]"));
    EXPECT_EQ(told("label nvidia.com/gpu.product"), QStringLiteral("[label nvidia.com/gpu.product]"));
    EXPECT_EQ(told("network 0"), QStringLiteral("[network 0]"));
    EXPECT_EQ(told("registration could not be read: hami.io/node-register: a:b"),
              QStringLiteral("[registration could not be read: hami.io/node-register: a:b]"));
    EXPECT_EQ(told("nvidia.com/gpu: the allocatable amount \"8x\" cannot be read"),
              QStringLiteral("[nvidia.com/gpu: the allocatable amount \"8x\" cannot be read]"));
    EXPECT_EQ(told("the node reports no state; a.b/c: 5000 are too many to be cards"),
              QStringLiteral("[the node reports no state][; ][a.b/c: 5000 are too many to be cards]"));
}

TEST(SourceText, LeavesEverythingElseAsItIs)
{
    const Bracketing brackets;
    for (const char *text : {"", "allocatable", "hami.io/node-register", "labels", "x model of the chip",
                             "%1", "%1: %2", "only %1 of"}) {
        EXPECT_EQ(sourceText(QString::fromUtf8(text)), QString::fromUtf8(text));
    }
    // What stands in a text is not taken for a place to fill in.
    EXPECT_EQ(sourceText(QStringLiteral("label %2 %1")), QStringLiteral("[label %2 %1]"));
    EXPECT_EQ(sourceText(QStringLiteral("only %2 of %1 cards are shown")),
              QStringLiteral("[only %2 of %1 cards are shown]"));
}

} // namespace
} // namespace tongchi
