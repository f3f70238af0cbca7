// The application `aquifer`. Work model: the requests of its pattern; see application_job.cpp.

#include <fmt/format.h>

#include "apps/aquifer/io/aquifer_program.hpp"
#include "apps/common/decomposition_check.hpp"
#include "apps/common/run/application_job.hpp"
#include "core/error.hpp"

namespace weir::aquifer {
namespace {

/// Three lengths in m, as in "10x10x0.5".
Point parse_edges(std::string const& text) {
    auto const edges = three_numbers(text, 'x');
    validate(edges.has_value(), fmt::format("edges = \"{}\" are no three lengths", text),
             "a cell has edges along x, y and z, in m", "Give them as in 10x10x1.");
    return *edges;
}

class Aquifer final : public Application {
  public:
    static constexpr std::string_view name = "aquifer";
    static constexpr std::string_view summary =
        "groundwater flow and transport, with PFLOTRAN's input and output before and after grouping";

    void declare(OptionSet& options) override {
        options.group("aquifer");
        options.add("cells", cells_, "cells along x, y and z; z points upwards");
        options.words("cells", {{"*", "{} cells"}});
        options.add("edges", edges_, "their edges along x, y and z, m");
        options.add("problem", problem_,
                    "what is simulated: an aquifer, or what has a known solution, with which it is then compared; that "
                    "has one conductivity, one species and a soil of its own");
        options.add("soil", retention_, "how water content and conductivity depend on the pressure");
        options.add("species", species_, "dissolved species; each decays to the next one",
                    {std::uint64_t{1}, std::uint64_t{16}});
        options.add("step_days", interval_d_, "days of a time step", {1e-3, 1e4});
        options.add("model", model_.choice,
                    "flow solves it with PETSc; analytic evaluates formulae, and waits busily instead of solving");
        options.add("wait", model_.busy_s_per_cell, "of analytic states: seconds a cell and step", {0.0, 1.0});
        options.group("input");
        options.add("read_buffer", files_.buffer, "cell ids of one read, where every rank reads all",
                    {std::uint64_t{1}, std::uint64_t{1} << 31U});
        options.add("permuted", input_.permuted, "the input that is made lists cells in a random order");
        options.add("spread", input_.spread, "standard deviation of ln K in it", {0.0, 5.0});
        options.add("correlation", input_.correlation, "correlation length of K in it, across, m", {1e-3, 1e9});
        options.add("seed", input_.seed, "of its random numbers");
        options.group("output");
        options.add("files", files_.files, "a file for each time, or one for all");
        options.add("velocities", files_.velocities, "also write velocities");
    }

    void validate_choices(std::uint64_t ranks, bool /*whole_planes*/) const override {
        validate_scenario(run().scenario);
        validate(problem_ == KnownProblemKind::aquifer || model_.choice != ModelChoice::analytic,
                 fmt::format("problem = {} contradicts model = analytic", to_text(problem_)),
                 "analytic states are no simulation that could be compared", "Leave one of the two out.");
        auto const count = files("hdf5").count();
        constexpr std::uint64_t most = (std::uint64_t{1} << 31U) - 1;
        validate(count <= most, fmt::format("{} cells are too many", count),
                 fmt::format("PFLOTRAN's ids are integers of 4 bytes, up to {}", most), "Take fewer cells.");
        ranks_for(parse_triple(cells_, "cells"), ranks);
    }

    void validate_backend(BackendKind const& backend) const override {
        validate(backend.name() != "pnetcdf", "aquifer contradicts backend = pnetcdf",
                 "PFLOTRAN's files have groups, and netCDF's classic format has none", "Take the back-end hdf5.");
    }

    [[nodiscard]] UsualRun usual() const override { return {30, 1, DumpMethod::automatic, "hdf5", true}; }
    [[nodiscard]] bool reads_input() const override { return true; }

    [[nodiscard]] DumpPlan plan(std::uint64_t ranks, std::string const& backend) const override {
        return plan_of(files(backend), ranks, 0, true);
    }

    [[nodiscard]] std::vector<DumpPlan> plans(std::uint64_t ranks, std::string const& backend,
                                              DumpTimes const& times) const override {
        std::vector<DumpPlan> plans;
        for (std::uint64_t dump = 0; dump < times.count(); ++dump) {
            plans.push_back(plan_of(files(backend), ranks, times.step_of(dump), dump == 0));
        }
        return plans;
    }

    /// PETSc's matrix of seven entries with their columns, its factors, and some vectors.
    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t ranks) const override {
        constexpr std::uint64_t numbers_of_cell = 60;
        return numbers_of_cell * sizeof(double) * (files("hdf5").count() / ranks + 1);
    }

    [[nodiscard]] std::unique_ptr<Program> start(Communicator const& comm, bool /*goes_on*/) const override {
        return std::make_unique<AquiferProgram>(comm, run());
    }

  private:
    [[nodiscard]] FileShape files(std::string const& backend) const {
        auto files = files_;
        files.box = box();
        files.interval_d = interval_d_;
        files.hdf5 = backend == "hdf5";
        for (auto const& species : scenario().species) {
            files.species.push_back(species.name);
        }
        return files;
    }

    [[nodiscard]] Box box() const { return {parse_triple(cells_, "cells"), parse_edges(edges_)}; }

    /// Of two soils, a finer one above.
    [[nodiscard]] Scenario scenario() const {
        auto made = scenario_of(problem_, box(), species_, retention_);
        auto finer = made.flow.soils.front();
        if (problem_ != KnownProblemKind::aquifer) {
            made.flow.soils.push_back(finer);
            return made;
        }
        finer.porosity = 0.35;
        finer.alpha = 0.8;
        made.flow.soils.push_back(finer);
        return made;
    }

    [[nodiscard]] AquiferRun run() const {
        auto input = input_;
        auto const made = scenario();
        input.conductivity = made.conductivity;
        input.spread = problem_ == KnownProblemKind::aquifer ? input.spread : 0;
        input.materials = made.flow.soils.size();
        return {files("hdf5"), input, problem_, made, model_};
    }

    FileShape files_;
    KnownProblemKind problem_ = KnownProblemKind::aquifer;
    InputSettings input_;
    ModelOptions model_;
    std::string cells_ = "60x50x8";
    std::string edges_ = "10x10x1";
    Retention retention_ = Retention::van_genuchten;
    std::uint64_t species_ = 1;
    double interval_d_ = 1;
};

RegisterApplication<Aquifer> const registration;

}  // namespace
}  // namespace weir::aquifer
