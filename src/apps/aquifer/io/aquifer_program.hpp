#pragma once

#include <memory>
#include <optional>

#include "apps/aquifer/io/aquifer_files.hpp"
#include "apps/aquifer/io/input_maker.hpp"
#include "apps/aquifer/io/input_reader.hpp"
#include "apps/aquifer/model/known_problem.hpp"
#include "apps/aquifer/model/model.hpp"

namespace weir::aquifer {

/// What a run simulates, and how.
struct AquiferRun {
    FileShape files;
    InputSettings input;
    KnownProblemKind problem = KnownProblemKind::aquifer;
    Scenario scenario;  ///< without what the input file says
    ModelOptions model;
};

/// A run as the data of its files: what a generated input file says, the fields of the cells in outputs; it takes what
/// it reads of the input.
class AquiferProgram final : public Program {
  public:
    AquiferProgram(Communicator const&, AquiferRun const&);

    void begin() override;
    void advance() override;
    [[nodiscard]] std::optional<DumpPlan> next_plan(std::string const& backend) const override;
    void observe() override;
    [[nodiscard]] std::string standing(double compute_s) const override;
    [[nodiscard]] std::vector<Metric> metrics(RunFigures const&) const override;
    [[nodiscard]] Json labels() const override;
    void complete(Json& details, RunFigures const&) const override;
    [[nodiscard]] Json warnings() const override;

    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override;
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override;

  private:
    [[nodiscard]] std::uint64_t first_of(CurrentAccess const&) const;
    static void fill_text(std::string_view, std::span<std::byte>);
    void fill_edges(std::size_t axis, std::span<std::byte>) const;
    void fill_field(OutputVariable const&, std::span<std::byte>) const;

    Communicator comm_;
    AquiferRun run_;
    Block block_;
    InputMaker maker_;
    std::unique_ptr<InputReader> reader_;  ///< until it begins
    std::vector<std::uint64_t> materials_;
    std::unique_ptr<Model> model_;
    bool is_uniform_ = false;  ///< the ground, as a known solution needs it
    std::optional<SolutionErrors> comparison_;
};

}  // namespace weir::aquifer
