// The benchmark `network`: functions of MPI, by the definitions of the Intel MPI Benchmarks.
//
// Work model: each file in functions/ says what a call does, what time IMB reports of it, and which bytes its bandwidth
// counts. A sample's result is the median of batches; a batch is what IMB calls a sample: the mean of up to 1000 calls,
// of which the slowest rank counts. Beside it stand the numbers by IMB's rule: means over the calls of all batches.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bench/measure.hpp"
#include "bench/network/case_memory.hpp"
#include "bench/network/sampler.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

constexpr double us = 1e6;

std::optional<Metric> bandwidth_of(FunctionFacts const& facts, NetworkOptions const& options, double time_s) {
    if (!facts.messages || options.bytes.value == 0) {
        return {};
    }
    return bandwidth(*facts.messages * static_cast<double>(options.bytes.value), time_s);
}

/// The columns that IMB prints, by its rule.
std::vector<Metric> imb_metrics(FunctionFacts const& facts, NetworkOptions const& options, CallTimes const& found) {
    auto const& times = found.groups[found.slowest];
    std::vector<Metric> metrics{
        {"imb_t_min_us", times.least_s * us, "us", "IMB's t_min", Better::lower},
        {"imb_t_max_us", times.greatest_s * us, "us", "IMB's t_max", Better::lower},
        {"imb_t_avg_us", times.mean_s * us, "us", "IMB's t_avg", Better::lower, OverRanks::mean}};
    if (auto rate = bandwidth_of(facts, options, times.greatest_s)) {
        rate->key = "imb_bandwidth_bytes_per_s";
        rate->noun = "IMB's bandwidth";
        metrics.push_back(std::move(*rate));
    }
    if (found.overlap) {
        metrics.push_back({"imb_t_pure_us", found.overlap->pure_s * us, "us", "IMB's t_pure", Better::lower});
        metrics.push_back({"imb_t_cpu_us", found.overlap->cpu_s * us, "us", "IMB's t_CPU", Better::lower});
        if (auto const share = found.overlap->share) {
            metrics.push_back({"imb_overlap_percent", 100 * *share, "%", "IMB's overlap", Better::higher});
        }
    }
    return metrics;
}

std::vector<Metric> metrics_of(FunctionFacts const& facts, NetworkOptions const& options, NetworkSample const& found) {
    auto const& times = found.median.groups[found.median.slowest];
    std::vector<Metric> metrics{{"time_us", times.greatest_s * us, "us", "time", Better::lower}};
    if (auto rate = bandwidth_of(facts, options, times.greatest_s)) {
        metrics.push_back(std::move(*rate));
    }
    metrics.push_back({"t_min_us", times.least_s * us, "us", "time of the fastest rank", Better::lower});
    metrics.push_back({"t_avg_us", times.mean_s * us, "us", "mean time of the ranks", Better::lower, OverRanks::mean});
    if (auto const& overlap = found.median.overlap) {
        metrics.push_back({"t_pure_us", overlap->pure_s * us, "us", "time without computing", Better::lower});
        metrics.push_back({"t_cpu_us", overlap->cpu_s * us, "us", "time of the computing", Better::lower});
        if (auto const share = overlap->share) {
            metrics.push_back({"overlap_percent", 100 * *share, "%", "overlap", Better::higher});
        }
    }
    std::ranges::move(imb_metrics(facts, options, found.imb), std::back_inserter(metrics));
    return metrics;
}

Json details_of(FunctionFacts const& facts, NetworkOptions const& options, NetworkSample const& found) {
    auto groups = Json::array();
    for (auto const& group : found.median.groups) {
        groups.push_back(
            {{"t_min_us", group.least_s * us}, {"t_avg_us", group.mean_s * us}, {"t_max_us", group.greatest_s * us}});
    }
    Json details{{"function", facts.name},
                 {"message_bytes", options.bytes.value},
                 {"traffic", to_text(facts.traffic)},
                 {"start", to_text(start_of(options.start, facts, options.choices.imb, options.sent))},
                 {"calls", found.calls},
                 {"batches", found.batches},
                 {"width", std::isfinite(found.width) ? Json(found.width) : Json()},
                 {"late", found.late},
                 {"nodes", found.nodes},
                 {"checked_bytes", options.check ? Json(found.checked_bytes) : Json()}};
    if (found.median.groups.size() > 1) {
        details["groups"] = std::move(groups);
    }
    return details;
}

class NetworkJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{
        .name = "network",
        .summary = "functions of MPI, by the definitions of the Intel MPI Benchmarks"};

    void declare(OptionSet& options) override { options_.declare(options); }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        auto const& facts = options_.checked_function(ranks).facts();
        // Of all ranks on average: those that take no part need none.
        auto const groups = options_.active_of(ranks) / options_.group_of(ranks);
        auto const taking_part = groups * (facts.traffic == Traffic::single ? 2 : options_.group_of(ranks));
        auto description =
            describe_without_files((memory_of(options_, facts, ranks).all() * taking_part + ranks - 1) / ranks);
        constexpr double with_warm_up = 1.2;
        auto const samples = static_cast<double>(options_.repetitions.warm_up + options_.repetitions.repetitions);
        description["totals"]["time_bound_s"] = samples * options_.budget.value * with_warm_up;
        return description;
    }

    void run(JobContext& context) override {
        Sampler sampler(context.comm, context.clock, options_);
        options_.repetitions.each(context.clock, [&](Turn const& turn) {
            auto const started = utc_time();
            auto const found = sampler.sample();
            if (turn.repetition && context.comm.is_root()) {
                auto const& facts = sampler.function().facts();
                Json const common{{"phase", "call"},
                                  {"started_at", started},
                                  {"ranks", options_.active_of(context.comm.size())},
                                  {"elapsed_s", found.elapsed_s},
                                  {"latency", {{"call", latency(found)}}}};
                context.lines.write(sample_line(context, {*turn.repetition, common, metrics_of(facts, options_, found),
                                                          details_of(facts, options_, found)}));
            }
        });
    }

  private:
    static Json latency(NetworkSample const& found) {
        auto json = found.latency.to_json();
        json["timed"] = found.latency.count();
        return json;
    }

    NetworkOptions options_;
};

JobRegistration<NetworkJob> const registration;

}  // namespace
}  // namespace weir
