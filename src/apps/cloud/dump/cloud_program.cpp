#include "apps/cloud/dump/cloud_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "apps/cloud/dump/header.hpp"
#include "apps/common/run/progress.hpp"
#include "comm/collective_error.hpp"
#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace weir::cloud {

CloudProgram::CloudProgram(State state, Task const& task) : task_(task), state_(std::move(state)) {
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
