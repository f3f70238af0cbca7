#include "apps/aquifer/io/aquifer_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "apps/aquifer/model/flow_module.hpp"
#include "comm/collective_error.hpp"
#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace weir::aquifer {
namespace {

constexpr double day_s = 86400;
constexpr double atmosphere = 101325;  // Pa

double pressure_of(double head) { return atmosphere + water_density * gravity * head; }

}  // namespace

AquiferProgram::AquiferProgram(Communicator const& comm, AquiferRun const& run)
    : comm_(comm),
      run_(run),
      block_(block_of(run.files.box, ranks_for(run.files.box.cells, comm.size()), comm.rank())),
      maker_(run.files, run.input),
      reader_(std::make_unique<InputReader>(comm, run.files.box)) {
    if (run.model.choice != ModelChoice::analytic) {
        std::optional<Diagnosis> missing;            // make_model() decides what that means
        keep_failure(missing, [] { need_flow(); });  // outside the run's time, as where PETSc is linked to a program
    }
}

void AquiferProgram::begin() {
    auto input = reader_->conclude();
    reader_.reset();
    auto& scenario = run_.scenario;
    if (scenario.well_rate != 0) {
        scenario.put_well(input.well);
    }
    if (run_.problem == KnownProblemKind::aquifer) {
        scenario.source = input.source;
    }
    Ground ground;
    for (auto const permeability : input.permeability) {
        ground.conductivity.push_back(conductivity_of(permeability));
    }
    for (auto const material : input.material) {
        ground.soil.push_back(material - 1);
    }
    constexpr double rounding = 1e-9;
    auto const differs = std::ranges::any_of(ground.conductivity, [&](double k) {
        return std::abs(k - scenario.conductivity) > rounding * scenario.conductivity;
    });
    is_uniform_ = !any(comm_, differs);
    materials_ = std::move(input.material);
    model_ = make_model(comm_, scenario, ground, run_.model);
}

void AquiferProgram::advance() { model_->advance(run_.files.interval_d * day_s); }

std::optional<DumpPlan> AquiferProgram::next_plan(std::string const& backend) const {
    auto files = run_.files;
    files.hdf5 = backend == "hdf5";
    return plan_of(files, comm_.size(), step_, step_ == 0);
}

void AquiferProgram::observe() {
    if (is_uniform_ && model_->kind() == ModelKind::flow) {
        comparison_ = compared(run_.problem, run_.scenario, block_,
                               {model_->heads(), model_->concentrations(0), model_->time()}, comm_);
    }
}

std::string AquiferProgram::standing(double /*compute_s*/) const {
    auto const& figures = model_->figures();
    auto const iterations = model_->kind() == ModelKind::flow
                                ? fmt::format(", {} Newton iterations, {} cuts", figures.newton, figures.cuts)
                                : std::string(", analytic states");
    return fmt::format("day {:g}{}", model_->time() / day_s, iterations);
}

namespace {

/// Of all parts: from the first rank's start to the last one's end.
double elapsed_in(std::vector<PartFigures> const& parts) {
    double sum_s = 0;
    for (auto const& part : parts) {
        sum_s += part.elapsed_s;
    }
    return sum_s;
}

}  // namespace

/// The poster shows initialisation, HDF5 writes and the whole application.
std::vector<Metric> AquiferProgram::metrics(RunFigures const& run) const {
    auto const cells = static_cast<double>(run_.files.count());
    auto const iterations = static_cast<double>(model_->figures().newton);
    std::vector<Metric> metrics{
        {"initialisation_s", elapsed_in(run.read_parts), "s", "time reading the input", Better::lower},
        {"solve_s", run.compute_s, "s", "time computing", Better::lower},
        {"write_s", elapsed_in(run.parts), "s", "time writing outputs", Better::lower},
    };
    if (model_->kind() == ModelKind::flow && iterations > 0) {
        metrics.push_back({"solve_s_per_cell_and_newton", run.compute_s / cells / iterations, "s",
                           "time computing, by cell and Newton iteration", Better::lower});
    }
    return metrics;
}

Json AquiferProgram::labels() const {
    return {{"model", to_text(model_ ? model_->kind() : ModelKind::flow)}, {"files", to_text(run_.files.files)}};
}

void AquiferProgram::complete(Json& details, RunFigures const& /*run*/) const {
    auto const& figures = model_->figures();
    auto const error = [](std::optional<double> const& one) { return one ? Json(*one) : Json(); };
    details["problem"] = to_text(run_.problem);
    details["known_solution"] = comparison_ ? Json{{"solution", comparison_->solution},
                                                   {"unit", comparison_->unit},
                                                   {"largest_error", comparison_->largest_error},
                                                   {"mean_error", comparison_->mean_error},
                                                   {"cells", comparison_->cells}}
                                            : Json();
    details["model_steps"] = figures.steps;
    details["cuts"] = figures.cuts;
    details["newton_iterations"] = figures.newton;
    details["krylov_iterations"] = figures.krylov;
    details["worst_water_error"] = error(figures.worst_water_error);
    details["worst_species_error"] = error(figures.worst_species_error);
}

Json AquiferProgram::warnings() const {
    if (!model_) {
        return Json::array();
    }
    if (model_->kind() != ModelKind::flow) {
        return {{{"code", "no-simulation"},
                 {"problem", "the states were not simulated"},
                 {"why", "they are analytic, and the time of a solver was spent busily waiting"},
                 {"advice", "Install PETSc where Weir is built, or judge reading and writing only."}}};
    }
    if (run_.problem == KnownProblemKind::aquifer || comparison_) {
        return Json::array();
    }
    return {{{"code", "no-known-solution"},
             {"problem", fmt::format("the run was not compared with the solution of {}", to_text(run_.problem))},
             {"why", is_uniform_ ? "it does not hold for these cells, edges and times" : "the input is not uniform"},
             {"advice", "Take the cells, edges and steps of docs/how-to/run-the-aquifer.md."}}};
}

/// Of a contiguous part: the index of its first element.
std::uint64_t AquiferProgram::first_of(CurrentAccess const& asked) const {
    return sections_of(asked.access, Rank{comm_.rank()}).front().dim[0].first;
}

void AquiferProgram::fill(CurrentAccess const& asked, Operation const& /*operation*/, std::span<std::byte> data) {
    auto const array = asked.access.part->array;
    if (asked.file == static_cast<std::uint64_t>(AquiferFile::input)) {
        maker_.fill(static_cast<InputArray>(array), first_of(asked), data);
        return;
    }
    auto const& what = asked.access.part->what;
    if (what.element.kind == Element::Kind::text) {
        fill_text(provenance(what.name), data);
        return;
    }
    if (what.shape.size() == 1) {
        fill_edges(array - provenance_names.size(), data);
        return;
    }
    auto const variables = variables_of(run_.files);
    auto const is_new = array >= variables.size() || run_.files.files == OutputFiles::per_step || step_ == 0;
    fill_field(variables.at(array - (is_new ? head_arrays : 0)), data);
}

void AquiferProgram::take(CurrentAccess const& asked, Operation const& /*operation*/, std::span<std::byte const> data) {
    reader_->take(static_cast<InputArray>(asked.access.part->array), first_of(asked), data);
}

/// Filled up with blanks, as Fortran does.
void AquiferProgram::fill_text(std::string_view text, std::span<std::byte> data) {
    std::ranges::fill(data, std::byte{' '});
    std::memcpy(data.data(), text.data(), std::min(data.size(), text.size()));
}

void AquiferProgram::fill_edges(std::size_t axis, std::span<std::byte> data) const {
    for (std::size_t i = 0; i * sizeof(double) < data.size(); ++i) {
        auto const edge = static_cast<double>(i) * run_.files.box.edges[axis];
        std::memcpy(data.data() + i * sizeof edge, &edge, sizeof edge);
    }
}

namespace {

/// From memory with x fastest to that of the file with z fastest.
template <class Stored, class Value>
void transpose(Block const& block, std::span<std::byte> data, Value value) {
    auto* to = data.data();
    auto const& n = block.cells;
    auto const plane = static_cast<std::size_t>(n[0] * n[1]);
    for (Index i = 0; i < n[0]; ++i) {
        for (Index j = 0; j < n[1]; ++j) {
            auto at = static_cast<std::size_t>(i + n[0] * j);
            for (Index k = 0; k < n[2]; ++k) {
                auto const stored = static_cast<Stored>(value(at));
                std::memcpy(to, &stored, sizeof stored);
                to += sizeof stored;
                at += plane;
            }
        }
    }
}

}  // namespace

void AquiferProgram::fill_field(OutputVariable const& variable, std::span<std::byte> data) const {
    switch (variable.kind) {
        case OutputKind::pressure:
            transpose<double>(block_, data, [heads = model_->heads()](std::size_t i) { return pressure_of(heads[i]); });
            break;
        case OutputKind::saturation:
            transpose<double>(block_, data, [of = model_->saturation()](std::size_t i) { return of[i]; });
            break;
        case OutputKind::concentration:
            transpose<double>(block_, data,
                              [of = model_->concentrations(variable.number)](std::size_t i) { return of[i]; });
            break;
        case OutputKind::material:
            transpose<std::int32_t>(block_, data, [&](std::size_t i) { return materials_[i]; });
            break;
        case OutputKind::velocity:
            transpose<double>(block_, data,
                              [of = model_->velocity(variable.number)](std::size_t i) { return of[i] * day_s; });
            break;
    }
}

}  // namespace weir::aquifer
