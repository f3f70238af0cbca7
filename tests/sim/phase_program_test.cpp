#include "sim/phase_program.hpp"

#include <gtest/gtest.h>

#include "support/sim/simulated.hpp"

namespace weir::sim {
namespace {

using testing::pattern_of;
using testing::written;

/// The roots of groups of two of three ranks, each of which has five bytes.
Access of_groups(RankSet roots) {
    auto access = testing::access_of(roots, {}, {});
    access.list_io = true;
    ArrayPart part;
    part.what = {"a", {Element::Kind::natural, 1}, {15}, 10};
    part.by = {.counts = {5}, .cycle = true};
    part.ranks_per_group = 2;
    part.ranks = 3;
    access.part = part;
    return access;
}

std::vector<std::vector<Piece>> lists_of(Access const& access) {
    auto const pattern = pattern_of(3, {written(access)});
    Openers openers;
    PhaseProgram const program(pattern, pattern.phases.front(), openers);
    auto const& lists = program.all().front().access->lists;
    std::vector<std::vector<Piece>> all;
    for (std::uint64_t i = 0; i < lists.ranks(); ++i) {
        all.emplace_back(lists.of(i).begin(), lists.of(i).end());
    }
    return all;
}

using Lists = std::vector<std::vector<Piece>>;

TEST(PhaseProgram, ALastGroupMayHaveFewerRanks) {
    EXPECT_EQ(lists_of(of_groups({0, 2, 2})), (Lists{{{10, 10}}, {{20, 5}}}));
    EXPECT_EQ(lists_of(of_groups({2, 1, 2})), (Lists{{{20, 5}}})) << "it alone";
    auto members = of_groups({0, 1, 2});
    members.part->member = 1;
    EXPECT_EQ(lists_of(members), (Lists{{{15, 5}}}));
}

}  // namespace
}  // namespace weir::sim
