#include "bench/stall_report.hpp"

#include <gtest/gtest.h>

#include "core/json.hpp"

namespace weir {
namespace {

RankSeen waiting(std::uint64_t rank, std::string call) {
    RankSeen seen;
    seen.rank = rank;
    seen.state = 'R';
    seen.calls = "opal_progress\n" + call + "\n";
    seen.mpi_call = std::move(call);
    return seen;
}

RankSeen in_state(std::uint64_t rank, char state, std::string calls = "", std::string mpi_call = "") {
    RankSeen seen;
    seen.rank = rank;
    seen.state = state;
    seen.calls = std::move(calls);
    seen.mpi_call = std::move(mpi_call);
    return seen;
}

/// "RANK STATE" of each rank that may be what the others wait for.
std::vector<std::string> suspects(std::vector<RankSeen> const& ranks) {
    std::vector<std::string> found;
    auto const line = stall_line("n1", 30, ranks);
    for (auto const& suspect : line.at("suspects")) {
        found.push_back(std::to_string(suspect.at("rank").get<int>()) + " " + suspect.at("state").get<std::string>());
    }
    return found;
}

using Found = std::vector<std::string>;

TEST(StallReport, NamesTheRankThatDoesNotWaitInMpi) {
    EXPECT_EQ(suspects({waiting(0, "MPI_Barrier"), in_state(1, 'R', "spin\n"), waiting(2, "MPI_Barrier")}),
              Found{"1 running"});
}

TEST(StallReport, TheSurestComesFirst) {
    EXPECT_EQ(suspects({in_state(0, 'R'), in_state(1, 'S'), in_state(2, 'D'), in_state(3, 'T'), in_state(4, 'Z')}),
              (Found{"4 dead", "3 stopped", "2 uninterruptible", "1 sleeping", "0 running"}));
}

TEST(StallReport, AStoppedRankWaitsForNobodyWhereverItIs) {
    EXPECT_EQ(suspects({in_state(0, 'T', "", "MPI_Barrier"), waiting(1, "MPI_Barrier")}), Found{"0 stopped"});
}

TEST(StallReport, MpisOwnFileCallsDoNotWaitForRanks) {
    EXPECT_EQ(suspects({waiting(0, "MPI_File_write_all"),
                        in_state(1, 'S', "pwrite64\nMPI_File_write_all\n", "MPI_File_write_all")}),
              Found{"1 sleeping"});
}

TEST(StallReport, GroupsThoseThatWaitTheOddOneFirst) {
    auto const line =
        stall_line("n1", 30, {waiting(4, "MPI_Barrier"), waiting(5, "MPI_Recv"), waiting(6, "MPI_Barrier")});
    EXPECT_EQ(line.at("suspects_in_all"), 0);
    EXPECT_EQ(line.at("waiting"), (Json{{{"mpi_call", "MPI_Recv"}, {"count", 1}, {"first_rank", 5}},
                                        {{"mpi_call", "MPI_Barrier"}, {"count", 2}, {"first_rank", 4}}}));
}

TEST(StallReport, ShowsFunctionsAsPeopleWriteThem) {
    auto const line = stall_line("n1", 30, {in_state(0, 'R', "_ZN4weir12_GLOBAL__N_14spinEi\nmain\n")});
    EXPECT_EQ(line.at("suspects")[0].at("calls"), (Json{"weir::spin", "main"}));
    EXPECT_EQ(line.at("suspects")[0].at("mpi_call"), nullptr);
}

TEST(StallReport, FitsIntoOneWriteForAnyNumberOfRanks) {
    std::vector<RankSeen> many;
    std::string const name(300, 'x');
    for (std::uint64_t rank = 0; rank < 512; ++rank) {
        many.push_back(rank % 2 == 0 ? in_state(rank, 'R', name + "\n" + name + "\n" + name + "\n")
                                     : waiting(rank, std::string(40, static_cast<char>('A' + rank % 26))));
    }
    auto const line = stall_line(std::string(64, 'n'), 30, many);
    EXPECT_EQ(line.at("suspects_in_all"), 256);
    EXPECT_EQ(line.at("ranks"), 512);
    EXPECT_LT(json_text(line).size(), 4096U);
}

}  // namespace
}  // namespace weir
