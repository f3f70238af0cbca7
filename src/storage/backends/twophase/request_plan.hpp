#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "array/exchange/exchange.hpp"
#include "array/layout/region.hpp"
#include "array/planner/choice.hpp"
#include "array/planner/plan_facts.hpp"
#include "array/planner/plan_options.hpp"
#include "comm/communicator.hpp"
#include "comm/first_failure.hpp"
#include "core/error.hpp"
#include "pattern/piece_lists.hpp"
#include "storage/backends/twophase/posix_sink.hpp"

namespace weir {

/// Runs a collective call of the library, with the engine's errors: what means nothing is a mistake of
/// usage.
template <class Work>
auto as_errors(Work work) {
    try {
        return work();
    } catch (Failure const& failure) {
        auto const usage = failure.code() == WEIR_BAD_ARGUMENT || failure.code() == WEIR_DISAGREE;
        throw Error({failure.what(), "", "", usage ? ExitCode::usage : ExitCode::cannot_run});
    }
}

/// Makes one rank's failure everybody's, as the Error that the engine knows. Collective.
inline void agree_as_errors(Communicator const& comm, FirstFailure const& failure) {
    as_errors([&] { failure.agree(comm); });
}

/// What a rank asks for in one request, without the place in the file where it is: pieces in the order of the file.
class RequestShape {
  public:
    /// Of pieces of the file whose plan's space begins at `base`.
    RequestShape(std::span<Piece const> pieces, std::uint64_t base);

    /// Where the plan's space would have to begin for these pieces to have this shape; nothing where they have another
    /// one, and where there are none.
    [[nodiscard]] std::optional<std::uint64_t> base_of(std::span<Piece const> pieces) const;

    [[nodiscard]] bool empty() const { return pieces_.empty(); }

  private:
    std::vector<Piece> pieces_;  ///< offsets count from the base
};

/// No more than `most` pieces that hold all of these: gaps shorter than `gap` are left in, and longer ones where there
/// would be too many otherwise.
std::vector<Piece> outline(std::span<Piece const> pieces, std::uint64_t gap, std::uint64_t most);

/// How many bytes of the pieces lie before this one of the file.
std::size_t bytes_before(std::span<Piece const> pieces, std::uint64_t end);

/// The pieces of all ranks together, each byte once, in the order of the file; those that touch as one.
std::vector<Piece> united(std::vector<Piece> pieces);

/// These pieces of the file as the region that a plan moves; its space begins at `base`.
array::Region region_of(std::span<Piece const> pieces, std::uint64_t base);

/// Ranks that make collective requests together: all that have a file open, or one I/O group of them.
struct RequestGroup {
    Communicator ranks;
    std::vector<std::uint64_t> node;  ///< of each rank, a number of its node
    array::PlanFacts facts;           ///< of these ranks and the file system, nothing of what they ask for

    /// Of the ranks that have the file at `path` open. Collective.
    RequestGroup(Communicator const& file, std::string const& path, array::PlanOptions const&);
};

/// How collective requests in one direction are carried out. Where all of them ask for the same as
/// before, only moved, and all by the same distance, the plan is used again; otherwise it is made again.
///
/// Construction is local; destruction and every member that says so are collective over the group.
class RequestPlan {
  public:
    RequestPlan(RequestGroup const& group, array::PlanOptions const& options, array::Use use)
        : group_(group), options_(options), use_(use) {}

    /// One request of every rank, for its pieces, in the order of the file; a rank may have none. `data` holds one
    /// piece after the other. What fails on this rank is thrown here when all have been served. Collective.
    void write(DeferredFile&, std::span<Piece const>, std::span<std::byte const> data);

    /// Returns how many bytes there were before the end of the file; a failure is thrown on all ranks. Collective.
    std::size_t read(DeferredFile&, std::span<Piece const>, std::span<std::byte> data);

    /// For the record. Local.
    [[nodiscard]] std::uint64_t requests() const { return requests_; }
    [[nodiscard]] std::uint64_t plans() const { return plans_; }
    [[nodiscard]] std::string const& explain() const { return choice_.why; }

  private:
    /// What a rank must know of the others before it plans.
    struct Asked {
        std::vector<Piece> outline;
        std::uint64_t bytes = 0;
        std::uint64_t pieces = 0;
        std::uint64_t most_pieces = 0;  ///< of one rank
    };

    /// Sees to it that there is a plan for what the ranks ask for; false where none asks for anything. Collective.
    bool prepare(std::span<Piece const>);
    [[nodiscard]] bool fits(std::span<Piece const>, std::optional<std::uint64_t> base) const;
    void plan(std::span<Piece const>);
    void throw_trouble() const;
    [[nodiscard]] Asked ask(std::span<Piece const>) const;
    [[nodiscard]] array::ExchangePlan exchange_plan(std::span<Piece const>, Asked const&);
    /// Of aggregators; that of earlier ones, if they were among them. Collective.
    [[nodiscard]] std::shared_ptr<array::NodeMemory> memory_for(std::vector<std::uint64_t> const& aggregators);
    [[nodiscard]] array::Strategy const& strategy() const {
        return use_ == array::Use::write ? choice_.write : choice_.read;
    }

    RequestGroup const& group_;
    array::PlanOptions const& options_;
    array::Use use_;
    array::Choice choice_;
    std::optional<RequestShape> shape_;
    std::uint64_t base_ = 0;     ///< where the plan's space begins in the file, in this request
    std::uint64_t planned_ = 0;  ///< where it began when it was planned
    std::shared_ptr<array::NodeMemory> memory_;
    std::vector<std::uint64_t> aggregators_;   ///< who have memory
    std::uint64_t memory_bytes_ = 0;           ///< of each of them
    std::optional<array::Exchange> exchange_;  ///< null: each rank for itself
    weir_times times_{};
    std::uint64_t requests_ = 0;
    std::uint64_t plans_ = 0;
};

}  // namespace weir
