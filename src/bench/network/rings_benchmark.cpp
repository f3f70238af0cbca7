// The benchmark `rings`: the latency and bandwidth benchmark of the HPC Challenge (HPCC 1.5.0).
//
// Work model: latency is that of messages of 8 B, bandwidth that of messages of 2,000,000 B: message size / time, of
// one process (MB = 10^6 B). Ping-pong: half a round trip between two ranks, while all others wait; of each pair and
// side the fastest repeat, and over these the least, the mean and the greatest. Rings: rings_exchange.hpp; of random
// ones the geometric mean of their times.

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "bench/enough_memory.hpp"
#include "bench/measure.hpp"
#include "bench/network/links_matrix.hpp"
#include "bench/network/links_ping_pong.hpp"
#include "bench/network/node_order.hpp"
#include "bench/network/rings_exchange.hpp"
#include "bench/network/two_ranks.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/fast_clock.hpp"
#include "core/interrupt.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"
#include "core/units.hpp"

namespace weir {
namespace {

/// How often HPCC repeats and calls what it measures, by message size.
struct RingsOfSize {
    Bytes bytes;
    std::uint64_t pair_repeats;
    std::uint64_t pair_calls;
    std::uint64_t ring_repeats;
    std::uint64_t ring_calls;
    std::uint64_t rings;
};

struct RingTimes {
    double natural_s = 0;
    double random_s = 0;
    std::vector<double> rings_s;
};

/// The mean latency of pairs, and the time of a message at their mean bandwidth.
struct PairMeans {
    double latency_s = 0;
    double bandwidth_s = 0;
};

/// Over those that are chosen; over all where nothing is.
PairMeans mean_of(std::vector<double> const& latencies_s, std::vector<double> const& times_s,
                  std::vector<bool> const& chosen) {
    double latency_s = 0;
    double rate = 0;
    double count = 0;
    for (std::size_t i = 0; i < times_s.size(); ++i) {
        if (chosen.empty() || chosen[i]) {
            latency_s += latencies_s[i];
            rate += 1 / times_s[i];
            count += 1;
        }
    }
    return {latency_s / count, count / rate};
}

Metric bandwidth_of(std::string key, Bytes bytes, double time_s, std::string noun) {
    return in_gbytes({std::move(key), per_second(static_cast<double>(bytes.value), time_s), "B/s", std::move(noun)});
}

class RingsJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{
        .name = "rings",
        .summary = "latency and bandwidth of ping-pong, natural and random rings, as HPCC measures them"};

    /// The first messages of a launch are slow: the MPI makes its buffers in them. HPCC measures after all else.
    RingsJob() { repetitions_.warm_up = 1; }

    void declare(OptionSet& options) override {
        constexpr std::uint64_t most = 1'000'000;
        options.group("rings");
        options.add("latency_rings", latency_.rings, "random rings whose latency is measured",
                    {std::uint64_t{1}, most});
        options.add("bandwidth_rings", bandwidth_.rings, "random rings whose bandwidth is measured",
                    {std::uint64_t{1}, most});
        options.add("seed", seed_, "of the random rings, and of the choice of pairs");
        options.group("ping-pong");
        options.add("most_pairs", most_pairs_,
                    "pairs of ranks that are measured, five of each rank or more; of more, a random choice is",
                    {std::uint64_t{1}, most});
        options.group("messages");
        options.add("latency_bytes", latency_.bytes, "message size for latencies");
        options.add("bandwidth_bytes", bandwidth_.bytes, "message size for bandwidths", {std::uint64_t{1}, {}});
        options.add(
            "sent", sent_,
            "memory that is sent: written, as a program's; or unwritten, as that of the program HPCC, which on a "
            "node is one page of zeros in a cache");
        options.group("measuring");
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        need_two_ranks(ranks, "rings");
        return describe_without_files(needed_bytes());
    }

    void run(JobContext& context) override {
        static_cast<void>(describe(context.comm.size()));
        refuse_more_memory(context.comm, needed_bytes(), [](std::uint64_t bytes) {
            return "a message of " + format_bytes(Bytes{bytes / messages_of_rank});
        });
        LinkSchedule const pairs(context.comm.size(), most_pairs_, seed_);
        node_of_ = node_numbers(context.comm);
        repetitions_.each(context.clock, [&](Turn const& turn) {
            run_ping_pong(context, turn, pairs);
            run_rings(context, turn);
        });
    }

  private:
    static constexpr std::uint64_t messages_of_rank = 4;  ///< to and from either neighbour

    [[nodiscard]] std::uint64_t needed_bytes() const {
        return messages_of_rank * std::max(latency_.bytes.value, bandwidth_.bytes.value);
    }

    void run_ping_pong(JobContext& context, Turn const& turn, LinkSchedule const& pairs) {
        auto const started = utc_time();
        auto const from_s = context.clock.now_s();
        auto const latencies_s = pair_times_s(context.comm, pairs, latency_);
        auto const times_s = pair_times_s(context.comm, pairs, bandwidth_);
        auto const [least_s, greatest_s] = std::ranges::minmax(latencies_s);
        auto const [fastest_s, slowest_s] = std::ranges::minmax(times_s);
        auto const across = between_nodes(pairs);
        auto const all = mean_of(latencies_s, times_s, {});
        auto const bytes = bandwidth_.bytes;
        std::vector<Metric> metrics{
            {"latency_us", all.latency_s * 1e6, "us", "latency", Better::lower},
            bandwidth_of("bandwidth_bytes_per_s", bytes, all.bandwidth_s, "bandwidth per process"),
            {"least_latency_us", least_s * 1e6, "us", "latency of the fastest pair", Better::lower},
            {"greatest_latency_us", greatest_s * 1e6, "us", "latency of the slowest pair", Better::lower},
            bandwidth_of("least_bandwidth_bytes_per_s", bytes, slowest_s, "bandwidth of the slowest pair"),
            bandwidth_of("greatest_bandwidth_bytes_per_s", bytes, fastest_s, "bandwidth of the fastest pair")};
        auto const crossing = static_cast<std::uint64_t>(std::ranges::count(across, true)) / 2;
        if (crossing > 0) {
            auto const nodes = mean_of(latencies_s, times_s, across);
            metrics.push_back(
                {"nodes_latency_us", nodes.latency_s * 1e6, "us", "latency between nodes", Better::lower});
            metrics.push_back(bandwidth_of("nodes_bandwidth_bytes_per_s", bytes, nodes.bandwidth_s,
                                           "bandwidth per process between nodes"));
        }
        write(context, turn, "ping-pong", started, context.clock.now_s() - from_s, std::move(metrics),
              {{"pairs", pairs.rounds() * pairs.pairs_of_round()},
               {"pairs_between_nodes", crossing},
               {"all_pairs", pairs.all_pairs()}});
    }

    /// Of each pair, from either side as pair_times_s gives them, whether it lies on two nodes.
    [[nodiscard]] std::vector<bool> between_nodes(LinkSchedule const& schedule) const {
        std::vector<bool> found;
        for (std::uint64_t round = 0; round < schedule.rounds(); ++round) {
            for (auto const& pair : schedule.pairs(round)) {
                found.insert(found.end(), 2, node_of_[pair.one] != node_of_[pair.other]);
            }
        }
        return found;
    }

    void run_rings(JobContext& context, Turn const& turn) {
        auto const started = utc_time();
        auto const from_s = context.clock.now_s();
        auto const latency = ring_times(context.comm, latency_);
        auto const bandwidth = ring_times(context.comm, bandwidth_);
        auto const elapsed_s = context.clock.now_s() - from_s;
        auto const metrics = [&](double latency_s, double bandwidth_s) {
            return std::vector<Metric>{
                {"latency_us", latency_s * 1e6, "us", "latency", Better::lower},
                bandwidth_of("bandwidth_bytes_per_s", bandwidth_.bytes, bandwidth_s, "bandwidth per process")};
        };
        write(context, turn, "natural-ring", started, elapsed_s, metrics(latency.natural_s, bandwidth.natural_s), {});
        write(context, turn, "random-ring", started, elapsed_s, metrics(latency.random_s, bandwidth.random_s),
              {{"latency_of_rings_s", latency.rings_s}, {"time_of_rings_s", bandwidth.rings_s}});
    }

    /// The fastest repeat of each pair, one pair at a time, from either side.
    std::vector<double> pair_times_s(Communicator const& comm, LinkSchedule const& schedule, RingsOfSize const& of) {
        std::unique_ptr<PairPingPong> ping_pong;
        run_together(comm, [&] {
            ping_pong = std::make_unique<PairPingPong>(comm, FastClock::shared(), of.bytes.value, sent_);
        });
        std::vector<LinkPair> pairs;  // the first member's time counts
        for (std::uint64_t round = 0; round < schedule.rounds(); ++round) {
            for (auto const& pair : schedule.pairs(round)) {
                pairs.push_back(pair);
                pairs.push_back({pair.other, pair.one});
            }
        }
        std::vector<double> least_s(pairs.size());
        auto calls = of.pair_calls;
        for (std::uint64_t repeat = 0; repeat < of.pair_repeats; ++repeat) {
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                comm.barrier();
                auto const time_s = time_of_pair_s(*ping_pong, comm.rank(), pairs[i], calls);
                if (repeat == 0 && i == 0) {
                    calls = std::max(calls, calls_for(comm.max(time_s)));
                }
                least_s[i] = repeat == 0 ? time_s : std::min(least_s[i], time_s);
            }
            run_together(comm, [] { throw_if_interrupted(); });
        }
        share_values(comm, least_s);
        return least_s;
    }

    /// So many round trips take HPCC's least time, 10 us.
    static std::uint64_t calls_for(double time_s) {
        return static_cast<std::uint64_t>(std::ceil(RingExchange::least_s / (2 * std::max(time_s, 1e-9))));
    }

    /// What the first rank of the pair sees; 0 on all others.
    static double time_of_pair_s(PairPingPong& ping_pong, std::uint64_t rank, LinkPair const& pair,
                                 std::uint64_t calls) {
        if (rank == pair.other) {
            ping_pong.answer(pair.one, calls);
        }
        return rank == pair.one ? ping_pong.time_s(pair.other, calls) : 0;
    }

    RingTimes ring_times(Communicator const& comm, RingsOfSize const& of) {
        std::unique_ptr<RingExchange> exchange;
        run_together(comm, [&] {
            exchange = std::make_unique<RingExchange>(
                comm, FastClock::shared(),
                RingMeasurement{of.bytes.value, of.rings, of.ring_repeats, of.ring_calls, seed_, sent_});
        });
        auto times_s = exchange->times_s();
        RingTimes found;
        found.natural_s = times_s.front();
        found.rings_s.assign(times_s.begin() + 1, times_s.end());
        found.random_s = geometric_mean(found.rings_s);
        return found;
    }

    void write(JobContext& context, Turn const& turn, std::string_view phase, std::string const& started,
               double elapsed_s, std::vector<Metric> metrics, Json more) const {
        if (!turn.repetition || !context.comm.is_root()) {
            return;
        }
        Json details{{"seed", seed_},
                     {"sent", to_text(sent_)},
                     {"nodes", std::set(node_of_.begin(), node_of_.end()).size()},
                     {"latency_message_bytes", latency_.bytes.value},
                     {"bandwidth_message_bytes", bandwidth_.bytes.value}};
        if (more.is_object()) {
            details.update(more);
        }
        Json const common{
            {"phase", phase}, {"started_at", started}, {"ranks", context.comm.size()}, {"elapsed_s", elapsed_s}};
        context.lines.write(sample_line(context, {*turn.repetition, common, std::move(metrics), std::move(details)}));
    }

    RingsOfSize latency_{Bytes{8}, 5, 8, 8, 5, 30};
    RingsOfSize bandwidth_{Bytes{2'000'000}, 2, 1, 3, 2, 10};
    SentMemory sent_ = SentMemory::written;
    std::uint64_t most_pairs_ = 1000;
    std::uint64_t seed_ = 1;
    Repetitions repetitions_;
    std::vector<std::uint64_t> node_of_;  ///< of each rank
};

JobRegistration<RingsJob> const rings_registration;

}  // namespace
}  // namespace weir
