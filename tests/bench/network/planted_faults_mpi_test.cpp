// Wrong data of an MPI library are found, on the rank that received them.

#include <gtest/gtest.h>

#include "bench/network/sampled.hpp"
#include "bench/network/watched_mpi.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

using testing::error_of;
using testing::has;
using testing::quick;
using testing::sampled;
using testing::WatchedMpi;

constexpr std::uint64_t bytes = 1000;

/// What a function receives on each rank in one call, in bytes; to tell its calls from Weir's own.
struct Faulty {
    char const* function;
    char const* call;
    std::uint64_t received;
};

std::vector<Faulty> faulty_functions() {
    auto const ranks = Communicator::world().size();
    return {{"Allreduce", "Allreduce", bytes},         {"Bcast", "Bcast", bytes},
            {"Allgather", "Allgather", ranks * bytes}, {"Alltoall", "Alltoall", ranks * bytes},
            {"Sendrecv", "Sendrecv", bytes},           {"Allgatherv", "Allgatherv", ranks * bytes}};
}

/// All ranks learn of wrong data; the first rank that received some is named.
void expect_found(Faulty const& faulty, std::uint64_t rank, WatchedMpi::Fault const& fault) {
    SCOPED_TRACE(faulty.function);
    WatchedMpi watch;
    watch.has_fault(faulty.call, [&](auto const& make, std::span<std::byte> received) {
        return received.size() == faulty.received ? fault(make, received) : make();
    });
    auto const error = error_of([&] { sampled(quick(faulty.function, bytes)); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::wrong_data) << error.what();
    EXPECT_EQ(error.diagnosis().rank, rank);
    EXPECT_TRUE(has(error.what(), "delivered wrong data")) << error.what();
}

TEST(PlantedFaults, OneWrongByteOnOneRankIsFound) {
    auto const world = Communicator::world();
    if (world.size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const& faulty : faulty_functions()) {
        expect_found(faulty, world.size() - 1, [&](auto const& make, std::span<std::byte> received) {
            auto const status = make();
            if (world.rank() == world.size() - 1) {
                received[received.size() / 2] ^= std::byte{0x40};
            }
            return status;
        });
    }
}

/// Bcast's root has its data anyway.
TEST(PlantedFaults, BothMessagesOfExchangeAreCompared) {
    auto const ranks = Communicator::world().size();
    if (ranks == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    auto const options = quick("Exchange", bytes);
    EXPECT_EQ(sampled(options).checked_bytes, options.calls * ranks * 2 * bytes);
}

TEST(PlantedFaults, ACallThatDoesNothingIsFound) {
    if (Communicator::world().size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const& faulty : faulty_functions()) {
        auto const first = std::string_view(faulty.function) == "Bcast" ? 1U : 0U;
        expect_found(faulty, first, [](auto const&, std::span<std::byte>) { return MPI_SUCCESS; });
    }
}

TEST(PlantedFaults, DataOfTheCallBeforeAreFound) {
    auto const world = Communicator::world();
    if (world.size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const& faulty : faulty_functions()) {
        std::vector<std::byte> before(faulty.received);
        expect_found(faulty, world.size() - 1, [&](auto const& make, std::span<std::byte> received) {
            auto const status = make();
            std::vector<std::byte> const now(received.begin(), received.end());
            if (world.rank() == world.size() - 1) {
                std::ranges::copy(before, received.begin());
            }
            before = now;
            return status;
        });
    }
}

/// The second rank of a group that does not begin at rank 0: the rank of the launch is named.
TEST(PlantedFaults, TheRankIsThatOfTheLaunch) {
    auto const world = Communicator::world();
    if (world.size() < 4) {
        GTEST_SKIP() << "there are no two groups";
    }
    WatchedMpi watch;
    watch.has_fault("Recv", [&](auto const& make, std::span<std::byte> received) {
        auto const status = make();
        if (received.size() == bytes && world.rank() == 3) {
            received[0] ^= std::byte{1};
        }
        return status;
    });
    auto options = quick("PingPong", bytes);
    options.partner = 3;
    EXPECT_EQ(error_of([&] { sampled(options); }).diagnosis().rank, 3U);
    options.partner = 1;
    options.group = 2;
    EXPECT_EQ(error_of([&] { sampled(options); }).diagnosis().rank, 3U);
}

}  // namespace
}  // namespace weir
