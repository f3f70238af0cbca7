// The benchmark `links`: latency and bandwidth between every two nodes, or on one node between every two ranks.
//
// Work model: a pair's time is half a round trip of a message (as HPCC's and IMB's ping-pong), the mean of `calls` that
// follow each other; its number is the median of `passes` over all pairs. Bandwidth = message size / time. The numbers
// of a sample are those of pairs between nodes, if there are any: pairs within a node say nothing of the network.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench/enough_memory.hpp"
#include "bench/measure.hpp"
#include "bench/network/links_matrix.hpp"
#include "bench/network/links_place.hpp"
#include "bench/network/node_order.hpp"
#include "bench/network/two_ranks.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/fast_clock.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"
#include "core/units.hpp"

namespace weir {
namespace {

/// What is at both ends of a link: one rank of each node, or every rank. `automatic`: nodes if there are several.
enum class LinkEnds { automatic, nodes, ranks };
constexpr std::array<std::string_view, 3> enum_names(LinkEnds) { return {"auto", "nodes", "ranks"}; }

/// What one phase measures.
struct LinkPhase {
    std::string_view name;
    Bytes bytes;
    std::uint64_t calls;
};

/// To five digits, so that a line of many pairs stays short.
double rounded(double value) { return std::stod(fmt::format("{:.5g}", value)); }

Json times_us(std::vector<LinkTime> const& links, double LinkTime::*which) {
    auto json = Json::array();
    for (auto const& link : links) {
        json.push_back(rounded(link.*which * 1e6));
    }
    return json;
}

Json members(std::vector<LinkTime> const& links, std::uint64_t LinkPair::*which) {
    auto json = Json::array();
    for (auto const& link : links) {
        json.push_back(link.pair.*which);
    }
    return json;
}

/// Those of pairs between nodes, if there are any, or else of all.
std::vector<double> times_that_count(std::vector<LinkTime> const& links, std::vector<std::uint64_t> const& node_of) {
    std::vector<double> all_s;
    std::vector<double> between_s;
    for (auto const& [pair, median_s, low_s, high_s] : links) {
        all_s.push_back(median_s);
        if (node_of[pair.one] != node_of[pair.other]) {
            between_s.push_back(median_s);
        }
    }
    return between_s.empty() ? all_s : between_s;
}

std::vector<Metric> metrics_of(LinkPhase const& phase, std::vector<double> times_s) {
    auto const [least, greatest] = std::ranges::minmax(times_s);
    auto const median_s = link_time({}, times_s).median_s;
    auto const bytes = static_cast<double>(phase.bytes.value);
    if (phase.name == "latency") {
        return {{"latency_us", median_s * 1e6, "us", "latency of a pair", Better::lower},
                {"least_latency_us", least * 1e6, "us", "latency of the fastest pair", Better::lower},
                {"greatest_latency_us", greatest * 1e6, "us", "latency of the slowest pair", Better::lower}};
    }
    return {{"bandwidth_bytes_per_s", per_second(bytes, median_s), "B/s", "bandwidth of a pair"},
            {"least_bandwidth_bytes_per_s", per_second(bytes, greatest), "B/s", "bandwidth of the slowest pair"},
            {"greatest_bandwidth_bytes_per_s", per_second(bytes, least), "B/s", "bandwidth of the fastest pair"}};
}

class LinksJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{
        .name = "links",
        .summary = "latency and bandwidth between every two nodes, or on one node between every two ranks"};

    /// The first messages of a launch are slow: the MPI makes connections and buffers in them.
    LinksJob() { repetitions_.warm_up = 1; }

    void declare(OptionSet& options) override {
        constexpr std::uint64_t most = 1'000'000;
        options.group("pairs");
        options.add("between", between_, "one rank of each node, or every rank; auto: nodes if there are several");
        options.add("most_pairs", most_pairs_,
                    "pairs that are measured, five of each rank or more; of more, a random choice is",
                    {std::uint64_t{1}, most});
        options.add("at_once", at_once_, "a round of pairs that have no rank in common at once, or one pair");
        options.add("seed", seed_, "of the choice and the order of the pairs");
        options.group("messages");
        options.add("latency_bytes", latency_bytes_, "message size of the phase latency");
        options.add("bandwidth_bytes", bandwidth_bytes_, "message size of the phase bandwidth", {std::uint64_t{1}, {}});
        options.add("latency_calls", latency_calls_, "round trips that are timed together, in the phase latency",
                    {std::uint64_t{1}, most});
        options.add("bandwidth_calls", bandwidth_calls_, "the same in the phase bandwidth", {std::uint64_t{1}, most});
        options.group("measuring");
        options.add("passes", passes_, "over all pairs in a sample; the median counts", {std::uint64_t{1}, most});
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        need_two_ranks(ranks, "links");
        // Of few nodes there are fewer pairs; how many nodes there will be is not known here.
        auto const pairs = std::min(ranks * (ranks - 1) / 2, std::max(most_pairs_, LinkSchedule::least_rounds * ranks));
        auto const times = 3 * pairs * passes_ * sizeof(double);
        return describe_without_files(2 * std::max(latency_bytes_.value, bandwidth_bytes_.value) + times);
    }

    void run(JobContext& context) override {
        static_cast<void>(describe(context.comm.size()));
        refuse_more_memory(context.comm, 2 * std::max(latency_bytes_.value, bandwidth_bytes_.value),
                           [](std::uint64_t bytes) { return "a message of " + format_bytes(Bytes{bytes / 2}); });
        auto const node = context.comm.node();
        auto const nodes = context.comm.sum(std::uint64_t{node.is_root() ? 1U : 0U});
        validate(between_ != LinkEnds::nodes || nodes > 1, "there is no second node", "all ranks run on one",
                 "start ranks on several nodes, or choose between = ranks");
        of_nodes_ = between_ == LinkEnds::nodes || (between_ == LinkEnds::automatic && nodes > 1);
        auto const takes_part = !of_nodes_ || node.is_root();
        auto const ends = context.comm.split(takes_part ? 0 : 1);
        places_ = gather_places(ends, context.comm.rank());
        node_of_ = node_numbers(ends);
        repetitions_.each(context.clock, [&](Turn const& turn) {
            for (auto const& phase : {LinkPhase{"latency", latency_bytes_, latency_calls_},
                                      LinkPhase{"bandwidth", bandwidth_bytes_, bandwidth_calls_}}) {
                std::optional<Diagnosis> failure;
                if (takes_part) {
                    keep_failure(failure, [&] { measure(context, ends, turn, phase); });
                }
                context.comm.quiet_barrier();  // who takes no part sleeps
                agree(context.comm, failure);
            }
        });
    }

  private:
    static Json gather_places(Communicator const& ends, std::uint64_t rank) {
        auto place = to_json(link_place(allowed_cpus()));
        place["rank"] = rank;
        place["host"] = host_name();
        auto places = Json::array();
        for (auto const& text : ends.all_gather(json_text(place))) {
            places.push_back(parse_json(text));
        }
        return places;
    }

    void measure(JobContext& context, Communicator const& ends, Turn const& turn, LinkPhase const& phase) {
        auto const started = utc_time();
        LinkSchedule const schedule(ends.size(), most_pairs_, seed_);
        auto const from_s = context.clock.now_s();
        auto const links =
            measure_links(ends, FastClock::shared(), schedule, {phase.bytes.value, phase.calls, passes_, at_once_});
        if (turn.repetition && context.comm.is_root()) {
            Json const common{{"phase", phase.name},
                              {"started_at", started},
                              {"ranks", context.comm.size()},
                              {"elapsed_s", context.clock.now_s() - from_s}};
            context.lines.write(
                sample_line(context, {*turn.repetition, common, metrics_of(phase, times_that_count(links, node_of_)),
                                      details(phase, schedule, links)}));
        }
    }

    [[nodiscard]] Json details(LinkPhase const& phase, LinkSchedule const& schedule,
                               std::vector<LinkTime> const& links) const {
        return {{"between", of_nodes_ ? "nodes" : "ranks"},
                {"places", places_},
                {"all_pairs", schedule.all_pairs()},
                {"message_bytes", phase.bytes.value},
                {"calls", phase.calls},
                {"passes", passes_},
                {"at_once", to_text(at_once_)},
                {"seed", seed_},
                {"one", members(links, &LinkPair::one)},
                {"other", members(links, &LinkPair::other)},
                {"time_us", times_us(links, &LinkTime::median_s)},
                {"low_us", times_us(links, &LinkTime::low_s)},
                {"high_us", times_us(links, &LinkTime::high_s)}};
    }

    LinkEnds between_ = LinkEnds::automatic;
    std::uint64_t most_pairs_ = 20'000;
    PairsAtOnce at_once_ = PairsAtOnce::round;
    std::uint64_t seed_ = 1;
    Bytes latency_bytes_{8};
    Bytes bandwidth_bytes_{1U << 20U};
    std::uint64_t latency_calls_ = 20;
    std::uint64_t bandwidth_calls_ = 2;
    std::uint64_t passes_ = 9;
    Repetitions repetitions_;
    bool of_nodes_ = false;
    Json places_;
    std::vector<std::uint64_t> node_of_;  ///< of each member
};

JobRegistration<LinksJob> const links_registration;

}  // namespace
}  // namespace weir
