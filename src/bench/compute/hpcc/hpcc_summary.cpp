#include "bench/compute/hpcc/hpcc_summary.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>

#include "bench/compute/fft/transform.hpp"
#include "bench/compute/hpcc/summary_lines.hpp"
#include "bench/compute/hpl/panel_broadcast.hpp"
#include "bench/compute/linear/cache_share.hpp"
#include "core/enum_names.hpp"
#include "core/join.hpp"
#include "core/proc.hpp"
#include "core/version.hpp"

namespace weir {
namespace {

constexpr double giga = 1e9;

bool is_of_caches(Json const& sample) {
    auto const warnings = sample.value("warnings", Json::array());
    return std::any_of(warnings.begin(), warnings.end(),
                       [](Json const& one) { return one.at("code") == CacheShare::code; });
}

template <class Number>
void machine_numbers(SummaryLines& lines, std::string const& prefix) {
    using Limits = std::numeric_limits<Number>;
    auto const write = [&](char const* name, double value) { lines.text(prefix + name, fmt::format("{:.6e}", value)); };
    write("EPS", Limits::epsilon() / 2);
    write("SFMIN", Limits::min());
    write("BASE", Limits::radix);
    write("PREC", Limits::epsilon());
    write("MLEN", Limits::digits);
    write("RND", 1);
    write("EMIN", Limits::min_exponent);
    write("RMIN", Limits::min());
    write("EMAX", Limits::max_exponent);
    write("RMAX", Limits::max());
}

void head(SummaryLines& lines, std::uint64_t ranks, bool success) {
    for (auto const& [key, value] : {std::pair("VersionMajor", "1"),
                                     {"VersionMinor", "5"},
                                     {"VersionMicro", "0"},
                                     {"VersionRelease", "f"},
                                     {"LANG", "C"}}) {
        lines.text(key, value);
    }
    lines.number("Success", success ? 1 : 0);
    for (auto const& [key, bytes] : {std::pair("char", sizeof(char)),
                                     {"short", sizeof(short)},
                                     {"int", sizeof(int)},
                                     {"long", sizeof(long)},
                                     {"void_ptr", sizeof(void*)},
                                     {"size_t", sizeof(std::size_t)},
                                     {"float", sizeof(float)},
                                     {"double", sizeof(double)},
                                     {"s64Int", sizeof(std::int64_t)},
                                     {"u64Int", sizeof(std::uint64_t)},
                                     {"struct_double_double", 2 * sizeof(double)}}) {
        lines.number(std::string("sizeof_") + key, static_cast<double>(bytes));
    }
    lines.number("CommWorldProcs", static_cast<double>(ranks));
    lines.text("MPI_Wtick", fmt::format("{:.6e}", MPI_Wtick()));
}

void hpl(SummaryLines& lines, std::uint64_t ranks) {
    lines.of("hpl").metric("HPL_Tflops", "flop_per_s", 1e12);
    lines.metric("HPL_time", "elapsed_s");
    lines.number("HPL_eps", std::numeric_limits<double>::epsilon() / 2);
    for (auto const& [key, name] : {std::pair("HPL_RnormI", "residual"),
                                    {"HPL_Anorm1", "matrix_1"},
                                    {"HPL_AnormI", "matrix_i"},
                                    {"HPL_Xnorm1", "solution_1"},
                                    {"HPL_XnormI", "solution_i"},
                                    {"HPL_BnormI", "right_side_i"}}) {
        lines.detail(key, std::string("/norms/") + name);
    }
    for (auto const& [key, name] : {std::pair("HPL_N", "size"),
                                    {"HPL_NB", "block"},
                                    {"HPL_nprow", "grid_rows"},
                                    {"HPL_npcol", "grid_columns"},
                                    {"HPL_depth", "look_ahead"}}) {
        lines.detail(key, std::string("/") + name);
    }
    lines.text("HPL_nbdiv", "2");
    lines.detail("HPL_nbmin", "/least_columns");
    lines.text("HPL_cpfact", "L");
    lines.text("HPL_crfact", "R");
    auto const route = lines.found("/route");
    lines.number("HPL_ctop",
                 route ? static_cast<double>(from_text<PanelRoute>(route->get<std::string>(), "route")) : -1);
    lines.text("HPL_order", "R");
    machine_numbers<double>(lines, "HPL_dMACH_");
    machine_numbers<float>(lines, "HPL_sMACH_");
    lines.text("dweps", fmt::format("{:.6e}", std::numeric_limits<double>::epsilon() / 2));
    lines.text("sweps", fmt::format("{:.6e}", std::numeric_limits<float>::epsilon() / 2));
    lines.number("HPLMaxProcs", static_cast<double>(ranks));
    lines.number("HPLMinProcs", static_cast<double>(ranks));
}

void products_and_transposition(SummaryLines& lines) {
    lines.of_either("", "dgemm").detail("DGEMM_N", "/size");
    lines.of("star-dgemm").metric("StarDGEMM_Gflops", "flop_per_s", giga);
    lines.of("single-dgemm").metric("SingleDGEMM_Gflops", "flop_per_s", giga);
    lines.of("ptrans").metric("PTRANS_GBs", "bandwidth_bytes_per_s", giga);
    lines.metric("PTRANS_time", "elapsed_s");
    lines.metric("PTRANS_residual", "scaled_residual");
    for (auto const& [key, name] : {std::pair("PTRANS_n", "size"),
                                    {"PTRANS_nb", "block"},
                                    {"PTRANS_nprow", "grid_rows"},
                                    {"PTRANS_npcol", "grid_columns"}}) {
        lines.detail(key, std::string("/") + name);
    }
}

void updates(SummaryLines& lines) {
    for (auto const& [infix, series] : {std::pair("_LCG", "lcg-"), {"", ""}}) {
        auto const name = std::string("MPIRandomAccess") + infix;
        lines.of(series + std::string("random-access")).detail(name + "_N", "/words");
        lines.metric(name + "_time", "elapsed_s");
        lines.detail(name + "_CheckTime", "/check_s");
        lines.metric(name + "_Errors", "wrong_words");
        auto const words = lines.found("/words");
        lines.metric(name + "_ErrorsFraction", "wrong_words", words ? words->get<double>() : 1);
        lines.detail(name + "_ExeUpdates", "/updates");
        lines.metric(name + "_GUPs", "updates_per_s", giga);
        lines.detail(name + "_TimeBound", "/longest_s");
        lines.text(name + "_Algorithm", "-1");
    }
    for (auto const& [infix, series] : {std::pair("_LCG", "lcg-"), {"", ""}}) {
        auto const name = std::string("RandomAccess") + infix;
        lines.of_either(series, "random-access").detail(name + "_N", "/words");
        lines.of(series + std::string("star-random-access")).metric("Star" + name + "_GUPs", "updates_per_s", giga);
        lines.of(series + std::string("single-random-access")).metric("Single" + name + "_GUPs", "updates_per_s", giga);
    }
}

void streams_and_transforms(SummaryLines& lines) {
    lines.of_either("", "copy").detail("STREAM_VectorSize", "/size");
    lines.text("STREAM_Threads", "1");
    for (auto const& [name, prefix] : {std::pair("Star", "star-"), {"Single", "single-"}}) {
        for (auto const& [kernel, phase] :
             {std::pair("Copy", "copy"), {"Scale", "scale"}, {"Add", "add"}, {"Triad", "triad"}}) {
            lines.of(std::string(prefix) + phase)
                .metric(fmt::format("{}STREAM_{}", name, kernel), "bandwidth_bytes_per_s", giga);
        }
    }
    lines.of_either("", "fft").detail("FFT_N", "/size");
    lines.of("star-fft").metric("StarFFT_Gflops", "flop_per_s", giga);
    lines.of("single-fft").metric("SingleFFT_Gflops", "flop_per_s", giga);
    lines.of("fft").detail("MPIFFT_N", "/size");
    lines.metric("MPIFFT_Gflops", "flop_per_s", giga);
    lines.detail("MPIFFT_maxErr", "/greatest_error");
    lines.detail("MPIFFT_Procs", "/working_ranks");
}

void messages(SummaryLines& lines) {
    lines.of("ping-pong").metric("MaxPingPongLatency_usec", "greatest_latency_us");
    lines.of("random-ring").metric("RandomlyOrderedRingLatency_usec", "latency_us");
    lines.of("ping-pong").metric("MinPingPongBandwidth_GBytes", "least_bandwidth_bytes_per_s", giga);
    lines.of("natural-ring").metric("NaturallyOrderedRingBandwidth_GBytes", "bandwidth_bytes_per_s", giga);
    lines.of("random-ring").metric("RandomlyOrderedRingBandwidth_GBytes", "bandwidth_bytes_per_s", giga);
    lines.of("ping-pong").metric("MinPingPongLatency_usec", "least_latency_us");
    lines.metric("AvgPingPongLatency_usec", "latency_us");
    lines.metric("MaxPingPongBandwidth_GBytes", "greatest_bandwidth_bytes_per_s", giga);
    lines.metric("AvgPingPongBandwidth_GBytes", "bandwidth_bytes_per_s", giga);
    lines.of("natural-ring").metric("NaturallyOrderedRingLatency_usec", "latency_us");
}

void tests_but_hpl(SummaryLines& lines) {
    products_and_transposition(lines);
    updates(lines);
    streams_and_transforms(lines);
    messages(lines);
}

/// Settings of HPCC's own program.
void tail(SummaryLines& lines) {
    for (auto const* key : {"FFTEnblk", "FFTEnp", "FFTEl2size", "M_OPENMP", "omp_get_num_threads",
                            "omp_get_max_threads", "omp_get_num_procs", "MemProc", "MemSpec", "MemVal"}) {
        lines.text(key, "-1");
    }
    lines.of("fft").text("MPIFFT_time0", "-1");
    for (int part = 0; part < 5; ++part) {
        lines.detail(fmt::format("MPIFFT_time{}", part + 1), fmt::format("/parts_s/{}", part));
    }
    lines.text("MPIFFT_time6", "-1");
    for (auto const* key : {"HPCC_FFT_235", "HPCC_FFTW_ESTIMATE", "HPCC_MEMALLCTR", "HPL_USE_GETPROCESSTIMES",
                            "RA_SANDIA_NOPT", "RA_SANDIA_OPT2"}) {
        lines.text(std::string("CPS_") + key, "0");
    }
    auto const library = lines.found("/library");
    lines.number("CPS_USING_FFTW", library && library->get<std::string>() != plain_library ? 1 : 0);
}

/// Whether the size of HPL conforms; empty without HPL.
std::string memory_words(SummaryLines& lines) {
    auto const memory = lines.of("hpl").found("/memory");
    return !memory || !memory->is_object()
               ? ""
               : fmt::format("{}: the matrix of HPL took {:.3g} % of the memory, and the rules want half or more",
                             memory->at("conforming").get<bool>() ? "Conforming" : "Not conforming",
                             100 * memory->at("share").get<double>());
}

/// "Words: phases.", and a line's end; empty without phases.
std::string line_on(std::string_view words, std::vector<std::string> const& phases) {
    return phases.empty() ? "" : fmt::format("{}: {}.\n", words, join(phases, ", "));
}

/// Lines: which tests' results are wrong, of the caches, of an optimized or of a baseline run, and whether the size of
/// HPL conforms.
std::string kind_of_run(SummaryLines& lines) {
    auto const under = [&](std::string_view rules) {
        return lines.phases_with([&](Json const& sample) { return sample.at("details").value("rules", "") == rules; });
    };
    auto text = line_on("WRONG, their checks failed", lines.phases_with(is_wrong));
    text += line_on("Of the caches, wholly or in part: these fit into four times the last one",
                    lines.phases_with(is_of_caches));
    text += line_on("Optimized, by the rules of the HPC Challenge", under("optimized"));
    text += line_on("Baseline", under("baseline"));
    if (auto const memory = memory_words(lines); !memory.empty()) {
        text += memory + ".\n";
    }
    if (auto const blas = lines.found("/blas/library")) {
        text += "BLAS: " + blas->get<std::string>() + ".\n";
    }
    return text;
}

}  // namespace

void HpccSummary::mark_wrong_after(std::size_t count) {
    for (auto i = count; i < samples_.size(); ++i) {
        samples_[i][SummaryLines::wrong] = true;
    }
}

std::string HpccSummary::text(std::uint64_t ranks, bool success) const {
    SummaryLines lines(samples_);
    head(lines, ranks, success);
    hpl(lines, ranks);
    tests_but_hpl(lines);
    tail(lines);
    return fmt::format(
        "Weir {}: its tests of the HPC Challenge, by the names and units of HPCC 1.5.0. {}, {}, {} rank{}.\n{}"
        "-1: not measured, or a setting of HPCC's own program.\n"
        "Begin of Summary section.\n{}End of Summary section.\n",
        version, utc_time(), host_name(), ranks, ranks == 1 ? "" : "s", kind_of_run(lines), lines.all());
}

std::vector<std::string> HpccSummary::main_results(std::uint64_t ranks) const {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 14> shown{
        {{"HPL_Tflops", "Tflop/s"},
         {"StarDGEMM_Gflops", "Gflop/s"},
         {"SingleDGEMM_Gflops", "Gflop/s"},
         {"PTRANS_GBs", "GB/s"},
         {"MPIRandomAccess_GUPs", "GUP/s"},
         {"StarRandomAccess_GUPs", "GUP/s"},
         {"SingleRandomAccess_GUPs", "GUP/s"},
         {"StarSTREAM_Triad", "GB/s"},
         {"SingleSTREAM_Triad", "GB/s"},
         {"StarFFT_Gflops", "Gflop/s"},
         {"SingleFFT_Gflops", "Gflop/s"},
         {"MPIFFT_Gflops", "Gflop/s"},
         {"RandomlyOrderedRingLatency_usec", "us"},
         {"RandomlyOrderedRingBandwidth_GBytes", "GB/s"}}};
    SummaryLines lines(samples_);
    hpl(lines, ranks);
    tests_but_hpl(lines);
    std::vector<std::string> told;
    std::size_t count = 0;
    for (auto const& [key, unit] : shown) {
        for (auto const& one : lines.results()) {
            if (one.key == key) {
                count = std::max(count, one.count);
                told.push_back(fmt::format("{:<36}{:>8.4g} {:<8} {}, n = {}{}", key, one.value, unit, one.rules,
                                           one.count, one.marks));
            }
        }
    }
    if (!told.empty()) {
        told.push_back(count > 1
                           ? "Medians of n samples of one launch, which tell no interval: weir run hpcc takes more"
                           : "One sample each, which tells no interval: weir run hpcc takes more");
    }
    if (auto const memory = memory_words(lines); !memory.empty()) {
        told.push_back(memory);
    }
    return told;
}

}  // namespace weir
