// A system call fails on one rank, in the middle of what all do together: no rank is left waiting, all tell the same
// error, and it names the rank.

#include "support/failures/failing_calls.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "pattern/parametric.hpp"
#include "support/patterns/all_backends.hpp"
#include "support/patterns/pattern_engine.hpp"

namespace weir {
namespace {

using testing::FailingCall;
using testing::FailingCalls;

constexpr unsigned long_enough_s = 60;

struct OneRankFails : testing::EachBackend {
    OneRankFails() { ::alarm(long_enough_s); }
    ~OneRankFails() override { ::alarm(0); }

    /// Writes and reads, while this call fails on one rank: where it did, all ranks have that rank's error.
    void fail_on(std::uint64_t rank, FailingCall const& call) {
        auto const how = call.name + " on rank " + std::to_string(rank) + " after " + std::to_string(call.after) +
                         (parameters.collective ? ", collective" : "");
        auto const pattern = make_pattern(parameters);
        auto const made = kind.make();
        options = {};
        made->declare(options);
        testing::PatternEngine engine(*made, pattern, EngineSettings{directory.path()}, comm, clock);
        std::optional<Diagnosis> failure;
        int failed = 0;
        {
            auto elsewhere = call;
            elsewhere.path = comm.rank() == rank ? call.path : "nowhere";
            FailingCalls const calls(elsewhere);
            keep_failure(failure, [&] {
                for (auto const& phase : pattern.phases) {
                    engine.measure(phase);
                }
                engine.remove_files();
            });
            failed = calls.failed();
        }
        if (comm.max(static_cast<std::uint64_t>(failed)) > 0) {
            ASSERT_TRUE(failure) << how;
            EXPECT_EQ(failure->rank, rank) << how << ": " << failure->problem << " (" << failure->reason << ")";
            EXPECT_EQ(failure->exit_code, ExitCode::cannot_run) << how;
        } else {
            EXPECT_FALSE(failure) << how << ": " << failure->problem;
        }
        std::optional<Diagnosis> ignored;
        keep_failure(ignored, [&] { engine.remove_files(); });
    }

    void fail_everywhere(FailingCall const& call) {
        for (auto const collective : {false, true}) {
            parameters.collective = collective && kind.features().collective;
            if (collective && !parameters.collective) {
                continue;
            }
            for (auto const rank : {std::uint64_t{0}, comm.size() - 1}) {
                fail_on(rank, call);
            }
        }
    }

    std::string const data = (directory.path() / "weir-data").string();
    Parameters parameters{.ranks = comm.size(),
                          .block = Bytes{32 << 10},
                          .transfer = Bytes{8 << 10},
                          .offsets = Offsets::strided,
                          .sync = SyncWhen::close};
};

TEST_P(OneRankFails, ToOpen) { fail_everywhere({"open", data, EMFILE}); }

TEST_P(OneRankFails, ToWrite) {
    for (auto const after : {0, 2}) {
        fail_everywhere({"write", data, ENOSPC, after});
    }
}

TEST_P(OneRankFails, ToSync) { fail_everywhere({"sync", data, EIO}); }

TEST_P(OneRankFails, ToClose) { fail_everywhere({"close", data, EIO}); }

TEST_P(OneRankFails, ToRead) {
    for (auto const after : {0, 1}) {
        fail_everywhere({"read", data, EIO, after});
    }
}

TEST_P(OneRankFails, ToRemove) { fail_everywhere({"unlink", data, EPERM}); }

INSTANTIATE_TEST_SUITE_P(All, OneRankFails, ::testing::ValuesIn(testing::all_backends(&Features::stores)),
                         testing::by_name);

}  // namespace
}  // namespace weir
