// What a case of a function needs in memory is known, and refused, before it starts.

#include "bench/network/case_memory.hpp"

#include <gtest/gtest.h>

#include "bench/network/sampled.hpp"
#include "core/error.hpp"
#include "core/proc.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

using testing::error_of;
using testing::has;
using testing::quick;

/// What is told before a launch is what the rank with the largest buffers then has.
TEST(CaseMemories, AreThoseOfTheBuffers) {
    auto const world = Communicator::world();
    if (world.size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const& facts : testing::available_functions()) {
        for (auto const imb : {Imb::v2_3, Imb::v2021}) {
            for (auto const counts : {Counts::equal, Counts::ramped}) {
                SCOPED_TRACE(std::string(facts.name) + " " + std::string(to_text(imb)) + " " +
                             std::string(to_text(counts)));
                auto options = quick(std::string(facts.name), facts.has_message ? 960 : 0);
                options.choices.imb = imb;
                options.choices.counts = counts;
                auto const single = facts.traffic == Traffic::single;
                auto const ranks = world.split(single && world.rank() > 1 ? 1 : 0);
                if (single && world.rank() > 1) {
                    continue;
                }
                auto const& function = *Registry<NetworkFunction>::instance().find(facts.name);
                auto const call = function.prepare({ranks, options.bytes.value, options.choices});
                auto const told = facts.buffers({options.bytes.value, ranks.size(), options.choices});
                auto const send = ranks.max(call->sizes().send);
                auto const receive = ranks.max(call->sizes().receive);
                EXPECT_GE(told.send, send);
                EXPECT_GE(told.receive, receive);
                if (counts == Counts::equal) {
                    EXPECT_EQ(told.send, send);
                    EXPECT_EQ(told.receive, receive);
                }
            }
        }
    }
}

/// Counted: the ranks of a node together, and what the library takes. Killed by the kernel in calls of 2 GiB, before.
TEST(CaseMemories, AreRefusedBeforeTheyAreTouched) {
    auto const world = Communicator::world();
    if (world.size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    auto const free = available_memory();
    if (!free) {
        GTEST_SKIP() << "this machine does not tell its memory";
    }
    constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
    for (auto const* name : {"Reduce_scatter", "Ireduce_scatter", "Allgather", "Alltoall", "Reduce", "Bcast"}) {
        auto const& facts = Registry<NetworkFunction>::instance().find(name)->facts();
        SCOPED_TRACE(name);
        auto options = quick(name, mib);
        auto const of_a_mib = static_cast<double>(memory_of(options, facts, world.size()).all());
        // A quarter more than there is, of which a message alone would fit many times.
        auto const share = 1.25 * static_cast<double>(free->value) / static_cast<double>(world.node().size());
        options.bytes = Bytes(static_cast<std::uint64_t>(share / of_a_mib) * mib);
        auto const error = error_of([&] { testing::sampled(options); });
        EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run) << error.what();
        EXPECT_TRUE(has(error.what(), "does not fit into memory")) << error.what();
        EXPECT_TRUE(has(error.what(), "--bytes ")) << error.what();
        EXPECT_EQ(has(error.what(), "within the MPI library"), facts.library_copies > 0) << error.what();
    }
}

/// Reduce_scatter of 2 GiB on 2 ranks, 2021: 4 GiB out, 2 GiB in, and twice 4 GiB within the library.
TEST(CaseMemories, CountWhatTheLibraryTakes) {
    constexpr std::uint64_t gib = std::uint64_t{1} << 30U;
    auto options = quick("Reduce_scatter", 2 * gib);
    auto const& facts = Registry<NetworkFunction>::instance().find("Reduce_scatter")->facts();
    auto const needed = memory_of(options, facts, 2);
    EXPECT_NEAR(static_cast<double>(needed.buffers), 6.0 * gib, 1e5);
    EXPECT_EQ(needed.library, 8 * gib);
    EXPECT_TRUE(has(needed.words(), "6144 MiB for its messages, 8192 MiB within the MPI library")) << needed.words();
    EXPECT_EQ(size_that_fits(options, facts, needed, 7 * gib), "--bytes 1023MiB");
    EXPECT_EQ(memory_of(quick("PingPong", 2 * gib), Registry<NetworkFunction>::instance().find("PingPong")->facts(), 8)
                  .library,
              0U);
}

}  // namespace
}  // namespace weir
