#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "pattern/parametric.hpp"
#include "support/failures/error_of.hpp"
#include "support/patterns/pattern_engine.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace weir::testing {

/// One back-end with its options, and small cases for it, on all ranks unless told otherwise; skips where this build
/// lacks it.
class BackendCase : public ::testing::Test {
  protected:
    explicit BackendCase(std::string name, Communicator ranks = Communicator::world())
        : comm(std::move(ranks)), name_(std::move(name)) {}

    void SetUp() override {
        auto const* kind = Backends::instance().find(name_);
        WEIR_SKIP_IF(kind == nullptr) << "this build has no back-end " << name_;
        backend = kind->make();
        backend->declare(options);
    }

    /// Writes the case and returns what its check came to.
    PhaseResult run(Hints const& hints = {}) {
        auto const pattern = make_pattern(parameters);
        PatternEngine engine(*backend, pattern, EngineSettings{directory.path(), true, false, 0, hints}, comm, clock);
        engine.measure(pattern.phases.at(0));
        return engine.measure(pattern.phases.at(1));
    }

    /// Does every word stand in its place, whatever the order and the access?
    void keeps_every_word(std::string const& how) {
        for (auto const offsets : {Offsets::sequential, Offsets::strided, Offsets::shuffled, Offsets::random}) {
            for (auto const collective : {false, true}) {
                parameters.offsets = offsets;
                parameters.collective = collective;
                auto const result = run();
                EXPECT_EQ(result.words.wrong, 0U)
                    << how << " " << to_text(offsets) << (collective ? " collective" : " independent");
                EXPECT_GT(result.words.checked, 0U);
            }
        }
    }

    /// What was asked of the library is what it reports.
    void tells_hints_in_force() {
        auto const hints = run({{"cb_buffer_size", "1048576"}}).hints.all;
        ASSERT_TRUE(hints.contains("cb_buffer_size"));
        EXPECT_EQ(hints.at("cb_buffer_size"), "1048576");
    }

    /// Opens the file "file" for independent requests of up to 4 KiB.
    std::unique_ptr<OpenFile> open(OpenMode mode, std::uint64_t bytes, std::uint64_t dataset) {
        return backend->open({directory.path() / "file", mode, comm, false, 4 << 10, bytes, dataset, {}, true});
    }

    /// The diagnosis that `work` fails with.
    template <class Work>
    static Diagnosis failure_of(Work work) {
        return error_of(work).diagnosis();
    }

    Communicator const comm;
    TemporaryDirectory directory{comm};
    MonotonicClock clock;
    std::unique_ptr<Backend> backend;
    OptionSet options;
    Parameters parameters{.ranks = comm.size(),
                          .block = Bytes{32 << 10},
                          .transfer = Bytes{4 << 10},
                          .segments = 3,
                          .read = false,
                          .check = true};

  private:
    std::string name_;
};

}  // namespace weir::testing
