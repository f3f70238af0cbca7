#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "array/failure.hpp"
#include "array/part.hpp"
#include "array/partners.hpp"
#include "array/region.hpp"
#include "array/sink.hpp"
#include "array/window.hpp"
#include "comm/communicator.hpp"
#include "weir/array.h"

namespace weir::array {

/// What an exchange is made from; the same on all ranks of the team, but for the share.
struct ExchangePlan {
    Communicator team;  ///< the ranks that move the region together
    Region region;      ///< what they move
    Aggregation by{};   ///< which of them move which part of it
    std::uint64_t slots = 2;
    int meeting_tag = 1;                   ///< see meet()
    std::uint64_t node_size = 0;           ///< ranks that are taken for a node; 0: real nodes
    bool shared_memory = true;             ///< within a node
    std::shared_ptr<Share const> share{};  ///< coalesced

    /// May two ranks have the same byte? Then either's is moved.
    bool may_overlap = false;

    /// Has room for a desk and the slots; null: the exchange makes its own. Exchanges one after the other may use the
    /// same, if all ranks are through with one before any makes the next.
    std::shared_ptr<class NodeMemory> memory{};
};

/// The way between what the ranks of a team hold and the windows of its aggregators, in both directions. It keeps all
/// that repeated dumps have in common: who talks to whom, the windows, the buffers.
///
/// In each round an aggregator moves one window through one of its slots. Ranks of its node copy their bytes straight
/// into the slot; others send them packed in the file's order. A rank waits only for the slots that it needs, so that
/// the exchange of one window overlaps the writing of others, and holds memory for the ranks that it talks to alone.
class Exchange {
  public:
    /// Collective over the team, but it does not fail: what goes wrong is kept in `failure`, or is the trouble of the
    /// team's communicator. If that is so on any rank, the exchange must not be used.
    Exchange(ExchangePlan, FirstFailure& failure);
    ~Exchange();
    Exchange(Exchange&&) = delete;

    /// From the buffers through the windows to `sink`, which aggregators alone use. Collective over the team, but it
    /// does not fail: what goes wrong is kept in `failure`, or is the trouble of the team's communicator, and the rank
    /// goes on to serve the others. Memory is needed for the sink alone. When it returns,
    /// the buffers are free; all is written, unless `behind` asked for a thread that still writes: then sink, failure
    /// and times are in use until finish().
    void write(Buffers, Sink*, bool behind, FirstFailure& failure, weir_times&);

    /// Returns when all that write() left behind is written. Local.
    void finish(weir_times&);

    /// Does this after all that write() left behind, in its thread. Local.
    void later(std::function<void()> const& job);

    /// Would finish() return at once? Local.
    [[nodiscard]] bool finished() const;

    /// From `sink` through the windows to the buffers; as write().
    void read(Buffers, Sink*, FirstFailure& failure, weir_times&);

    /// Has this rank the memory for its slots? If not, on any rank, the exchange must not be used.
    [[nodiscard]] bool has_memory() const;

    [[nodiscard]] bool is_aggregator() const { return own_ != nullptr; }
    [[nodiscard]] Domain domain() const;  ///< of this aggregator
    [[nodiscard]] Region const& region() const { return plan_.region; }

    /// Bytes of memory held on this rank: of the buffers, slots and letters; of other ranks' lists of boxes and pieces;
    /// and of all, with what else is known of other ranks.
    [[nodiscard]] std::uint64_t buffer_bytes() const;
    [[nodiscard]] std::uint64_t list_bytes() const;
    [[nodiscard]] std::uint64_t memory_bytes() const;

  private:
    struct Outlet;  // to an aggregator
    struct Inlet;   // to this aggregator
    struct Own;     // what this rank has as an aggregator
    class Writer;

    void find_outlets();
    void find_inlets(FirstFailure&);
    void share_memory(FirstFailure&);
    void find_desks();
    void count_rounds();
    void reserve_letters();

    void put(Outlet&, std::uint64_t round, Buffers, weir_times&);
    void collect(std::uint64_t round, Sink*, FirstFailure&, weir_times&);
    void serve(std::uint64_t round, Sink*, FirstFailure&, weir_times&);
    void take(Outlet&, std::uint64_t round, Buffers, weir_times&);
    void listen_as_aggregator(std::uint64_t round, weir_times&);
    void listen_as_owner(std::uint64_t round, weir_times&);
    void begin_letters_to_aggregators(std::uint64_t round, weir_times&);
    void begin_letters_to_owners(std::uint64_t round, weir_times&);
    void send(std::byte const* letter, std::uint64_t bytes, std::uint64_t to, int tag, MPI_Request&, weir_times&);
    void receive(std::byte* letter, std::uint64_t bytes, std::uint64_t from, int tag, MPI_Request&, weir_times&);
    void end_of_dump(weir_times&);
    void wait(class Counter&, std::uint32_t target, weir_times&);
    void wait(MPI_Request&, weir_times&);
    void wait(struct Post&, weir_times&);

    ExchangePlan plan_;
    std::vector<Outlet> outlets_;
    std::unique_ptr<Own> own_;
    std::unique_ptr<class Letters> owner_letters_;       ///< of this rank as one that holds data
    std::unique_ptr<class Letters> aggregator_letters_;  ///< of this rank as an aggregator
    std::unique_ptr<class UnitType> units_;              ///< null where no letter is so long that it goes in units
    std::unique_ptr<Writer> writer_;
    std::uint64_t rounds_ = 0;  ///< in which this rank has something to do
    bool messages_ = false;     ///< does this rank send or receive any?
    CopyRows to_buffers_;       ///< how read bytes get into the rank's arrays
};

}  // namespace weir::array
