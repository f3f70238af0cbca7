#include "apps/common/run/one_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/common/run/pattern_of_dumps.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

/// What weir-core says of other interrupted runs, to run the same command again, would begin at step 0.
void stop_if_interrupted() {
    if (stop_requested.load()) {
        throw Error({"interrupted", "a signal asked to stop",
                     "Complete dumps are kept: applications that take a restart can continue from the last one.",
                     ExitCode::interrupted});
    }
}

/// The steps on lasting files only.
std::vector<Step> on_lasting(std::vector<Step> const& steps, std::vector<bool> const& lasting) {
    std::vector<Step> found;
    std::ranges::copy_if(steps, std::back_inserter(found), [&](Step const& step) {
        return std::visit(
            [&](auto const& one) {
                if constexpr (requires { one.file; }) {
                    return static_cast<bool>(lasting.at(one.file));
                }
                return true;
            },
            static_cast<Step::variant const&>(step));
    });
    return found;
}

}  // namespace

DumpWriter::DumpWriter(DumpPlan files, DumpStrategy strategy, InTheWay in_the_way, Communicator comm,
                       std::filesystem::path directory, Clock& clock)
    : strategy_(std::move(strategy)),
      in_the_way_(std::move(in_the_way)),
      comm_(std::move(comm)),
      directory_(std::move(directory)),
      clock_(clock),
      engine_(*strategy_.backend, comm_, settings(directory_), clock) {
    plan(std::move(files));
    auto lasting = plan_.input.empty() ? on_lasting(plan_.dump, plan_.lasting) : plan_.input;
    lasting_ = known("lasting", lasting);
    lasting_.seeks = seeks_in(lasting);
    restart_ = known_parts("initialisation", plan_.restart, plan_.restart_parts);
    for (std::size_t file = 0; file < bounds_.size(); ++file) {
        engine_.declare(plan_.shape.files[file], bounds_[file]);
    }
    for (auto const& part : plan_.parts) {
        parts_.push_back({.name = part.name});
    }
    for (auto const& part : plan_.restart_parts) {
        read_parts_.push_back({.name = part.name});
    }
}

void DumpWriter::plan(DumpPlan now) {
    plan_ = strategy_.collective ? std::move(now) : each_alone(std::move(now));
    dump_ = known_parts("write", plan_.dump, plan_.parts);
    auto all = plan_.shape;
    all.phases = {phase_of("dump", plan_.dump), phase_of("restart", plan_.restart), phase_of("input", plan_.input)};
    resolve(all);
    auto const sizes = file_sizes(all);
    auto const largest = largest_request(all);
    bounds_.clear();
    for (auto const size : sizes) {
        bounds_.push_back({size, largest});
    }
}

EngineSettings DumpWriter::settings(std::filesystem::path const& directory) {
    EngineSettings settings{.directory = directory};
    settings.notes_residence = false;
    settings.times_calls = true;
    settings.prefix = "";
    settings.hints = strategy_.hints;
    settings.check_in_the_way = [this](std::filesystem::path const& path) {
        in_the_way_(path, strategy_);
        if (auto const dump = std::exchange(begins_, {}); dump && before_dump_ && comm_.is_root()) {
            before_dump_(plan_, *dump);
        }
        if (before_making_) {
            before_making_(path);
        }
        made_.push_back(path);
    };
    return settings;
}

void DumpWriter::check_places(DumpTimes const& times) {
    number_ = times.before();
    auto const written = written_by(plan_);
    run_together(comm_, [&] {
        if (!comm_.is_root()) {
            return;
        }
        constexpr std::uint64_t most = 1000;  // further dumps are checked when they are made
        for (std::size_t file = 0; file < plan_.lasting.size(); ++file) {
            auto const& name = plan_.shape.files[file].name;
            if (plan_.lasting[file]) {
                if (written[file]) {
                    in_the_way_(directory_ / name, strategy_);
                }
                continue;
            }
            for (std::uint64_t dump = 0; dump < std::min(most, times.count()); ++dump) {
                in_the_way_(directory_ / name_after(name, {times.step_of(dump), number_ + dump}), strategy_);
            }
        }
    });
}

void DumpWriter::dump(Program& program) {
    program.prepare_dump();
    auto changed = program.next_plan(strategy_.name);
    if (changed) {
        plan(std::move(*changed));
    }
    begins_ = DumpNumber{program.step(), number_++};
    declare_new(*begins_, changed.has_value());
    if (plan_.parts.empty()) {
        whole_.add(run(engine_, dump_.front(), program).costs);
    }
    for (std::size_t part = 0; part < plan_.parts.size(); ++part) {
        auto& figures = parts_.at(part);
        run_part(engine_, dump_[part], figures, program);
        figures.file_bytes = size_of_made(dump_[part].phase.steps);
    }
}

void DumpWriter::declare_new(DumpNumber const& dump, bool also_lasting) {
    for (std::size_t file = 0; file < plan_.lasting.size(); ++file) {
        auto named = plan_.shape.files[file];
        if (!plan_.lasting[file]) {
            named.name = name_after(named.name, dump);
        } else if (!also_lasting) {
            continue;
        }
        engine_.declare_again(file, named, bounds_[file]);
    }
}

DumpWriter::PhaseDone DumpWriter::run_part(Engine& engine, PlannedPhase const& planned, PartFigures& figures,
                                           Program& program) {
    auto const done = run(engine, planned, program);
    figures.elapsed_s += done.elapsed_s;
    figures.made.add(done.made);
    figures.costs.add(done.costs);
    figures.asked.bytes += planned.asked.bytes;
    figures.asked.operations += planned.asked.operations;
    return done;
}

std::optional<std::uint64_t> DumpWriter::size_of_made(std::vector<Step> const& steps) const {
    std::optional<std::uint64_t> made;
    for (auto const& step : steps) {
        if (auto const* open = std::get_if<Open>(&step); open != nullptr && open->mode == OpenMode::create) {
            made = open->file;
        } else if (auto const* rename = std::get_if<Rename>(&step)) {
            made = rename->to;
        }
    }
    if (!made || !comm_.is_root()) {
        return {};
    }
    std::error_code unknown;
    auto const bytes = std::filesystem::file_size(engine_.path_of(*made, Rank{0}), unknown);
    return unknown ? std::nullopt : std::optional<std::uint64_t>(bytes);
}

void DumpWriter::dump_restart(Program& program) {
    program.prepare_dump();
    run(engine_, lasting_, program);
}

void DumpWriter::restart(Program& program, std::optional<std::filesystem::path> const& file) {
    if (!file) {
        read(engine_, program);
        return;
    }
    auto const real = real_path(*file);
    Engine reader(*strategy_.backend, comm_, settings(directory_of(real)), clock_);
    auto const named = std::get<Open>(plan_.restart.front()).file;
    for (std::size_t i = 0; i <= named; ++i) {
        auto one = plan_.shape.files[i];
        one.name = real.filename().string();
        reader.declare(one, bounds_[i]);
    }
    read(reader, program);
}

void DumpWriter::read(Engine& engine, Program& program) {
    if (read_parts_.empty()) {
        run(engine, restart_.front(), program);
    }
    for (std::size_t part = 0; part < read_parts_.size(); ++part) {
        run_part(engine, restart_[part], read_parts_[part], program);
    }
}

std::vector<DumpWriter::PlannedPhase> DumpWriter::known_parts(char const* marked, std::vector<Step> const& steps,
                                                              std::vector<DumpPart> const& parts) const {
    std::vector<PlannedPhase> planned;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        planned.push_back(known(parts[part].name, steps_of(steps, parts, part), marked));
    }
    if (parts.empty()) {
        planned.push_back(known(marked, steps, marked));
    }
    planned.front().seeks = seeks_in(steps);  // of all: a part may leave open what the next one closes
    return planned;
}

DumpWriter::PlannedPhase DumpWriter::known(std::string const& name, std::vector<Step> steps, char const* marked) const {
    PlannedPhase known{.phase = phase_of(name, std::move(steps)), .asked = {}, .marked = marked};
    auto asked = plan_.shape;
    asked.phases = {known.phase};
    auto const sums = totals(asked);
    known.asked = {sums.bytes_written + sums.bytes_read, sums.operations};
    return known;
}

std::uint64_t DumpWriter::seeks_in(std::vector<Step> const& steps) const {
    if (!strategy_.library || steps.empty()) {
        return 0;
    }
    auto asked = plan_.shape;
    asked.phases = {phase_of("all", steps)};
    resolve(asked);
    return seeks(lowered(asked, lowering_for(*strategy_.library, asked)), Rank{comm_.rank()});
}

DumpWriter::PhaseDone DumpWriter::run(Engine& engine, PlannedPhase const& known, Program& program) {
    HoldInterrupts const until_it_is_whole;
    auto const made_before = made_.size();
    try {
        std::optional<MarkedPhase> marked;
        if (known.marked != nullptr) {
            marked.emplace(known.marked);
        }
        engine.run(known.phase, &program);
    } catch (Error const& failure) {
        remove_incomplete(made_before);
        throw with_extended(failure, known.phase.steps);
    }
    auto const& name = known.phase.name;
    PhaseDone done{engine.calls_of(name), engine.elapsed_of(name), engine.costs_of(name)};
    hints_ = engine.hints_of(name);
    engine.forget(known.phase.name);
    done.made[IoCall::seek].count += known.seeks;
    calls_.add(done.made);
    asked_.bytes += known.asked.bytes;
    asked_.operations += known.asked.operations;
    return done;
}

/// A file that the dump has added to is not removed, since it holds those before.
Error DumpWriter::with_extended(Error const& failure, std::vector<Step> const& steps) const {
    auto told = failure.diagnosis();
    for (auto const& step : steps) {
        if (auto const* open = std::get_if<Open>(&step); open != nullptr && open->mode == OpenMode::update) {
            told.reason += fmt::format("; the output that was being added to '{}' is incomplete",
                                       plan_.shape.files.at(open->file).name);
        }
    }
    return Error(told);
}

void DumpWriter::remove_incomplete(std::size_t made_before) {
    std::optional<Diagnosis> ignored;  // the failure of the dump is reported
    keep_failure(ignored, [&] {
        for (auto i = made_before; i < made_.size(); ++i) {
            strategy_.backend->remove(made_[i]);
        }
    });
    made_.resize(made_before);
}

std::vector<std::filesystem::path> DumpWriter::take_made() {
    std::vector<std::filesystem::path> changed(made_.begin() + static_cast<std::ptrdiff_t>(taken_), made_.end());
    auto const earlier = std::span(made_).first(taken_);
    for (std::size_t file = 0; file < plan_.lasting.size(); ++file) {
        auto const path = engine_.path_of(file, Rank{comm_.rank()});
        if (plan_.lasting[file] && std::ranges::find(earlier, path) != earlier.end()) {
            changed.push_back(path);
        }
    }
    taken_ = made_.size();
    return changed;
}

void DumpWriter::forget() {
    calls_ = {};
    asked_ = {};
}

OneRun::OneRun(Program& program, DumpWriter* files, Note note, Communicator comm, Clock& clock, Progress& progress)
    : program_(program),
      files_(files),
      note_(std::move(note)),
      comm_(std::move(comm)),
      clock_(clock),
      progress_(progress) {
    mine_.ranks = comm_.size();
}

RunFigures OneRun::figures() const { return of_all_ranks(mine_, comm_); }

void OneRun::run(Beginning const& beginning, DumpTimes const& times) {
    comm_.barrier();
    mine_.started_at = utc_time();
    auto const start_s = clock_.now_s();
    begin(beginning);
    mine_.has_read = beginning.restarted;
    timed(aside_s_, [&] { program_.observe(); });
    if (times.has_initial()) {
        dump();
    }
    auto const last_step = program_.step() + times.steps;
    while (program_.step() < last_step && !program_.has_ended()) {
        run_together(comm_, [] { stop_if_interrupted(); });
        compute([&] { program_.make_step(); });
        ++mine_.steps;
        auto const dumped = dump_if_due(times);
        progress_.tell({program_.step(), last_step, program_.standing(mine_.compute_s)}, dumped);
    }
    timed(aside_s_, [&] { program_.observe(); });
    mine_.elapsed_s = clock_.now_s() - start_s - aside_s_;
    progress_.end();
}

void OneRun::begin(Beginning const& beginning) {
    if (beginning.restarted) {
        read(beginning);
    }
    compute([&] { program_.begin(); });
}

void OneRun::read(Beginning const& beginning) {
    timed(mine_.read_s, [&] { files_->restart(program_, beginning.restart_file); });
    mine_.read = files_->calls();
    mine_.to_read = files_->asked();
    mine_.read_parts = files_->read_parts();
    files_->forget();
}

bool OneRun::dump_if_due(DumpTimes const& times) {
    if (times.every == 0 || !(program_.has_ended() || times.is_due(program_.step()))) {
        return false;
    }
    dump();
    return true;
}

void OneRun::dump() {
    comm_.barrier();  // so that early ranks do not wait inside the timed part
    if (mine_.dumps == 0) {
        mine_.dumping_at = utc_time();
    }
    timed(mine_.write_s, [&] { files_->dump(program_); });
    mine_.written = files_->calls();
    mine_.to_write = files_->asked();
    mine_.parts = files_->parts();
    mine_.hints = files_->hints();
    mine_.costs = files_->costs();
    ++mine_.dumps;
    if (note_) {
        timed(aside_s_, note_);
    }
}

}  // namespace weir
