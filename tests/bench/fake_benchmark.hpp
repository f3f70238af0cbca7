#pragma once

#include <vector>

#include "bench/benchmark.hpp"
#include "bench/case_file.hpp"
#include "comm/collective_error.hpp"

namespace weir::testing {

/// A job that measures nothing: it writes a sample and then fails, if told to, on one rank or on all.
class FakeJob final : public Job {
  public:
    void declare(OptionSet& options) override {
        options.add("exit_code", exit_code_, "how it ends", {0, 255});
        options.add("failing_rank", failing_rank_, "where; any other than a rank is every rank");
        options.add("cached", cached_, "page cache that it would fill on all nodes");
        options.add("lasts", lasts_, "how long it runs", {0.0, 1e5});
        options.add("contradicts", contradicts_, "its options contradict each other");
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        validate(!contradicts_, "it contradicts itself", "it was told to", "Leave out `contradicts`.");
        return {{"totals", {{"operations", ranks}}}};
    }

    [[nodiscard]] CacheFill cache_fill(std::uint64_t) override { return {cached_.value}; }

    void run(JobContext& context) override {
        context.clock.sleep(lasts_);
        context.lines.write({{"schema", 1}, {"kind", "sample"}, {"case", context.case_id}});
        run_together(context.comm, [&] { fail_if_told(context.comm); });
    }

  private:
    void fail_if_told(Communicator const& comm) const {
        auto const here = failing_rank_ >= comm.size() || failing_rank_ == comm.rank();
        if (exit_code_ != 0 && here) {
            throw Error({"it failed", "it was told to", "Tell it otherwise.", static_cast<ExitCode>(exit_code_)});
        }
    }

    std::uint64_t exit_code_ = 0;
    std::uint64_t failing_rank_ = everywhere;
    Bytes cached_{};
    Seconds lasts_{};
    bool contradicts_ = false;

    static constexpr std::uint64_t everywhere = 1'000'000;
};

class FakeBenchmark final : public Benchmark {
  public:
    [[nodiscard]] std::string_view name() const override { return "fake"; }
    [[nodiscard]] std::string_view summary() const override { return "measures nothing"; }
    [[nodiscard]] std::unique_ptr<Job> make_job() const override { return std::make_unique<FakeJob>(); }
};

/// One a program: included by one source of each.
static Registration<Benchmark, FakeBenchmark> const fake_registration;

inline Case fake(std::string id, Json options = Json::object()) {
    return {std::move(id), "fake", std::move(options), 1};
}

/// "kind case" of each line but the first and the last, which tell of the launch.
inline std::vector<std::string> story(std::vector<Json> const& lines) {
    std::vector<std::string> told;
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
        if (lines[i].at("kind") != "state") {
            told.push_back(lines[i].at("kind").get<std::string>() + " " + lines[i].at("case").get<std::string>());
        }
    }
    return told;
}

}  // namespace weir::testing
