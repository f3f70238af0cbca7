#include <gtest/gtest.h>

#include "storage/engine/page_cache.hpp"
#include "support/patterns/backend_case.hpp"
#include "support/skip.hpp"

namespace weir {
namespace {

struct Direct : testing::BackendCase {
    Direct() : BackendCase("posix", Communicator()) {
        parameters.block = Bytes{1 << 20};
        parameters.transfer = Bytes{64 << 10};
        parameters.segments = 1;
    }
    void SetUp() override {
        BackendCase::SetUp();
        options.set("direct", true);
    }
};

TEST_F(Direct, ReadsFromTheDeviceWhatItWroteThere) {
    WEIR_SKIP_IF(lives_in_memory(directory.path())) << "the temporary directory lives in memory: there is no device";
    PhaseResult result;
    try {
        result = run();
    } catch (Error const& error) {
        GTEST_SKIP() << "this file system has no direct I/O: " << error.what();
    }
    EXPECT_EQ(result.words.wrong, 0U);
    EXPECT_EQ(result.cache_methods, std::vector<std::string>{"direct"});
    if (result.evidence.device_bytes) {
        EXPECT_EQ(result.cache.suspect, false) << result.cache.why;
    }
}

TEST_F(Direct, RefusesUnalignedTransfersWithASizeThatWouldDo) {
    parameters.block = parameters.transfer = Bytes{47008};
    auto const error = testing::error_of([&] { run(); });
    WEIR_SKIP_IF(error.diagnosis().exit_code == ExitCode::cannot_run)
        << "this file system has no direct I/O: " << error.what();
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
    EXPECT_TRUE(testing::has(error.diagnosis().suggestion, "Choose a transfer of"));
}

}  // namespace
}  // namespace weir
