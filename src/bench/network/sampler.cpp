#include "bench/network/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "bench/enough_memory.hpp"
#include "bench/network/case_memory.hpp"
#include "bench/network/node_order.hpp"
#include "comm/clock_offset.hpp"
#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"

namespace weir {
namespace {

/// MPI_Wtime, as IMB.
class MpiClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override { return MPI_Wtime(); }
    void sleep(Seconds time) override { MonotonicClock().sleep(time); }
};

/// One rank's part in a batch.
struct CallTimesOfRank {
    OverlapTimes times;  ///< `overlapped_s` is the call's time also where nothing overlaps
    std::uint64_t group;
    std::uint64_t timed;
    std::uint64_t interrupted;
};

std::vector<GroupTimes> by_group(std::vector<CallTimesOfRank> const& ranks, std::uint64_t groups) {
    std::vector<GroupTimes> times(groups, {std::numeric_limits<double>::infinity(), 0, 0});
    std::vector<double> members(groups);
    for (auto const& one : ranks) {
        if (one.timed == 0) {
            continue;
        }
        auto& group = times[one.group];
        group.least_s = std::min(group.least_s, one.times.overlapped_s);
        group.greatest_s = std::max(group.greatest_s, one.times.overlapped_s);
        group.mean_s += one.times.overlapped_s;
        members[one.group] += 1;
    }
    for (std::uint64_t i = 0; i < groups; ++i) {
        times[i].mean_s /= members[i];
    }
    return times;
}

std::size_t slowest_group(std::vector<GroupTimes> const& groups) {
    return static_cast<std::size_t>(std::ranges::max_element(groups, {}, &GroupTimes::greatest_s) - groups.begin());
}

/// The median of one value of each batch.
template <class Batch, class Value>
double median_over(std::vector<Batch> const& batches, Value value) {
    std::vector<double> values;
    std::ranges::transform(batches, std::back_inserter(values), value);
    return median(std::move(values));
}

CallLoop::Total& operator+=(CallLoop::Total& total, CallLoop::Total const& more) {
    total = {total.sum_s + more.sum_s, total.calls + more.calls};
    return total;
}

std::vector<GroupTimes> medians(std::vector<std::vector<GroupTimes>> const& batches) {
    std::vector<GroupTimes> result(batches.front().size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        auto const of_group = [&](double GroupTimes::*field) {
            return median_over(batches, [&](auto const& groups) { return groups[i].*field; });
        };
        result[i] = {of_group(&GroupTimes::least_s), of_group(&GroupTimes::mean_s), of_group(&GroupTimes::greatest_s)};
    }
    return result;
}

OverlapFound medians(std::vector<OverlapTimes> const& batches) {
    OverlapFound found{median_over(batches, &OverlapTimes::pure_s), median_over(batches, &OverlapTimes::cpu_s)};
    std::vector<double> shares;
    for (auto const& batch : batches) {
        if (auto const share = batch.share()) {
            shares.push_back(*share);
        }
    }
    if (!shares.empty()) {
        found.share = median(std::move(shares));
    }
    return found;
}

/// Pairs lie across nodes where there are several: messages within a node say nothing of the network.
Communicator in_order(Communicator const& all, FunctionFacts const& facts) {
    return facts.traffic == Traffic::single ? taken_in_turn(all) : all;
}

}  // namespace

struct Sampler::Batch {
    std::vector<GroupTimes> groups;
    OverlapTimes slowest;  ///< of the slowest rank
};

Sampler::Roles Sampler::roles(Communicator const& all, NetworkOptions const& options, FunctionFacts const& facts) {
    auto const size = options.group_of(all.size());
    auto const groups = options.active_of(all.size()) / size;
    auto const group = all.rank() / size;
    auto const within = all.rank() % size;
    auto const in_pair = within == 0 || within == options.partner;
    Roles roles;
    roles.groups = groups;
    roles.takes_part = group < groups && (facts.traffic != Traffic::single || in_pair);
    roles.together = all.split(roles.takes_part ? 0 : 1);
    roles.some_wait = any(all, !roles.takes_part);
    roles.nodes = fewest_nodes(roles.together.all_gather(GroupMember{group, node_numbers(all)[all.rank()]}));
    if (!facts.one_sided) {
        roles.ranks = roles.together.split(group);
        return roles;
    }
    // Open MPI 4.1 names the shared memory of a window by its communicator's number on the node, which groups that are
    // split at once have in common: their windows would be one.
    for (std::uint64_t i = 0; i < groups; ++i) {
        auto part = roles.together.split(i == group ? 0 : 1);
        if (i == group || i == 0) {
            roles.ranks = std::move(part);
        }
    }
    return roles;
}

Sampler::Sampler(Communicator const& all, Clock const& common_clock, NetworkOptions const& options)
    : all_(in_order(all, options.checked_function(all.size()).facts())),
      common_clock_(common_clock),
      options_(options),
      function_(options.checked_function(all.size())),
      roles_(roles(all_, options, function_.facts())),
      data_(roles_.ranks.rank(), function_.facts().element_bytes == sizeof(float)) {
    auto const timing = this->timing();
    run_together(all_, [&] {
        if (roles_.takes_part) {
            call_ = function_.prepare(setting());
        }
    });
    refuse_more_than_memory();
    run_together(all_, [&] {
        if (roles_.takes_part) {
            prepare(timing);
        }
    });
    if (function_.facts().set_up_by_all && roles_.some_wait) {
        set_up_alone();
    }
    if (roles_.takes_part) {
        call_->attach(buffers_->send(), buffers_->receive());
    }
    agree(all_, {});
}

/// Collective; before others attach, since no communicator can be made until all have.
void Sampler::set_up_alone() {
    auto alone = std::make_unique<Alone>();
    alone->rank = all_.split(all_.rank());
    if (roles_.takes_part) {
        return;
    }
    auto const bytes = options_.choices.partitions;  // a byte in each
    alone->call = function_.prepare({alone->rank, bytes, options_.choices});
    alone->send.resize(bytes);
    alone->receive.resize(bytes);
    alone->call->attach(alone->send, alone->receive);
    alone_ = std::move(alone);
}

/// Before any of it is touched: of a node that has not so much, the kernel would kill a rank. Collective.
void Sampler::refuse_more_than_memory() const {
    auto const& facts = function_.facts();
    auto const needed = roles_.takes_part ? memory_of(options_, facts, call_->sizes()) : CaseMemory{};
    CaseMemory const most{all_.max(needed.buffers), all_.max(needed.library)};
    refuse_more_memory_together(
        all_, needed.all(), [&](std::uint64_t bytes) { return size_that_fits(options_, facts, most, bytes); },
        most.words());
}

CallSetting Sampler::setting() const { return {roles_.ranks, options_.bytes.value, options_.choices}; }

void Sampler::prepare(CallLoop::Timing const& timing) {
    buffers_ = std::make_unique<CallBuffers>(call_->sizes(), options_.cache_to_exceed(), options_.memory);
    buffers_->fill([&](std::span<std::byte> send) { data_.fill(send); });
    loop_ = std::make_unique<CallLoop>(*call_, *buffers_, roles_.ranks, timing);
    if (auto* const parts = dynamic_cast<NonblockingCall*>(call_.get())) {
        overlapped_ =
            std::make_unique<OverlappedCall>(setting(), *call_, *parts, *timing.clock, Computing(*timing.clock));
        overlapped_loop_ = std::make_unique<CallLoop>(*overlapped_, *buffers_, roles_.ranks, timing);
    }
}

bool Sampler::root_rotates() const { return options_.choices.imb == Imb::v2_3 && !function_.facts().keeps_place; }

/// Collective, if the start is by windows.
CallLoop::Timing Sampler::timing() {
    static MpiClock const mpi_clock;
    CallLoop::Timing timing;
    timing.start = start_of(options_.start, function_.facts(), options_.choices.imb, options_.sent);
    if (options_.sent == Content::fresh) {
        timing.before = [this](std::uint64_t call) { buffers_->write(call); };
    }
    timing.root_rotates = root_rotates();
    timing.clock = options_.clock == CallClock::mpi ? static_cast<Clock const*>(&mpi_clock) : &FastClock::shared();
    timing.common_clock = &common_clock_;
    timing.offset_s = timing.start == Start::window ? offset_to_root(all_, common_clock_) : 0;
    return timing;
}

NetworkSample Sampler::sample() {
    std::optional<Diagnosis> failure;
    NetworkSample found;
    if (roles_.takes_part) {
        keep_failure(failure, [&] {
            found = measure();
            if (options_.check) {
                check(found);
            }
        });
    }
    if (roles_.some_wait) {
        all_.quiet_barrier();
    }
    agree(all_, failure);
    return found;
}

NetworkSample Sampler::measure() {
    NetworkSample found;
    warm_up(found);
    std::vector<std::vector<GroupTimes>> batches;
    std::vector<OverlapTimes> overlaps;
    std::vector<double> times_s;
    sums_ = {};
    auto rule = options_.rule;
    rule.budget_s = options_.budget.value;
    auto const from_s = common_clock_.now_s();
    for (bool enough = false; !enough;) {
        auto batch = run_batch(found);
        batches.push_back(std::move(batch.groups));
        overlaps.push_back(batch.slowest);
        times_s.push_back(batches.back()[slowest_group(batches.back())].greatest_s);
        found.elapsed_s = roles_.together.max(common_clock_.now_s() - from_s);
        enough = rule.enough(times_s, found.elapsed_s);
    }
    found.batches = batches.size();
    found.nodes = roles_.nodes;
    constexpr double error = 0.05;
    found.width = BatchRule::width(times_s, error);
    found.median.groups = medians(batches);
    found.median.slowest = slowest_group(found.median.groups);
    if (overlapped_) {
        found.median.overlap = medians(overlaps);
    }
    found.imb = by_imb();
    found.latency = roles_.together.add_up(found.latency);
    return found;
}

/// The first calls of a process took up to twice as long here, for 30 ms, and those of large messages after small ones
/// a third longer, for 50 ms: pages, caches and the processor's clock take a while. Once a process, and for each case
/// of messages as large as a core's first cache.
void Sampler::wake_up() {
    static bool awake = false;
    constexpr double longest_s = 0.05;
    constexpr std::uint64_t large = 32768;
    constexpr int most_calls = 10000;                                    // of a clock that stands still
    auto const some_sleep = roles_.together.max(awake ? 0.0 : 1.0) > 0;  // some may have had no part in cases before
    auto const for_s = some_sleep                      ? longest_s
                       : options_.bytes.value >= large ? std::min(longest_s, 4 * options_.budget.value)
                                                       : 0;
    auto const from_s = common_clock_.now_s();
    double elapsed_s = 0;
    for (int calls = 0; calls < most_calls && elapsed_s < for_s; ++calls) {
        loop_->run(durations_s_);
        elapsed_s = roles_.together.max(common_clock_.now_s() - from_s);
    }
    awake = true;
}

/// The first call tells how many there is time for. IMB: a tenth of the calls of a sample, but at least 10.
void Sampler::warm_up(NetworkSample& found) {
    constexpr std::uint64_t least = 10;
    constexpr double share_of_budget = 0.1;
    auto const longest = [&] {
        return roles_.together.max(*std::max_element(durations_s_.begin(), durations_s_.end()));
    };
    durations_s_.assign(1, 0);
    loop_->run(durations_s_);
    wake_up();
    auto const first_s = std::max(longest(), 1e-9);
    auto const in_time = static_cast<std::uint64_t>(options_.budget.value * share_of_budget / first_s);
    durations_s_.assign(std::max<std::uint64_t>(1, std::min(least, in_time)), 0);
    loop_->run(durations_s_);
    // The quickest call: on a busy machine others include the wait for a core, and batches would get too short.
    constexpr double times_overlapped = 3;  // the call, the computing, and the call again
    auto const quickest_s = *std::min_element(durations_s_.begin(), durations_s_.end());
    auto const call_s = roles_.together.max(quickest_s) * (overlapped_ ? times_overlapped : 1);
    found.calls = options_.calls > 0 ? options_.calls : options_.rule.calls(options_.bytes.value, call_s);
    durations_s_.assign(std::min(std::max(least, found.calls / least), found.calls), 0);
    loop_->run(durations_s_);
    constexpr double short_s = 2.5e-6;  // two readings of the clock take over 1 % of that
    constexpr std::uint64_t seldom = 16;
    for (auto* const loop : {loop_.get(), overlapped_loop_.get()}) {
        if (loop != nullptr && call_s < short_s) {
            loop->time_every(seldom);
        }
    }
    // The median call: one that was disturbed would make windows, and batches, thousands of times as long.
    constexpr double margin_s = 5e-6;
    window_s_ = (overlapped_ ? times_overlapped : 2) * roles_.together.max(typical_s()) + margin_s;
    least_window_s_ = window_s_;
    durations_s_.assign(found.calls, 0);
}

/// The median of the calls that were timed by themselves, on this rank.
double Sampler::typical_s() const {
    std::vector<double> timed;
    std::ranges::copy_if(durations_s_, std::back_inserter(timed), [](double duration_s) { return duration_s >= 0; });
    return timed.empty() ? 0 : median(std::move(timed));
}

/// The calls of a batch on this rank.
CallLoop::Total Sampler::timed(CallLoop& loop, NetworkSample& found, bool of_result) {
    auto total = loop.run(durations_s_, window_s_);
    while (total.calls == 0) {  // on all ranks of the group alike
        found.late += durations_s_.size();
        window_s_ *= 2;
        total = loop.run(durations_s_, window_s_);
    }
    auto const per_call = function_.facts().times_per_call;
    for (auto const duration_s : durations_s_) {
        if (of_result && duration_s >= 0 && call_->is_timed()) {
            found.latency.add(duration_s / per_call);
        }
    }
    auto const late = durations_s_.size() - total.calls;
    found.late += late;
    constexpr std::uint64_t few = 10;
    if (late * 2 > durations_s_.size()) {
        window_s_ *= 2;
    } else if (late * few < durations_s_.size()) {
        window_s_ = std::max(window_s_ / 2, least_window_s_);
    }
    return {total.sum_s / per_call, total.calls};
}

Sampler::Batch Sampler::run_batch(NetworkSample& found) {
    OverlapTimes mine;
    if (overlapped_) {
        auto const pure = timed(*loop_, found, false);
        mine.pure_s = pure.mean_s();
        sums_.pure += pure;
        overlapped_->begin(mine.pure_s);
    }
    auto const calls = timed(overlapped_ ? *overlapped_loop_ : *loop_, found, true);
    mine.overlapped_s = calls.mean_s();
    sums_.calls += calls;
    if (overlapped_) {
        mine.cpu_s = overlapped_->cpu_s();
        sums_.computing_s += mine.cpu_s * static_cast<double>(calls.calls);
    }
    return of_all_ranks(mine);
}

/// As IMB, which makes no batches: the mean over all calls.
CallTimes Sampler::by_imb() const {
    auto const calls = static_cast<double>(sums_.calls.calls);
    auto const pure_s = overlapped_ ? sums_.pure.mean_s() : 0;
    auto const [groups, slowest] = of_all_ranks({pure_s, sums_.computing_s / calls, sums_.calls.mean_s()});
    CallTimes found{groups, slowest_group(groups)};
    if (overlapped_) {
        found.overlap = {slowest.pure_s, slowest.cpu_s, slowest.share()};
    }
    return found;
}

Sampler::Batch Sampler::of_all_ranks(OverlapTimes const& times) const {
    CallTimesOfRank mine{times, 0, 0, 0};
    mine.group = roles_.groups > 1 ? all_.rank() / options_.group_of(all_.size()) : 0;
    mine.timed = call_->is_timed() ? 1 : 0;
    mine.interrupted = stop_requested ? 1 : 0;
    auto const ranks = roles_.together.all_gather(mine);
    if (std::ranges::any_of(ranks, [](auto const& one) { return one.interrupted != 0; })) {
        throw_interrupted();
    }
    std::vector<OverlapTimes> all;
    std::ranges::transform(ranks, std::back_inserter(all), [](auto const& one) { return one.times; });
    return {by_group(ranks, roles_.groups), slowest_of(all)};
}

/// As many calls again as a batch has, the data of each compared.
void Sampler::check(NetworkSample& found) {
    for (std::uint64_t number = 0; number < found.calls; ++number) {
        check_call(number, found);
    }
    found.checked_bytes = roles_.together.sum(found.checked_bytes);
}

/// All ranks learn of wrong data at once, so that none goes on to a call that others do not make.
void Sampler::check_call(std::uint64_t number, NetworkSample& found) {
    auto const root = root_rotates() ? static_cast<int>(number % roles_.ranks.size()) : 0;
    auto const place = buffers_->place(number, root);
    std::span const receive(place.receive, buffers_->sizes().receive);
    data_.begin(number);
    data_.fill({place.send, buffers_->sizes().send});
    data_.spoil(receive);
    call_->prepare_check(place);
    roles_.ranks.barrier();
    call_->call(place);
    call_->finish_check();
    auto const compared = data_.compare(*call_, root, roles_.ranks.size(), receive);
    found.checked_bytes += compared.bytes;
    run_together(roles_.together, [&] {
        if (compared.wrong > 0) {
            throw Error({fmt::format("{} delivered wrong data", function_.facts().name),
                         fmt::format("in call {}, {} of {} bytes that this rank received are wrong, the first at {}",
                                     number, compared.wrong, compared.bytes, compared.first),
                         "suspect the MPI library, the network or the memory of this node", ExitCode::wrong_data,
                         all_.rank()});
        }
    });
}

}  // namespace weir
