#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "apps/common/run/application.hpp"
#include "apps/common/run/pattern_of_dumps.hpp"
#include "bench/benchmark.hpp"
#include "bench/repetitions.hpp"
#include "storage/backend_choice.hpp"

namespace weir {

/// Carries an application out: computes, dumps, goes on from a restart, through the back-end that is chosen; as often
/// as was asked for. Samples: `read` of the restart, `write` of the dumps, `run` of it all.
class ApplicationJob final : public Job {
  public:
    explicit ApplicationJob(std::unique_ptr<Application> application) : application_(std::move(application)) {}

    void declare(OptionSet&) override;
    [[nodiscard]] Json describe(std::uint64_t ranks) override;
    [[nodiscard]] CacheFill cache_fill(std::uint64_t ranks) override;
    [[nodiscard]] std::optional<Json> document(std::optional<std::uint64_t> ranks) override;
    void run(JobContext&) override;

  private:
    [[nodiscard]] DumpTimes times() const { return {0, steps_, dump_every_}; }
    [[nodiscard]] bool has_files() const { return restarted_ || dump_every_ > 0; }
    [[nodiscard]] Pattern pattern(std::uint64_t ranks) const;
    void validate_choices(std::uint64_t ranks) const;
    void repeat(JobContext&, Turn const&, std::filesystem::path const& directory);

    std::unique_ptr<Application> application_;
    BackendChoice backend_{"posix"};
    Repetitions measuring_;
    std::uint64_t steps_ = 20;
    std::uint64_t dump_every_ = 5;
    bool restarted_ = false;
    bool keep_ = true;
    bool foreign_folder_ = false;
    bool emit_pattern_ = false;
    std::string directory_ = ".";
};

/// `static RegisterApplication<Heat> registration;` makes an application, which says its `name` and `summary` as static
/// constants, a benchmark.
template <class Type>
class ApplicationBenchmark final : public Benchmark {
  public:
    [[nodiscard]] std::string_view name() const override { return Type::name; }
    [[nodiscard]] std::string_view summary() const override { return Type::summary; }
    [[nodiscard]] std::unique_ptr<Job> make_job() const override {
        return std::make_unique<ApplicationJob>(std::make_unique<Type>());
    }
};
template <class Type>
using RegisterApplication = Registration<Benchmark, ApplicationBenchmark<Type>>;

}  // namespace weir
