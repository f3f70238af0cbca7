#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "array/exchange/exchange.hpp"
#include "array/exchange/hierarchical_allreduce.hpp"
#include "array/layout/io_group.hpp"
#include "array/planner/choose_strategy.hpp"
#include "array/sinks/file_map.hpp"

namespace weir::array {

/// One direction of a plan: the group that this rank exchanges with; none if each rank writes for itself.
struct Direction {
    Strategy strategy;
    std::shared_ptr<Share const> share;
    std::shared_ptr<Exchange> exchange{};  ///< shared by both directions if they do not differ
    std::optional<Failure> problem{};      ///< why it cannot be used; the same on all ranks
    std::uint64_t movers = 0;              ///< ranks that use a sink; 0: there is nothing to move, and rank 0 does
};

/// The state shared by repeated dumps of the same arrays; see weir_plan_make(). Construction and destruction are
/// collective, and so is every member that says so.
class Plan {
  public:
    /// Throws Failure, the same on all ranks, also if the ranks' options differ; `text` is the user's. `failure`: an
    /// earlier failure on this rank, in describing.
    Plan(MPI_Comm, std::vector<Description>, PlanOptions, std::string text, FirstFailure failure);

    /// Through `sink`, which may be null on a rank that could not make one because of a failure. Collective.
    void write(Sink* sink, Buffers, FirstFailure& failure, bool behind = false);
    void read(Sink* sink, Buffers, FirstFailure& failure);

    /// The work that write() left to its thread: waits for it, queues a job after it, asks whether it has ended. Local.
    void finish();
    void later(std::function<void()> const& job);
    [[nodiscard]] bool finished() const;

    /// For an exchange among all ranks through the memory of all of them, in windows of this plan's size.
    [[nodiscard]] ExchangePlan in_memory(Share, int exchange_tag) const;

    /// Does this rank use a sink in this direction?
    [[nodiscard]] bool touches(Direction const&) const;

    [[nodiscard]] Communicator const& comm() const { return comm_; }

    /// Throws the failure of any rank; otherwise returns whether all ranks gave the same value. Collective; the time
    /// counts as waiting.
    bool agree(FirstFailure const&, std::uint64_t value = 0);
    [[nodiscard]] Arrays const& arrays() const { return *arrays_; }

    /// A copy of the arrays' descriptions, for another plan.
    [[nodiscard]] std::vector<Description> descriptions() const;
    [[nodiscard]] PlanOptions const& options() const { return options_; }
    [[nodiscard]] std::string const& options_text() const { return options_text_; }
    [[nodiscard]] Choice const& choice() const { return choice_; }
    [[nodiscard]] Direction& writing() { return write_; }
    [[nodiscard]] Direction& reading() { return read_; }
    [[nodiscard]] Direction const& writing() const { return write_; }
    [[nodiscard]] Direction const& reading() const { return read_; }
    [[nodiscard]] std::string const& explain() const { return choice_.why; }
    [[nodiscard]] std::uint64_t buffer_bytes() const;
    [[nodiscard]] std::uint64_t list_bytes() const;    ///< of lists of boxes and pieces
    [[nodiscard]] std::uint64_t memory_bytes() const;  ///< in total
    [[nodiscard]] std::uint64_t file_bytes() const;

    /// Are there checksums? Not of a dump without a byte.
    [[nodiscard]] bool verifies() const { return options_.checksum && arrays_->bytes() > 0; }

    /// Can a written file be completed only when all ranks have written? If not, a synchronisation is saved. The same
    /// on all ranks, whatever fails.
    [[nodiscard]] bool completes_together() const;

    /// Is this the rank that syncs the data of all ranks of its node to the device?
    [[nodiscard]] bool syncs() const { return syncs_; }

    [[nodiscard]] bool on_several_nodes() const { return !on_one_node(); }
    [[nodiscard]] bool shares_node_of_root() const { return node_ == 0; }

    weir_times times{};
    class WriteDump* pending = nullptr;  ///< an asynchronous dump in flight

  private:
    void agree_on_arrays(FirstFailure&) const;
    void make_both(FirstFailure&);
    void make(Direction&, Use, FirstFailure&);
    void keep_to_memory(PlanFacts const&);
    [[nodiscard]] std::uint64_t smaller_window(int turn) const;
    void explain_smaller_window(PlanFacts const&);
    void refuse_bound(std::uint64_t least) const;
    [[nodiscard]] ExchangePlan planned(Direction const&, Use, std::optional<GridRow> const&,
                                       std::span<std::uint64_t> nodes, FirstFailure&);
    [[nodiscard]] ExchangePlan exchange_plan(Communicator group, Region, std::shared_ptr<Share const>) const;
    [[nodiscard]] std::shared_ptr<Holes const> holes() const;
    void check_memory(Exchange const&, FirstFailure&);
    void check_writable();
    void count_movers();
    void find_who_syncs(FirstFailure const&);
    [[nodiscard]] bool on_one_node() const { return neighbours_.size() == comm_.size(); }
    [[nodiscard]] bool moves(Direction const&) const;

    Communicator comm_;
    Communicator neighbours_;  ///< the ranks of this node
    std::optional<HierarchicalAllreduce> allreduce_;
    std::unique_ptr<Arrays> arrays_;
    std::string options_text_;
    PlanOptions options_;
    Choice choice_;
    Direction write_, read_;
    std::uint64_t node_ = 0;  ///< the lowest rank on this rank's node
    bool syncs_ = false;
};

}  // namespace weir::array
