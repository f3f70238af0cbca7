#include "apps/cloud/dump/dumps.hpp"

#include <algorithm>

#include "apps/cloud/dump/dump_source.hpp"
#include "apps/cloud/dump/old_dump.hpp"
#include "apps/cloud/dump/pattern_of_run.hpp"
#include "apps/cloud/dump/restart_header.hpp"
#include "comm/agreement.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "storage/engine.hpp"

namespace weir::cloud {
namespace {

double rounded(double x) { return static_cast<float>(x); }

Phase phase_of(std::string name, std::vector<Step> steps) {
    Phase phase;
    phase.name = std::move(name);
    phase.steps = std::move(steps);
    return phase;
}

}  // namespace

struct Dumps::Impl {
    Impl(Decomposition const& blocks, std::filesystem::path place, Method how, Clock& time)
        : where(blocks),
          directory(std::move(place)),
          method(how),
          clock(time),
          backend(backend_for(method, where.grid().cells, where.comm().size())),
          engine(*backend, where.comm(), settings(directory), clock) {
        shape.ranks = where.comm().size();
        shape.partitions = partitions_of(where.ranks());
        DumpFile part{.name = restart_aside(), .purpose = Purpose::restart};
        add({.name = std::string(restart_name), .purpose = Purpose::restart});
        add(part);
        for (auto const& file : files_of_dump(0)) {
            if (file.purpose != Purpose::restart) {
                add(file);
            }
        }
    }

    static EngineSettings settings(std::filesystem::path const& directory) {
        EngineSettings settings{.directory = directory};
        settings.times_calls = true;
        settings.notes_residence = false;
        settings.prefix = "";
        settings.check_in_the_way = check_place_of_dump;
        return settings;
    }

    void add(DumpFile const& file) {
        shape.files.push_back(file_with_arrays(file, where.grid().cells));
        engine.declare(shape.files.back(), bounds_of(file));
    }
    [[nodiscard]] FileBounds bounds_of(DumpFile const& file) const {
        auto const block = static_cast<std::uint64_t>(volume(where.cells())) * file.element_bytes;
        return {file.bytes(where.grid().cells), where.comm().max(std::max(block, header_bytes))};
    }

    void name_files_after(Index step);
    void run(std::string const& name, std::vector<Step> steps, DumpSource&);
    void count_seeks(std::string const& name, Pattern const& asked, std::vector<Step> const& steps);
    [[nodiscard]] Header read_header(Engine&, DumpSource&, std::vector<Step> steps, std::filesystem::path const&,
                                     std::uint64_t bytes);

    Decomposition where;
    std::filesystem::path directory;
    Method method;
    Clock& clock;
    std::unique_ptr<Backend> backend;
    Pattern shape;  ///< files and partitions, without phases
    Engine engine;
    Header header{};
    Tally log{};
    std::map<std::string, std::uint64_t> seeks;  ///< of this rank, in each kind of phase
};

Dumps::Dumps(Decomposition const& where, std::filesystem::path directory, Method method, Clock& clock)
    : impl_(std::make_unique<Impl>(where, std::move(directory), method, clock)) {}
Dumps::~Dumps() = default;

Header const& Dumps::header() const { return impl_->header; }
Tally const& Dumps::log() const { return impl_->log; }
void Dumps::clear_log() { impl_->log = {}; }

void Dumps::check_places(Index first, Index last, Index dump_every) const {
    auto const& directory = impl_->directory;
    run_together(impl_->where.comm(), [&] {
        if (!impl_->where.comm().is_root()) {
            return;
        }
        check_place_of_dump(directory / restart_name);
        check_place_of_dump(directory / restart_aside());
        constexpr Index most = 1000;  // the others are refused when it is their turn
        auto const end = dump_every > 0 ? std::min(last, first + most * dump_every) : first - 1;
        for (auto step = first; step <= end; ++step) {
            if (dumps_after(step, dump_every)) {
                for (auto const& file : files_of_dump(step)) {
                    check_place_of_dump(directory / file.name);
                }
            }
        }
    });
}

void Dumps::Impl::name_files_after(Index step) {
    auto next = first_new_file;
    for (auto const& file : files_of_dump(step)) {
        if (file.purpose != Purpose::restart) {
            shape.files[next] = file_with_arrays(file, where.grid().cells);
            engine.declare_again(next, shape.files[next], bounds_of(file));
            ++next;
        }
    }
}

/// The seeks of the paper's routine in these steps; they are the same each time.
void Dumps::Impl::count_seeks(std::string const& name, Pattern const& asked, std::vector<Step> const& steps) {
    auto const [known, is_new] = seeks.try_emplace(name, 0);
    if (is_new) {
        auto pattern = asked;
        pattern.phases = {phase_of(name, steps)};
        auto const how = lowering_for(method, where.grid().cells, pattern.ranks);
        known->second = weir::seeks(lowered(pattern, how), Rank{where.comm().rank()});
    }
    log[IoCall::seek].count += known->second;
}

void Dumps::Impl::run(std::string const& name, std::vector<Step> steps, DumpSource& source) {
    HoldInterrupts const until_it_is_whole;
    auto const phase = phase_of(name, std::move(steps));
    engine.run(phase, &source);
    log.add(engine.calls_of(phase.name));
    engine.forget(phase.name);
    count_seeks(name, shape, phase.steps);
}

void Dumps::write(State const& state, double gamma) {
    DumpSource source(state, gamma, ranges_of(state));
    impl_->name_files_after(state.step);
    impl_->run("dump", steps_of_dump(impl_->shape), source);
}

void Dumps::write_restart(State const& state, double gamma) {
    DumpSource source(state, gamma);
    impl_->run("restart dump", steps_of_restart_dump(impl_->shape), source);
}

/// One request of rank 0; then everybody is told.
Header Dumps::Impl::read_header(Engine& reader, DumpSource& source, std::vector<Step> steps,
                                std::filesystem::path const& path, std::uint64_t bytes) {
    reader.run(phase_of("restart", std::move(steps)), &source);
    auto const& comm = where.comm();
    Header found{};
    run_together(comm, [&] {
        if (comm.is_root()) {
            found = restart_header(source.reals(), bytes, where.grid().cells, path.string());
        }
    });
    auto const began = clock.now_s();
    comm.broadcast(std::as_writable_bytes(std::span(&found, 1)));
    auto const took_s = clock.now_s() - began;
    CallCounter(log, &clock).note_messages(1, took_s, took_s);  // a few bytes: all of it is waiting
    return found;
}

State Dumps::read_restart(std::filesystem::path const& path) {
    auto& impl = *impl_;
    auto const& comm = impl.where.comm();
    std::uint64_t bytes = 0;
    run_together(comm, [&] { bytes = comm.is_root() ? restart_bytes(path) : 0; });
    std::error_code ignored;  // a link that the user names is followed
    auto real = std::filesystem::canonical(path, ignored);
    real = ignored ? path : real;
    auto settings = Impl::settings(real.has_parent_path() ? real.parent_path() : std::filesystem::path("."));
    Engine reader(*impl.backend, comm, settings, impl.clock);
    auto pattern = impl.shape;
    pattern.files.resize(1);
    pattern.files[0].name = real.filename().string();
    reader.declare(pattern.files[0], impl.bounds_of({.name = "", .purpose = Purpose::restart}));
    auto steps = steps_of_restart(pattern);
    auto const header_ends =
        std::ranges::find_if(steps, [](Step const& s) { return std::holds_alternative<Broadcast>(s); });
    State state(impl.where);
    DumpSource source(state);
    impl.header = impl.read_header(reader, source, {steps.begin(), header_ends}, path, bytes);
    state.step = impl.header.step;
    state.time = impl.header.time;
    reader.run(phase_of("restart", {header_ends + 1, steps.end()}), &source);
    impl.log.add(reader.calls_of("restart"));
    impl.count_seeks("restart", pattern, steps);
    return state;
}

void round_to_single(State& state) {
    for (std::size_t v = 0; v < enum_names(Variable{}).size(); ++v) {
        std::ranges::transform(state[static_cast<Variable>(v)], state[static_cast<Variable>(v)].begin(), rounded);
    }
    state.time = rounded(state.time);
}

}  // namespace weir::cloud
