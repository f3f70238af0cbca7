#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "bench/compute/hpcc/hpcc_summary.hpp"
#include "bench/compute/hpcc/summary_file.hpp"
#include "bench/compute/hpcc/time_budget.hpp"
#include "bench/compute/linear/cache_share.hpp"
#include "bench/run_cases.hpp"
#include "core/proc.hpp"
#include "support/limits.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

/// The keys of the summary that HPCC 1.5.0 of Debian writes, in its order, between commas.
constexpr std::string_view keys_of_hpcc =
    "VersionMajor,VersionMinor,VersionMicro,VersionRelease,LANG,Success,sizeof_char,sizeof_short,sizeof_int,sizeof_"
    "long,"
    "sizeof_void_ptr,sizeof_size_t,sizeof_float,sizeof_double,sizeof_s64Int,sizeof_u64Int,sizeof_struct_double_double,"
    "CommWorldProcs,MPI_Wtick,HPL_Tflops,HPL_time,HPL_eps,HPL_RnormI,HPL_Anorm1,HPL_AnormI,HPL_Xnorm1,HPL_XnormI,"
    "HPL_BnormI,HPL_N,HPL_NB,HPL_nprow,HPL_npcol,HPL_depth,HPL_nbdiv,HPL_nbmin,HPL_cpfact,HPL_crfact,HPL_ctop,HPL_"
    "order,"
    "HPL_dMACH_EPS,HPL_dMACH_SFMIN,HPL_dMACH_BASE,HPL_dMACH_PREC,HPL_dMACH_MLEN,HPL_dMACH_RND,HPL_dMACH_EMIN,"
    "HPL_dMACH_RMIN,HPL_dMACH_EMAX,HPL_dMACH_RMAX,HPL_sMACH_EPS,HPL_sMACH_SFMIN,HPL_sMACH_BASE,HPL_sMACH_PREC,"
    "HPL_sMACH_MLEN,HPL_sMACH_RND,HPL_sMACH_EMIN,HPL_sMACH_RMIN,HPL_sMACH_EMAX,HPL_sMACH_RMAX,dweps,sweps,HPLMaxProcs,"
    "HPLMinProcs,DGEMM_N,StarDGEMM_Gflops,SingleDGEMM_Gflops,PTRANS_GBs,PTRANS_time,PTRANS_residual,PTRANS_n,PTRANS_nb,"
    "PTRANS_nprow,PTRANS_npcol,MPIRandomAccess_LCG_N,MPIRandomAccess_LCG_time,MPIRandomAccess_LCG_CheckTime,"
    "MPIRandomAccess_LCG_Errors,MPIRandomAccess_LCG_ErrorsFraction,MPIRandomAccess_LCG_ExeUpdates,"
    "MPIRandomAccess_LCG_GUPs,MPIRandomAccess_LCG_TimeBound,MPIRandomAccess_LCG_Algorithm,MPIRandomAccess_N,"
    "MPIRandomAccess_time,MPIRandomAccess_CheckTime,MPIRandomAccess_Errors,MPIRandomAccess_ErrorsFraction,"
    "MPIRandomAccess_ExeUpdates,MPIRandomAccess_GUPs,MPIRandomAccess_TimeBound,MPIRandomAccess_Algorithm,"
    "RandomAccess_LCG_N,StarRandomAccess_LCG_GUPs,SingleRandomAccess_LCG_GUPs,RandomAccess_N,StarRandomAccess_GUPs,"
    "SingleRandomAccess_GUPs,STREAM_VectorSize,STREAM_Threads,StarSTREAM_Copy,StarSTREAM_Scale,StarSTREAM_Add,"
    "StarSTREAM_Triad,SingleSTREAM_Copy,SingleSTREAM_Scale,SingleSTREAM_Add,SingleSTREAM_Triad,FFT_N,StarFFT_Gflops,"
    "SingleFFT_Gflops,MPIFFT_N,MPIFFT_Gflops,MPIFFT_maxErr,MPIFFT_Procs,MaxPingPongLatency_usec,"
    "RandomlyOrderedRingLatency_usec,MinPingPongBandwidth_GBytes,NaturallyOrderedRingBandwidth_GBytes,"
    "RandomlyOrderedRingBandwidth_GBytes,MinPingPongLatency_usec,AvgPingPongLatency_usec,MaxPingPongBandwidth_GBytes,"
    "AvgPingPongBandwidth_GBytes,NaturallyOrderedRingLatency_usec,FFTEnblk,FFTEnp,FFTEl2size,M_OPENMP,"
    "omp_get_num_threads,omp_get_max_threads,omp_get_num_procs,MemProc,MemSpec,MemVal,MPIFFT_time0,MPIFFT_time1,"
    "MPIFFT_time2,MPIFFT_time3,MPIFFT_time4,MPIFFT_time5,MPIFFT_time6,CPS_HPCC_FFT_235,CPS_HPCC_FFTW_ESTIMATE,"
    "CPS_HPCC_MEMALLCTR,CPS_HPL_USE_GETPROCESSTIMES,CPS_RA_SANDIA_NOPT,CPS_RA_SANDIA_OPT2,CPS_USING_FFTW,";

struct Written {
    std::string keys;  ///< each with a comma behind
    std::map<std::string, std::string> values;
};

Written parsed(std::string const& text) {
    Written written;
    std::istringstream lines(text);
    auto inside = false;
    for (std::string line; std::getline(lines, line);) {
        auto const equals = line.find('=');
        if (inside && equals != std::string::npos) {
            written.keys += line.substr(0, equals) + ",";
            written.values[line.substr(0, equals)] = line.substr(equals + 1);
        }
        inside = (inside || line == "Begin of Summary section.") && line != "End of Summary section.";
    }
    return written;
}

Json sample_of(std::string const& phase, std::string const& key, double value, Json details = Json::object()) {
    return {{"phase", phase}, {"metrics", Json::array({{{"key", key}, {"value", value}}})}, {"details", details}};
}

TEST(HpccSummary, HasEveryKeyInOrderAndOnlyWhatWasMeasured) {
    auto const nothing = parsed(HpccSummary().text(4, true));
    EXPECT_EQ(nothing.keys, keys_of_hpcc);
    EXPECT_EQ(nothing.values.at("CommWorldProcs"), "4");
    EXPECT_EQ(nothing.values.at("HPL_Tflops"), "-1");
    HpccSummary summary;
    for (auto const rate : {3e9, 9e9, 5e9}) {
        summary.add(sample_of("star-triad", "bandwidth_bytes_per_s", rate));
    }
    summary.add(
        sample_of("fft", "flop_per_s", 7e9, {{"size", 33554432}, {"library", "fftw-3"}, {"parts_s", {1, 2, 3, 4, 5}}}));
    auto const some = parsed(summary.text(4, false)).values;
    EXPECT_EQ(some.at("StarSTREAM_Triad"), "5");
    EXPECT_EQ(some.at("SingleSTREAM_Triad"), "-1");
    EXPECT_EQ(some.at("MPIFFT_N"), "33554432");
    EXPECT_EQ(some.at("MPIFFT_time3"), "3");
    EXPECT_EQ(some.at("CPS_USING_FFTW"), "1");
    EXPECT_EQ(some.at("Success"), "0");
}

/// Each key from its own metric of its own phase, in its own unit.
TEST(HpccSummary, TakesEachNumberFromItsOwnTest) {
    struct Source {
        std::string key, phase, metric;
        double unit;
    };
    std::string const rate = "bandwidth_bytes_per_s";
    std::vector<Source> sources{{"HPL_Tflops", "hpl", "flop_per_s", 1e12},
                                {"HPL_time", "hpl", "elapsed_s", 1},
                                {"PTRANS_GBs", "ptrans", rate, 1e9},
                                {"PTRANS_time", "ptrans", "elapsed_s", 1},
                                {"PTRANS_residual", "ptrans", "scaled_residual", 1},
                                {"MPIFFT_Gflops", "fft", "flop_per_s", 1e9}};
    using Names = std::pair<std::string, std::string>;
    for (auto const& [form, prefix] : {Names{"Star", "star-"}, {"Single", "single-"}}) {
        sources.push_back({form + "DGEMM_Gflops", prefix + "dgemm", "flop_per_s", 1e9});
        sources.push_back({form + "FFT_Gflops", prefix + "fft", "flop_per_s", 1e9});
        for (auto const& [kernel, phase] :
             {Names{"Copy", "copy"}, {"Scale", "scale"}, {"Add", "add"}, {"Triad", "triad"}}) {
            sources.push_back({form + "STREAM_" + kernel, prefix + phase, rate, 1e9});
        }
    }
    for (auto const& [infix, series] : {Names{"", ""}, {"_LCG", "lcg-"}}) {
        auto const key = "RandomAccess" + infix;
        sources.push_back({"MPI" + key + "_time", series + "random-access", "elapsed_s", 1});
        sources.push_back({"MPI" + key + "_Errors", series + "random-access", "wrong_words", 1});
        sources.push_back({"MPI" + key + "_GUPs", series + "random-access", "updates_per_s", 1e9});
        sources.push_back({"Star" + key + "_GUPs", series + "star-random-access", "updates_per_s", 1e9});
        sources.push_back({"Single" + key + "_GUPs", series + "single-random-access", "updates_per_s", 1e9});
    }
    for (auto const& [key, phase, prefix] : {std::array<std::string, 3>{"NaturallyOrderedRing", "natural-ring", ""},
                                             {"RandomlyOrderedRing", "random-ring", ""},
                                             {"MinPingPong", "ping-pong", "least_"},
                                             {"AvgPingPong", "ping-pong", ""},
                                             {"MaxPingPong", "ping-pong", "greatest_"}}) {
        sources.push_back({key + "Latency_usec", phase, prefix + "latency_us", 1});
        sources.push_back({key + "Bandwidth_GBytes", phase, prefix + rate, 1e9});
    }
    HpccSummary summary;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        auto const& one = sources[i];
        summary.add(sample_of(one.phase, one.metric, static_cast<double>(i + 1) * one.unit));
    }
    auto const norms = std::array{"residual", "matrix_1", "matrix_i", "solution_1", "solution_i", "right_side_i"};
    auto const keys = std::array{"RnormI", "Anorm1", "AnormI", "Xnorm1", "XnormI", "BnormI"};
    Json details;
    for (std::size_t i = 0; i < norms.size(); ++i) {
        details["norms"][norms.at(i)] = 100 + i;
    }
    summary.add({{"phase", "hpl"}, {"metrics", Json::array()}, {"details", details}});
    auto const values = parsed(summary.text(4, true)).values;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        EXPECT_EQ(values.at(sources[i].key), std::to_string(i + 1)) << sources[i].key;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(values.at(std::string("HPL_") + keys.at(i)), std::to_string(100 + i)) << keys.at(i);
    }
}

TEST(HpccSummary, TakesASizeFromTheSingleFormOfTheSameSeriesWhereOnlyThatRan) {
    HpccSummary summary;
    summary.add(sample_of("lcg-single-random-access", "updates_per_s", 1e9, {{"words", 1024}}));
    summary.add(sample_of("single-random-access", "updates_per_s", 1e9, {{"words", 2048}}));
    auto const values = parsed(summary.text(4, true)).values;
    EXPECT_EQ(values.at("RandomAccess_LCG_N"), "1024");
    EXPECT_EQ(values.at("RandomAccess_N"), "2048");
}

TEST(HpccSummary, TellsMediansAsItsMainResults) {
    HpccSummary summary;
    EXPECT_TRUE(summary.main_results(4).empty());
    for (auto const rate : {9e12, 5e12, 3e12, 6e12, 1e12}) {
        summary.add(sample_of("hpl", "flop_per_s", rate, {{"rules", "optimized"}}));
    }
    auto const told = summary.main_results(4);
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0], fmt::format("{:<36}{:>8} {:<8} optimized, n = 5", "HPL_Tflops", 5, "Tflop/s"));
    EXPECT_TRUE(told[1].starts_with("Medians of n samples")) << told[1];
}

TEST(HpccSummary, MarksAFailedCheckAndWhatDoesNotConform) {
    HpccSummary summary;
    summary.add(sample_of("star-dgemm", "flop_per_s", 1e9, {{"rules", "baseline"}}));
    auto const before = summary.count();
    summary.add(sample_of("hpl", "flop_per_s", 1e12, {{"rules", "optimized"}}));
    summary.mark_wrong_after(before);
    summary.add(sample_of("random-access", "updates_per_s", 1e9, {{"rules", "optimized"}, {"conforming", false}}));
    auto const told = summary.main_results(2);
    ASSERT_EQ(told.size(), 4U);
    EXPECT_TRUE(told[0].ends_with("optimized, n = 1, WRONG: its check failed")) << told[0];
    EXPECT_TRUE(told[1].ends_with("baseline, n = 1")) << told[1];
    EXPECT_TRUE(told[2].ends_with("optimized, n = 1, not conforming")) << told[2];
    auto const text = summary.text(2, false);
    EXPECT_NE(text.find("\nWRONG, their checks failed: hpl.\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nBaseline: star-dgemm.\n"), std::string::npos) << text;
}

TEST(HpccSummary, SaysNothingOfWhatDidNotRun) {
    HpccSummary summary;
    auto const has = [&](std::string const& words) { return summary.text(2, true).find(words) != std::string::npos; };
    auto in_cache = sample_of("fft", "flop_per_s", 1e9, {{"rules", "optimized"}});
    in_cache["warnings"] = Json::array({{{"code", CacheShare::code}}});
    summary.add(sample_of("hpl", "flop_per_s", 1e12, {{"rules", "optimized"}}));
    EXPECT_TRUE(has("\nOptimized, by the rules of the HPC Challenge: hpl.\n"));
    for (auto const* words : {"Baseline", "WRONG", "caches"}) {
        EXPECT_FALSE(has(words)) << words;
    }
    summary.add(in_cache);
    EXPECT_TRUE(has("\nOf the caches, wholly or in part: these fit into four times the last one: fft.\n"));
}

TEST(SummaryFiles, HoldTheLastTextForWhichThereWasRoom) {
    testing::TemporaryDirectory const folder(Communicator::world());
    auto const path = (folder.path() / std::to_string(Communicator::world().rank())).string();
    auto const held = [&] {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    };
    SummaryFile file(path, std::string(50, 'a'));
    file.write("shorter", false);
    EXPECT_EQ(held(), "shorter");
    testing::SmallFiles const limited(100);
    EXPECT_NO_THROW(file.write(std::string(200, 'b'), false));
    EXPECT_EQ(held(), "shorter");
    EXPECT_THROW(file.write(std::string(200, 'b'), true), Error);
    EXPECT_EQ(held(), "shorter");
}

TEST(SummaryFiles, TellThatTheirFileWasTakenAway) {
    testing::TemporaryDirectory const folder(Communicator::world());
    auto const path = folder.path() / std::to_string(Communicator::world().rank());
    for (auto const is_replaced : {false, true}) {
        SummaryFile file(path.string(), "first");
        std::filesystem::remove(path);
        if (is_replaced) {
            std::ofstream(path) << "another's";
        }
        EXPECT_NO_THROW(file.write("second", false));
        EXPECT_THROW(file.write("last", true), Error);
    }
    std::string found;
    std::getline(std::ifstream(path) >> std::ws, found);
    EXPECT_EQ(found, "another's");
}

/// Free memory is what this process can still map.
TEST(HpccSizes, LeaveRoomInLittleMemory) {
    constexpr std::uint64_t mebi = 1U << 20U;
    auto const memory = [&](Json const& options) {
        auto const job = Benchmarks::instance().find("hpcc")->make_job();
        OptionSet set;
        job->declare(set);
        set.set_all(options);
        testing::SmallMemory const limited(60 * mebi);
        return job->describe(1)["totals"]["memory_bytes_per_rank"].get<double>();
    };
    constexpr double tests_have = 60.0 / 6 * 5 / 6 * 5 * mebi;  // twice room for libraries: less than 80 %
    EXPECT_NEAR(memory(Json::object()), tests_have, mebi / 4.0);
    EXPECT_EQ(memory({{"memory", 50 * mebi}}), 50.0 * mebi) << "who asks gets it";
}

struct HpccOutcome {
    ExitCode code = ExitCode::fine;
    std::vector<Json> lines;  ///< on rank 0

    [[nodiscard]] std::vector<Json> of(std::string const& kind) const {
        std::vector<Json> found;
        std::copy_if(lines.begin(), lines.end(), std::back_inserter(found),
                     [&](Json const& line) { return line["kind"] == kind; });
        return found;
    }
};

HpccOutcome outcome_of_hpcc(Json options) {
    MonotonicClock clock;
    MemoryLines lines;
    CaseFile file;
    file.warm_memory_bytes = 0;
    file.probe_state = false;
    options["transforms"] = "plain";
    if (!options.contains("input") && !options.contains("memory")) {
        options["memory"] = std::uint64_t{1} << 20U;
    }
    file.cases = {{"c", "hpcc", std::move(options)}};
    auto const code = run_cases(file, Communicator::world(), clock, lines);
    return {code, lines.lines};
}

ExitCode run_hpcc(Json options) { return outcome_of_hpcc(std::move(options)).code; }

/// A file of this order, block and depth of look-ahead, for a row of all ranks, or of so many. Collective.
std::string write_input(testing::TemporaryDirectory const& folder, std::uint64_t order, std::uint64_t block,
                        std::uint64_t depth, std::uint64_t columns = Communicator::world().size()) {
    auto const world = Communicator::world();
    auto const path = (folder.path() / "hpccinf.txt").string();
    if (world.is_root()) {
        std::ofstream(path) << fmt::format(
            "\n\n\n8\n1\n{} N\n1\n{} NB\n0\n1\n1 P\n{} Q\n16.0\n1\n0\n1\n4\n1\n2\n1\n2\n1\n0\n1\n{} depth\n2\n64\n"
            "0\n0\n1\n8\n",
            order, block, columns, depth);
    }
    world.barrier();
    return path;
}

/// Reads what the summary says of an earlier test when the sample of HPL comes.
class SummaryAtHpl final : public LineSink {
  public:
    explicit SummaryAtHpl(std::string path) : path_(std::move(path)) {}
    void write(Json const& line) override {
        if (line["kind"] == "sample" && line["phase"] == "hpl") {
            found << std::ifstream(path_).rdbuf();
        }
    }
    std::ostringstream found;

  private:
    std::string path_;
};

TEST(Hpcc, KeepsInItsSummaryWhatEndedBeforeALaterTest) {
    auto const world = Communicator::world();
    testing::TemporaryDirectory const folder(world);
    auto const path = (folder.path() / "out").string();
    MonotonicClock clock;
    SummaryAtHpl lines(path);
    CaseFile file;
    file.warm_memory_bytes = 0;
    file.probe_state = false;
    file.cases = {
        {"c", "hpcc", {{"memory", 1 << 20}, {"output", path}, {"tests", Json::array({"star-dgemm", "hpl"})}}}};
    EXPECT_EQ(run_cases(file, world, clock, lines), ExitCode::fine);
    if (world.is_root()) {
        auto const text = lines.found.str();
        EXPECT_NE(text.find("\nStarDGEMM_Gflops="), std::string::npos) << text;
        EXPECT_EQ(text.find("\nStarDGEMM_Gflops=-1"), std::string::npos);
        EXPECT_NE(text.find("\nSuccess=0"), std::string::npos);
    }
}

TEST(Hpcc, WritesTheSummaryOfWhatItRanToANewFile) {
    testing::TemporaryDirectory const folder(Communicator::world());
    auto const path = (folder.path() / "hpccoutf.txt").string();
    Json const tests = Json::array({"global-random-access", "hpl", "star-dgemm"});
    Json const options{{"output", path}, {"tests", tests}, {"block", 32}};
    EXPECT_EQ(run_hpcc(options), ExitCode::fine);
    EXPECT_EQ(run_hpcc(options), ExitCode::usage) << "it is there";
    if (Communicator::world().is_root()) {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        auto const values = parsed(text.str()).values;
        EXPECT_EQ(values.at("Success"), "1");
        EXPECT_EQ(values.at("HPL_NB"), "32");
        EXPECT_GT(std::stod(values.at("HPL_time")), 0);
        EXPECT_EQ(values.at("MPIRandomAccess_TimeBound"), "60");
        EXPECT_EQ(values.at("MPIRandomAccess_LCG_TimeBound"), "-1");
        EXPECT_EQ(std::stod(values.at("MPIRandomAccess_ExeUpdates")), 4 * std::stod(values.at("MPIRandomAccess_N")));
        EXPECT_GT(std::stod(values.at("StarDGEMM_Gflops")), 0);
        EXPECT_EQ(values.at("SingleDGEMM_Gflops"), "-1");
    }
}

/// As on a disk that is full.
TEST(Hpcc, MeasuresNothingWhereItsFileCannotBeWritten) {
    testing::TemporaryDirectory const folder(Communicator::world());
    auto const path = (folder.path() / "out").string();
    auto const found = [&] {
        testing::SmallFiles const limited(100);
        return outcome_of_hpcc({{"output", path}, {"tests", Json::array({"star-dgemm"})}});
    }();
    EXPECT_EQ(found.code, ExitCode::cannot_run);
    EXPECT_TRUE(found.of("sample").empty());
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Hpcc, GoesOnWhereATestCannotRun) {
    testing::TemporaryDirectory const folder(Communicator::world());
    auto const path = (folder.path() / "out").string();
    EXPECT_EQ(run_hpcc({{"output", path},
                        {"blas", "libnothing.so"},
                        {"tests", Json::array({"ptrans", "star-dgemm", "star-stream", "hpl"})}}),
              ExitCode::cannot_run);
    if (Communicator::world().is_root()) {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        auto const values = parsed(text.str()).values;
        EXPECT_EQ(values.at("Success"), "0");
        EXPECT_GT(std::stod(values.at("StarSTREAM_Copy")), 0);
        EXPECT_EQ(values.at("HPL_Tflops"), "-1");
    }
    EXPECT_EQ(run_hpcc({{"output", (folder.path() / "no" / "out").string()}}), ExitCode::usage);
    EXPECT_EQ(run_hpcc({{"tests", Json::array({"", ","})}}), ExitCode::usage);
    auto const wrong_grid = outcome_of_hpcc({{"grid_rows", 7}});
    EXPECT_EQ(wrong_grid.code, ExitCode::usage);
    EXPECT_TRUE(wrong_grid.of("sample").empty()) << "it is told before the tests that need no grid";
}

TEST(Hpcc, TellsHowMuchMemoryOfANodeWouldFit) {
    auto const found = outcome_of_hpcc({{"memory", std::uint64_t{1} << 50U}});
    EXPECT_EQ(found.code, ExitCode::cannot_run);
    if (Communicator::world().is_root()) {
        std::string const suggestion = found.of("failure").at(0)["suggestion"];
        std::string const option = "--memory ";
        auto const at = suggestion.find(option);
        ASSERT_NE(at, std::string::npos) << suggestion;
        auto const told = std::stod(suggestion.substr(at + option.size())) * (1 << 20);
        auto const free = static_cast<double>(available_memory().value_or(Bytes{0}).value);
        EXPECT_NEAR(told / free, 1, 0.25) << "others may use memory meanwhile";
    }
}

TEST(Hpcc, TellsTheOrderThatWouldFitInPlaceOfTheInputs) {
    auto const world = Communicator::world();
    testing::TemporaryDirectory const folder(world);
    auto const path = write_input(folder, 900'000, 100, 0);
    auto const found = outcome_of_hpcc({{"input", path}});
    EXPECT_EQ(found.code, ExitCode::cannot_run);
    if (world.is_root()) {
        std::string const suggestion = found.of("failure").at(0)["suggestion"];
        auto const at = suggestion.find("N = ");
        ASSERT_NE(at, std::string::npos) << suggestion;
        auto const order = std::stod(suggestion.substr(at + 4));
        auto const free = static_cast<double>(available_memory().value_or(Bytes{0}).value);
        EXPECT_NEAR(8 * order * order / free, 1, 0.25) << "others may use memory meanwhile";
    }
}

/// HPL's panels of wide blocks need more than its matrix.
TEST(Hpcc, TakesAnOrderWhosePanelsFitToo) {
    if (Communicator::world().size() > 2) {
        GTEST_SKIP() << "two ranks show it";
    }
    testing::SmallMemory const limited(std::uint64_t{230} << 20U);
    auto const found =
        outcome_of_hpcc({{"memory", 0}, {"block", 700}, {"grid_rows", 1}, {"tests", Json::array({"hpl"})}});
    EXPECT_EQ(found.code, ExitCode::fine);
    if (Communicator::world().is_root()) {
        EXPECT_GT(found.of("sample").at(0)["details"]["size"], 100);
    }
}

/// HPL's panels, of which it is asked to hold as many as there are, need as much as the matrix.
TEST(Hpcc, AdvisesNoOptionThatItHasNot) {
    auto const world = Communicator::world();
    testing::TemporaryDirectory const folder(world);
    auto const path = write_input(folder, 4000, 100, 4096);
    auto const found = [&] {
        testing::SmallMemory const limited(std::uint64_t{165} << 20U);
        return outcome_of_hpcc({{"input", path}, {"tests", Json::array({"hpl"})}});
    }();
    EXPECT_EQ(found.code, ExitCode::cannot_run);
    if (world.is_root()) {
        EXPECT_EQ(found.of("failure").at(0)["problem"], "hpl: this does not fit into memory");
        EXPECT_EQ(found.of("failure").at(0)["suggestion"], "Take more nodes, or a smaller N in " + path + ".");
    }
}

TEST(Hpcc, KeepsASampleOfEachTestInATimeBudget) {
    auto const found = outcome_of_hpcc({{"time_budget", 0.5}, {"tests", Json::array({"star-dgemm", "hpl"})}});
    EXPECT_EQ(found.code, ExitCode::fine);
    if (Communicator::world().is_root()) {
        std::map<std::string, std::uint64_t> first;  // of each phase; the tries before are not reported
        for (auto const& sample : found.of("sample")) {
            first.try_emplace(sample["phase"], sample["repetition"]);
        }
        EXPECT_EQ(first, (std::map<std::string, std::uint64_t>{{"hpl", 0}, {"star-dgemm", 0}}));
    }
}

TEST(Hpcc, NumbersTheRepetitionsOfEachTest) {
    auto const found = outcome_of_hpcc({{"repetitions", 2}, {"tests", Json::array({"star-dgemm"})}});
    EXPECT_EQ(found.code, ExitCode::fine);
    if (Communicator::world().is_root()) {
        auto const samples = found.of("sample");
        ASSERT_EQ(samples.size(), 2U);
        EXPECT_EQ(samples[0]["repetition"], 0);
        EXPECT_EQ(samples[1]["repetition"], 1);
    }
}

TEST(Hpcc, TakesSizesAndGridFromAnInputFile) {
    auto const world = Communicator::world();
    testing::TemporaryDirectory const folder(world);
    auto const path = write_input(folder, 75, 8, 1, world.size() + 1);
    EXPECT_EQ(run_hpcc({{"input", path}}), ExitCode::usage);
    write_input(folder, 75, 8, 1);
    auto const output = (folder.path() / "out").string();
    EXPECT_EQ(run_hpcc({{"input", path}, {"time_budget", 1.0}}), ExitCode::usage);
    EXPECT_EQ(run_hpcc({{"input", path}, {"block", 32}}), ExitCode::usage);
    EXPECT_EQ(run_hpcc({{"input", path}, {"block", 192}}), ExitCode::usage) << "the usual one, but asked for";
    EXPECT_EQ(run_hpcc({{"input", path}, {"memory", 1 << 20}}), ExitCode::usage);
    EXPECT_EQ(run_hpcc({{"input", path}, {"grid_rows", 1}}), ExitCode::usage);
    EXPECT_EQ(run_hpcc({{"input", path}, {"output", output}, {"tests", Json::array({"hpl", "ptrans", "star-dgemm"})}}),
              ExitCode::fine);
    if (world.is_root()) {
        std::ostringstream text;
        text << std::ifstream(output).rdbuf();
        auto const values = parsed(text.str()).values;
        EXPECT_EQ(values.at("HPL_N"), "75");
        EXPECT_EQ(values.at("PTRANS_n"), "37");
        auto const bytes_of_rank = 8.0 * 75 * 75 / static_cast<double>(world.size());
        EXPECT_EQ(values.at("DGEMM_N"), fmt::format("{:.0f}", std::floor(std::sqrt(bytes_of_rank / 24) - 0.5)));
        EXPECT_EQ(values.at("HPL_nprow"), "1");
        EXPECT_EQ(values.at("HPL_ctop"), "0");
        EXPECT_EQ(values.at("HPL_nbmin"), "4");
    }
    EXPECT_EQ(run_hpcc({{"input", path + "-not"}}), ExitCode::usage);
}

/// A machine on which all tests take 2 us a byte of memory, but for HPL: 1e-9 s N^3 and a tenth.
struct Model {
    ManualClock clock;
    HpccSetting setting;

    void run(TimeBudget& budget, HpccTest const& test) {
        auto const n = static_cast<double>(test.options.value("size", std::uint64_t{0}));
        auto const took_s = test.name == "hpl" ? 0.1 + 1e-9 * n * n * n
                                               : test.growth * 2e-6 * static_cast<double>(setting.bytes_of_rank) / 10;
        budget.time(test, [&] { clock.advance(Seconds{took_s}); });
    }

    double use(double budget_s, std::uint64_t most_bytes) {
        setting.ranks = 2;
        setting.block = 64;
        setting.bytes_of_rank = TimeBudget::first_bytes;
        TimeBudget budget(budget_s, clock, Communicator());
        auto const all = [&] {
            for (auto const& test : hpcc_tests(setting)) {
                if (test.name != "hpl") {
                    run(budget, test);
                }
            }
        };
        auto const hpl = [&](double share) {
            auto test = hpcc_tests(setting).at(hpcc_tests(setting).size() - 2);
            EXPECT_EQ(test.name, "hpl");
            if (share > 0) {
                test.options["size"] = budget.hpl_size(setting, most_bytes, share);
            }
            run(budget, test);
        };
        do {
            all();
            hpl(0);
            budget.tried(setting.bytes_of_rank);
        } while (budget.wants_larger(setting.bytes_of_rank, most_bytes));
        setting.bytes_of_rank = budget.bytes(most_bytes);
        EXPECT_LE(setting.bytes_of_rank, most_bytes);
        all();
        hpl(0.1);
        hpl(1);
        while (budget.has_much_left()) {
            for (auto const& test : hpcc_tests(setting)) {
                if (budget.has_time_for(test.name)) {
                    run(budget, test);
                }
            }
        }
        return clock.now_s() / budget_s;
    }
};

/// Of 100 s, all tests may take 93, those but HPL 45, and a try 10; each of the two took some of it.
TEST(TimeBudgets, GiveHplWhatTheOthersLeave) {
    constexpr auto plenty = std::uint64_t{1} << 40U;
    HpccSetting setting;
    setting.block = 1;
    // For t times the bytes: t + t^1.5 are the 91 s that are left; the second time, t are 45.
    for (auto const& [hpl_s, times, larger] : {std::tuple(1.0, 17.54, false), {0.15, 45.0, true}}) {
        ManualClock clock;
        TimeBudget budget(100, clock, Communicator());
        EXPECT_EQ(budget.planning_s(), 1);
        for (auto const& [name, growth, took_s] : {std::tuple("star-stream", 1.0, 1.0), {"hpl", 1.5, hpl_s}}) {
            budget.time({name, "", "", {{"size", 1000}}, growth}, [&, s = took_s] { clock.advance(Seconds{s}); });
        }
        budget.tried(TimeBudget::first_bytes);
        budget.tried(TimeBudget::first_bytes);
        auto bytes = TimeBudget::first_bytes;
        EXPECT_EQ(budget.wants_larger(bytes, plenty), larger);
        EXPECT_NEAR(static_cast<double>(budget.bytes(plenty)) / TimeBudget::first_bytes, times, 0.01);
        auto const left_s = 92 - hpl_s;
        EXPECT_EQ(budget.hpl_size(setting, plenty, 1), static_cast<std::uint64_t>(1000 * std::cbrt(left_s / hpl_s)));
        EXPECT_TRUE(budget.has_much_left());
        clock.advance(Seconds{70});
        EXPECT_FALSE(budget.has_much_left());
        EXPECT_TRUE(budget.has_time_for("star-stream"));
        clock.advance(Seconds{28.5 - hpl_s});
        EXPECT_FALSE(budget.has_time_for("star-stream")) << "it takes a second, and there is half of one";
        EXPECT_NEAR(budget.share_used(), 0.995, 1e-9);
    }
}

/// Each rank sizes its own tests: all by the slowest rank, or they never meet.
TEST(TimeBudgets, GiveAllRanksTheSameSizes) {
    auto const world = Communicator::world();
    constexpr auto plenty = std::uint64_t{1} << 40U;
    HpccSetting setting;
    setting.block = 1;
    ManualClock clock;
    TimeBudget budget(100, clock, world);
    for (auto const* name : {"star-stream", "hpl"}) {
        budget.time({name, "", "", {{"size", 1000}}, 1.0},
                    [&] { clock.advance(Seconds{static_cast<double>(world.rank() + 1) / 10}); });
    }
    budget.tried(TimeBudget::first_bytes);
    for (auto const size : {budget.bytes(plenty), budget.hpl_size(setting, plenty, 1)}) {
        for (auto const others : world.all_gather(size)) {
            EXPECT_EQ(others, size);
        }
    }
}

TEST(TimeBudgets, AreUsedUpButNotMore) {
    constexpr auto plenty = std::uint64_t{1} << 36U;
    for (auto const budget_s : {60.0, 300.0, 900.0, 7200.0}) {
        for (auto const most_bytes : {plenty, TimeBudget::first_bytes, std::uint64_t{1} << 20U}) {
            auto const used = Model().use(budget_s, most_bytes);
            EXPECT_GE(used, 0.7) << budget_s << " s, " << most_bytes;
            EXPECT_LE(used, 1.05) << budget_s << " s, " << most_bytes;
        }
    }
}

}  // namespace
}  // namespace weir
