#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <thread>

#include "array/exchange/exchange.hpp"
#include "array/exchange/holes.hpp"
#include "array/exchange/message_units.hpp"
#include "array/exchange/node_memory.hpp"

namespace weir::array {

/// Runs jobs, the writes of windows, in a thread, in order. They make no MPI call.
class BackgroundWriter {
  public:
    BackgroundWriter() : thread_([this] { work(); }) {}
    ~BackgroundWriter();

    /// Without memory to queue a job, runs it in the calling thread, after all queued before it.
    template <class Job>
    void submit(Job const& job) {
        try {
            push(job);
        } catch (std::bad_alloc const&) {
            wait_until_idle();
            job();
        }
    }
    void wait_until_idle();
    [[nodiscard]] bool idle() const;

  private:
    void push(std::function<void()> job);
    void work();
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool busy_ = false;
    bool stop_ = false;
    std::thread thread_;
};

constexpr int to_aggregator_tag = 101;
constexpr int from_aggregator_tag = 102;

/// Counters in shared memory wrap around; comparisons still hold.
inline std::uint32_t wrapped(std::uint64_t count) { return static_cast<std::uint32_t>(count); }

/// Buffers for the packed messages of a rank to or from many others. The messages of a round lie one after the other in
/// one slot, so that they take no more memory than the rank moves in a round.
class MessageBuffers {
  public:
    /// Starts a round's messages in the buffer of an earlier round, whose messages must all have completed.
    void begin(std::uint64_t round, std::uint64_t slots) {
        slot_ = round % slots;
        used_ = 0;
    }

    /// Reserves memory for all messages of a round together. Later rounds reuse it.
    void reserve(std::uint64_t round, std::uint64_t slots, std::uint64_t bytes) {
        auto& memory = memory_[round % slots];
        if (memory.size() < bytes) {
            memory = {};  // a vector that grows takes twice as much as it holds
            memory.resize(bytes);
        }
    }

    /// The room that a message of this length takes.
    static std::uint64_t room(std::uint64_t bytes) { return needs_units(bytes) ? filled_up(bytes) : bytes; }

    std::byte* take(std::uint64_t bytes) {
        auto* const message = memory_[slot_].data() + used_;
        used_ += room(bytes);
        return message;
    }

    [[nodiscard]] std::uint64_t memory_bytes() const {
        std::uint64_t sum = 0;
        for (auto const& memory : memory_) {
            sum += memory.capacity();
        }
        return sum;
    }

  private:
    std::array<std::vector<std::byte>, max_slots> memory_;
    std::uint64_t slot_ = 0;
    std::uint64_t used_ = 0;
};

/// Another rank of the group, and its message in each slot.
struct Peer {
    std::uint64_t rank = 0;  ///< in the group
    std::array<std::byte*, max_slots> message{};
    std::array<MPI_Request, max_slots> request;
    Peer() { request.fill(MPI_REQUEST_NULL); }
};

/// The windows of an aggregator's domain, and their slots.
struct DomainSlots {
    FileDomain domain;
    std::uint64_t windows = 0;
    std::uint64_t past = 0;           ///< windows of earlier dumps
    ControlBlock* control = nullptr;  ///< null: on another node
    std::byte* slots = nullptr;
    std::uint64_t slot_bytes = 0;

    explicit DomainSlots(FileDomain const&);

    /// Memory for control block and slots.
    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t slot_count) const {
        return sizeof(ControlBlock) + slot_count * slot_bytes;
    }

    /// `base`: the aggregator's shared memory, for this process.
    void map(std::byte* base);

    /// A round's window, counted over all dumps; its slot; and the slot's address.
    [[nodiscard]] std::uint64_t index(std::uint64_t round) const { return past + round; }
    [[nodiscard]] std::byte* slot(std::uint64_t number) const { return slots + number * slot_bytes; }
};

/// An aggregator that moves bytes of this rank.
struct Exchange::AggregatorPeer : Peer, DomainSlots {
    AggregatorPeer(std::uint64_t rank_in_group, FileDomain const& all) : DomainSlots(all) { rank = rank_in_group; }
    [[nodiscard]] bool shares_memory() const { return control != nullptr; }
};

/// A rank that holds bytes of this aggregator's domain.
struct Exchange::MemberPeer : Peer {
    Share share;  ///< its share of the domain
    ShareIndex index{};
    bool same_node = false;  ///< shares the slots' memory
    [[nodiscard]] bool shares_memory() const { return same_node; }
};

/// This rank's own domain as an aggregator.
struct Exchange::OwnDomain : DomainSlots {
    std::vector<MemberPeer> members{};
    std::vector<bool> exactly_full{};  ///< is_full() of each window; empty if no two ranks hold the same byte
    std::array<std::uint32_t, max_slots> expected{};  ///< the counter value at which each slot is complete

    using DomainSlots::DomainSlots;

    [[nodiscard]] Window window(Region const& region, std::uint64_t round, MemberPeer const& member) const {
        return {region, domain.window_at(round), member.share, &member.index};
    }

    /// What ranks contribute to a window. Recomputed per dump: caching would cost O(windows) memory.
    struct Filling {
        std::uint32_t same_node = 0;  ///< ranks that contribute through shared memory
        bool full = false;            ///< do the ranks' bytes fill it?
    };
    [[nodiscard]] Filling filling(Region const& region, std::uint64_t round) const;

    /// Do the ranks' bytes fill the window, even if some overlap? Walks all their rows in it.
    [[nodiscard]] bool is_full(Region const& region, std::uint64_t round) const;

    /// The window's pieces that ranks hold.
    [[nodiscard]] std::vector<SlotExtent> held(Region const& region, std::uint64_t round) const;

    /// Supplies the holes of a window that is not full, in its slot; returns what of it is to be written.
    std::vector<SlotExtent> with_holes(Region const& region, std::uint64_t round, Holes const&, Sink&, std::byte* slot);

    std::vector<std::byte> scratch{};  ///< for holes
};

}  // namespace weir::array
