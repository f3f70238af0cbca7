#include "apps/cloud/program/repetition.hpp"

#include <fmt/format.h>

#include "bench/case_file.hpp"
#include "comm/agreement.hpp"
#include "core/interrupt.hpp"
#include "core/proc.hpp"

namespace weir::cloud {
namespace {

/// Refuses numbers that no gas has, and that would come back as a failure of the scheme.
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

void check_gamma(Header const& header, double gamma, std::string const& file) {
    validate(header.gamma == static_cast<float>(gamma), fmt::format("the restart '{}' is of another gas", file),
             fmt::format("its gamma is {:.6g}, that of this run {:.6g}", header.gamma, gamma),
             "Give the problem, and gamma, of the run that wrote it.");
}

Decomposition blocks(CloudOptions const& options, Communicator const& comm) {
    return {comm, options.grid(), options.ranks()};
}

}  // namespace

std::uint64_t memory_bytes(Index cells) {
    constexpr std::uint64_t each = 160;
    constexpr std::uint64_t base = 8ULL << 20;
    return base + each * static_cast<std::uint64_t>(cells);
}

void check_memory(Index cells, std::uint64_t ranks_of_node) {
    auto const wanted = memory_bytes(cells);
    auto const free = available_memory();
    if (free && wanted > free->value / ranks_of_node) {
        throw Error({"the cloud does not fit into memory",
                     fmt::format("each rank needs {} MiB, and {} MiB are free for each of {} on a node", wanted >> 20U,
                                 (free->value / ranks_of_node) >> 20U, ranks_of_node),
                     "Take fewer cells, or more nodes.", ExitCode::cannot_run});
    }
}

Repetition::Repetition(CloudOptions const& options, JobContext const& context, std::filesystem::path directory)
    : options_(options),
      comm_(context.comm),
      clock_(context.clock),
      where_(blocks(options, comm_)),
      physics_(options.physics()),
      directory_(std::move(directory)),
      progress_(place_for_progress(comm_.is_root(), context.case_id == command_line_case), clock_) {
    auto const node = comm_.node();
    run_together(comm_, [&] { check_memory(volume(where_.cells()), node.size()); });
    if (options.has_files()) {
        auto const other = options.other_backend();
        other ? dumps_.emplace(where_, directory_, *other, clock_)
              : dumps_.emplace(where_, directory_, options.method, clock_);
    }
    result_.cells = where_.grid().cells;
    result_.ranks = where_.ranks();
    result_.method = options.method;
    result_.backend = options.backend.name();
    result_.has_files = options.has_files();
    result_.computes = options.computes;
}

RunResult Repetition::result() const { return of_all_ranks(result_, comm_); }

void Repetition::run() {
    auto state = begin();
    last_step_ = state.step + static_cast<Index>(options_.steps);
    if (options_.dump_every > 0) {
        auto const from_s = now_s();
        dumps_->check_places(state.step + 1, last_step_, static_cast<Index>(options_.dump_every));
        aside_s_ += now_s() - from_s;
    }
    if (options_.computes) {
        compute(std::move(state));
    } else {
        only_dump(std::move(state));
    }
    result_.elapsed_s = now_s() - started_s_ - aside_s_;
    progress_.end();
}

State Repetition::begin() {
    if (options_.restart.empty()) {
        State initial(where_);
        options_.problem.fill(initial);
        check_state(initial, "the initial state", "Take a smaller amplitude.");
        if (!options_.restarted) {
            comm_.barrier();
            result_.started_at = utc_time();
            started_s_ = now_s();
            return initial;
        }
        dumps_->write_restart(initial, physics_.gas.gamma);
        dumps_->clear_log();
    }
    return read(options_.restart.empty() ? directory_ / restart_name : std::filesystem::path(options_.restart));
}

State Repetition::read(std::filesystem::path const& file) {
    comm_.barrier();
    result_.started_at = utc_time();
    started_s_ = now_s();
    auto state = dumps_->read_restart(file);
    result_.read_s = now_s() - started_s_;
    check_gamma(dumps_->header(), physics_.gas.gamma, file.string());
    check_state(state, fmt::format("the restart '{}'", file.string()), "Name a restart that a run has left.");
    if (options_.dump_every > 0) {
        check_step(state.step + static_cast<Index>(options_.steps));
    }
    result_.has_read = true;
    result_.log = dumps_->log();
    return state;
}

void Repetition::compute(State state) {
    auto const start_s = now_s();
    Simulation simulation(std::move(state), physics_);
    result_.compute_s += now_s() - start_s;
    auto const totals = [&] {
        auto const from_s = now_s();
        auto const sums = totals_of(simulation.state(), physics_.gas.gamma);
        aside_s_ += now_s() - from_s;
        return sums;
    };
    result_.before = totals();
    check_resolution(peak_of(simulation.state(), physics_.gravity, physics_.gas.gamma), simulation.state());
    while (simulation.state().step < last_step_ && !result_.unresolved) {
        run_together(comm_, [] { throw_if_interrupted(); });
        advance(simulation);
    }
    result_.effort = simulation.effort();
    result_.after = totals();
}

/// Before the first step: a cloud that begins so is a mistake, and no result.
void Repetition::check_resolution(Peak const& peak, State const& state) {
    auto const& c = peak.cell;
    validate(
        !options_.stops_unresolved || options_.steps == 0 || !peak.is_unresolved(),
        "the grid is too coarse for this cloud from the start",
        fmt::format("in cell ({}, {}, {}) counted from 0, at time {:.6g}, the Jeans length is not longer than four "
                    "cells (Truelove et al. 1997)",
                    c[0], c[1], c[2], state.time),
        "Take more cells, or go on all the same with resolution_stop = false.");
}

void Repetition::advance(Simulation& simulation) {
    auto const start_s = now_s();
    auto const dt = simulation.step();
    ++result_.steps;
    auto const& state = simulation.state();
    auto const peak = peak_of(state, physics_.gravity, physics_.gas.gamma);
    result_.compute_s += now_s() - start_s;
    if (options_.stops_unresolved && peak.is_unresolved()) {
        result_.unresolved = Unresolved{peak, state.time, state.step};
    }
    auto const dumped = dump_if_due(state, result_.unresolved.has_value());
    progress_.tell(standing(state, dt, peak), dumped);
}

void Repetition::only_dump(State state) {
    while (state.step < last_step_) {
        run_together(comm_, [] { throw_if_interrupted(); });
        ++state.step;
        ++result_.steps;
        if (dump_if_due(state, false)) {
            progress_.tell(standing(state, 0, {}), true);
        }
    }
}

bool Repetition::dump_if_due(State const& state, bool at_any_rate) {
    if (options_.dump_every == 0 ||
        !(at_any_rate || dumps_after(state.step, static_cast<Index>(options_.dump_every)))) {
        return false;
    }
    comm_.barrier();  // who comes first is not to wait inside
    if (result_.dumps == 0) {
        result_.dumping_at = utc_time();
    }
    auto const start_s = now_s();
    dumps_->write(state, physics_.gas.gamma);
    result_.write_s += now_s() - start_s;
    result_.log = dumps_->log();
    ++result_.dumps;
    return true;
}

Standing Repetition::standing(State const& state, double dt, Peak const& peak) const {
    auto const updates = static_cast<double>(volume(result_.cells)) * static_cast<double>(result_.steps);
    return {state.step, last_step_,   state.time,
            dt,         peak.density, result_.compute_s > 0 ? updates / result_.compute_s : 0};
}

}  // namespace weir::cloud
