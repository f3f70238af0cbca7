#include "apps/cloud/dump/cloud_figures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/json.hpp"

namespace weir::cloud {
namespace {

constexpr std::uint64_t arrays_of_restart = 6;
constexpr std::uint64_t arrays_of_dump = 16;

Json to_json(Totals const& t) {
    return {{"mass", t.mass},
            {"momentum", t.momentum},
            {"gas_energy", t.gas_energy},
            {"potential_energy", t.potential_energy}};
}

Json to_json(Raised const& raised) { return {{"density", raised.density}, {"pressure", raised.pressure}}; }

Json totals(CloudFigures const& run) {
    if (!run.before || !run.after) {
        return {};
    }
    auto const drift = std::abs(run.after->mass - run.before->mass);
    return {{"before", to_json(*run.before)},
            {"after", to_json(*run.after)},
            {"mass_drift", run.before->mass > 0 ? Json(drift / run.before->mass) : Json()}};
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

Json communication(CloudFigures const& run, RunFigures const& all) {
    if (all.library != Method::two_phase) {
        return {};
    }
    auto const arrays = (all.has_read ? arrays_of_restart : 0) + arrays_of_dump * all.dumps;
    return communication_of_the_paper(run.ranks, arrays, all.has_read ? 1 : 0);
}

}  // namespace

std::uint64_t communication_of_the_paper(Triple const& ranks, std::uint64_t arrays, std::uint64_t headers_read) {
    auto const all = static_cast<std::uint64_t>(volume(ranks));
    auto const alike = static_cast<std::uint64_t>(ranks[0] * ranks[1]);
    return all * arrays * (all + alike - 2) + all * headers_read;
}

std::vector<Metric> CloudFigures::metrics(RunFigures const& run) const {
    if (!computes) {
        return {};
    }
    auto const updates = static_cast<double>(volume(cells)) * static_cast<double>(run.steps);
    return {{"compute_s", run.compute_s, "s", "time computing", Better::lower},
            {"cell_updates_per_s", updates > 0 ? per_second(updates, run.compute_s) : std::nullopt, "1/s",
             "rate of computing"}};
}

void CloudFigures::complete(Json& details, RunFigures const& run) const {
    details.update({{"ended", unresolved ? "resolution" : "steps"},
                    {"unresolved", to_json(unresolved)},
                    {"cycles", computes ? Json(effort.cycles) : Json()},
                    {"raised", computes ? to_json(effort.raised) : Json()},
                    {"totals", totals(*this)}});
    if (auto& io = details["io"]; !io.is_null()) {
        io["communication_of_the_paper"] = communication(*this, run);
    }
}

Json CloudFigures::warnings() const {
    auto json = Json::array();
    if (unresolved) {
        json.push_back(warning_of(*unresolved));
    }
    if (effort.raised != Raised{}) {
        json.push_back(warning_of(effort.raised));
    }
    if (effort.capped > 0) {
        json.push_back({{"code", "potential"},
                        {"problem", fmt::format("the potential fell short of its residual {} times", effort.capped)},
                        {"why", "its last V-cycle came first"},
                        {"advice", "Allow more with cycles, or a larger residual."}});
    }
    return json;
}

}  // namespace weir::cloud
