#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "bench/compute/hpcc/hpcc_input.hpp"
#include "core/error.hpp"

namespace weir {
namespace {

/// Line by line, for N 1000 and 8000, NB 80 and a grid of 2 x 3.
std::vector<std::string> input_lines() {
    return {"HPLinpack benchmark input file",
            "a second title",
            "HPL.out      output file name",
            "8            device out",
            "2            # of problems sizes (N)",
            "1000 8000    Ns",
            "1            # of NBs",
            "80           NBs",
            "0            PMAP process mapping",
            "1            # of process grids (P x Q)",
            "2            Ps",
            "3            Qs",
            "16.0         threshold",
            "1            # of panel fact",
            "0            PFACTs",
            "1            # of recursive stopping criterium",
            "4            NBMINs (>= 1)",
            "1            # of panels in recursion",
            "2            NDIVs",
            "1            # of recursive panel fact.",
            "2            RFACTs",
            "1            # of broadcast",
            "3            BCASTs",
            "1            # of lookahead depth",
            "2            DEPTHs (>=0)",
            "1            SWAP",
            "48           swapping threshold",
            "0            L1 in (0=transposed,1=no-transposed) form",
            "0            U in (0=transposed,1=no-transposed) form",
            "1            Equilibration (0=no,1=yes)",
            "8            memory alignment in double (> 0)"};
}

HpccInput parsed(std::vector<std::string> const& lines) {
    std::ostringstream text;
    for (auto const& line : lines) {
        text << line << "\n";
    }
    return parse_hpcc_input(text.str(), "hpccinf.txt");
}

TEST(HpccInput, GivesTheLargestOrderAndTheFirstOfTheRest) {
    auto const input = parsed(input_lines());
    EXPECT_EQ(input.size, 8000U);
    EXPECT_EQ(input.block, 80U);
    EXPECT_EQ(input.grid_rows, 2U);
    EXPECT_EQ(input.grid_columns, 3U);
    EXPECT_EQ(input.algorithm, (Json{{"least_columns", 4},
                                     {"route", "2ringM"},
                                     {"look_ahead", 2},
                                     {"swap", "spread-roll"},
                                     {"swap_threshold", 48}}));
    EXPECT_EQ(input.left_out, std::vector<std::string>{"1 of 2 values of N"});
}

TEST(HpccInput, TellsWhatIsLeftOut) {
    auto lines = input_lines();
    lines[8] = "1 PMAP";
    lines[12] = "1e-9 threshold";
    lines[18] = "3 NDIV";
    lines[14] = "1 PFACT";
    lines[20] = "1 RFACT";
    for (auto const* more : {"##### ignored", "1 sizes", "2000", "0 blocks"}) {
        lines.emplace_back(more);
    }
    lines.emplace_back("40 blocks");
    lines[34] = "1 blocks";
    EXPECT_EQ(parsed(lines).left_out,
              (std::vector<std::string>{"1 of 2 values of N", "PFACT: columns are factored left-looking",
                                        "RFACT: halves of panels are factored right-looking",
                                        "a threshold of 1e-9: residuals pass below 16",
                                        "PMAP 1, ranks by columns of the grid", "NDIV 3: a panel is halved",
                                        "more sizes for PTRANS", "more blocks for PTRANS"}));
}

TEST(HpccInput, TellsEachListOfWhichOneValueIsTaken) {
    for (auto const& [line, name] :
         {std::pair(8U, "NB"), {17U, "NBMIN"}, {19U, "NDIV"}, {23U, "BCAST"}, {25U, "DEPTH"}}) {
        auto lines = input_lines();
        lines.at(line - 2) = "2 values";
        lines.at(line - 1) = "2 3 of them";
        auto const left_out = parsed(lines).left_out;
        EXPECT_EQ(std::count(left_out.begin(), left_out.end(), std::string("1 of 2 values of ") + name), 1) << name;
    }
}

TEST(HpccInput, TakesAThresholdThatIsTooSmallToTell) {
    auto lines = input_lines();
    lines[12] = "1e-400";
    EXPECT_EQ(parsed(lines).left_out.back(), "a threshold of 1e-400: residuals pass below 16");
    lines[12] = "16";
    EXPECT_EQ(parsed(lines).left_out.size(), 1U) << "only the other N";
}

TEST(HpccInput, RefusesMissingLinesAndNonsenseByTheirNumber) {
    auto const problem_with = [](std::size_t line, std::string const& text) {
        auto lines = input_lines();
        lines[line - 1] = text;
        try {
            parsed(lines);
        } catch (Error const& error) {
            EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
            return error.diagnosis().problem + ": " + error.diagnosis().reason;
        }
        return std::string();
    };
    EXPECT_EQ(problem_with(6, "1000 Ns"),
              "line 6 of hpccinf.txt must hold 2 numbers from 1 to 1000000: N: it is '1000 Ns'");
    EXPECT_EQ(problem_with(6, "20 79 Ns"),
              "line 8 of hpccinf.txt must hold blocks that are no larger than N = 79: it is '80           NBs'");
    for (auto const& [line, text] : {std::pair<std::size_t, std::string>{5, "0"},
                                     {6, "-5 7"},
                                     {6, "0 1"},
                                     {7, ""},
                                     {8, "1e3"},
                                     {8, "99999999999999999999"},
                                     {9, "2"},
                                     {11, "0"},
                                     {12, "x"},
                                     {13, ""},
                                     {13, "16.0x"},
                                     {13, "nan"},
                                     {13, "0x10"},
                                     {13, std::string("16\0", 3)},
                                     {17, "0"},
                                     {19, "1"},
                                     {23, "6"},
                                     {26, "3"},
                                     {27, "?"},
                                     {28, "2"},
                                     {29, "L"},
                                     {30, "-1"},
                                     {31, "0"}}) {
        EXPECT_NE(problem_with(line, text), "") << line << " " << text;
    }
    auto lines = input_lines();
    while (!lines.empty()) {
        lines.pop_back();
        try {
            parsed(lines);
            ADD_FAILURE() << lines.size();
        } catch (Error const& error) {
            auto const ends = "the file ends after " + std::to_string(lines.size()) + " lines";
            EXPECT_EQ(error.diagnosis().reason, ends);
            constexpr std::size_t first_that_counts = 5;
            auto const first = "line " + std::to_string(std::max(lines.size() + 1, first_that_counts)) + " of";
            EXPECT_EQ(error.diagnosis().problem.substr(0, first.size()), first);
        }
    }
}

}  // namespace
}  // namespace weir
