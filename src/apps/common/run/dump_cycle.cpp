#include "apps/common/run/dump_cycle.hpp"

#include "apps/common/run/pattern_of_dumps.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/own_file.hpp"

namespace weir {
namespace {

EngineSettings settings(std::filesystem::path const& directory) {
    EngineSettings settings{.directory = directory};
    settings.notes_residence = false;
    settings.times_calls = true;
    settings.prefix = "";
    settings.check_in_the_way = [](std::filesystem::path const& path) {
        if (is_there(path)) {
            throw Error({"'" + path.string() + "' is there already, and is not touched", "this run has not made it",
                         "Move it away, or name another directory with dir.", ExitCode::cannot_run});
        }
    };
    return settings;
}

/// Each rank moves its part alone.
std::vector<Step> alone(std::vector<Step> steps) {
    for (auto& step : steps) {
        if (auto* access = std::get_if<Access>(&step)) {
            access->collective = false;
        } else if (auto* open = std::get_if<Open>(&step)) {
            open->collective = false;
        } else if (auto* repeat = std::get_if<Repeat>(&step)) {
            repeat->steps = alone(std::move(repeat->steps));
        }
    }
    return steps;
}

Phase phase(char const* name, std::vector<Step> steps) {
    Phase phase;
    phase.name = name;
    phase.steps = std::move(steps);
    return phase;
}

}  // namespace

DumpCycle::DumpCycle(DumpPlan plan, Backend& backend, bool collective, Communicator comm,
                     std::filesystem::path const& directory, Clock& clock)
    : plan_(std::move(plan)), engine_(backend, std::move(comm), settings(directory), clock) {
    if (!collective) {
        plan_.dump = alone(std::move(plan_.dump));
        plan_.restart = alone(std::move(plan_.restart));
    }
    auto all = plan_.shape;
    all.phases = {phase("dump", plan_.dump), phase("restart", plan_.restart)};
    resolve(all);
    auto const sizes = file_sizes(all);
    for (std::size_t file = 0; file < sizes.size(); ++file) {
        bounds_.push_back({sizes[file], largest_request(all)});
        engine_.declare(plan_.shape.files[file], bounds_.back());
    }
}

void DumpCycle::dump(Program& program) {
    for (std::size_t file = 0; file < plan_.lasting.size(); ++file) {
        if (!plan_.lasting[file]) {
            auto named = plan_.shape.files[file];
            named.name = name_after(named.name, program.step());
            engine_.declare_again(file, named, bounds_[file]);
        }
    }
    run("dump", plan_.dump, program);
}

void DumpCycle::restart(Program& program) { run("restart", plan_.restart, program); }

void DumpCycle::run(char const* name, std::vector<Step> const& steps, Program& program) {
    HoldInterrupts const until_it_is_whole;
    engine_.run(phase(name, steps), &program);
    calls_.add(engine_.calls_of(name));
    engine_.forget(name);
}

}  // namespace weir
