#pragma once

#include <gtest/gtest.h>

namespace tongchi::real {

/// Notes what a test proves; prints it where TONGCHI_REAL_LIST is set (run --list asks so).
class ProvedPoint
{
public:
    ProvedPoint(const char *suite, const char *test, const char *point);
};

} // namespace tongchi::real

// TEST and TEST_F with the point that the test proves: "5: a label set with kubectl shows".
#define REAL_TEST(suite, test, point)                                                                        \
    static const ::tongchi::real::ProvedPoint provedBy##suite##test(#suite, #test, point);                   \
    TEST(suite, test)
#define REAL_TEST_F(fixture, test, point)                                                                    \
    static const ::tongchi::real::ProvedPoint provedBy##fixture##test(#fixture, #test, point);               \
    TEST_F(fixture, test)
