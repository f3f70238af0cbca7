#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/compute/linear/process_grid.hpp"
#include "bench/metric.hpp"
#include "core/json.hpp"
#include "core/quantity.hpp"

namespace weir {

/// One of the tests of the HPC Challenge: a benchmark of Weir's with some options. Its phases are named with `prefix`.
struct HpccTest {
    std::string name;
    std::string benchmark;
    std::string prefix;
    Json options;
    double growth = 1;    ///< its time grows with this power of the memory
    std::string phase{};  ///< in place of its own; empty: the prefix and its own
};

/// Of a phase of all tests' that is on the first screen of results; none of others. Messages within a node are called
/// that. Pure.
std::optional<ScreenPlace> first_screen_of(std::string_view phase, bool within_node);

/// The pages of all tests' memory: each test's own by default, which are large for HPL.
enum class PagesOfTests { own, usual, large };
constexpr std::array<std::string_view, 3> enum_names(PagesOfTests) { return {"own", "usual", "large"}; }

/// What all tests have in common.
struct HpccSetting {
    std::uint64_t bytes_of_rank = 0;                     ///< of HPL's matrix, from which all take their sizes
    std::uint64_t free_bytes = std::uint64_t{1} << 50U;  ///< of a rank: HPL's panels must fit beside the matrix
    std::uint64_t hpl_size = 0;                          ///< its order; 0: whole blocks of that
    Json hpl = Json::object();                           ///< more options of HPL
    double planning_s = 10;                              ///< for each plan of FFTW, about, at most
    std::uint64_t ranks = 1;
    std::uint64_t block = 0;  ///< 0: HPL's own, or less for a smaller matrix
    std::uint64_t grid_rows = 0;
    std::uint64_t threads = 1;
    std::string blas = "auto";
    std::string transforms = "auto";
    std::string stores = "ordinary";  ///< of STREAM
    std::uint64_t seed = 1;
    PagesOfTests pages = PagesOfTests::own;

    [[nodiscard]] GridOptions grid() const {
        return {.block = hpl_block, .asked_block = block, .asked_rows = grid_rows};
    }
};

/// HPL's order: that of a matrix of so many bytes of each rank in whole blocks, or less where its panels would not fit
/// beside it. Pure.
std::uint64_t hpl_order(HpccSetting const&, std::uint64_t bytes_of_rank);

/// All of them in HPCC's order, HPL last, and the noise of the machine before and after; without those of messages
/// where there is one rank. Pure.
std::vector<HpccTest> hpcc_tests(HpccSetting const&);

/// Those whose names are in the texts, between commas or spaces; all without any text. Throws Error (usage), with all
/// names, where there is no such test. Pure.
std::vector<HpccTest> chosen_tests(HpccSetting const&, std::vector<std::string> const& texts);

}  // namespace weir
