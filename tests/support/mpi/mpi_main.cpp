// Runs tests on every rank of a launch; a failure on any rank fails the launch, and is printed with its rank.

#include <gtest/gtest.h>

#include <iostream>

#include "comm/communicator.hpp"

namespace {

/// Says only what failed, and where: the ranks' ordinary output would be mixed together.
class FailurePrinter final : public ::testing::EmptyTestEventListener {
    void OnTestPartResult(::testing::TestPartResult const& result) override {
        if (result.failed()) {
            std::cerr << "rank " << weir::Communicator::world().rank() << ": " << result.file_name() << ":"
                      << result.line_number() << ": " << result.message() << std::endl;
        }
    }
    // Ranks enter each test together, so that one that has failed is not waited for in the next.
    void OnTestEnd(::testing::TestInfo const&) override { weir::Communicator::world().barrier(); }
};

}  // namespace

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    weir::MpiSession const session(argc, argv);
    auto const world = weir::Communicator::world();
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    if (!world.is_root()) {
        delete listeners.Release(listeners.default_result_printer());
    }
    listeners.Append(new FailurePrinter);
    auto const failed = RUN_ALL_TESTS();
    return world.max(std::uint64_t{failed != 0 ? 1U : 0U}) != 0 ? 1 : 0;
}
