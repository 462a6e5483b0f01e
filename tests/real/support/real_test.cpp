#include "tests/real/support/real_test.h"

#include <cstdio>
#include <cstdlib>

namespace tongchi::real {

ProvedPoint::ProvedPoint(const char *suite, const char *test, const char *point)
{
    // Before main(): the tests themselves are only listed then.
    if (std::getenv("TONGCHI_REAL_LIST"))
        std::printf("point\t%s.%s\t%s\n", suite, test, point);
}

} // namespace tongchi::real
