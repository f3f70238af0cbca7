// Every registered function moves the right data, whatever the sizes, versions, groups and synchronisations.

#include <gtest/gtest.h>

#include "bench/network/sampled.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

using testing::available_functions;
using testing::quick;
using testing::sampled;

bool one_rank() { return Communicator::world().size() == 1; }

/// Sizes that make sense for a function, of these.
std::vector<std::uint64_t> sizes_for(FunctionFacts const& facts, std::vector<std::uint64_t> const& elements) {
    if (!facts.has_message) {
        return {0};
    }
    std::vector<std::uint64_t> sizes;
    auto const unit = facts.name == "PingPong_partitioned" ? CallChoices().partitions : facts.element_bytes;
    std::ranges::transform(elements, std::back_inserter(sizes), [&](auto count) { return count * unit; });
    return sizes;
}

std::string told(NetworkOptions const& options) {
    return fmt::format("{} of {} bytes, IMB {}, counts {}, active {}, group {}, partner {}", options.function,
                       options.bytes.value, to_text(options.choices.imb), to_text(options.choices.counts),
                       options.active, options.group, options.partner);
}

/// A sample finds its data right, and has compared some if there are any.
void expect_checked(NetworkOptions const& options) {
    SCOPED_TRACE(told(options));
    auto const found = sampled(options);
    if (Communicator::world().is_root()) {
        EXPECT_EQ(found.checked_bytes > 0, options.bytes.value > 0);
    }
}

TEST(NetworkFunctions, DeliverTheRightDataOfAnySizeInBothVersions) {
    if (one_rank()) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    struct Case {
        Imb imb;
        std::uint64_t elements;
    };
    // Ranks that share a core are slow: on many, two cases a function.
    std::vector<Case> cases{{Imb::v2021, 1025}, {Imb::v2_3, 997}, {Imb::v2_3, 0}, {Imb::v2021, 1}};
    cases.resize(Communicator::world().size() > 2 ? 2 : cases.size());
    for (auto const& facts : available_functions()) {
        for (auto const& one : cases) {
            auto options = quick(std::string(facts.name), sizes_for(facts, {one.elements}).front());
            options.choices.imb = one.imb;
            expect_checked(options);
        }
    }
}

TEST(NetworkFunctions, DeliverLargeMessages) {
    if (one_rank()) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const* name : {"PingPong", "Exchange", "Bcast", "Allreduce", "Alltoallv", "Bidir_put"}) {
        auto options = quick(name, std::uint64_t{1} << 20U);
        options.calls = 1;
        expect_checked(options);
    }
}

TEST(NetworkFunctions, DeliverRampedMessages) {
    if (one_rank()) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const* name :
         {"Gatherv", "Scatterv", "Allgatherv", "Alltoallv", "Igatherv", "Iscatterv", "Iallgatherv", "Ialltoallv"}) {
        for (std::uint64_t const bytes : {0U, 1U, 997U, 4100U}) {
            auto options = quick(name, bytes);
            options.choices.counts = Counts::ramped;
            expect_checked(options);
        }
    }
}

/// Some ranks only, groups at the same time, and another partner than the next rank.
TEST(NetworkFunctions, DeliverInGroups) {
    if (Communicator::world().size() < 4) {
        GTEST_SKIP() << "there are no two groups";
    }
    struct Roles {
        std::uint64_t active, group, partner;
    };
    for (auto const& facts : available_functions()) {
        if (facts.name.starts_with('I')) {
            continue;  // as the blocking form
        }
        for (auto const& roles : {Roles{3, 0, 2}, Roles{0, 2, 1}}) {
            auto options = quick(std::string(facts.name), sizes_for(facts, {250}).front());
            options.active = roles.active;
            options.group = roles.group;
            options.partner = roles.partner;
            SCOPED_TRACE(told(options));
            auto const found = sampled(options);
            if (Communicator::world().is_root()) {
                EXPECT_EQ(found.median.groups.size(), roles.group == 2 ? 2U : 1U);
                EXPECT_EQ(found.checked_bytes > 0, facts.has_message);
                for (auto const& times : found.median.groups) {
                    EXPECT_PRED_FORMAT2(::testing::DoubleLE, times.least_s, times.mean_s);
                    EXPECT_PRED_FORMAT2(::testing::DoubleLE, times.mean_s, times.greatest_s);
                }
            }
        }
    }
}

TEST(NetworkFunctions, DeliverInEachSynchronisation) {
    if (one_rank()) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const* name :
         {"Unidir_put", "Bidir_put", "Unidir_get", "Bidir_get", "Accumulate", "Exchange_put", "All_put_all"}) {
        for (auto const synchronisation : {Synchronisation::pscw, Synchronisation::lock}) {
            for (std::uint64_t const bytes : {0U, 4U, 4100U}) {
                auto options = quick(name, bytes);
                options.choices.synchronisation = synchronisation;
                SCOPED_TRACE(to_text(synchronisation));
                expect_checked(options);
            }
        }
    }
}

TEST(NetworkFunctions, DeliverOutsideTheCacheInMemoryOfTheLibraryWhatIsWrittenAnew) {
    if (one_rank()) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const* name : {"PingPong", "Exchange", "Alltoall", "Bidir_put", "Bidir_get", "Reduce", "Scatterv"}) {
        auto options = quick(name, 1000);
        options.calls = 5;
        options.cache = BufferCaching::off;
        options.cache_bytes = Bytes(2000);
        options.memory = BufferMemory::mpi;
        options.sent = Content::fresh;
        expect_checked(options);
    }
}

/// Calls that some rank began late do not count; others do, whatever the kind of function.
TEST(NetworkFunctions, StartInWindows) {
    if (one_rank()) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const* name : {"PingPong", "Allreduce", "Ibcast", "Bcast_persist", "Unidir_put"}) {
        SCOPED_TRACE(name);
        auto options = quick(name, 100);
        options.start = Start::window;
        options.calls = 20;
        auto const found = sampled(options);
        if (Communicator::world().is_root()) {
            EXPECT_GT(found.median.groups.front().least_s, 0);
            EXPECT_GT(found.latency.count(), 0U);
        }
    }
}

/// The rank that is reached into has no call that takes time: it would halve the mean, and make up a median.
TEST(NetworkFunctions, TimeOnlyRanksThatHaveAPartInTheCall) {
    if (one_rank()) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    auto options = quick("Unidir_put", 4U << 20U);  // long enough for every call to be timed
    options.choices.synchronisation = Synchronisation::lock;
    auto const of_one = sampled(options);
    options.function = "Bidir_put";
    auto const of_both = sampled(options);
    if (Communicator::world().is_root()) {
        EXPECT_EQ(of_one.latency.count(), of_one.calls * of_one.batches);
        EXPECT_EQ(of_both.latency.count(), 2 * of_both.calls * of_both.batches);
        EXPECT_DOUBLE_EQ(of_one.median.groups.front().least_s, of_one.median.groups.front().greatest_s);
        EXPECT_DOUBLE_EQ(of_one.median.groups.front().mean_s, of_one.median.groups.front().greatest_s);
    }
}

/// Half a round trip, of a call by itself as of all together.
TEST(NetworkFunctions, ReportTheSameTimeOfACallByItselfAsOfAll) {
    if (one_rank()) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    auto options = quick("PingPong", 8);
    options.calls = 1;
    auto const found = sampled(options);
    if (Communicator::world().is_root()) {
        EXPECT_DOUBLE_EQ(found.latency.max_s(), found.median.groups.front().greatest_s);
    }
}

TEST(NetworkFunctions, MeasureTheOverlapOfCallsInTwoParts) {
    if (one_rank()) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const* name : {"Ibcast", "Iallreduce"}) {
        auto const found = sampled(quick(name, 4096));
        if (!Communicator::world().is_root()) {
            continue;
        }
        ASSERT_TRUE(found.median.overlap);
        EXPECT_GT(found.median.overlap->pure_s, 0);
        EXPECT_GT(found.median.overlap->cpu_s, 0);
        EXPECT_GE(found.median.groups.front().greatest_s, found.median.overlap->cpu_s * 0.5);
    }
    EXPECT_FALSE(sampled(quick("Bcast", 4096)).median.overlap);
}

void expect_refused(NetworkOptions const& options, ExitCode code, std::string_view words) {
    testing::expect_error(code, words, [&] { sampled(options); });
}

TEST(NetworkFunctions, RefuseWhatCannotBeMeasured) {
    if (one_rank()) {
        return expect_refused(quick("PingPong", 8), ExitCode::usage, "needs at least two ranks");
    }
    expect_refused(quick("Allreduce", 6), ExitCode::usage, "multiples of 4 bytes");
    expect_refused(quick("Ibarrier", 8), ExitCode::usage, "has no message");
    auto persistent = quick("PingPong_persist", 8);
    persistent.cache = BufferCaching::off;
    expect_refused(persistent, ExitCode::usage, "cannot leave the cache");
    for (auto const& [name, function] : Registry<NetworkFunction>::instance().items()) {
        if (!function->facts().unavailable.empty()) {
            expect_refused(quick(name, 8), ExitCode::cannot_run, "this MPI has no ");
        }
    }
#if WEIR_MPI_PARTITIONED
    expect_refused(quick("PingPong_partitioned", 9), ExitCode::usage, "do not make 8 partitions");
#else
    EXPECT_FALSE(Registry<NetworkFunction>::instance().find("PingPong_partitioned")->facts().unavailable.empty());
#endif
}

}  // namespace
}  // namespace weir
