#include <gtest/gtest.h>

#include <fstream>

#include "pattern/parametric.hpp"
#include "storage/engine.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct Hdf5 : ::testing::Test {
    void SetUp() override {
        auto const* kind = Backends::instance().find("hdf5");
        if (kind == nullptr) {
            GTEST_SKIP() << "this build has no HDF5";
        }
        backend = kind->make();
        backend->declare(options);
        parameters.ranks = comm.size();
        parameters.block = Bytes{32 << 10};
        parameters.transfer = Bytes{4 << 10};
        parameters.segments = 3;
        parameters.read = false;
        parameters.check = true;
    }

    PhaseResult run(Hints const& hints = {}) {
        auto const pattern = make_pattern(parameters);
        Engine engine(*backend, pattern, EngineSettings{directory.path(), true, false, 0, hints}, comm, clock);
        engine.run(pattern.phases.at(0));
        return engine.run(pattern.phases.at(1));
    }

    std::unique_ptr<OpenFile> open(OpenMode mode, std::uint64_t bytes, std::uint64_t dataset) const {
        return backend->open({directory.path() / "file", mode, comm, false, 4 << 10, bytes, dataset, {}});
    }

    /// The diagnosis that `work` fails with, on every rank.
    template <class Work>
    Diagnosis failure_of(Work work) {
        try {
            work();
            ADD_FAILURE() << "nothing was refused";
        } catch (Error const& error) {
            return error.diagnosis();
        }
        return {};
    }

    Communicator const comm = Communicator::world();
    testing::TemporaryDirectory directory{comm};
    MonotonicClock clock;
    std::unique_ptr<Backend> backend;
    OptionSet options;
    Parameters parameters;
};

TEST_F(Hdf5, EveryLayoutKeepsEveryWord) {
    using Setting = std::pair<std::string, Json>;
    for (auto const& [option, value] : {Setting{"chunk", 8192}, Setting{"chunk", 5000}, Setting{"alignment", 65536},
                                        Setting{"metadata_block", 4096}, Setting{"collective_metadata", true}}) {
        options.set(option, value);
        for (auto const offsets : {Offsets::sequential, Offsets::strided, Offsets::random}) {
            for (auto const collective : {false, true}) {
                parameters.offsets = offsets;
                parameters.collective = collective;
                auto const result = run();
                EXPECT_EQ(result.words.wrong, 0U) << option << " " << to_text(offsets) << " " << collective;
                EXPECT_GT(result.words.checked, 0U);
            }
        }
    }
}

TEST_F(Hdf5, TellsTheHintsThatAreInForce) {
    auto const result = run({{"cb_buffer_size", "1048576"}});
    ASSERT_TRUE(result.hints.contains("cb_buffer_size"));
    EXPECT_EQ(result.hints.at("cb_buffer_size"), "1048576");
}

TEST_F(Hdf5, ReadsUpToTheEndOfADataset) {
    std::vector<std::byte> data(8 << 10);
    auto file = open(OpenMode::create, 100 << 10, 64 << 10);
    if (comm.is_root()) {
        EXPECT_EQ(file->read({96 << 10, 8 << 10, 0}, data), 4U << 10);
        EXPECT_EQ(file->read({110 << 10, 8 << 10, 0}, data), 0U);
    }
    file->close();
}

TEST_F(Hdf5, RefusesAChunkThatIsLargerThanADataset) {
    options.set("chunk", 1 << 20);
    parameters.segments = 1;
    auto const failure = failure_of([&] { run(); });
    EXPECT_EQ(failure.exit_code, ExitCode::usage);
    EXPECT_NE(failure.problem.find("chunks of 1048576 bytes"), std::string::npos) << failure.problem;
}

TEST_F(Hdf5, RefusesRequestsThatLieInTwoDatasetsOnAllRanks) {
    for (auto const collective : {false, true}) {
        parameters.collective = collective;
        auto pattern = make_pattern(parameters);
        pattern.files.at(0).dataset_bytes = 10'000;
        Engine engine(*backend, pattern, EngineSettings{directory.path(), true, false, 0, {}}, comm, clock);
        auto const failure = failure_of([&] { engine.run(pattern.phases.at(0)); });
        EXPECT_EQ(failure.exit_code, ExitCode::usage);
        EXPECT_NE(failure.problem.find("two datasets"), std::string::npos) << failure.problem;
    }
}

TEST_F(Hdf5, SaysInTheLibrarysWordsWhatIsWrongWithAFile) {
    if (comm.is_root()) {
        std::ofstream(directory.path() / "file") << "something else";
    }
    comm.barrier();
    auto failure = failure_of([&] { open(OpenMode::read, 100, 100); });
    EXPECT_NE(failure.reason.find("signature"), std::string::npos) << failure.reason;
    open(OpenMode::create, 100, 100)->close();
    failure = failure_of([&] { open(OpenMode::read, 200, 100); });
    EXPECT_NE(failure.reason.find("segment-000001"), std::string::npos) << failure.reason;
}

}  // namespace
}  // namespace weir
