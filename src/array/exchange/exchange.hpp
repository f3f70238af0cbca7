#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "array/layout/aggregator_placement.hpp"
#include "array/layout/region.hpp"
#include "array/layout/share.hpp"
#include "array/layout/window.hpp"
#include "array/sinks/sink.hpp"
#include "comm/collective_error_c.hpp"
#include "comm/communicator.hpp"
#include "weir/array.h"

namespace weir {
class NodeMemory;
}

namespace weir::array {

/// The input of an exchange; the same on all ranks of the group, except for the share.
struct ExchangePlan {
    Communicator group;  ///< the ranks that move the region together
    Region region;       ///< what they move
    Aggregation by{};    ///< its division into file domains
    std::uint64_t slots = 2;
    int exchange_tag = 1;                  ///< see sparse_exchange()
    std::uint64_t node_size = 0;           ///< simulated ranks per node; 0: real nodes
    std::optional<Communicator> node{};    ///< the group's ranks of this node, if they are known
    bool shared_memory = true;             ///< within a node
    std::shared_ptr<Share const> share{};  ///< coalesced

    std::shared_ptr<class Holes const> holes{};  ///< null: bytes that no rank holds are not written

    /// Are bytes read that no rank takes? Checksums are of complete blocks of the file.
    bool read_all = false;

    /// May several ranks hold the same byte? Then any one's copy is moved.
    bool may_overlap = false;

    /// Memory for a control block and the slots; null: the exchange allocates its own. Consecutive exchanges may share
    /// it, if all ranks have finished with one before any makes the next.
    std::shared_ptr<NodeMemory> memory{};
};

/// Moves data between the local arrays of a group's ranks and the windows of its aggregators, in both directions. Its
/// state (peers, windows, buffers) is reused by repeated dumps.
///
/// In each round an aggregator moves one window through one of its slots. Ranks of its node copy their bytes straight
/// into the slot; others send them packed in the file's order. A rank waits only for the slots that it needs, so that
/// the exchange of one window overlaps the writing of others. It holds memory only for its own peers.
class Exchange {
  public:
    /// Collective over the group, but does not throw: errors are kept in `failure`, or pending in the group's
    /// communicator. If any rank has one, the exchange must not be used.
    Exchange(ExchangePlan, FirstFailure& failure);
    ~Exchange();
    Exchange(Exchange&&) = delete;

    /// From the buffers through the windows to `sink`, which only aggregators use. Collective over the group, but does
    /// not throw: errors are kept in `failure`, or pending in the group's communicator, and the rank continues to serve
    /// the others. Only the sink needs memory. On return the buffers may be reused and all is written, unless `behind`
    /// asked for a thread that still writes: then sink, failure and times are in use until finish().
    void write(Buffers, Sink*, bool behind, FirstFailure& failure, weir_times&);

    /// Returns when all that write() left to its thread is written. Local.
    void finish(weir_times&);

    /// Queues a job in that thread, after all writes. Local.
    void later(std::function<void()> const& job);

    /// Would finish() return at once? Local.
    [[nodiscard]] bool finished() const;

    /// From `sink` through the windows to the buffers; as write().
    void read(Buffers, Sink*, FirstFailure& failure, weir_times&);

    /// Could this rank allocate its slots? If not, on any rank, the exchange must not be used.
    [[nodiscard]] bool has_memory() const;

    [[nodiscard]] bool is_aggregator() const { return own_ != nullptr; }
    [[nodiscard]] FileDomain domain() const;  ///< of this aggregator
    [[nodiscard]] Region const& region() const { return plan_.region; }

    /// Bytes of memory on this rank: of the buffers, slots and messages; of other ranks' lists of boxes and pieces; and
    /// the total, with all other data on other ranks.
    [[nodiscard]] std::uint64_t buffer_bytes() const;
    [[nodiscard]] std::uint64_t list_bytes() const;
    [[nodiscard]] std::uint64_t memory_bytes() const;

  private:
    struct AggregatorPeer;  // an aggregator that moves bytes of this rank
    struct MemberPeer;      // a rank that holds bytes of this aggregator's domain
    struct OwnDomain;       // this rank's own domain as an aggregator

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

    /// The length of the message to or from this rank in a round; 0 if they share memory.
    [[nodiscard]] std::uint64_t message_bytes(AggregatorPeer const&, std::uint64_t round) const;
    [[nodiscard]] std::uint64_t message_bytes(MemberPeer const&, std::uint64_t round) const;

    /// Posts the receives of a round.
    template <class Peers>
    void receive(Peers&, class MessageBuffers&, std::uint64_t round, int tag, weir_times&);

    /// Returns when the earlier sends from the round's slot have completed, so that its buffers are free.
    template <class Peers>
    void begin_sending(Peers&, class MessageBuffers&, std::uint64_t round, weir_times&);
    void send(struct Peer&, std::byte const* message, std::uint64_t bytes, std::uint64_t round, int tag, weir_times&);
    void end_of_dump(weir_times&);
    void wait(class Counter&, std::uint32_t target, weir_times&);
    void wait(MPI_Request&, weir_times&);

    ExchangePlan plan_;
    ShareIndex index_;  ///< of this rank's share
    std::vector<AggregatorPeer> aggregators_;
    std::unique_ptr<OwnDomain> own_;
    std::unique_ptr<class MessageBuffers> owner_messages_;       ///< this rank's messages as a holder of data
    std::unique_ptr<class MessageBuffers> aggregator_messages_;  ///< this rank's messages as an aggregator
    std::unique_ptr<class UnitType> units_;  ///< null if no message is long enough to be sent in units
    std::unique_ptr<class BackgroundWriter> writer_;
    std::uint64_t rounds_ = 0;  ///< rounds in which this rank takes part
    bool messages_ = false;     ///< does this rank send or receive any?
    CopyRows to_buffers_;       ///< copies read bytes into the rank's arrays
};

}  // namespace weir::array
