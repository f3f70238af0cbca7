#include "apps/cloud/dump/cloud_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "apps/cloud/dump/header.hpp"
#include "bench/progress.hpp"
#include "comm/collective_error.hpp"
#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace weir::cloud {
namespace {

/// Rounds to 0 to 255, without a library call per cell.
std::uint8_t shade(double x) {
    if (!(x > 0)) {
        return 0;
    }
    auto const below = static_cast<int>(x);
    return static_cast<std::uint8_t>(below + (x - below >= 0.5 ? 1 : 0));
}

/// Passes `work` a function from a cell to its painted value.
template <class Work>
void with_value(State const& state, Picture picture, Work const& work) {
    auto const rho = state[Variable::density];
    auto const u = state[Variable::velocity_x];
    auto const v = state[Variable::velocity_y];
    auto const w = state[Variable::velocity_z];
    auto const p = state[Variable::pressure];
    auto const phi = state[Variable::potential];
    switch (picture) {
        case Picture::density:
            return work([=](std::size_t i) { return std::log(rho[i]); });
        case Picture::pressure:
            return work([=](std::size_t i) { return p[i]; });
        case Picture::speed:
            return work([=](std::size_t i) { return std::sqrt(u[i] * u[i] + v[i] * v[i] + w[i] * w[i]); });
        case Picture::potential:
            return work([=](std::size_t i) { return phi[i]; });
    }
}

}  // namespace

void Range::add(Range const& other) {
    least = other.least < least ? other.least : least;
    greatest = other.greatest > greatest ? other.greatest : greatest;
}

void Ranges::add(Ranges const& other) {
    for (std::size_t picture = 0; picture < size(); ++picture) {
        (*this)[picture].add(other[picture]);
    }
}

Ranges ranges_of(State const& state) {
    Ranges ranges;
    auto const cells = static_cast<std::size_t>(state.cells());
    for (std::size_t picture = 0; picture < ranges.size(); ++picture) {
        with_value(state, static_cast<Picture>(picture), [&](auto value) {
            for (std::size_t i = 0; i < cells; ++i) {
                auto const x = value(i);
                ranges[picture].add({x, x});
            }
        });
    }
    return state.where().comm().add_up(ranges);
}

void paint(State const& state, Picture picture, Range const& range, std::span<std::uint8_t> cells) {
    auto const width = range.greatest - range.least;
    with_value(state, picture, [&](auto value) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            cells[i] = shade((value(i) - range.least) / width * 255);
        }
    });
}

namespace {

constexpr std::uint64_t arrays_of_restart = 6;
constexpr std::uint64_t arrays_of_dump = 16;

Json json_of(GasTotals const& t) {
    return {{"mass", t.mass},
            {"momentum", t.momentum},
            {"gas_energy", t.gas_energy},
            {"potential_energy", t.potential_energy}};
}

Json json_of(Raised const& raised) { return {{"density", raised.density}, {"pressure", raised.pressure}}; }

Json totals(CloudFigures const& run) {
    if (!run.before || !run.after) {
        return {};
    }
    auto const drift = std::abs(run.after->mass - run.before->mass);
    return {{"before", json_of(*run.before)},
            {"after", json_of(*run.after)},
            {"mass_drift", run.before->mass > 0 ? Json(drift / run.before->mass) : Json()}};
}

Json json_of(std::optional<Unresolved> const& where) {
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
    if (all.library != DumpMethod::two_phase) {
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
    return cell_updates(static_cast<double>(volume(cells)) * static_cast<double>(run.steps), run);
}

void CloudFigures::complete(Json& details, RunFigures const& run) const {
    details.update({{"ended", unresolved ? "resolution" : "steps"},
                    {"unresolved", json_of(unresolved)},
                    {"cycles", computes ? Json(effort.cycles) : Json()},
                    {"raised", computes ? json_of(effort.raised) : Json()},
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

CloudProgram::CloudProgram(State state, DumpTask const& task) : task_(task), state_(std::move(state)) {
    figures_.cells = state_->where().grid().cells;
    figures_.ranks = state_->where().ranks();
    figures_.computes = task_.computes;
}

void CloudProgram::begin() {
    if (task_.goes_on) {
        auto const header = header_from(header_, "the restart");
        state_->step = header.step;
        state_->time = header.time;
        check_state(*state_, "the restart", "Name a restart that a run has left.");
    }
    if (task_.computes) {
        simulation_.emplace(std::move(*state_), task_.physics);
        state_.reset();
    }
}

void CloudProgram::advance() {
    if (simulation_) {
        solve_step();
    } else {
        ++state_->step;
    }
    ++made_;
}

void CloudProgram::solve_step() {
    if (made_ == 0) {
        check_resolution();
    }
    dt_ = simulation_->step();
    peak_ = peak_of(state(), task_.physics.gravity, task_.physics.gas.gamma);
    if (task_.stops_unresolved && peak_.is_unresolved()) {
        figures_.unresolved = Unresolved{peak_, state().time, state().step};
    }
}

/// A cloud that is unresolved at the start is a usage error, not a result.
void CloudProgram::check_resolution() {
    auto const peak = peak_of(state(), task_.physics.gravity, task_.physics.gas.gamma);
    auto const& c = peak.cell;
    validate(
        !task_.stops_unresolved || !peak.is_unresolved(), "the grid is too coarse for this cloud from the start",
        fmt::format("in cell ({}, {}, {}) counted from 0, at time {:.6g}, the Jeans length is not longer than four "
                    "cells (Truelove et al. 1997)",
                    c[0], c[1], c[2], state().time),
        "Take more cells, or continue anyway with resolution_stop = false.");
}

void CloudProgram::prepare_dump() {
    shown_ = ranges_of(state());
    header_ = to_reals({state().where().grid().cells, state().step, static_cast<float>(state().time),
                        static_cast<float>(task_.physics.gas.gamma)});
}

void CloudProgram::observe() {
    if (!simulation_) {
        return;
    }
    figures_.after = totals_of(state(), task_.physics.gas.gamma);
    figures_.before = figures_.before ? figures_.before : figures_.after;
    figures_.effort = simulation_->effort();
    figures_.effort.raised = state().where().comm().add_up(figures_.effort.raised);
}

std::string CloudProgram::standing(double compute_s) const {
    if (!simulation_) {
        return {};
    }
    auto line = fmt::format("time {:.4g}, dt {:.3g}, peak density {:.4g}", state().time, dt_, peak_.density);
    auto const updates = static_cast<double>(volume(figures_.cells)) * static_cast<double>(made_);
    return compute_s > 0 ? line + ", " + spell_rate(updates / compute_s) : line;
}

Json CloudProgram::labels() const { return {{"cells", figures_.cells}, {"ranks_along", figures_.ranks}}; }

void CloudProgram::fill(CurrentAccess const& asked, Operation const&, std::span<std::byte> data) {
    auto const& array = asked.access.part->what;
    auto const index = asked.access.part->array;
    if (index == 0) {
        std::ranges::copy(std::as_bytes(std::span(header_)), data.begin());
    } else if (array.element.bytes == 1) {
        auto const picture = from_text<Picture>(array.name, "a picture");
        std::span const cells(reinterpret_cast<std::uint8_t*>(data.data()), data.size());
        paint(state(), picture, shown_[static_cast<std::size_t>(picture)], cells);
    } else {
        auto const field = state()[static_cast<Variable>(index - 1)];
        std::span const numbers(reinterpret_cast<float*>(data.data()), data.size() / sizeof(float));
        std::ranges::transform(field, numbers.begin(), [](double x) { return static_cast<float>(x); });
    }
}

void CloudProgram::take(CurrentAccess const& asked, Operation const&, std::span<std::byte const> found) {
    auto const index = asked.access.part->array;
    if (index == 0) {
        std::memcpy(header_.data(), found.data(), std::min(found.size(), sizeof header_));
    } else {
        expect(state_.has_value(), "what is read goes into a state");
        std::span const numbers(reinterpret_cast<float const*>(found.data()), found.size() / sizeof(float));
        std::ranges::copy(numbers, (*state_)[static_cast<Variable>(index - 1)].begin());
    }
}

void check_state(State const& state, std::string const& whence, char const* advice) {
    run_together(state.where().comm(), [&] {
        auto const bad = impossible_cell(state);
        auto const c = bad.value_or(Cell{});
        validate(!bad, fmt::format("{} is no gas", whence),
                 fmt::format("in cell ({}, {}, {}) counted from 0 the density or the pressure is not positive, or a "
                             "number is not finite",
                             c[0], c[1], c[2]),
                 advice);
    });
}

}  // namespace weir::cloud
