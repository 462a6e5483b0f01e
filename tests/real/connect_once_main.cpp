// connect_once KUBECONFIG CONTEXT: the console's model of one cluster in a process of its own, with what it
// took; large_cluster_test.cpp starts it.

#include "tests/support/connect_once.h"

#include <cstdio>

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: connect_once KUBECONFIG CONTEXT\n");
        return 2;
    }
    return tongchi::test::connectOnce(argc, argv, QString::fromLocal8Bit(argv[1]),
                                      QString::fromLocal8Bit(argv[2]));
}
