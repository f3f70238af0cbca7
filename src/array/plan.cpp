#include "array/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "array/aggregators.hpp"
#include "array/cover.hpp"
#include "array/exchange_parts.hpp"
#include "array/survey.hpp"
#include "array/trial.hpp"

namespace weir::array {
namespace {

Place place_in(Communicator const& comm) { return {comm.rank(), comm.size()}; }

/// Each rank writes and reads its own rows.
void each_own_row(Share const& share, Buffers buffers, auto&& visit) {
    for (auto const& part : share) {
        part.each(0, part.bytes(), [&](Rows const& rows) {
            for (std::uint64_t i = 0; i < rows.rows; ++i) {
                auto* const memory = static_cast<std::byte*>(buffers[part.array()]) + rows.memory +
                                     static_cast<std::int64_t>(i) * rows.memory_step;
                visit(rows.position + i * rows.position_step, std::span(memory, rows.length));
            }
        });
    }
}

}  // namespace

Plan::Plan(MPI_Comm comm, std::vector<Description> descriptions, std::string const& options, FirstFailure failure)
    : comm_(Communicator::duplicate(comm)), options_text_(options) {
    failure.agree(comm_);
    failure.attempt([&] {
        arrays_ = std::make_unique<Arrays>(std::move(descriptions));
        options_ = parse_options(options);
        for (auto const& d : arrays_->descriptions) {
            if (d.distribution == Distribution::blocks) {
                static_cast<void>(grid_of(d, comm_.size()));
            }
        }
    });
    failure.agree(comm_);
    agree_on_arrays(options);

    auto node = comm_.node();
    node = options_.node_size == 0 ? node : node.split(node.rank() / options_.node_size);
    node_ = ~node.max(~comm_.rank());
    assembly_ = std::make_unique<Assembly>(comm_, options_.exchange == Route::messages ? Communicator{} : node);
    auto const facts = survey(comm_, node, *arrays_, options_);
    choice_ = options_.measure ? measured(comm_, node, *arrays_, facts, options_, options) : choose(facts, options_);

    write_.way = choice_.write;
    read_.way = choice_.read;
    make(write_, Use::write);
    make(read_, Use::read);
    check_memory();
    check_writable();
    arrays_->forget_parts();
    auto const first = ~node.max(~(touches(write_) ? comm_.rank() : comm_.size()));
    syncs_ = first == comm_.rank();
}

void Plan::agree_on_arrays(std::string const& options) const {
    auto mine = fmt::format("options '{}'", options);
    for (std::size_t i = 0; i < arrays_->descriptions.size(); ++i) {
        mine += fmt::format("; array {}: {}", i, arrays_->descriptions[i].summary());
    }
    auto const roots = comm_.broadcast(mine);
    FirstFailure failure;
    failure.attempt([&] {
        require(mine == roots, WEIR_DISAGREE, [&] {
            return std::array{
                std::string("ranks describe different plans"),
                fmt::format("rank {}: {}; rank 0: {}", comm_.rank(), mine, roots),
                std::string("Give the same options, shapes, element sizes, orders, blocks and grids on all ranks.")};
        });
    });
    failure.agree(comm_);
}

void Plan::make(Direction& direction, Use use) {
    bool const same = use == Use::read && !has_two_shares(*arrays_);
    direction.share =
        same ? write_.share : std::make_shared<Share const>(coalesced(arrays_->share(place_in(comm_), use)));
    auto const& way = direction.way;
    if (way.method == Method::independent) {
        return;
    }
    if (same && way == write_.way) {
        direction.exchange = write_.exchange;
        return;
    }
    auto const row = choice_.rows ? row_of(*arrays_, place_in(comm_), options_.target.value) : std::nullopt;
    Team team;
    if (way.method == Method::grouped) {
        team = group_team(comm_, *arrays_, use, choice_.group);
    } else if (way.method == Method::two_phase && row && way.aggregators >= row->rows) {
        team = row_team(comm_, *arrays_, *row);
    } else {
        team = whole_team(comm_, *arrays_);
    }
    ExchangePlan plan{team.comm, team.region};
    bool const one = way.method == Method::grouped || way.method == Method::gather;
    auto const count = one ? 1 : std::max<std::uint64_t>(1, way.aggregators / team.teams);
    plan.aggregators = one ? std::vector<std::uint64_t>{0} : choose_aggregators(team.comm.all_gather(node_), count);
    plan.align = choice_.align;
    plan.window = choice_.window;
    plan.slots = choice_.slots;
    plan.phase = team.teams > 1 ? 0 : options_.offset.value % choice_.align;
    plan.node_size = options_.node_size;
    plan.shared_memory = options_.exchange != Route::messages;
    plan.meeting_tag = use == Use::write ? 1 : 2;
    plan.share = direction.share;
    direction.exchange = std::make_shared<Exchange>(std::move(plan));
}

void Plan::check_memory() const {
    FirstFailure failure;
    failure.attempt([&] {
        for (auto const* direction : {&write_, &read_}) {
            require(!direction->exchange || direction->exchange->has_memory(), WEIR_NO_MEMORY, [&] {
                return std::array{std::string("there is no memory for the slots of an aggregator"),
                                  fmt::format("they take {} windows of {} bytes", choice_.slots, choice_.window),
                                  std::string("Give a bound such as memory=16MiB.")};
            });
        }
    });
    failure.agree(comm_);
}

void Plan::check_writable() {
    bool const surely = std::ranges::all_of(arrays_->descriptions, [](auto const& d) {
        return d.distribution == Distribution::blocks || d.distribution == Distribution::replicated;
    });
    if (surely) {
        return;
    }
    FirstFailure failure;
    check_cover_together(comm_, *arrays_, failure);
    try {
        failure.agree(comm_);
    } catch (Failure const& problem) {
        write_.problem = problem;
    }
}

void Plan::agree(FirstFailure const& failure) {
    Stopwatch const watch(times.wait);
    failure.agree(*assembly_);
}

bool Plan::touches(Direction const& direction) const {
    return direction.exchange ? direction.exchange->is_aggregator() : bytes_of(*direction.share) > 0;
}

void Plan::write(Sink* sink, Buffers buffers, FirstFailure& failure, bool behind) {
    if (write_.exchange) {
        write_.exchange->write(buffers, sink, behind, failure, times);
        return;
    }
    failure.attempt([&] {
        Stopwatch const watch(times.storage);
        each_own_row(*write_.share, buffers, [&](std::uint64_t position, std::span<std::byte const> row) {
            sink->write(position, row);
            ++times.requests;
        });
    });
}

void Plan::read(Sink* sink, Buffers buffers, FirstFailure& failure) {
    if (read_.exchange) {
        read_.exchange->read(buffers, sink, failure, times);
        return;
    }
    failure.attempt([&] {
        Stopwatch const watch(times.storage);
        each_own_row(*read_.share, buffers, [&](std::uint64_t position, std::span<std::byte> row) {
            sink->read(position, row);
            ++times.requests;
        });
    });
}

void Plan::finish() {
    if (write_.exchange) {
        write_.exchange->finish(times);
    }
}

void Plan::later(std::function<void()> job) {
    if (write_.exchange) {
        write_.exchange->later(std::move(job));
    } else {
        job();
    }
}

bool Plan::finished() const { return !write_.exchange || write_.exchange->finished(); }

ExchangePlan Plan::in_memory(Share share, int meeting_tag) const {
    ExchangePlan plan{comm_, Region::whole(arrays_->bytes())};
    plan.aggregators.resize(comm_.size());
    std::iota(plan.aggregators.begin(), plan.aggregators.end(), std::uint64_t{0});
    plan.window = choice_.window;
    plan.slots = choice_.slots;
    plan.node_size = options_.node_size;
    plan.shared_memory = options_.exchange != Route::messages;
    plan.meeting_tag = meeting_tag;
    plan.share = std::make_shared<Share const>(std::move(share));
    return plan;
}

std::uint64_t Plan::memory_bytes() const {
    auto sum = sizeof *this + memory_of(*write_.share);
    sum += read_.share == write_.share ? 0 : memory_of(*read_.share);
    sum += write_.exchange ? write_.exchange->memory_bytes() : 0;
    sum += read_.exchange && read_.exchange != write_.exchange ? read_.exchange->memory_bytes() : 0;
    return sum;
}

std::uint64_t Plan::file_bytes() const {
    std::uint64_t sum = 0;
    for (auto const& d : arrays_->descriptions) {
        sum += d.file_bytes();
    }
    return sum;
}

}  // namespace weir::array
