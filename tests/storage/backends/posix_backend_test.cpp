#include <gtest/gtest.h>

#include "core/error.hpp"
#include "pattern/parametric.hpp"
#include "storage/engine/page_cache.hpp"
#include "support/error_of.hpp"
#include "support/pattern_engine.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct Direct : ::testing::Test {
    Direct() {
        backend->declare(options);
        options.set("direct", true);
        parameters.block = Bytes{1 << 20};
        parameters.transfer = Bytes{64 << 10};
        parameters.read = false;
        parameters.check = true;
    }
    PhaseResult run() {
        auto const pattern = make_pattern(parameters);
        testing::PatternEngine engine(*backend, pattern, EngineSettings{directory.path(), true, false, 0, {}},
                                      Communicator(), clock);
        engine.measure(pattern.phases.at(0));
        return engine.measure(pattern.phases.at(1));
    }
    testing::TemporaryDirectory directory;
    MonotonicClock clock;
    std::unique_ptr<Backend> backend = Backends::instance().find("posix")->make();
    OptionSet options;
    Parameters parameters;
};

TEST_F(Direct, ReadsFromTheDeviceWhatItWroteThere) {
    if (lives_in_memory(directory.path())) {
        GTEST_SKIP() << "the temporary directory lives in memory: there is no device";
    }
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
    if (error.diagnosis().exit_code == ExitCode::cannot_run) {
        GTEST_SKIP() << "this file system has no direct I/O: " << error.what();
    }
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
    EXPECT_NE(error.diagnosis().suggestion.find("Choose a transfer of"), std::string::npos);
}

}  // namespace
}  // namespace weir
