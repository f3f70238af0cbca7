#include "array/api/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "array/api/overlap_check.hpp"
#include "array/exchange/holes.hpp"
#include "array/exchange/scoped_timer.hpp"
#include "array/layout/aggregator_placement.hpp"
#include "array/layout/share_index.hpp"
#include "array/planner/explain.hpp"
#include "array/planner/survey.hpp"

namespace weir::array {
namespace {

CommRank place_in(Communicator const& comm) { return {comm.rank(), comm.size()}; }

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

Plan::Plan(MPI_Comm comm, std::vector<Description> descriptions, PlanOptions options, std::string text,
           FirstFailure failure)
    : comm_(Communicator::duplicate(comm)), options_text_(std::move(text)), options_(std::move(options)) {
    failure.attempt([&] {
        arrays_ = std::make_unique<Arrays>(std::move(descriptions));
        for (auto const& d : arrays_->descriptions) {
            if (d.distribution == Distribution::blocks) {
                static_cast<void>(grid_of(d, comm_.size()));
            }
        }
    });
    agree_on_arrays(failure);

    neighbours_ = ranks_of_node(comm_, options_.node_size);
    auto const& node = neighbours_;
    node_ = on_one_node() ? 0 : ~node.max(~comm_.rank());
    allreduce_.emplace(comm_, options_.exchange == Route::messages ? Communicator{} : node);
    failure.agree(comm_);
    // From here on ranks agree by that reduction: on a node with more ranks than cores, each of MPI's takes a time
    // slice.
    auto const facts = survey(comm_, node, *arrays_, options_, failure);
    failure.attempt([&] { choice_ = choose(facts, options_); });
    agree(failure);

    check_writable();
    make_both(failure);
    keep_to_memory(facts);
    count_movers();
    find_who_syncs(failure);
}

/// Throws the failure of any rank.
void Plan::find_who_syncs(FirstFailure const& failure) {
    auto const mine = touches(write_) ? comm_.rank() : comm_.size();
    if (on_one_node()) {
        auto const [vote, greatest, unused] = allreduce_->max({failure.vote(comm_), ~mine, 0});
        failure.throw_elected(comm_, vote);
        syncs_ = ~greatest == comm_.rank();
        return;
    }
    syncs_ = ~neighbours_.max(~mine) == comm_.rank();
    agree(failure);
}

/// Throws the failure of any rank, also of describing.
void Plan::agree_on_arrays(FirstFailure& failure) const {
    std::vector<std::string> mine;
    failure.attempt([&] {
        auto const& arrays = arrays_->descriptions;
        mine = {fmt::format("{} arrays", arrays.size()), fmt::format("options '{}'", options_text_)};
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            mine.push_back(fmt::format("array {}: {}", i, arrays[i].summary()));
        }
    });
    agree_on_texts(comm_, mine, failure, "ranks describe different plans",
                   "Give the same options, shapes, element sizes, orders, blocks and grids on all ranks.");
}

/// The exchange plan of this rank's group, with its aggregators; fails as make() does.
ExchangePlan Plan::planned(Direction const& direction, Use use, std::optional<GridRow> const& row,
                           std::span<std::uint64_t> nodes, FirstFailure& failure) {
    auto const& strategy = direction.strategy;
    IoGroup group{comm_, {}, 1};
    if (strategy.method == Method::grouped) {
        group = group_of_node(comm_, *arrays_, use, choice_.group, failure);
    } else if (strategy.method == Method::two_phase && row && strategy.aggregators % row->rows == 0) {
        group = group_of_row(comm_, *arrays_, *row, failure);
    } else {
        failure.attempt([&] { group.region = Region::whole(arrays_->bytes()); });
    }
    auto plan = exchange_plan(group.comm, std::move(group.region), direction.share);
    if (group.groups == 1) {
        plan.node = neighbours_;
    }
    bool const one = strategy.method == Method::grouped || strategy.method == Method::gather;
    auto const count = one ? 1 : std::max<std::uint64_t>(1, strategy.aggregators / group.groups);
    auto const here = nodes.first(group.comm.size());
    if (!one && on_one_node()) {
        std::ranges::fill(here, node_);
    } else if (!one) {
        group.comm.all_gather(node_, here);
    }
    failure.attempt([&] {
        plan.by.aggregators =
            one ? std::vector<std::uint64_t>{0} : place_aggregators({here.begin(), here.end()}, count);
    });
    plan.by.align = choice_.align;
    plan.by.phase = group.groups > 1 ? 0 : options_.offset.value % choice_.align;
    if (group.groups == 1 && use == Use::write && may_have_holes(*arrays_)) {  // other groups may hold the gaps
        failure.attempt([&] { plan.holes = holes(); });
    }
    plan.read_all = options_.holes == HoleUse::fill && options_.checksum;
    // A window full of bytes may hold some of them several times.
    plan.may_overlap = write_.problem.has_value();
    return plan;
}

void Plan::make_both(FirstFailure& failure) {
    auto problem = std::move(write_.problem);
    write_ = {};
    read_ = {};
    write_.problem = std::move(problem);
    write_.strategy = choice_.write;
    read_.strategy = choice_.read;
    make(write_, Use::write, failure);
    make(read_, Use::read, failure);
}

/// The memory for peers and messages is known only once the plan is made, and can exceed a window on a rank that holds
/// most of what all aggregators move in a round. 5 % above the bound is tolerated, to avoid odd window sizes.
void Plan::keep_to_memory(PlanFacts const& facts) {
    auto const bound = options_.memory.value;
    for (int turn = 0; bound != 0; ++turn) {
        auto const most = comm_.max(memory_bytes() - list_bytes());
        if (most <= bound + bound / 20) {
            break;
        }
        auto const window = smaller_window(turn);
        if (window == choice_.window) {
            refuse_bound(most);
        }
        choice_.window = window;
        explain_smaller_window(facts);
        FirstFailure failure;
        make_both(failure);
    }
}

/// The largest window with which all ranks keep to the bound, if their messages shrink with the windows. If they have
/// not: half of the window, again in each turn. Collective.
std::uint64_t Plan::smaller_window(int turn) const {
    auto const bound = options_.memory.value;
    auto const buffers = buffer_bytes();
    auto const allowed = bound - std::min(bound, memory_bytes() - list_bytes() - buffers);
    auto const mine = window_within(choice_, allowed, turn < 2 ? buffers : std::max(buffers, 2 * allowed));
    return ~comm_.max(~mine);
}

void Plan::explain_smaller_window(PlanFacts const& facts) {
    FirstFailure failure;
    failure.attempt([&] { choice_.why = reason_for(facts, options_, choice_); });
    failure.agree(comm_);
}

void Plan::refuse_bound(std::uint64_t least) const {
    FirstFailure failure;
    failure.attempt([&] {
        fail(WEIR_BAD_ARGUMENT,
             fmt::format("this plan cannot keep to {} of memory", text_of_bytes(options_.memory.value)),
             fmt::format("with windows of {} it takes {} on some rank", text_of_bytes(choice_.window),
                         text_of_bytes(least)),
             fmt::format("Give memory={}KiB or more.", (least + 1023) / 1024));
    });
    failure.agree(comm_);
}

void Plan::make(Direction& direction, Use use, FirstFailure& failure) {
    bool const same = use == Use::read && !has_two_shares(*arrays_);
    auto const& strategy = direction.strategy;
    bool const exchanges = strategy.method != Method::independent && !(same && strategy == write_.strategy);
    std::optional<GridRow> row;
    std::vector<std::uint64_t> nodes;
    std::shared_ptr<std::optional<Exchange>> exchange;
    failure.attempt([&] {
        direction.share = same ? write_.share
                               : std::make_shared<Share const>(sorted(
                                     with_lists(coalesced(arrays_->share(place_in(comm_), use)), choice_.window)));
        if (exchanges) {
            row = choice_.rows ? row_of(*arrays_, place_in(comm_), options_.target.value) : std::nullopt;
            nodes.resize(comm_.size());
            exchange = std::make_shared<std::optional<Exchange>>();
        }
    });
    if (!same || exchanges) {
        agree(failure);
    }
    if (!exchanges) {
        direction.exchange = strategy.method == Method::independent ? nullptr : write_.exchange;
        return;
    }
    auto plan = planned(direction, use, row, nodes, failure);
    plan.exchange_tag = use == Use::write ? 1 : 2;
    agree(failure);
    exchange->emplace(std::move(plan), failure);
    direction.exchange = {exchange, &**exchange};
    check_memory(*direction.exchange, failure);
}

void Plan::check_memory(Exchange const& exchange, FirstFailure& failure) {
    failure.attempt([&] {
        if (!exchange.has_memory()) {
            fail(WEIR_NO_MEMORY, "there is no memory for the slots of an aggregator",
                 fmt::format("they take {} windows of {} bytes", choice_.slots, choice_.window),
                 "Give a bound such as memory=16MiB.");
        }
    });
    agree(failure);
}

void Plan::check_writable() {
    if (!may_have_holes(*arrays_)) {
        return;
    }
    FirstFailure failure;
    auto const on_failure = [&](FirstFailure const& so_far) { agree(so_far); };
    check_cover_on_all_ranks(comm_, *arrays_, options_.holes != HoleUse::refuse, failure, on_failure);
    try {
        agree(failure);
    } catch (Failure const& problem) {
        if (problem.code() != WEIR_OVERLAP && problem.code() != WEIR_HOLES) {
            throw;
        }
        write_.problem = problem;
    }
}

bool Plan::agree(FirstFailure const& failure, std::uint64_t value) {
    ScopedTimer const watch(times.wait);
    auto const [vote, greatest, least] = allreduce_->max({failure.vote(comm_), value, ~value});
    failure.throw_elected(comm_, vote);
    return greatest == ~least;
}

bool Plan::moves(Direction const& direction) const {
    return direction.exchange ? direction.exchange->is_aggregator() : bytes_of(*direction.share) > 0;
}

/// A dump without elements makes a file, and reading one needs it, by whichever method.
void Plan::count_movers() {
    std::array<std::uint64_t, 2> moving{moves(write_) ? 1U : 0U, moves(read_) ? 1U : 0U};
    comm_.sum(moving);
    write_.movers = moving[0];
    read_.movers = moving[1];
}

bool Plan::completes_together() const {
    bool const syncs_others = options_.sync && write_.movers > 1;
    bool const extends =
        options_.holes != HoleUse::refuse ||
        std::ranges::any_of(arrays_->descriptions, [](auto const& d) { return !d.larger_shape.empty(); });
    return syncs_others || extends || verifies();
}

bool Plan::touches(Direction const& direction) const {
    return moves(direction) || (direction.movers == 0 && comm_.is_root());
}

std::shared_ptr<Holes const> Plan::holes() const {
    switch (options_.holes) {
        case HoleUse::keep:
            return std::make_shared<KeptHoles const>();
        case HoleUse::fill:
            return std::make_shared<FilledHoles const>(*arrays_);
        default:
            return nullptr;
    }
}

void Plan::write(Sink* sink, Buffers buffers, FirstFailure& failure, bool behind) {
    if (write_.exchange) {
        write_.exchange->write(buffers, sink, behind, failure, times);
        return;
    }
    failure.attempt([&] {
        ScopedTimer const watch(times.storage);
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
        ScopedTimer const watch(times.storage);
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

void Plan::later(std::function<void()> const& job) {
    if (write_.exchange) {
        write_.exchange->later(job);
    } else {
        job();
    }
}

bool Plan::finished() const { return !write_.exchange || write_.exchange->finished(); }

ExchangePlan Plan::in_memory(Share share, int exchange_tag) const {
    auto plan = exchange_plan(comm_, Region::whole(arrays_->bytes()), std::make_shared<Share const>(std::move(share)));
    plan.node = neighbours_;
    plan.by.aggregators.resize(comm_.size());
    std::iota(plan.by.aggregators.begin(), plan.by.aggregators.end(), std::uint64_t{0});
    plan.exchange_tag = exchange_tag;
    return plan;
}

ExchangePlan Plan::exchange_plan(Communicator group, Region region, std::shared_ptr<Share const> share) const {
    ExchangePlan plan{std::move(group), std::move(region)};
    plan.by.window = choice_.window;
    plan.slots = choice_.slots;
    plan.node_size = options_.node_size;
    plan.shared_memory = options_.exchange != Route::messages;
    plan.share = std::move(share);
    return plan;
}

std::uint64_t Plan::buffer_bytes() const {
    bool const apart = read_.exchange && read_.exchange != write_.exchange;
    return (write_.exchange ? write_.exchange->buffer_bytes() : 0) + (apart ? read_.exchange->buffer_bytes() : 0);
}

std::uint64_t Plan::list_bytes() const {
    CountedLists counted;
    auto sum = arrays_->memory_of_boxes() + memory_of_lists(*write_.share, counted);
    sum += read_.share == write_.share ? 0 : memory_of_lists(*read_.share, counted);
    sum += write_.exchange ? write_.exchange->list_bytes() : 0;
    sum += read_.exchange && read_.exchange != write_.exchange ? read_.exchange->list_bytes() : 0;
    return sum;
}

std::uint64_t Plan::memory_bytes() const {
    CountedLists counted;
    auto sum = sizeof *this + arrays_->memory_of_boxes() + memory_of(*write_.share, counted);
    sum += read_.share == write_.share ? 0 : memory_of(*read_.share, counted);
    sum += write_.exchange ? write_.exchange->memory_bytes() : 0;
    sum += read_.exchange && read_.exchange != write_.exchange ? read_.exchange->memory_bytes() : 0;
    return sum;
}

std::vector<Description> Plan::descriptions() const { return arrays_->descriptions; }

std::uint64_t Plan::file_bytes() const {
    std::uint64_t sum = 0;
    for (auto const& d : arrays_->descriptions) {
        sum += d.file_bytes();
    }
    return sum;
}

}  // namespace weir::array
