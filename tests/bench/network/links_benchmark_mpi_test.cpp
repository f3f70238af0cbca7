#include <gtest/gtest.h>

#include <set>

#include "bench/network/links_matrix.hpp"
#include "bench/network/links_ping_pong.hpp"
#include "bench/network/watched_mpi.hpp"
#include "bench/run_cases.hpp"
#include "core/fast_clock.hpp"

namespace weir {
namespace {

struct Ran {
    ExitCode code;
    std::vector<Json> lines;
};

Ran run_case(std::string const& benchmark, Json options) {
    MonotonicClock clock;
    MemoryLines lines;
    CaseFile file;
    file.warm_memory_bytes = 0;
    file.cases = {{"c", benchmark, std::move(options)}};
    auto const code = run_cases(file, Communicator::world(), clock, lines);
    std::erase_if(lines.lines, [](Json const& line) { return line["kind"] != "sample" && line["kind"] != "failure"; });
    return {code, lines.lines};
}

/// The metrics of a line at these places, of the least, of all and of the greatest, are in this order.
void expect_in_order(Json const& line, std::array<std::size_t, 3> const& places) {
    auto const value = [&](std::size_t i) { return line["metrics"][places[i]]["value"].get<double>(); };
    EXPECT_PRED_FORMAT2(::testing::DoubleLE, value(0), value(1)) << line["metrics"];
    EXPECT_PRED_FORMAT2(::testing::DoubleLE, value(1), value(2)) << line["metrics"];
}

TEST(LinksBenchmark, MeasuresEveryPairOfRanks) {
    auto const comm = Communicator::world();
    for (auto const* at_once : {"round", "one"}) {
        auto const ran = run_case("links", {{"passes", 3},
                                            {"latency_calls", 2},
                                            {"bandwidth_calls", 1},
                                            {"bandwidth_bytes", 70'000},
                                            {"at_once", at_once}});
        if (comm.size() == 1) {
            EXPECT_EQ(ran.code, ExitCode::usage);
            continue;
        }
        EXPECT_EQ(ran.code, ExitCode::fine);
        if (!comm.is_root()) {
            continue;
        }
        ASSERT_EQ(ran.lines.size(), 2U);
        auto const pairs = comm.size() * (comm.size() - 1) / 2;
        for (auto const& line : ran.lines) {
            auto const& details = line["details"];
            EXPECT_EQ(details["between"], "ranks");
            EXPECT_EQ(details["places"].size(), comm.size());
            EXPECT_EQ(details["all_pairs"], pairs);
            EXPECT_EQ(details["time_us"].size(), pairs);
            std::set<std::pair<int, int>> named;
            for (std::size_t i = 0; i < pairs; ++i) {
                named.emplace(details["one"][i], details["other"][i]);
                EXPECT_GT(details["low_us"][i], 0.0);
                EXPECT_LE(details["low_us"][i], details["time_us"][i]);
                EXPECT_LE(details["time_us"][i], details["high_us"][i]);
            }
            EXPECT_EQ(named.size(), pairs);
            expect_in_order(line, {1, 0, 2});
        }
        EXPECT_EQ(ran.lines[0]["metrics"][0]["key"], "latency_us");
        EXPECT_EQ(ran.lines[1]["metrics"][0]["key"], "bandwidth_bytes_per_s");
    }
}

TEST(LinksBenchmark, RefusesNodesWhereThereIsOne) {
    if (Communicator::world().size() > 1) {
        EXPECT_EQ(run_case("links", {{"between", "nodes"}}).code, ExitCode::usage);
    }
}

TEST(LinksMatrix, GivesAllRanksTheValuesOfOneEach) {
    auto const comm = Communicator::world();
    std::vector<double> values(comm.size());
    values[comm.rank()] = 0.1 * static_cast<double>(comm.rank() + 1);
    share_values(comm, values);
    for (std::size_t rank = 0; rank < comm.size(); ++rank) {
        EXPECT_EQ(values[rank], 0.1 * static_cast<double>(rank + 1));
    }
}

TEST(LinksMatrix, HasMediansAndQuartiles) {
    auto const time = link_time({0, 1}, {5, 1, 3, 2, 4});
    EXPECT_EQ(time.median_s, 3);
    EXPECT_EQ(time.low_s, 2);
    EXPECT_EQ(time.high_s, 4);
    EXPECT_EQ(link_time({0, 1}, {1, 2}).median_s, 1.5);
}

TEST(PairPingPong, TakesHalfARoundTrip) {
    auto const comm = Communicator::world();
    if (comm.size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    testing::WatchedMpi watch;
    watch.takes("Send", 1e-3);
    watch.takes("Recv", 3e-3);
    PairPingPong ping_pong(comm, watch.clock, 8);
    if (comm.rank() == 0) {
        EXPECT_NEAR(ping_pong.time_s(1, 5), 2e-3, 1e-12);
    } else if (comm.rank() == 1) {
        ping_pong.answer(0, 5);
    }
}

TEST(RingsBenchmark, HasPingPongAndBothKindsOfRings) {
    auto const comm = Communicator::world();
    auto const ran = run_case("rings", {{"latency_rings", 4}, {"bandwidth_rings", 3}, {"bandwidth_bytes", 70'000}});
    if (comm.size() == 1) {
        EXPECT_EQ(ran.code, ExitCode::usage);
        return;
    }
    EXPECT_EQ(ran.code, ExitCode::fine);
    if (!comm.is_root()) {
        return;
    }
    std::vector<std::string> phases;
    for (auto const& line : ran.lines) {
        phases.push_back(line["phase"]);
        EXPECT_EQ(line["metrics"][0]["key"], "latency_us");
        EXPECT_EQ(line["metrics"][1]["key"], "bandwidth_bytes_per_s");
        for (auto const& metric : line["metrics"]) {
            EXPECT_GT(metric["value"], 0.0) << metric;
        }
        EXPECT_EQ(line["details"]["seed"], 1);
    }
    EXPECT_EQ(phases, (std::vector<std::string>{"ping-pong", "natural-ring", "random-ring"}));
    EXPECT_EQ(ran.lines[0]["details"]["pairs"], comm.size() * (comm.size() - 1) / 2);
    expect_in_order(ran.lines[0], {2, 0, 3});
    expect_in_order(ran.lines[0], {4, 1, 5});
    EXPECT_EQ(ran.lines[2]["details"]["latency_of_rings_s"].size(), 4U);
    EXPECT_EQ(ran.lines[2]["details"]["time_of_rings_s"].size(), 3U);
}

}  // namespace
}  // namespace weir
