#include <gtest/gtest.h>

#include "comm/mpi_session.hpp"

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    weir::MpiSession const session(argc, argv);
    return RUN_ALL_TESTS();
}
