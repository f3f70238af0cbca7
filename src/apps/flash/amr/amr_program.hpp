#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/flash/amr/amr_files.hpp"
#include "apps/flash/amr/outline.hpp"
#include "apps/flash/gas/simulation.hpp"

namespace weir::flash {

/// What a run is, besides its problem.
struct AmrRun {
    SimulationSettings settings;
    AmrShape shape;
    std::optional<Outline> restart;  ///< that it continues
};

/// A blast on adaptive blocks as the data of FLASH's files.
class AmrProgram final : public Program {
  public:
    AmrProgram(Communicator, AmrRun);

    void begin() override;
    void advance() override;
    [[nodiscard]] std::uint64_t step() const override { return static_cast<std::uint64_t>(simulation_->step()); }
    void prepare_dump() override;
    [[nodiscard]] std::optional<DumpPlan> next_plan(std::string const& backend) const override;
    void observe() override;
    [[nodiscard]] std::string standing(double compute_s) const override;
    [[nodiscard]] std::vector<Metric> metrics(RunFigures const&) const override;
    [[nodiscard]] Json labels() const override;
    void complete(Json& details, RunFigures const&) const override;
    [[nodiscard]] Json warnings() const override;
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override;
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override;
    std::span<std::byte> message(Broadcast const&) override;

    [[nodiscard]] BlockSimulation const& simulation() const { return *simulation_; }

  private:
    /// Least and greatest value of a variable.
    struct Extremes {
        double least = 0;
        double greatest = 0;
    };

    void fill_list(FileKind, Array const&, std::span<std::byte>) const;
    void fill_tree(Array const&, std::span<std::byte>) const;
    /// Calls visit(value) for each value of a variable in a kind of file, in its order. After exchanging surroundings.
    template <class Visit>
    void each_value(std::string_view name, FileKind, Visit visit);
    /// Over all ranks. Collective.
    [[nodiscard]] Extremes extremes(std::string_view name, FileKind);
    [[nodiscard]] double ball() const;  ///< radius of the ball that the blast began in
    [[nodiscard]] Lists scalars(FileKind) const;
    [[nodiscard]] Lists parameters() const;
    [[nodiscard]] std::string setup_call() const;

    Communicator comm_;
    AmrRun run_;
    std::optional<BlockSimulation> simulation_;
    std::map<std::string, std::vector<double>> read_;             ///< the state of a restart, by variable
    std::map<std::uint64_t, std::vector<std::byte>> lists_;       ///< of a restart, by size
    std::map<std::string, Extremes> extremes_, corner_extremes_;  ///< of the state to dump, by variable
    std::uint64_t dumps_ = 0;                                     ///< also of the runs that it continues
    std::uint64_t updates_ = 0;                                   ///< of cells of all ranks' leaves, so far
    std::vector<std::uint64_t> blocks_;                           ///< of each dump
    std::optional<LeafTotals> before_, after_;
    LeafTotals outflow_;  ///< between the two
    double radius_ = 0;
    std::string made_at_;  ///< the time of the dump
};

}  // namespace weir::flash
