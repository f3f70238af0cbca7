#include "boost/ways.hpp"

#include <gtest/gtest.h>

namespace weir::boost {
namespace {

constexpr Shape interleaved{.writes = true,
                            .interleaved = true,
                            .bytes = 4 << 20,
                            .bytes_a_rank = 1 << 20,
                            .piece = 8 << 10,
                            .gap = 8 << 10,
                            .one_piece = false,
                            .one_node = true};

Shape apart() {
    auto shape = interleaved;
    shape.interleaved = false;
    shape.one_piece = true;
    shape.piece = shape.bytes_a_rank;
    return shape;
}

/// So many calls of a shape, each as long as its way takes; how many went each way.
template <class Seconds>
std::array<int, static_cast<std::size_t>(Way::count)> play(Ways& ways, Shape const& shape, int calls, Seconds seconds) {
    std::array<int, static_cast<std::size_t>(Way::count)> went{};
    for (int i = 0; i < calls; ++i) {
        auto const way = ways.choose(shape);
        ++went.at(static_cast<std::size_t>(way));
        ways.took(seconds(way));
    }
    return went;
}

TEST(Ways, AreFirstThoseMeasuredOnceAndForAll) {
    for (auto const mpi_io : {MpiIo::romio, MpiIo::ompio}) {
        EXPECT_EQ(Ways(mpi_io).choose(interleaved), Way::exchange);
    }
    EXPECT_EQ(Ways(MpiIo::romio).choose(apart()), Way::mpi);
    EXPECT_EQ(Ways(MpiIo::ompio).choose(apart()), Way::direct);
    auto short_pieces = apart();
    short_pieces.one_piece = false;
    short_pieces.piece = 100;
    EXPECT_EQ(Ways(MpiIo::romio).choose(short_pieces), Way::mpi);
    EXPECT_EQ(Ways(MpiIo::ompio).choose(short_pieces), Way::exchange);
}

TEST(Ways, AreDirectForLongPiecesOfOneNode) {
    auto shape = interleaved;
    shape.piece = 64 << 10;
    EXPECT_EQ(Ways(MpiIo::romio).choose(shape), Way::direct);
    shape.one_node = false;
    EXPECT_EQ(Ways(MpiIo::romio).choose(shape), Way::exchange);
}

TEST(Ways, AreDirectForPiecesFarFromEachOther) {
    auto shape = interleaved;
    shape.gap = 1 << 20;
    shape.one_node = false;
    EXPECT_EQ(Ways(MpiIo::romio).choose(shape), Way::direct);
    EXPECT_EQ(Ways(MpiIo::ompio).choose(shape), Way::direct);
}

TEST(Ways, AreMpisForFewRanksOfOmpioUnlessManyShortRequestsAreSaved) {
    auto shape = interleaved;
    EXPECT_EQ(Ways(MpiIo::ompio_few).choose(shape), Way::mpi);
    EXPECT_EQ(Ways(MpiIo::ompio_few).choose(apart()), Way::mpi);
    shape.piece = 64;
    EXPECT_EQ(Ways(MpiIo::ompio_few).choose(shape), Way::exchange);
    shape.bytes_a_rank = 4096;
    EXPECT_EQ(Ways(MpiIo::ompio_few).choose(shape), Way::mpi);
    shape.bytes_a_rank = 8192;
    EXPECT_EQ(Ways(MpiIo::ompio_few).choose(shape), Way::exchange);
    shape.writes = false;
    EXPECT_EQ(Ways(MpiIo::ompio_few).choose(shape), Way::mpi);
}

TEST(Ways, GoOverToTheQuickerOne) {
    Ways ways(MpiIo::romio);
    auto const went = play(ways, interleaved, 2000, [](Way way) { return way == Way::exchange ? 0.02 : 0.01; });
    EXPECT_LT(went.at(static_cast<std::size_t>(Way::exchange)), 1000);
    EXPECT_NE(ways.choose(interleaved), Way::exchange);
    EXPECT_EQ(ways.choose(apart()), Way::mpi);
}

TEST(Ways, StayWithTheUsualOneWhereItIsQuicker) {
    Ways ways(MpiIo::ompio);
    auto const went = play(ways, apart(), 2000, [](Way way) { return way == Way::direct ? 0.01 : 0.03; });
    EXPECT_EQ(went.at(static_cast<std::size_t>(Way::mpi)), 2);
    EXPECT_EQ(went.at(static_cast<std::size_t>(Way::exchange)), 2);
    EXPECT_EQ(went.at(static_cast<std::size_t>(Way::direct)), 1996);
}

TEST(Ways, SpendLittleOnTrying) {
    Ways ways(MpiIo::romio);
    double tried = 0;
    double all = 0;
    auto const seconds = [&](Way way) {
        auto const took = way == Way::exchange ? 0.01 : 0.04;  // as long as is allowed for
        all += took;
        tried += way == Way::exchange ? 0 : took;
        EXPECT_LE(tried, 0.021 * all);
        return took;
    };
    play(ways, interleaved, 1000, seconds);
    EXPECT_GT(tried, 0);
}

TEST(Ways, AreNotTriedForShortPieces) {
    Ways ways(MpiIo::romio);
    auto shape = interleaved;
    shape.piece = 64;
    auto const went = play(ways, shape, 2000, [](Way) { return 0.01; });
    EXPECT_EQ(went.at(static_cast<std::size_t>(Way::exchange)), 2000);
}

TEST(Ways, BelieveTheQuickestCallOfEach) {
    Ways ways(MpiIo::romio);
    play(ways, interleaved, 2000, [](Way way) { return way == Way::exchange ? 0.01 : 0.02; });
    ASSERT_EQ(ways.choose(interleaved), Way::exchange);
    ways.took(1);  // while others used the machine
    EXPECT_EQ(ways.choose(interleaved), Way::exchange);
}

TEST(Ways, LearnOfEachKindByItself) {
    Ways ways(MpiIo::romio);
    play(ways, interleaved, 2000, [](Way way) { return way == Way::exchange ? 0.02 : 0.01; });
    auto shape = interleaved;
    shape.bytes_a_rank *= 16;
    shape.bytes *= 16;
    EXPECT_EQ(ways.choose(shape), Way::exchange);
    shape = interleaved;
    shape.writes = false;
    EXPECT_EQ(ways.choose(shape), Way::exchange);
}

}  // namespace
}  // namespace weir::boost
