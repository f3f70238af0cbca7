#include <gtest/gtest.h>

#include "pattern/parametric.hpp"
#include "support/pattern_engine.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct Mpiio : ::testing::Test {
    Mpiio() {
        backend->declare(options);
        parameters.ranks = comm.size();
        parameters.block = Bytes{32 << 10};
        parameters.transfer = Bytes{4 << 10};
        parameters.segments = 2;
        parameters.read = false;
        parameters.check = true;
    }
    PhaseResult run(Hints const& hints = {}) {
        auto const pattern = make_pattern(parameters);
        testing::PatternEngine engine(*backend, pattern, EngineSettings{directory.path(), true, false, 0, hints}, comm,
                                      clock);
        engine.measure(pattern.phases.at(0));
        return engine.measure(pattern.phases.at(1));
    }
    Communicator const comm = Communicator::world();
    testing::TemporaryDirectory directory{comm};
    MonotonicClock clock;
    std::unique_ptr<Backend> backend = Backends::instance().find("mpiio")->make();
    OptionSet options;
    Parameters parameters;
};

TEST_F(Mpiio, FileViewsPutEveryWordInItsPlace) {
    options.set("file_view", true);
    for (auto const offsets : {Offsets::sequential, Offsets::strided, Offsets::shuffled, Offsets::random}) {
        for (auto const collective : {false, true}) {
            parameters.offsets = offsets;
            parameters.collective = collective;
            auto const result = run();
            EXPECT_EQ(result.words.wrong, 0U) << to_text(offsets) << (collective ? " collective" : " independent");
            EXPECT_GT(result.words.checked, 0U);
        }
    }
}

TEST_F(Mpiio, TellsTheHintsThatAreInForce) {
    auto const result = run({{"cb_buffer_size", "1048576"}});
    ASSERT_TRUE(result.hints.contains("cb_buffer_size"));
    EXPECT_EQ(result.hints.at("cb_buffer_size"), "1048576");
}

}  // namespace
}  // namespace weir
