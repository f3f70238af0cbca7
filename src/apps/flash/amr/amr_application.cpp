// The application `flash`. Work model: the requests of its pattern, which changes from dump to dump.

#include <fmt/format.h>

#include <memory>

#include "apps/common/run/application_job.hpp"
#include "apps/flash/amr/amr_program.hpp"
#include "core/error.hpp"

namespace weir::flash {
namespace {

/// Three coordinates: "0.4,0.45,0.55".
Corner parse_point(std::string const& text) {
    auto const point = three_numbers(text, ',');
    validate(point.has_value(), fmt::format("centre = \"{}\"", text), "a point has coordinates along x, y and z",
             "Give them with commas, as in 0.4,0.45,0.55.");
    return *point;
}

class Flash final : public Application {
  public:
    static constexpr std::string_view name = "flash";
    static constexpr std::string_view summary =
        "a blast on adaptive blocks, with FLASH's checkpoints, plot files and restarts";

    void declare(OptionSet& options) override {
        options.group("blocks");
        options.add("block", block_, "cells along each side of a block, even", {std::uint64_t{8}, std::uint64_t{64}});
        options.words("block", {{"*", "{}³ cells a block"}});
        options.add("levels", levels_, "most levels of blocks; FLASH's lrefine_max",
                    {std::uint64_t{1}, std::uint64_t{12}});
        options.add("roots", roots_, "root blocks along x, y and z; the domain is 1 long along x");
        options.add("boundary", boundary_,
                    "what is beyond the domain; outflow continues the outermost cells, so that gas can also come in");
        options.add("adapt_every", adapt_every_, "adapt the blocks after this many steps",
                    {std::uint64_t{1}, std::uint64_t{1000}});
        options.group("gas");
        options.add("problem", settings_.problem, "Sedov's blast, or Sod's shock tube along x");
        options.add("centre", centre_, "of the blast: x, y and z");
        options.add("energy", settings_.blast.energy, "of the blast", {1e-12, 1e12});
        options.add("ambient_pressure", settings_.blast.pressure, "of the gas around it, whose density is 1",
                    {1e-12, 1e12});
        options.add("gamma", settings_.gas.gamma, "ratio of specific heats", {1.01, 10.0});
        options.add("cfl", settings_.gas.cfl, "cells that the fastest signal crosses in a step", {0.001, 1.0});
        options.add("riemann", settings_.gas.riemann, "Riemann solver for the fluxes between cells");
        options.group("files");
        options.add("files", shape_.files, "which files a dump writes");
        options.add("sync", shape_.sync, "sync plot files too before they are closed; checkpoints always are");
        options.words("sync", {{"true", "synced"}, {"false", "not synced"}});
    }

    void validate_choices(std::uint64_t ranks, bool /*whole_planes*/) const override {
        validate(block_ % 2 == 0, fmt::format("block = {} is odd", block_),
                 "blocks are refined by two, so their sides have an even number of cells", "Take an even one.");
        validate_settings(settings());
        auto const blocks = first_tree().size();
        validate(ranks <= blocks, fmt::format("{} ranks are more than there are blocks", ranks),
                 fmt::format("the run begins with {} of them", blocks), "Take fewer ranks, or more levels.");
    }

    [[nodiscard]] bool dumps_vary() const override { return true; }
    [[nodiscard]] UsualRun usual() const override { return {40, 20, DumpMethod::automatic, "hdf5"}; }

    [[nodiscard]] DumpPlan plan(std::uint64_t ranks, std::string const& backend) const override {
        return amr_plan(shape(), first_tree(), ranks, backend);
    }

    [[nodiscard]] std::vector<DumpPlan> plans(std::uint64_t ranks, std::string const& backend,
                                              DumpTimes const& times) const override {
        validate(!outline_ || times.count() == 0, "emit_pattern contradicts restart",
                 "the files of later dumps depend on its data", "Print the pattern of a run from the initial state.");
        std::vector<DumpPlan> plans;
        auto run = BlockSimulation::start({}, settings());
        while (plans.size() < times.count()) {
            run.advance();
            if (times.is_due(static_cast<std::uint64_t>(run.step()))) {
                plans.push_back(amr_plan(shape(), run.tree(), ranks, backend));
            }
        }
        return plans;
    }

    /// Of the first state, whose blocks become more: cells, their copy while blocks move, and guard cells.
    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t ranks) const override {
        constexpr std::uint64_t copies = 4;
        auto const cells = block_ * block_ * block_ * variables * sizeof(double);
        return copies * cells * (first_tree().size() / ranks + 1);
    }

    [[nodiscard]] std::vector<std::byte> outline_of(RestartFile const& file) const override {
        return to_bytes(read_outline(file));
    }

    void know(std::vector<std::byte> const& outline) override {
        outline_ = outline_from(outline);
        first_ = std::make_unique<Tree>(outline_->tree("the restart"));
        check_restart(settings());
    }

    [[nodiscard]] std::uint64_t step_of(RestartFile const& /*file*/) const override {
        expect(outline_.has_value(), "the restart's outline is known");
        return static_cast<std::uint64_t>(outline_->step);
    }

    [[nodiscard]] std::optional<std::uint64_t> dumps_before() const override {
        return outline_ ? std::optional(static_cast<std::uint64_t>(outline_->number) + 1) : std::nullopt;
    }

    [[nodiscard]] std::unique_ptr<Program> start(Communicator const& comm, bool /*goes_on*/) const override {
        return std::make_unique<AmrProgram>(comm, AmrRun{settings(), shape(), outline_});
    }

  private:
    [[nodiscard]] SimulationSettings settings() const {
        auto settings = settings_;
        settings.n = static_cast<Index>(block_);
        settings.levels = static_cast<int>(levels_);
        settings.roots = parse_triple(roots_, "roots");
        settings.boundaries.fill(boundary_);
        settings.adapt_every = static_cast<Index>(adapt_every_);
        settings.blast.centre = parse_point(centre_);
        return settings;
    }

    [[nodiscard]] AmrShape shape() const {
        auto shape = shape_;
        shape.side = block_;
        return shape;
    }

    /// Of the state that a run begins with; the one of the problem is computed once for its options.
    [[nodiscard]] Tree const& first_tree() const {
        auto const options = fmt::format("{} {} {} {} {} {} {} {} {}", to_text(settings_.problem), block_, levels_,
                                         roots_, to_text(boundary_), centre_, settings_.gas.gamma,
                                         settings_.blast.energy, settings_.blast.pressure);
        if (!outline_ && (!first_ || of_options_ != options)) {
            first_ = std::make_unique<Tree>(BlockSimulation::start({}, settings()).tree());
            of_options_ = options;
        }
        return *first_;
    }

    static std::string joined(Triple const& roots) { return fmt::format("{}", fmt::join(roots, "x")); }

    static std::string joined(Boundaries const& along) {
        return fmt::format("{}, {}, {}", to_text(along[0]), to_text(along[1]), to_text(along[2]));
    }

    void check_restart(SimulationSettings const& settings) const {
        auto const equal = [](std::string_view what, std::string const& before, std::string const& now) {
            validate(before == now, fmt::format("the restart is of a run with another {}", what),
                     fmt::format("it was {} there, and is {} here", before, now),
                     "A run continues with the same blocks and gas: give the options of the first run.");
        };
        equal("block size", fmt::to_string(outline_->side), fmt::to_string(settings.n));
        equal("number of root blocks", joined(outline_->roots), joined(settings.roots));
        equal("boundary", joined(outline_->boundaries), joined(settings.boundaries));
        equal("gamma", fmt::to_string(outline_->gamma), fmt::to_string(settings.gas.gamma));
        equal("problem", std::string(to_text(outline_->problem)), std::string(to_text(settings.problem)));
        if (settings.problem != BlastKind::sedov) {
            return check_levels(settings);
        }
        auto const& blast = outline_->blast;
        equal("centre", fmt::format("{}", fmt::join(blast.centre, ",")),
              fmt::format("{}", fmt::join(settings.blast.centre, ",")));
        equal("energy", fmt::to_string(blast.energy), fmt::to_string(settings.blast.energy));
        equal("ambient_pressure", fmt::to_string(blast.pressure), fmt::to_string(settings.blast.pressure));
        check_levels(settings);
    }

    void check_levels(SimulationSettings const& settings) const {
        validate(first_tree().levels() <= settings.levels,
                 fmt::format("the restart has {} levels of blocks", first_tree().levels()),
                 fmt::format("this run has {} at most", settings.levels), "Allow more levels.");
    }

    SimulationSettings settings_;
    AmrShape shape_;
    std::uint64_t block_ = 8;
    std::uint64_t levels_ = 4;
    std::string roots_ = "1x1x1";
    Boundary boundary_ = Boundary::outflow;
    std::uint64_t adapt_every_ = 4;
    std::string centre_ = "0.4,0.45,0.55";
    std::optional<Outline> outline_;
    mutable std::unique_ptr<Tree> first_;
    mutable std::string of_options_;
};

RegisterApplication<Flash> const registration;

}  // namespace
}  // namespace weir::flash
