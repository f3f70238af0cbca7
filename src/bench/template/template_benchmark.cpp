// The benchmark `template`: an example to copy for a new one (docs/how-to/add-a-benchmark.md).
//
// Work model: `multiply` makes 2 floating-point operations per number and sweep; `update` changes one word at a random
// index of a table in each of its updates, as RandomAccess of the HPC Challenge does; `meet` makes `meetings` barriers
// of all ranks. A rate is the sum over ranks, a time the slowest rank's.

#include <vector>

#include "bench/measure.hpp"
#include "core/json.hpp"
#include "core/random.hpp"

namespace weir {
namespace {

class TemplateJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{
        .name = "template",
        .summary = "operations, updates, barriers; an example to copy for a new benchmark"};

    void declare(OptionSet& options) override {
        constexpr std::uint64_t most = std::uint64_t{1} << 32;
        options.group("work");
        options.add("numbers", numbers_, "numbers of each rank", {std::uint64_t{1}, most});
        options.add("sweeps", sweeps_, "how often all numbers are multiplied", {std::uint64_t{1}, most});
        options.words("sweeps", {{"1", "one sweep"}, {"*", "{} sweeps"}});
        options.add("updates", updates_, "updates of each rank", {std::uint64_t{1}, most});
        options.add("meetings", meetings_, "number of barriers", {std::uint64_t{1}, most});
        options.group("measuring");
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t /*ranks*/) override {
        return describe_without_files(numbers_ * (sizeof(double) + sizeof(std::uint64_t)));
    }

    void run(JobContext& context) override {
        std::vector<double> values(numbers_, 1.0);
        std::vector<std::uint64_t> table(numbers_);
        auto const all = static_cast<double>(numbers_ * sweeps_);
        repetitions_.each(context.clock, [&](Turn const& turn) {
            measure(context, turn,
                    {"multiply", [&] { multiply(values); },
                     [&](double took_s) {
                         return std::vector<Metric>{
                             {"flop_per_s", per_second(2 * all, took_s), "flop/s", "floating-point rate",
                              Better::higher, OverRanks::sum},
                             {"numbers", all, "1", "numbers multiplied", Better::higher, OverRanks::sum}};
                     }});
            measure(context, turn,
                    {"update", [&] { update(table); },
                     [&](double took_s) {
                         auto const rate = per_second(static_cast<double>(updates_), took_s);
                         return std::vector<Metric>{
                             {"updates_per_s", rate, "UP/s", "update rate", Better::higher, OverRanks::sum}};
                     }});
            measure(context, turn,
                    {"meet", [&] { meet(context.comm); },
                     [&](double took_s) {
                         auto const each_us = took_s / static_cast<double>(meetings_) * 1e6;
                         return std::vector<Metric>{{"meeting_us", each_us, "us", "time of a meeting", Better::lower}};
                     }});
        });
    }

  private:
    void multiply(std::vector<double>& values) const {
        for (std::uint64_t sweep = 0; sweep < sweeps_; ++sweep) {
            for (auto& value : values) {
                value = value * 0.999999 + 1e-6;
            }
        }
    }

    void update(std::vector<std::uint64_t>& table) const {
        for (std::uint64_t i = 0; i < updates_; ++i) {
            auto const word = mix(i);
            table[word % table.size()] ^= word;
        }
    }

    void meet(Communicator const& comm) const {
        for (std::uint64_t i = 0; i < meetings_; ++i) {
            comm.barrier();
        }
    }

    std::uint64_t numbers_ = 1 << 16;
    std::uint64_t sweeps_ = 100;
    std::uint64_t updates_ = 1'000'000;
    std::uint64_t meetings_ = 1000;
    Repetitions repetitions_;
};

JobRegistration<TemplateJob> const registration;

}  // namespace
}  // namespace weir
