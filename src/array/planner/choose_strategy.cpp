#include "array/planner/choose_strategy.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "array/planner/aggregator_candidates.hpp"

namespace weir::array {

namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t MiB = 1 << 20;
/// Large enough to amortise the latency of a message or a request to a server.
constexpr std::uint64_t remote_window = 4 * MiB;
/// A window in a message fits an int; larger messages occur only if a rank reads the same bytes several times.
constexpr std::uint64_t largest_window = 1 << 30;
/// With this many windows an aggregator buffers its complete domain, for an asynchronous dump.
constexpr std::uint64_t async_slots = 8;
/// With this many small windows in the cache, ranks wait for each other less often than with few large ones.
constexpr std::uint64_t slots_in_cache = 4;
/// Costs within 2 % of each other are treated as equal: the model is not more accurate.
constexpr double alike = 1.02;

/// All slots of an aggregator stay in its core's cache between copying in and writing out.
std::uint64_t window_in_cache(std::uint64_t cache_bytes) {
    constexpr std::uint64_t usual = MiB / 4;
    return cache_bytes == 0 ? usual : std::clamp(std::bit_floor(cache_bytes / slots_in_cache), MiB / 4, MiB);
}

/// Slots are fresh memory, which each rank of the node touches in a plan's first dump: where little is moved, they take
/// at most an eighth of it, but for windows that would be so small that ranks wait for each other too often.
std::uint64_t window_of_few_bytes(std::uint64_t domain) {
    constexpr std::uint64_t least = 64 << 10;
    constexpr std::uint64_t share = 8;
    return std::max(least, std::bit_floor(domain / (share * slots_in_cache)));
}

std::uint64_t usual_window(PlanFacts const& facts, bool messages) {
    if (facts.file_system.remote()) {
        auto const stripe = facts.file_system.stripe_bytes;
        return stripe < MiB ? remote_window : std::min(stripe, 4 * remote_window);
    }
    return messages ? remote_window : window_in_cache(facts.cache_bytes);
}

/// The product; `a` if it overflows.
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    return a > std::numeric_limits<std::uint64_t>::max() / std::max<std::uint64_t>(b, 1) ? a : a * b;
}

/// All strategies that the options allow, in order of preference at equal cost.
std::vector<Strategy> open_strategies(PlanFacts const& facts, PlanOptions const& options, Use use) {
    auto const asked = use == Use::write ? options.writers : options.readers;
    auto const wanted = asked != 0 ? asked : times(options.per_node, facts.nodes);
    // Checksums add up only if each byte is read once, and holes are filled only if each byte has an aggregator: with
    // disjoint file domains of the complete space.
    bool const shared = (use == Use::read && options.checksum) || (use == Use::write && facts.fills_holes);
    bool const barred = shared && (options.method == Method::independent || options.method == Method::grouped);
    auto const method = barred ? Method::two_phase : options.method;
    bool const any = method == Method::automatic;
    std::vector<Strategy> strategies;
    // An asynchronous dump needs buffers of its own, so that the program can continue.
    if (method == Method::independent || (any && !shared && !options.async)) {
        strategies.push_back({Method::independent, facts.ranks});
    }
    if (method == Method::two_phase || any) {
        for (auto const count : aggregator_counts(facts, wanted)) {
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

/// Bytes of slots and message buffers that one aggregator may allocate; 0: no known limit.
std::uint64_t memory_of_aggregator(PlanFacts const& facts, PlanOptions const& options, Choice const& choice) {
    auto const aggregators = std::max(choice.write.aggregators, choice.read.aggregators);
    return options.memory.value != 0 ? options.memory.value : facts.memory_bytes / 2 / per_node(facts, aggregators);
}

/// Rounds down to a multiple of the alignment, if the window is that large.
std::uint64_t aligned(std::uint64_t window, std::uint64_t align) {
    return window > align ? window / align * align : window;
}

/// Is any data sent in messages?
bool any_message(PlanFacts const& facts, PlanOptions const& options) {
    return options.exchange == Route::messages || facts.nodes > 1 || options.node_size != 0;
}

/// Bytes that all slots of an exchange may take; 0: no known limit.
std::uint64_t memory_of_slots(PlanFacts const& facts, PlanOptions const& options, Choice const& choice) {
    // Messages need a buffer for each byte of a slot, on both sides. The directions share slots only if they use the
    // same strategy.
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
    if (options.window.value == 0 && !facts.file_system.remote() && !any_message(facts, options)) {
        auto const aggregators = std::min(choice.write.aggregators, choice.read.aggregators);
        window = std::min(window, window_of_few_bytes(facts.bytes / aggregators));
    }
    if (options.async) {
        auto const domain = facts.bytes / choice.write.aggregators + 2 * align;
        window = std::max(window, (domain / (choice.slots - 1) + align) / align * align);
    }
    if (auto const memory = memory_of_slots(facts, options, choice); memory != 0) {
        window = std::min(window, std::max(memory / choice.slots, page));  // smaller windows would save nothing
    }
    return aligned(std::clamp<std::uint64_t>(window, 1, largest_window), align);
}

/// If rows of the process grid exchange among themselves, each has the same number of aggregators.
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

std::uint64_t least_window(PlanFacts const& facts) {
    constexpr std::uint64_t most_small_windows = 1 << 16;
    return std::clamp<std::uint64_t>(facts.bytes / most_small_windows, 1, page);
}

Sizes sizes_of(PlanFacts const& facts, PlanOptions const& options) {
    Sizes sizes;
    sizes.messages = options.exchange == Route::messages;
    sizes.group = options.group != 0 ? options.group : std::max<std::uint64_t>(1, facts.ranks / facts.nodes);
    sizes.window = options.window.value != 0 ? std::max(options.window.value, least_window(facts))
                                             : usual_window(facts, any_message(facts, options));
    return sizes;
}

std::vector<Strategy> strategies_by_cost(PlanFacts const& facts, PlanOptions const& options, Use use) {
    auto strategies = open_strategies(facts, options, use);
    auto const sizes = sizes_of(facts, options);
    auto const seconds = [&](Strategy const& strategy) { return cost_of(facts, use, strategy, sizes).seconds; };
    std::ranges::stable_sort(strategies, {}, seconds);
    // The preferred one among those within tolerance of the cheapest.
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
    // Both directions share their windows if they have the same aggregators.
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
