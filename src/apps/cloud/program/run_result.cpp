#include "apps/cloud/program/run_result.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/enum_names.hpp"

namespace weir::cloud {
namespace {

constexpr std::uint64_t arrays_of_restart = 6;
constexpr std::uint64_t arrays_of_dump = 16;

Json quotient(double dividend, double divisor) { return divisor > 0 ? Json(dividend / divisor) : Json(); }

bool by_library(RunResult const& run) { return run.backend == "twophase"; }

Json shape(RunResult const& run) {
    return {{"cells", run.cells}, {"ranks_along", run.ranks}, {"method", to_text(run.method)}};
}

Sample transfer_sample(RunResult const& run, std::uint64_t repetition, IoCall call, double elapsed_s) {
    auto const reads = call == IoCall::read;
    auto const bytes = reads ? run.log[IoCall::read].bytes : run.log[IoCall::write].bytes;
    auto const operations = run.log[call].count;
    Json common{{"phase", reads ? "read" : "write"},
                {"started_at", reads ? run.started_at : run.dumping_at},
                {"ranks", volume(run.ranks)},
                {"backend", run.backend},
                {"bytes", bytes},
                {"bytes_written", reads ? 0 : bytes},
                {"bytes_read", reads ? bytes : 0},
                {"operations", operations},
                {"elapsed_s", elapsed_s}};
    auto const rate = operation_rate(static_cast<double>(operations), elapsed_s);
    return {repetition, std::move(common), {bandwidth(static_cast<double>(bytes), elapsed_s), rate}, shape(run)};
}

Json sizes(std::map<std::uint64_t, std::uint64_t> const& counts) {
    auto json = Json::array();
    for (auto const& [bytes, count] : counts) {
        json.push_back({bytes, count});
    }
    return json;
}

/// A seek is counted where the paper's routine makes one; none is made here. What another back-end than the two-phase
/// library does of both is not seen.
Json calls(RunResult const& run) {
    auto json = Json::object();
    for (std::size_t i = 0; i < run.log.calls.size(); ++i) {
        auto const call = static_cast<IoCall>(i);
        auto const seen = by_library(run) || (call != IoCall::seek && call != IoCall::communication);
        auto const timed = seen && call != IoCall::seek;
        json[std::string(to_text(call))] = {{"count", seen ? Json(run.log[call].count) : Json()},
                                            {"total_s", timed ? Json(run.log[call].time_s) : Json()}};
    }
    json[std::string(to_text(IoCall::communication))]["waiting_s"] = by_library(run) ? Json(run.log.waiting_s) : Json();
    return json;
}

Json communication(RunResult const& run) {
    if (!by_library(run) || run.method != Method::two_phase) {
        return {};
    }
    auto const arrays = (run.has_read ? arrays_of_restart : 0) + arrays_of_dump * static_cast<std::uint64_t>(run.dumps);
    return communication_of_the_paper(run.ranks, arrays, run.has_read ? 1 : 0);
}

/// Tables 2, 4, 6 and 8 of the paper: bytes of all ranks by what a rank took on the average.
Json bandwidth_of_the_paper(RunResult const& run, IoCall call, std::uint64_t bytes) {
    return quotient(static_cast<double>(bytes) * static_cast<double>(volume(run.ranks)), run.log[call].time_s);
}

Json io(RunResult const& run) {
    if (!run.has_files) {
        return {};
    }
    auto const read = run.log[IoCall::read].bytes;
    auto const written = run.log[IoCall::write].bytes;
    return {{"calls", calls(run)},
            {"communication_of_the_paper", communication(run)},
            {"read_sizes", sizes(run.log.read_sizes)},
            {"write_sizes", sizes(run.log.write_sizes)},
            {"bytes_read", read},
            {"bytes_written", written},
            {"read_bandwidth_bytes_per_s", bandwidth_of_the_paper(run, IoCall::read, read)},
            {"write_bandwidth_bytes_per_s", bandwidth_of_the_paper(run, IoCall::write, written)}};
}

Json to_json(Totals const& t) {
    return {{"mass", t.mass},
            {"momentum", t.momentum},
            {"gas_energy", t.gas_energy},
            {"potential_energy", t.potential_energy}};
}

Json to_json(Raised const& raised) { return {{"density", raised.density}, {"pressure", raised.pressure}}; }

Json totals(RunResult const& run) {
    if (!run.before || !run.after) {
        return {};
    }
    return {{"before", to_json(*run.before)},
            {"after", to_json(*run.after)},
            {"mass_drift", quotient(std::abs(run.after->mass - run.before->mass), run.before->mass)}};
}

Json to_json(std::optional<Unresolved> const& where) {
    if (!where) {
        return {};
    }
    return {{"cell", where->peak.cell},
            {"time", where->time},
            {"step", where->step},
            {"density", where->peak.density},
            {"crowding", where->peak.crowding}};
}

Json warning_of(Unresolved const& where) {
    auto const& c = where.peak.cell;
    return {{"code", "resolution"},
            {"problem", fmt::format("the cloud is no longer resolved: cell ({}, {}, {}) counted from 0, at time {:.6g} "
                                    "after step {}",
                                    c[0], c[1], c[2], where.time, where.step)},
            {"why", "its Jeans length is not longer than four cells (Truelove et al. 1997)"},
            {"advice", "The run ends here. Take more cells to follow it further, or resolution_stop = false."}};
}

Json warning_of(Raised const& raised) {
    return {{"code", "floor"},
            {"problem",
             fmt::format("floors raised densities {} times and pressures {} times", raised.density, raised.pressure)},
            {"why", "so often a cell came out of a sweep below density_floor or pressure_floor"},
            {"advice", "Mass and energy came in with that: see totals. Take more cells, or a smaller cfl."}};
}

Json warnings(RunResult const& run) {
    auto json = Json::array();
    if (run.unresolved) {
        json.push_back(warning_of(*run.unresolved));
    }
    if (run.effort.raised != Raised{}) {
        json.push_back(warning_of(run.effort.raised));
    }
    if (run.effort.capped > 0) {
        json.push_back(
            {{"code", "potential"},
             {"problem", fmt::format("the potential fell short of its residual {} times", run.effort.capped)},
             {"why", "its last V-cycle came first"},
             {"advice", "Allow more with cycles, or a larger residual."}});
    }
    return json;
}

}  // namespace

std::uint64_t communication_of_the_paper(Triple const& ranks, std::uint64_t arrays, std::uint64_t headers_read) {
    auto const all = static_cast<std::uint64_t>(volume(ranks));
    auto const alike = static_cast<std::uint64_t>(ranks[0] * ranks[1]);
    return all * arrays * (all + alike - 2) + all * headers_read;
}

RunResult of_all_ranks(RunResult mine, Communicator const& comm) {
    for (auto* time : {&mine.elapsed_s, &mine.read_s, &mine.write_s, &mine.compute_s}) {
        *time = comm.max(*time);
    }
    mine.log = sum_over_ranks(mine.log, comm);
    mine.effort.raised = comm.add_up(mine.effort.raised);
    return mine;
}

Sample write_sample(RunResult const& run, std::uint64_t repetition) {
    auto sample = transfer_sample(run, repetition, IoCall::write, run.write_s);
    sample.details["dumps"] = run.dumps;
    return sample;
}

Sample read_sample(RunResult const& run, std::uint64_t repetition) {
    return transfer_sample(run, repetition, IoCall::read, run.read_s);
}

Sample run_sample(RunResult const& run, std::uint64_t repetition) {
    auto const updates = static_cast<double>(volume(run.cells)) * static_cast<double>(run.steps);
    Json common{
        {"phase", "run"}, {"started_at", run.started_at}, {"ranks", volume(run.ranks)}, {"elapsed_s", run.elapsed_s}};
    if (run.has_files) {
        common["backend"] = run.backend;
    }
    std::vector<Metric> metrics{elapsed_time(run.elapsed_s)};
    if (run.computes) {
        metrics.push_back({"compute_s", run.compute_s, "s", "time computing", Better::lower});
        metrics.push_back({"cell_updates_per_s", updates > 0 ? per_second(updates, run.compute_s) : std::nullopt, "1/s",
                           "rate of computing"});
    }
    auto details = shape(run);
    details.update({{"steps", run.steps},
                    {"ended", run.unresolved ? "resolution" : "steps"},
                    {"unresolved", to_json(run.unresolved)},
                    {"dumps", run.dumps},
                    {"cycles", run.computes ? Json(run.effort.cycles) : Json()},
                    {"raised", run.computes ? to_json(run.effort.raised) : Json()},
                    {"totals", totals(run)},
                    {"io", io(run)}});
    return {repetition, std::move(common), std::move(metrics), std::move(details), warnings(run)};
}

}  // namespace weir::cloud
