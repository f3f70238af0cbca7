#pragma once

#include <memory>
#include <vector>

#include "bench/metric.hpp"
#include "core/option.hpp"
#include "pattern/pattern.hpp"
#include "storage/data_source.hpp"

namespace weir {

/// What an application asks of storage in a dump, and in going on from one, on so many ranks.
struct DumpPlan {
    Pattern shape;  ///< name, ranks, files with their arrays, partitions; without phases
    /// By file: does each dump replace it, under its name? The others are new with each dump, and called after its
    /// step: "field-000005".
    std::vector<bool> lasting;
    std::vector<Step> dump;
    std::vector<Step> restart;  ///< reads lasting files
};

/// A run of an application on the ranks of a launch: its state, as the data of its arrays. Made anew for each
/// repetition.
class Program : public DataSource {
  public:
    /// A step in time. Collective.
    virtual void advance() = 0;

    /// Steps from the initial state to this one; of a restart, once that was read. Local.
    [[nodiscard]] virtual std::uint64_t step() const = 0;

    /// This rank's metrics beside the time of the run, and what only the application's own figures look into. Local.
    [[nodiscard]] virtual std::vector<Metric> metrics([[maybe_unused]] double compute_s) const { return {}; }
    [[nodiscard]] virtual Json details() const { return Json::object(); }
};

/// A parallel application that computes and dumps. What it declares, it shows in its plan and its programs.
class Application {
  public:
    virtual ~Application() = default;
    virtual void declare(OptionSet&) = 0;

    /// Refuses what contradicts itself, or does not fit so many ranks (Error, usage). Local, as the next two.
    virtual void validate_choices(std::uint64_t ranks) const = 0;
    [[nodiscard]] virtual DumpPlan plan(std::uint64_t ranks) const = 0;

    /// What each of so many ranks needs beside the buffers for dumps.
    [[nodiscard]] virtual std::uint64_t memory_bytes(std::uint64_t ranks) const = 0;

    /// Collective.
    [[nodiscard]] virtual std::unique_ptr<Program> start(Communicator const&) const = 0;
};

}  // namespace weir
