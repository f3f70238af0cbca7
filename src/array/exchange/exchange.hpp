#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "array/layout/aggregator_placement.hpp"
#include "array/layout/region.hpp"
#include "array/layout/share.hpp"
#include "array/layout/window.hpp"
#include "array/sinks/sink.hpp"
#include "comm/collective_error_c.hpp"
#include "comm/communicator.hpp"
#include "weir/array.h"

namespace weir::array {

/// What an exchange is made from; the same on all ranks of the group, but for the share.
struct ExchangePlan {
    Communicator group;  ///< the ranks that move the region together
    Region region;       ///< what they move
    Aggregation by{};    ///< which of them move which part of it
    std::uint64_t slots = 2;
    int exchange_tag = 1;                  ///< see sparse_exchange()
    std::uint64_t node_size = 0;           ///< ranks that are taken for a node; 0: real nodes
    bool shared_memory = true;             ///< within a node
    std::shared_ptr<Share const> share{};  ///< coalesced

    /// May two ranks have the same byte? Then either's is moved.
    bool may_overlap = false;

    /// Has room for a control block and the slots; null: the exchange makes its own. Exchanges one after the other may
    /// use the same, if all ranks are through with one before any makes the next.
    std::shared_ptr<class NodeMemory> memory{};
};

/// Moves data between what the ranks of a group hold and the windows of its aggregators, in both directions. It keeps
/// all that repeated dumps have in common: who talks to whom, the windows, the buffers.
///
/// In each round an aggregator moves one window through one of its slots. Ranks of its node copy their bytes straight
/// into the slot; others send them packed in the file's order. A rank waits only for the slots that it needs, so that
/// the exchange of one window overlaps the writing of others, and holds memory for the ranks that it talks to alone.
class Exchange {
  public:
    /// Collective over the group, but it does not fail: what goes wrong is kept in `failure`, or is the trouble of the
    /// group's communicator. If that is so on any rank, the exchange must not be used.
    Exchange(ExchangePlan, FirstFailure& failure);
    ~Exchange();
    Exchange(Exchange&&) = delete;

    /// From the buffers through the windows to `sink`, which aggregators alone use. Collective over the group, but it
    /// does not fail: what goes wrong is kept in `failure`, or is the trouble of the group's communicator, and the rank
    /// goes on to serve the others. Memory is needed for the sink alone. When it returns, the buffers are free; all is
    /// written, unless `behind` asked for a thread that still writes: then sink, failure and times are in use until
    /// finish().
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
    [[nodiscard]] FileDomain domain() const;  ///< of this aggregator
    [[nodiscard]] Region const& region() const { return plan_.region; }

    /// Bytes of memory held on this rank: of the buffers, slots and messages; of other ranks' lists of boxes and
    /// pieces; and of all, with what else is known of other ranks.
    [[nodiscard]] std::uint64_t buffer_bytes() const;
    [[nodiscard]] std::uint64_t list_bytes() const;
    [[nodiscard]] std::uint64_t memory_bytes() const;

  private:
    struct AggregatorPeer;  // an aggregator that moves bytes of this rank
    struct MemberPeer;      // a rank that holds bytes of this aggregator's domain
    struct OwnDomain;       // what this rank moves as an aggregator

    void find_aggregators();
    void find_members(FirstFailure&);
    void share_memory(FirstFailure&);
    void map_control_blocks();
    void count_rounds();
    void reserve_messages();

    void put(AggregatorPeer&, std::uint64_t round, Buffers, weir_times&);
    void collect(std::uint64_t round, Sink*, FirstFailure&, weir_times&);
    void serve(std::uint64_t round, Sink*, FirstFailure&, weir_times&);
    void take(AggregatorPeer&, std::uint64_t round, Buffers, weir_times&);

    [[nodiscard]] Window window(AggregatorPeer const&, std::uint64_t round) const;
    [[nodiscard]] Window window(MemberPeer const&, std::uint64_t round) const;

    /// What goes in a message to or from this rank in a round; 0 where they share memory.
    [[nodiscard]] std::uint64_t message_bytes(AggregatorPeer const&, std::uint64_t round) const;
    [[nodiscard]] std::uint64_t message_bytes(MemberPeer const&, std::uint64_t round) const;

    /// Starts to receive the messages of a round.
    template <class Peers>
    void receive(Peers&, class MessageBuffers&, std::uint64_t round, int tag, weir_times&);

    /// Returns when the messages that were sent from the round's slot have been received, and its buffers are free.
    template <class Peers>
    void begin_sending(Peers&, class MessageBuffers&, std::uint64_t round, weir_times&);
    void send(struct Peer&, std::byte const* message, std::uint64_t bytes, std::uint64_t round, int tag, weir_times&);
    void end_of_dump(weir_times&);
    void wait(class Counter&, std::uint32_t target, weir_times&);
    void wait(MPI_Request&, weir_times&);

    ExchangePlan plan_;
    std::vector<AggregatorPeer> aggregators_;
    std::unique_ptr<OwnDomain> own_;
    std::unique_ptr<class MessageBuffers> owner_messages_;       ///< of this rank as one that holds data
    std::unique_ptr<class MessageBuffers> aggregator_messages_;  ///< of this rank as an aggregator
    std::unique_ptr<class UnitType> units_;  ///< null where no message is so long that it goes in units
    std::unique_ptr<class BackgroundWriter> writer_;
    std::uint64_t rounds_ = 0;  ///< in which this rank has something to do
    bool messages_ = false;     ///< does this rank send or receive any?
    CopyRows to_buffers_;       ///< how read bytes get into the rank's arrays
};

}  // namespace weir::array
