// Runs tests on every rank of a launch; a failure on any rank is printed with its rank, and fails the launch, or, where
// WEIR_SUITE_RESULTS names a file, leaves its suite out of those that are told there to have passed.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
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

/// Has a file tell the suites that passed on all ranks, a line each.
class SuiteResults final : public ::testing::EmptyTestEventListener {
  public:
    explicit SuiteResults(char const* path) : file_(path) {}

  private:
    void OnTestSuiteEnd(::testing::TestSuite const& suite) override {
        auto const failed = weir::Communicator::world().max(std::uint64_t{suite.Failed() ? 1U : 0U}) != 0;
        if (!failed && file_) {
            file_ << suite.name() << std::endl;
        }
    }

    std::ofstream file_;
};

}  // namespace

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) {
        return RUN_ALL_TESTS();
    }
    weir::MpiSession const session(argc, argv);
    auto const world = weir::Communicator::world();
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    if (!world.is_root()) {
        delete listeners.Release(listeners.default_result_printer());
    }
    listeners.Append(new FailurePrinter);
    auto const* const results = std::getenv("WEIR_SUITE_RESULTS");
    if (results != nullptr) {
        listeners.Append(new SuiteResults(world.is_root() ? results : "/dev/null"));
    }
    auto const failed = RUN_ALL_TESTS();
    if (results != nullptr) {
        return 0;
    }
    return world.max(std::uint64_t{failed != 0 ? 1U : 0U}) != 0 ? 1 : 0;
}
