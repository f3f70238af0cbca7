#include "array/planner/choice.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace weir::array {
namespace {

double number(std::uint64_t count) { return static_cast<double>(std::max<std::uint64_t>(count, 1)); }

/// How many processes of the machine do something at once, of so many.
double at_once(PlanFacts const& facts, std::uint64_t processes) {
    return number(std::min(processes, facts.nodes * facts.cores));
}

/// How many of them move bytes between memory and the file at once: elsewhere than on a parallel file system, writes of
/// a node to one file exclude each other.
double streams(PlanFacts const& facts, Use use, std::uint64_t processes) {
    bool const locked = use == Use::write && facts.file_system.storage != Storage::parallel;
    return locked ? number(std::min(processes, facts.nodes)) : at_once(facts, processes);
}

double storage_seconds(PlanFacts const& facts, Use use, std::uint64_t bytes, std::uint64_t processes) {
    auto const& speed = use == Use::write ? facts.profile.write : facts.profile.read;
    auto const rate = std::min(speed.all_bytes_per_s, speed.one_bytes_per_s * streams(facts, use, processes));
    return static_cast<double>(bytes) / rate;
}

double request_seconds(PlanFacts const& facts, Use use, double requests, std::uint64_t processes) {
    auto const& speed = use == Use::write ? facts.profile.write : facts.profile.read;
    return requests / streams(facts, use, processes) * speed.request_s;
}

Cost independent(PlanFacts const& facts, Use use) {
    auto const& load = facts.load(use);
    Cost cost;
    cost.requests = load.runs;
    // The rank with the most of them is the last to end.
    auto const requests = std::max(static_cast<double>(load.runs),
                                   static_cast<double>(load.most_runs) * streams(facts, use, facts.ranks));
    cost.requests_s = request_seconds(facts, use, requests, facts.ranks);
    cost.storage_s = storage_seconds(facts, use, load.bytes, facts.ranks);
    cost.seconds = cost.storage_s + cost.requests_s;
    return cost;
}

/// Of the bytes, so many go to another node.
double far_share(PlanFacts const& facts, Strategy const& strategy, Sizes const& sizes) {
    bool const within_nodes = strategy.method == Method::grouped && sizes.group * facts.nodes <= facts.ranks;
    return sizes.messages ? 1 : within_nodes ? 0 : 1 - 1 / number(facts.nodes);
}

}  // namespace

Cost cost_of(PlanFacts const& facts, Use use, Strategy const& strategy, Sizes const& sizes) {
    if (strategy.method == Method::independent) {
        return independent(facts, use);
    }
    auto const& load = facts.load(use);
    auto const& profile = facts.profile;
    auto const moved = static_cast<double>(load.bytes);
    auto const far = far_share(facts, strategy, sizes);
    auto const windows = number(facts.bytes / sizes.window);
    Cost cost;

    // What is sent is copied on both sides.
    auto const copies = moved * (1 + far) / (profile.copy_bytes_per_s * at_once(facts, facts.ranks));
    auto const network =
        moved * far / (profile.network_bytes_per_s * number(std::min(strategy.aggregators, facts.nodes)));
    // A rank sends a message to each window that it has a run in.
    auto const messages = far * number(facts.ranks) * std::min(windows, static_cast<double>(load.most_runs));
    cost.exchange_s = std::max(copies, network) + messages / at_once(facts, strategy.aggregators) * profile.message_s;

    auto const longest = strategy.method == Method::grouped && facts.group_run_bytes != 0
                             ? std::min(facts.group_run_bytes, sizes.window)
                             : sizes.window;
    auto const piece = std::max<std::uint64_t>(1, longest);
    cost.requests = std::max<std::uint64_t>(1, facts.bytes / piece + (facts.bytes % piece != 0 ? 1 : 0));
    cost.requests_s = request_seconds(facts, use, number(cost.requests), strategy.aggregators);
    cost.storage_s = storage_seconds(facts, use, facts.bytes, strategy.aggregators);
    // One window is exchanged while another one is written.
    cost.seconds = std::max(cost.exchange_s, cost.storage_s) + cost.requests_s;
    return cost;
}

namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t MiB = 1 << 20;
/// Aggregators with less than this each wait for each other longer than they write.
constexpr std::uint64_t least_part = MiB;
/// Large enough that a message or a request to a server is worth its latency.
constexpr std::uint64_t remote_window = 4 * MiB;
/// A window in a message fits an int; more comes only where a rank reads the same bytes several times.
constexpr std::uint64_t largest_window = 1 << 30;
/// So many windows hold all of a domain, for an asynchronous dump.
constexpr std::uint64_t async_slots = 8;
/// With so many small windows in the cache, ranks wait less often for each other than with few large ones.
constexpr std::uint64_t slots_in_cache = 4;
/// Costs that differ by less than the numbers are good for are taken for the same.
constexpr double alike = 1.02;

std::uint64_t per_node(PlanFacts const& facts, std::uint64_t count) { return (count + facts.nodes - 1) / facts.nodes; }

/// Is there one node, with a file system of its own, as far as anybody knows?
bool alone(PlanFacts const& facts) { return facts.nodes == 1 && !facts.file_system.remote(); }

/// All slots of an aggregator stay in a core's cache between the one copy and the other.
std::uint64_t window_in_cache(std::uint64_t cache_bytes) {
    constexpr std::uint64_t usual = MiB / 4;
    return cache_bytes == 0 ? usual : std::clamp(std::bit_floor(cache_bytes / slots_in_cache), MiB / 4, MiB);
}

std::uint64_t usual_window(PlanFacts const& facts, bool messages) {
    if (facts.file_system.remote()) {
        auto const stripe = facts.file_system.stripe_bytes;
        return stripe < MiB ? remote_window : std::min(stripe, 4 * remote_window);
    }
    return messages ? remote_window : window_in_cache(facts.cache_bytes);
}

/// Multiples and parts of the number of stripes, fewest first, so that each aggregator has the same share of the
/// servers.
std::vector<std::uint64_t> counts_for_stripes(PlanFacts const& facts, std::uint64_t most) {
    auto const stripes = facts.file_system.stripes;
    std::vector<std::uint64_t> all;
    auto count = stripes >> std::countr_zero(stripes);
    for (; count <= most; count *= 2) {
        all.push_back(count);
    }
    return all;
}

/// Numbers of aggregators to choose from, the one to take first where it makes no difference. On one node a further
/// one costs nothing but its windows, and shares the copying; from several nodes, fewer requests come at once.
std::vector<std::uint64_t> counts(PlanFacts const& facts, std::uint64_t wanted) {
    if (wanted != 0) {
        return {std::min(wanted, facts.ranks)};
    }
    auto const most = std::clamp<std::uint64_t>(facts.bytes / least_part, 1, facts.ranks);
    std::vector<std::uint64_t> all;
    if (facts.file_system.stripes != 0) {
        all = counts_for_stripes(facts, most);
    }
    if (!all.empty()) {
        return all;
    }
    all.push_back(most);
    for (auto each = per_node(facts, most) / 2; each > 0; each /= 2) {
        all.push_back(std::min(each * facts.nodes, most));
    }
    for (auto few = std::min(facts.nodes, most) / 2; few > 0; few /= 2) {
        all.push_back(few);
    }
    if (!alone(facts)) {
        std::ranges::reverse(all);
    }
    return all;
}

/// A product that does not wrap.
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    return a > std::numeric_limits<std::uint64_t>::max() / std::max<std::uint64_t>(b, 1) ? a : a * b;
}

/// All strategies that are open, those to take first where it makes no difference first.
std::vector<Strategy> open_strategies(PlanFacts const& facts, PlanOptions const& options, Use use) {
    auto const asked = use == Use::write ? options.writers : options.readers;
    auto const wanted = asked != 0 ? asked : times(options.per_node, facts.nodes);
    // Checksums add up where each byte is read once: by aggregators that share the file among them.
    bool const shared = use == Use::read && options.checksum;
    bool const barred = shared && (options.method == Method::independent || options.method == Method::grouped);
    auto const method = barred ? Method::two_phase : options.method;
    bool const any = method == Method::automatic;
    std::vector<Strategy> strategies;
    // An asynchronous dump needs memory of its own to go on from.
    if (method == Method::independent || (any && !shared && !options.async)) {
        strategies.push_back({Method::independent, facts.ranks});
    }
    if (method == Method::two_phase || any) {
        for (auto const count : counts(facts, wanted)) {
            strategies.push_back({Method::two_phase, count});
        }
    }
    if (method == Method::grouped || (any && !shared && facts.group_run_bytes != 0)) {
        auto const group = sizes_of(facts, options).group;
        strategies.push_back({Method::grouped, (facts.ranks + group - 1) / group});
    }
    if (method == Method::gather) {
        strategies.push_back({Method::gather, 1});
    }
    return strategies;
}

/// The memory that one aggregator may take for slots and message buffers; 0: no bound is known.
std::uint64_t memory_of_aggregator(PlanFacts const& facts, PlanOptions const& options, Choice const& choice) {
    auto const aggregators = std::max(choice.write.aggregators, choice.read.aggregators);
    return options.memory.value != 0 ? options.memory.value : facts.memory_bytes / 2 / per_node(facts, aggregators);
}

/// Whole multiples of the alignment, where it is as large.
std::uint64_t aligned(std::uint64_t window, std::uint64_t align) {
    return window > align ? window / align * align : window;
}

/// Does anything go in messages?
bool any_message(PlanFacts const& facts, PlanOptions const& options) {
    return options.exchange == Route::messages || facts.nodes > 1 || options.node_size != 0;
}

/// What all slots of an exchange may take; 0: no bound is known.
std::uint64_t memory_of_slots(PlanFacts const& facts, PlanOptions const& options, Choice const& choice) {
    // Messages need a buffer for each byte of a slot, on both sides. Both directions share the slots only where they
    // are alike.
    std::uint64_t const exchanges = choice.write == choice.read && !facts.two_shares ? 1 : 2;
    return memory_of_aggregator(facts, options, choice) / (exchanges * (any_message(facts, options) ? 3 : 1));
}

std::uint64_t slots_of(PlanFacts const& facts, PlanOptions const& options, Choice const& choice) {
    if (options.async) {
        return async_slots;
    }
    auto const window = window_in_cache(facts.cache_bytes);
    auto const memory = memory_of_slots(facts, options, choice);
    bool const in_cache = sizes_of(facts, options).window == window && !facts.file_system.remote();
    return in_cache && (memory == 0 || memory >= slots_in_cache * window) ? slots_in_cache : 2;
}

std::uint64_t window_of(PlanFacts const& facts, PlanOptions const& options, Choice const& choice) {
    auto const align = choice.align;
    auto window = sizes_of(facts, options).window;
    if (options.async) {
        auto const domain = facts.bytes / choice.write.aggregators + 2 * align;
        window = std::max(window, (domain / (choice.slots - 1) + align) / align * align);
    }
    if (auto const memory = memory_of_slots(facts, options, choice); memory != 0) {
        window = std::min(window, std::max(memory / choice.slots, page));  // smaller ones would save nothing
    }
    return aligned(std::clamp<std::uint64_t>(window, 1, largest_window), align);
}

/// Where rows of the process grid exchange among themselves, each has as many aggregators.
Strategy same_number_a_row(Strategy strategy, std::uint64_t rows) {
    if (strategy.method == Method::two_phase && strategy.aggregators > rows) {
        strategy.aggregators -= strategy.aggregators % rows;
    }
    return strategy;
}

}  // namespace

std::uint64_t window_within(Choice const& choice, std::uint64_t allowed, std::uint64_t buffers) {
    if (buffers <= allowed || choice.window <= page) {
        return choice.window;
    }
    auto const share = static_cast<double>(allowed) / static_cast<double>(buffers);
    auto const window = static_cast<std::uint64_t>(static_cast<double>(choice.window) * share);
    return aligned(std::max(window, page), choice.align);
}

Sizes sizes_of(PlanFacts const& facts, PlanOptions const& options) {
    Sizes sizes;
    sizes.messages = options.exchange == Route::messages;
    sizes.group = options.group != 0 ? options.group : std::max<std::uint64_t>(1, facts.ranks / facts.nodes);
    sizes.window = options.window.value != 0 ? options.window.value : usual_window(facts, any_message(facts, options));
    return sizes;
}

std::vector<Strategy> strategies_by_cost(PlanFacts const& facts, PlanOptions const& options, Use use) {
    auto strategies = open_strategies(facts, options, use);
    auto const sizes = sizes_of(facts, options);
    auto const seconds = [&](Strategy const& strategy) { return cost_of(facts, use, strategy, sizes).seconds; };
    std::ranges::stable_sort(strategies, {}, seconds);
    // The first of all that cost no more than the cheapest one, as they stood before.
    auto const open = open_strategies(facts, options, use);
    auto const first = std::ranges::find_if(
        open, [&](Strategy const& strategy) { return seconds(strategy) <= seconds(strategies.front()) * alike; });
    auto const found = std::ranges::find(strategies, *first);
    std::rotate(strategies.begin(), found, found + 1);
    return strategies;
}

Choice choice_of(PlanFacts const& facts, PlanOptions const& options, Strategy const& write, Strategy const& read) {
    Choice choice;
    choice.write = write;
    choice.read = read;
    choice.group = sizes_of(facts, options).group;
    choice.align =
        options.align.value != 0 ? options.align.value : std::max<std::uint64_t>(facts.file_system.stripe_bytes, page);
    bool const two_phase = write.method == Method::two_phase || read.method == Method::two_phase;
    choice.rows = two_phase && facts.piece_bytes >= options.target.value && facts.rows > 1;
    if (choice.rows && options.per_node == 0) {
        choice.write = options.writers == 0 ? same_number_a_row(write, facts.rows) : write;
        choice.read = options.readers == 0 ? same_number_a_row(read, facts.rows) : read;
    }
    choice.slots = slots_of(facts, options, choice);
    choice.window = window_of(facts, options, choice);
    return choice;
}

Choice choose(PlanFacts const& facts, PlanOptions const& options) {
    auto const strategies = strategies_by_cost(facts, options, Use::write);
    auto const read = strategies_by_cost(facts, options, Use::read).front();
    auto write = strategies.front();
    // Both directions share their windows where they have the same aggregators.
    auto const sizes = sizes_of(facts, options);
    auto const seconds = [&](Strategy const& strategy) { return cost_of(facts, Use::write, strategy, sizes).seconds; };
    bool const open = std::ranges::find(strategies, read) != strategies.end();
    if (alone(facts) && open && write.method == read.method && seconds(read) <= seconds(write) * alike) {
        write = read;
    }
    auto choice = choice_of(facts, options, write, read);
    choice.why = reason_for(facts, options, choice);
    return choice;
}

}  // namespace weir::array
