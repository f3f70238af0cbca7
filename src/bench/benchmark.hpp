#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bench/line_sink.hpp"
#include "comm/communicator.hpp"
#include "core/clock.hpp"
#include "core/option.hpp"
#include "core/registry.hpp"
#include "pattern/cache_fill.hpp"

namespace weir {

/// The resources of a job.
struct JobContext {
    Communicator comm;
    Clock& clock;
    LineSink& lines;  ///< writes on rank 0 only
    std::string case_id;
    std::string benchmark = {};
};

/// One case of a benchmark: first its options, then a description of the run, or the run.
class Job {
  public:
    virtual ~Job() = default;

    /// Declares every option, bound to this job. Called once, before anything else.
    virtual void declare(OptionSet&) = 0;

    /// The keys of a `description` line for a run on this many ranks. Local; does no I/O.
    [[nodiscard]] virtual Json describe(std::uint64_t ranks) = 0;

    /// Page cache that this case will fill, on all nodes together; none if it has no files.
    [[nodiscard]] virtual CacheFill cache_fill(std::uint64_t /*ranks*/) { return {}; }

    /// Output in place of a run, if an option asks for it; for the launcher's number of ranks, if there is one. Local.
    [[nodiscard]] virtual std::optional<Json> document(std::optional<std::uint64_t> /*ranks*/) { return {}; }

    /// Runs the case and writes a `sample` line for each measurement. Collective. An error of any rank is thrown on
    /// every rank, as the same Error.
    virtual void run(JobContext&) = 0;
};

/// A benchmark that registers itself; weir-core has a subcommand for each.
class Benchmark {
  public:
    virtual ~Benchmark() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual std::string_view summary() const = 0;
    [[nodiscard]] virtual std::unique_ptr<Job> make_job() const = 0;
};

using Benchmarks = Registry<Benchmark>;

/// What is said of a benchmark.
struct BenchmarkFacts {
    std::string_view name;
    std::string_view summary;  ///< a line of `weir list`
};

/// The benchmark of a class of jobs, which has its facts in `JobOfIt::facts`.
template <class JobOfIt>
class BenchmarkOf final : public Benchmark {
  public:
    [[nodiscard]] std::string_view name() const override { return JobOfIt::facts.name; }
    [[nodiscard]] std::string_view summary() const override { return JobOfIt::facts.summary; }
    [[nodiscard]] std::unique_ptr<Job> make_job() const override { return std::make_unique<JobOfIt>(); }
};

/// `JobRegistration<MineJob> const registration;` adds it.
template <class JobOfIt>
using JobRegistration = Registration<Benchmark, BenchmarkOf<JobOfIt>>;

}  // namespace weir
