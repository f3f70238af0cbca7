#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "array/exchange/exchange.hpp"
#include "array/layout/region.hpp"
#include "array/planner/choose_strategy.hpp"
#include "array/planner/plan_facts.hpp"
#include "array/planner/plan_options.hpp"
#include "comm/collective_error_c.hpp"
#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "pattern/piece_lists.hpp"
#include "storage/backends/twophase/posix_sink.hpp"

namespace weir {

/// Runs a collective call of the library and turns its failures into the engine's errors: an invalid argument becomes a
/// usage error.
template <class Work>
auto as_errors(Work work) {
    try {
        return work();
    } catch (Failure const& failure) {
        auto const usage = failure.code() == WEIR_BAD_ARGUMENT || failure.code() == WEIR_DISAGREE;
        throw Error({failure.what(), "", "", usage ? ExitCode::usage : ExitCode::cannot_run});
    }
}

/// Throws one rank's failure on all ranks, as the engine's Error. Collective.
inline void agree_as_errors(Communicator const& comm, FirstFailure const& failure) {
    as_errors([&] { failure.agree(comm); });
}

/// The pieces of one rank's request relative to its base offset, in file order.
class RequestShape {
  public:
    /// Of pieces of the file, for a plan space that begins at `base`.
    RequestShape(std::span<Piece const> pieces, std::uint64_t base);

    /// The base with which these pieces have this shape; nothing if the shape differs, or if there are no pieces.
    [[nodiscard]] std::optional<std::uint64_t> base_of(std::span<Piece const> pieces) const;

    [[nodiscard]] bool empty() const { return pieces_.empty(); }

  private:
    std::vector<Piece> pieces_;  ///< offsets count from the base
};

/// At most `most` pieces that cover all of these: gaps shorter than `gap` are included, and longer ones if there would
/// still be too many.
std::vector<Piece> outline(std::span<Piece const> pieces, std::uint64_t gap, std::uint64_t most);

/// The number of bytes of the pieces before this offset of the file.
std::size_t bytes_before(std::span<Piece const> pieces, std::uint64_t end);

/// The union of all ranks' pieces, in file order; adjacent ones are merged.
std::vector<Piece> united(std::vector<Piece> pieces);

/// These pieces of the file as the region of a plan whose space begins at `base`.
array::Region region_of(std::span<Piece const> pieces, std::uint64_t base);

/// The ranks of collective requests: all that have a file open, or one I/O group of them.
struct RequestGroup {
    Communicator ranks;
    std::vector<std::uint64_t> node;  ///< node number of each rank
    array::PlanFacts facts;           ///< about these ranks and the file system, without their requests

    /// The ranks that have the file at `path` open. Collective.
    RequestGroup(Communicator const& file, std::string const& path, array::PlanOptions const&);
};

/// Carries out collective requests in one direction. A plan is reused if all ranks request the same pieces as before,
/// shifted by the same distance; otherwise a new one is made.
///
/// Construction is local; destruction and every member that says so are collective over the group.
class RequestPlan {
  public:
    RequestPlan(RequestGroup const& group, array::PlanOptions const& options, array::Use use)
        : group_(group), options_(options), use_(use) {}

    /// One request of every rank, for its pieces, in file order; a rank may have none. `data` holds the pieces
    /// consecutively. A failure on this rank is thrown here after all ranks have been served. Collective.
    void write(DeferredFile&, std::span<Piece const>, std::span<std::byte const> data);

    /// Returns the number of bytes before end of file; a failure is thrown on all ranks. Collective.
    std::size_t read(DeferredFile&, std::span<Piece const>, std::span<std::byte> data);

    /// For the record. Local.
    [[nodiscard]] std::uint64_t requests() const { return requests_; }
    [[nodiscard]] std::uint64_t plans() const { return plans_; }
    [[nodiscard]] std::string const& explain() const { return choice_.why; }

  private:
    /// The facts about other ranks' requests that planning needs.
    struct Asked {
        std::vector<Piece> outline;
        std::uint64_t bytes = 0;
        std::uint64_t pieces = 0;
        std::uint64_t most_pieces = 0;  ///< most of any rank
    };

    /// Makes a plan for the ranks' requests if there is none that fits; false if no rank requests anything. Collective.
    bool prepare(std::span<Piece const>);
    [[nodiscard]] bool fits(std::span<Piece const>, std::optional<std::uint64_t> base) const;
    void plan(std::span<Piece const>);
    void throw_trouble() const;
    [[nodiscard]] Asked ask(std::span<Piece const>) const;
    [[nodiscard]] array::ExchangePlan exchange_plan(std::span<Piece const>, Asked const&);
    /// For aggregators; reuses the memory of earlier ones if this rank was among them. Collective.
    [[nodiscard]] std::shared_ptr<NodeMemory> memory_for(std::vector<std::uint64_t> const& aggregators);
    [[nodiscard]] array::Strategy const& strategy() const {
        return use_ == array::Use::write ? choice_.write : choice_.read;
    }

    RequestGroup const& group_;
    array::PlanOptions const& options_;
    array::Use use_;
    array::Choice choice_;
    std::optional<RequestShape> shape_;
    std::uint64_t base_ = 0;     ///< where the plan's space begins in the file, in this request
    std::uint64_t planned_ = 0;  ///< where it began when planned
    std::shared_ptr<NodeMemory> memory_;
    std::vector<std::uint64_t> aggregators_;   ///< that have memory
    std::uint64_t memory_bytes_ = 0;           ///< per aggregator
    std::optional<array::Exchange> exchange_;  ///< null: each rank accesses the file by itself
    weir_times times_{};
    std::uint64_t requests_ = 0;
    std::uint64_t plans_ = 0;
};

}  // namespace weir
