#include "bench/compute/hpcc/hpcc_tests.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <sstream>
#include <utility>

#include "bench/compute/fft/global_transform.hpp"
#include "bench/compute/hpl/hpl_memory.hpp"
#include "bench/compute/hpl/lu.hpp"
#include "core/error.hpp"
#include "core/join.hpp"

namespace weir {
namespace {

/// The sizes that HPCC 1.5.0 derives from the memory m of each of p ranks for HPL's matrix.
struct HpccSizes {
    std::uint64_t hpl;             ///< order: sqrt(p m / 8), in whole blocks
    std::uint64_t ptrans;          ///< order: half of HPL's
    std::uint64_t dgemm;           ///< order: sqrt(m / 24), rounded, less 1
    std::uint64_t stream;          ///< elements of a vector: m / 24
    std::uint64_t log2_words;      ///< of a rank's table of updates: the largest within m
    std::uint64_t log2_all_words;  ///< of the table of all ranks: the largest within p m
    std::uint64_t fft;             ///< numbers of a rank's transform: a power of two within m / 32
    std::uint64_t global_fft;      ///< of all ranks': a power of two within m / (64 p), times p^2

    explicit HpccSizes(HpccSetting const& setting) {
        auto const m = std::max<std::uint64_t>(setting.bytes_of_rank, 4096);
        auto const p = setting.ranks;
        hpl = setting.hpl_size > 0 ? setting.hpl_size : hpl_order(setting, m);
        ptrans = std::max<std::uint64_t>(hpl / 2, 1);
        constexpr std::uint64_t arrays_of_doubles = 24;
        auto const order = std::sqrt(static_cast<double>(m) / arrays_of_doubles);
        dgemm = static_cast<std::uint64_t>(std::max(order - 0.5, 1.0));
        stream = m / arrays_of_doubles;
        log2_words = static_cast<std::uint64_t>(std::bit_width(m / sizeof(std::uint64_t))) - 1;
        log2_all_words = static_cast<std::uint64_t>(std::bit_width(m * p / sizeof(std::uint64_t))) - 1;
        fft = std::bit_floor(m / (2 * sizeof(Complex)));
        global_fft = std::max<std::uint64_t>(std::bit_floor(m / (4 * sizeof(Complex) * p)), 1) * p * p;
    }
};

/// Those between commas or spaces.
std::vector<std::string> words_of(std::vector<std::string> const& texts) {
    std::vector<std::string> words;
    for (auto text : texts) {
        std::replace(text.begin(), text.end(), ',', ' ');
        std::istringstream parts(text);
        for (std::string word; parts >> word;) {
            words.push_back(word);
        }
    }
    return words;
}

}  // namespace

std::optional<ScreenPlace> first_screen_of(std::string_view phase, bool within_node) {
    using Shown = std::pair<std::string_view, char const*>;
    static constexpr std::array shown{Shown{"hpl", "HPL"},
                                      Shown{"ptrans", "PTRANS"},
                                      Shown{"random-access", "RandomAccess"},
                                      Shown{"fft", "FFT"},
                                      Shown{"star-dgemm", "DGEMM, each rank"},
                                      Shown{"star-triad", "STREAM triad, each rank"},
                                      Shown{"random-ring", "Random rings, latency"}};
    auto const found = std::ranges::find(shown, phase, &Shown::first);
    if (found == shown.end()) {
        return {};
    }
    auto const* const label =
        within_node && phase == "random-ring" ? "Random rings within one node, latency" : found->second;
    return ScreenPlace{static_cast<std::uint64_t>(found - shown.begin()), label};
}

std::uint64_t hpl_order(HpccSetting const& setting, std::uint64_t bytes_of_rank) {
    auto const ahead = setting.hpl.value("look_ahead", LuPlan{}.look_ahead);
    HplMemory const memory(setting.grid(), setting.ranks, ahead);
    auto const order = std::min(memory.order_of_matrix(bytes_of_rank), memory.order_within(setting.free_bytes));
    return std::max(order, setting.block);
}

std::vector<HpccTest> hpcc_tests(HpccSetting const& setting) {
    HpccSizes const sizes(setting);
    std::vector<HpccTest> tests;
    auto const add = [&](std::string name, std::string benchmark, std::string prefix, Json options) {
        if (setting.pages != PagesOfTests::own && benchmark != "rings") {
            options["large_pages"] = setting.pages == PagesOfTests::large;
        }
        auto const growth = benchmark == "hpl" || benchmark == "dgemm" ? 1.5 : benchmark == "rings" ? 0 : 1;
        tests.push_back({std::move(name), std::move(benchmark), std::move(prefix), std::move(options), growth});
    };
    auto const add_noise = [&](std::string const& when) {
        tests.push_back({"noise-" + when, "noise", "", Json::object(), 0, "noise-" + when});
    };
    add_noise("before");
    for (auto const* numbers : {"polynomial", "linear"}) {
        std::string const lcg = std::string(numbers) == "linear" ? "lcg-" : "";
        for (std::string const sharing : {"global", "star", "single"}) {
            auto const global = sharing == "global";
            add(lcg + sharing + "-random-access", "random-access", lcg + (global ? "" : sharing + "-"),
                {{"sharing", sharing},
                 {"numbers", numbers},
                 {"log2_words", global ? sizes.log2_all_words : sizes.log2_words}});
        }
    }
    auto grid = setting.grid();
    grid.fit_block(sizes.hpl);
    Json const distribution{{"block", grid.block}, {"grid_rows", setting.grid_rows}, {"seed", setting.seed}};
    Json const library{{"blas", setting.blas}, {"threads", setting.threads}, {"seed", setting.seed}};
    Json transposed = distribution;
    transposed["size"] = sizes.ptrans;
    transposed["block"] = std::min(grid.block, sizes.ptrans);
    add("ptrans", "ptrans", "", transposed);
    for (std::string const sharing : {"star", "single"}) {
        Json product = library;
        product.update({{"size", sizes.dgemm}, {"sharing", sharing}});
        add(sharing + "-dgemm", "dgemm", sharing + "-", product);
    }
    for (std::string const sharing : {"star", "single"}) {
        add(sharing + "-stream", "stream", sharing + "-",
            {{"size", sizes.stream}, {"sharing", sharing}, {"stores", setting.stores}});
    }
    for (std::string const sharing : {"global", "star", "single"}) {
        auto const global = sharing == "global";
        add(sharing + "-fft", "fft", global ? "" : sharing + "-",
            {{"sharing", sharing},
             {"size", global ? sizes.global_fft : sizes.fft},
             {"library", setting.transforms},
             {"planning", setting.planning_s},
             {"seed", setting.seed}});
    }
    if (setting.ranks > 1) {
        add("rings", "rings", "", {{"seed", setting.seed}});
    }
    Json system = distribution;
    system.update(library);
    system.update(setting.hpl);
    system["size"] = sizes.hpl;
    add("hpl", "hpl", "", system);
    add_noise("after");
    return tests;
}

std::vector<HpccTest> chosen_tests(HpccSetting const& setting, std::vector<std::string> const& texts) {
    auto tests = hpcc_tests(setting);
    if (texts.empty()) {
        return tests;
    }
    auto const asked = words_of(texts);
    validate(!asked.empty(), "no test is named", "there are none between the commas of `tests`",
             "Leave `tests` out for all of them.");
    std::vector<std::string> names;
    std::transform(tests.begin(), tests.end(), std::back_inserter(names), [](auto const& test) { return test.name; });
    for (auto const& name : asked) {
        auto const needs_ranks = name == "rings";
        validate(std::find(names.begin(), names.end(), name) != names.end(),
                 (needs_ranks ? "this launch cannot run the test '" : "there is no test '") + name + "'",
                 needs_ranks ? "it needs two ranks, and one was started" : "no test has this name",
                 "Take some of: " + join(names, ", ") + ".");
    }
    std::erase_if(
        tests, [&](HpccTest const& test) { return std::find(asked.begin(), asked.end(), test.name) == asked.end(); });
    return tests;
}

}  // namespace weir
