#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "apps/flash/gas/adaption.hpp"
#include "apps/flash/gas/block_sweep.hpp"
#include "apps/flash/gas/parents.hpp"
#include "apps/flash/gas/sedov.hpp"
#include "apps/flash/gas/sod.hpp"
#include "apps/flash/gas/totals.hpp"

namespace weir::flash {

enum class BlastKind { sedov, sod };
constexpr std::array<std::string_view, 2> enum_names(BlastKind) { return {"sedov", "sod"}; }

/// A run's problem and resolution.
struct SimulationSettings {
    Index n = 8;     ///< cells of a block along each axis: even, at least 8
    int levels = 5;  ///< of blocks at most; FLASH's lrefine_max
    Triple roots{1, 1, 1};
    Boundaries boundaries{};
    BlastKind problem = BlastKind::sedov;
    Sedov blast;  ///< of the problem sedov, and tube of sod
    Sod tube;
    gas::Gas gas{.gamma = 1.4};
    Index adapt_every =
        4;  ///< steps; a signal crosses at most gas.cfl of a cell in each, and errors count two cells away
};

/// Edge of the finest level's cells, and the high corner of the domain. Local.
double finest_edge(SimulationSettings const&);
Corner domain_of(SimulationSettings const&);

/// Gas dynamics on a tree of blocks that follows a blast. It keeps nothing but tree, cells, time and step, so that a
/// run can continue from any of its states, on any number of ranks, bit for bit.
class BlockSimulation {
  public:
    /// At time 0, on the tree that is fine around the blast, or where the states of the tube meet. Error (usage) for
    /// settings that cannot be computed. Collective, as all but the functions that say something else.
    static BlockSimulation start(Communicator const&, SimulationSettings const&);

    /// Sets a block's five variables, n^3 values each, x fastest.
    using SetBlock = std::function<void(std::size_t block, std::array<std::span<double>, variables> const&)>;

    /// Continues a run. `set` is called for each block of this rank, Tree::counts() in order, parents too; those may be
    /// left as they are. Error (usage) as above, or if the tree has more levels or other roots.
    static BlockSimulation restore(Communicator const&, SimulationSettings const&, Tree, double time, double dt,
                                   Index step, SetBlock const& set);

    /// One step, or a shorter one to end at `end` exactly; every few steps the tree is adapted after it. Error
    /// (cannot_run) on all ranks, with block, cell, time and step, if a density or pressure is not positive.
    void advance(std::optional<double> end = {});

    /// Local, as all up to blocks().
    [[nodiscard]] SimulationSettings const& settings() const { return settings_; }
    [[nodiscard]] double time() const { return time_; }
    [[nodiscard]] double dt() const { return dt_; }  ///< of the last step; 0 before the first
    [[nodiscard]] Index step() const { return step_; }
    [[nodiscard]] Tree const& tree() const { return grid_->blocks.tree(); }
    [[nodiscard]] std::size_t first_block() const { return grid_->blocks.first(); }
    [[nodiscard]] std::size_t block_count() const { return grid_->blocks.end() - grid_->blocks.first(); }

    /// A variable of block b, one of this rank's: n^3 values, x fastest. Parents hold means.
    [[nodiscard]] std::span<double const> interior(std::size_t b, GasVariable v) const {
        return grid_->blocks.values(b, v);
    }
    [[nodiscard]] Blocks const& blocks() const { return grid_->blocks; }

    /// Brings other ranks' cells for around(), as the state is now. Collective.
    void exchange_surroundings() { grid_->surroundings.exchange(grid_->blocks); }

    /// Block b, one of this rank's, with guard cells all around. Valid until the next call. Local.
    [[nodiscard]] View<double const> around(std::size_t b) {
        return grid_->surroundings.around(grid_->blocks, b, settings_.gas.gamma);
    }

    [[nodiscard]] LeafTotals totals() const { return totals_of(grid_->blocks, settings_.gas.gamma); }

    /// What has left the domain through its boundary since start() or restore(), by the fluxes with which the cells
    /// there were changed: what came in is negative. With totals() it is what totals() was then. The same on every
    /// number of ranks.
    [[nodiscard]] LeafTotals outflow() const;

    /// Of the blast; 0 without one.
    [[nodiscard]] double radius() const {
        return settings_.problem == BlastKind::sedov ? shock_radius(grid_->blocks, settings_.blast.centre) : 0;
    }

  private:
    /// The blocks, and what is planned once for their tree.
    struct BlockGrid {
        explicit BlockGrid(Blocks);
        Blocks blocks;
        Parents parents;
        Surroundings surroundings;
        std::vector<BlockSweep> sweeps;
    };

    BlockSimulation(Communicator const&, SimulationSettings const&, double time, double dt, Index step);
    void refine_initial_state(Communicator const&);
    void sweep(double dt);
    void adapt();
    [[nodiscard]] double time_step() const;

    SimulationSettings settings_;
    double share_of_node_;  ///< of all blocks
    double time_, dt_;
    Index step_;
    std::unique_ptr<BlockGrid> grid_;
    LeafTotals left_before_;  ///< through the leaves of the trees before this one
};

/// Error (usage) for settings that cannot be computed. Local.
void validate_settings(SimulationSettings const&);

}  // namespace weir::flash
