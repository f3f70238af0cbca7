#include "apps/cloud/dump/dumps.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "apps/cloud/dump/old_dump.hpp"
#include "apps/cloud/dump/pictures.hpp"
#include "apps/cloud/dump/plans.hpp"
#include "apps/cloud/dump/restart_header.hpp"
#include "apps/cloud/dump/shared_file.hpp"
#include "array/durable.hpp"
#include "array/failure.hpp"
#include "comm/agreement.hpp"

namespace weir::cloud {
namespace {

void for_each_variable(auto visit) {
    for (std::size_t v = 0; v < enum_names(Variable{}).size(); ++v) {
        visit(static_cast<Variable>(v));
    }
}

double rounded(double x) { return static_cast<float>(x); }

}  // namespace

struct Dumps::Impl {
    Impl(Decomposition const& blocks, std::filesystem::path place, Method how, Clock& time)
        : where(blocks),
          directory(std::move(place)),
          method(how),
          clock(time),
          plan_of_numbers(plan_of_arrays(where, method, sizeof(float))),
          plan_of_shades(plan_of_arrays(where, method, 1)),
          numbers(static_cast<std::size_t>(volume(where.cells()))),
          shades(numbers.size()) {}

    void check_restart();
    void write(DumpFile const&, std::filesystem::path const&, State const&, double gamma);
    void write_arrays(SharedFile&, DumpFile const&, State const&);
    void put_in_place(std::filesystem::path const& from, std::filesystem::path const& to);
    void read_header(SharedFile&, std::filesystem::path const&);
    void read_arrays(SharedFile&, State&);

    Decomposition where;
    std::filesystem::path directory;
    Method method;
    Clock& clock;
    io::Plan plan_of_numbers;
    io::Plan plan_of_shades;
    std::vector<float> numbers;
    std::vector<std::uint8_t> shades;
    Header header{};
    Tally log{};
    bool checked = false;  ///< the place of the restart; from then on it is this run's
    bool made = false;     ///< by this rank: the file that was written last
};

Dumps::Dumps(Decomposition const& where, std::filesystem::path directory, Method method, Clock& clock)
    : impl_(std::make_unique<Impl>(where, std::move(directory), method, clock)) {}
Dumps::~Dumps() = default;

Header const& Dumps::header() const { return impl_->header; }
Tally const& Dumps::log() const { return impl_->log; }
void Dumps::clear_log() { impl_->log = {}; }

void Dumps::write(State const& state, double gamma) {
    for (auto const& file : files_of_dump(state.step)) {
        if (file.purpose == Purpose::restart) {
            write_restart(state, gamma);
        } else {
            impl_->write(file, impl_->directory / file.name, state, gamma);
        }
    }
}

void Dumps::check_places(Index first, Index last, Index dump_every) const {
    run_together(impl_->where.comm(), [&] {
        if (!impl_->where.comm().is_root()) {
            return;
        }
        impl_->check_restart();
        constexpr Index most = 1000;  // the others are refused when it is their turn
        auto const end = dump_every > 0 ? std::min(last, first + most * dump_every) : first - 1;
        for (auto step = first; step <= end; ++step) {
            if (dumps_after(step, dump_every)) {
                for (auto const& file : files_of_dump(step)) {
                    check_place_of_dump(impl_->directory / file.name);
                }
            }
        }
    });
}

void Dumps::write_restart(State const& state, double gamma) {
    auto const path = impl_->directory / restart_name;
    auto const beside = array::aside(path);
    run_together(impl_->where.comm(), [&] {
        if (impl_->where.comm().is_root()) {
            impl_->check_restart();
        }
    });
    impl_->made = false;
    try {
        impl_->write({std::string(restart_name), Purpose::restart}, beside, state, gamma);
    } catch (Error const&) {  // of all ranks, which have closed the file
        auto const& comm = impl_->where.comm();
        comm.barrier();
        if (comm.is_root() && impl_->made) {
            static_cast<void>(::unlink(beside.c_str()));
        }
        throw;
    }
    impl_->put_in_place(beside, path);
}

void Dumps::Impl::check_restart() {
    if (!checked) {
        check_place_of_dump(directory / restart_name);
        check_place_of_dump(array::aside(directory / restart_name));
        checked = true;
    }
}

void Dumps::Impl::write(DumpFile const& what, std::filesystem::path const& path, State const& state, double gamma) {
    auto const& blocks = state.where();
    expect(blocks.grid().cells == where.grid().cells && blocks.ranks() == where.ranks(),
           "the state is of these blocks");
    auto const reals =
        to_reals({where.grid().cells, state.step, static_cast<float>(state.time), static_cast<float>(gamma)});
    SharedFile file(where.comm(), path, method, log, clock);
    file.open(Access::create, [&](CountedFile& mine) {
        made = true;
        mine.write(0, std::as_bytes(std::span(reals)));
    });
    write_arrays(file, what, state);
    if (what.purpose == Purpose::restart) {
        file.sync();
    }
    file.close();
}

void Dumps::Impl::write_arrays(SharedFile& file, DumpFile const& what, State const& state) {
    if (what.purpose == Purpose::visualisation) {
        paint(state, what.picture, shades);
        file.write(plan_of_shades, std::as_bytes(std::span(shades)));
        return;
    }
    for_each_variable([&](Variable v) {
        std::ranges::transform(state[v], numbers.begin(), [](double x) { return static_cast<float>(x); });
        file.write(plan_of_numbers, std::as_bytes(std::span(numbers)));
    });
}

/// The time is that of bringing it to the device.
void Dumps::Impl::put_in_place(std::filesystem::path const& from, std::filesystem::path const& to) {
    run_together(where.comm(), [&] {
        if (!where.comm().is_root()) {
            return;
        }
        auto const began = clock.now_s();
        try {
            array::move_into_place(from, to);
        } catch (array::Failure const& failure) {
            if (!is_there(from)) {
                throw Error({fmt::format("{} is gone, and {} is not the new one", from.string(), to.string()),
                             "another program has removed or renamed it",
                             "Name a directory with dir that no other program works in.", ExitCode::cannot_run});
            }
            throw Error({failure.what(), "", "", ExitCode::cannot_run});
        }
        log[IoCall::sync].time_s += clock.now_s() - began;
    });
}

State Dumps::read_restart(std::filesystem::path const& path) {
    SharedFile file(impl_->where.comm(), path, impl_->method, impl_->log, impl_->clock);
    impl_->read_header(file, path);
    State state(impl_->where);
    state.step = impl_->header.step;
    state.time = impl_->header.time;
    impl_->read_arrays(file, state);
    file.close();
    return state;
}

/// One request of rank 0; then everybody is told.
void Dumps::Impl::read_header(SharedFile& file, std::filesystem::path const& path) {
    file.open(Access::read,
              [&](CountedFile& mine) { header = restart_header(mine, where.grid().cells, path.string()); });
    auto const before_s = log[IoCall::communication].time_s;
    counted(log, IoCall::communication, clock, [&] {
        where.comm().broadcast(std::as_writable_bytes(std::span(&header, 1)));
        return 0;
    });
    log.waiting_s += log[IoCall::communication].time_s - before_s;  // a few bytes: all of it is waiting
}

void Dumps::Impl::read_arrays(SharedFile& file, State& state) {
    for_each_variable([&](Variable v) {
        file.read(plan_of_numbers, std::as_writable_bytes(std::span(numbers)));
        std::ranges::copy(numbers, state[v].begin());
    });
}

void round_to_single(State& state) {
    for_each_variable([&](Variable v) { std::ranges::transform(state[v], state[v].begin(), rounded); });
    state.time = rounded(state.time);
}

}  // namespace weir::cloud
