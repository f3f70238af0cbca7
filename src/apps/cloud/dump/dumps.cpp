#include "apps/cloud/dump/dumps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cloud/dump/dump_source.hpp"
#include "apps/cloud/dump/header_in.hpp"
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
    Impl(Decomposition const& blocks, std::filesystem::path place, std::unique_ptr<Backend> library, Method how,
         OtherBackend instead, Clock& time)
        : where(blocks),
          directory(std::move(place)),
          own(std::move(library)),
          method(how),
          other(std::move(instead)),
          clock(time),
          backend(own ? *own : *other.object),
          engine(backend, where.comm(), settings(directory), clock) {
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

    /// Reads dumps that are no plain bytes; none: they are.
    [[nodiscard]] Backend* format() const { return own || other.bytes ? nullptr : other.object; }
    void check_place(std::filesystem::path const& path) const { check_place_of_dump(path, format()); }

    [[nodiscard]] EngineSettings settings(std::filesystem::path const& folder) const {
        EngineSettings settings{.directory = folder};
        settings.times_calls = true;
        settings.notes_residence = false;
        settings.prefix = "";
        settings.check_in_the_way = [this](std::filesystem::path const& path) { check_place(path); };
        return settings;
    }

    void add(DumpFile const& file) {
        shape.files.push_back(file_with_arrays(file, where.grid().cells));
        engine.declare(shape.files.back(), bounds_of(file));
    }
    [[nodiscard]] std::vector<Step> asked(std::vector<Step> steps) const {
        return own || other.collective ? std::move(steps) : each_alone(std::move(steps));
    }
    [[nodiscard]] FileBounds bounds_of(DumpFile const& file) const {
        auto const block = static_cast<std::uint64_t>(volume(where.cells())) * file.element_bytes;
        return {file.bytes(where.grid().cells), where.comm().max(std::max(block, header_bytes))};
    }

    void name_files_after(Index step);
    void run(std::string const& name, std::vector<Step> steps, DumpSource&);
    void count_seeks(std::string const& name, Pattern const& asked, std::vector<Step> const& steps);
    [[nodiscard]] std::uint64_t check_format(std::filesystem::path const&) const;
    [[nodiscard]] Header read_header(Engine&, DumpSource&, std::vector<Step> steps, std::filesystem::path const&,
                                     std::uint64_t bytes);

    Decomposition where;
    std::filesystem::path directory;
    std::unique_ptr<Backend> own;  ///< the two-phase library's; none: the other one
    Method method;
    OtherBackend other;
    Clock& clock;
    Backend& backend;
    Pattern shape;  ///< files and partitions, without phases
    Engine engine;
    Header header{};
    Tally log{};
    std::map<std::string, std::uint64_t> seeks;  ///< of this rank, in each kind of phase
};

Dumps::Dumps(Decomposition const& where, std::filesystem::path directory, Method method, Clock& clock)
    : impl_(std::make_unique<Impl>(where, std::move(directory),
                                   backend_for(method, where.grid().cells, where.comm().size()), method, OtherBackend{},
                                   clock)) {}
Dumps::Dumps(Decomposition const& where, std::filesystem::path directory, OtherBackend other, Clock& clock)
    : impl_(
          std::make_unique<Impl>(where, std::move(directory), nullptr, Method::independent, std::move(other), clock)) {}
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
        impl_->check_place(directory / restart_name);
        impl_->check_place(directory / restart_aside());
        constexpr Index most = 1000;  // the others are refused when it is their turn
        auto const end = dump_every > 0 ? std::min(last, first + most * dump_every) : first - 1;
        for (auto step = first; step <= end; ++step) {
            if (dumps_after(step, dump_every)) {
                for (auto const& file : files_of_dump(step)) {
                    impl_->check_place(directory / file.name);
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

/// The seeks of the paper's routine in these steps, where it is the library; they are the same each time.
void Dumps::Impl::count_seeks(std::string const& name, Pattern const& asked, std::vector<Step> const& steps) {
    if (!own) {
        return;
    }
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
    auto const phase = phase_of(name, asked(std::move(steps)));
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

/// A restart file of a format: its header is looked at before all else, since arrays of other cells cannot be opened.
/// Returns the bytes of one of plain bytes. Local.
std::uint64_t Dumps::Impl::check_format(std::filesystem::path const& path) const {
    auto const whole = DumpFile{}.bytes(where.grid().cells);
    std::array<float, 6> reals{};
    try {
        reals = header_in(path, *other.object);
    } catch (Error const& error) {
        throw Error({fmt::format("{} is no restart file that backend = {} has written", path.string(), other.name),
                     error.diagnosis().reason, "Name one that it has, or choose the back-end that wrote it.",
                     ExitCode::usage});
    }
    static_cast<void>(restart_header(reals, whole, where.grid().cells, path.string()));
    return whole;
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
    run_together(comm, [&] {
        if (comm.is_root()) {
            bytes = restart_bytes(path);
            if (impl.format() != nullptr) {
                bytes = impl.check_format(path);
            }
        }
    });
    std::error_code ignored;  // a link that the user names is followed
    auto real = std::filesystem::canonical(path, ignored);
    real = ignored ? path : real;
    auto settings = impl.settings(real.has_parent_path() ? real.parent_path() : std::filesystem::path("."));
    Engine reader(impl.backend, comm, settings, impl.clock);
    auto pattern = impl.shape;
    pattern.files.resize(1);
    pattern.files[0].name = real.filename().string();
    reader.declare(pattern.files[0], impl.bounds_of({.name = "", .purpose = Purpose::restart}));
    auto steps = impl.asked(steps_of_restart(pattern));
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
