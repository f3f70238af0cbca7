#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <thread>

#include "array/exchange/exchange.hpp"
#include "array/exchange/message_units.hpp"
#include "array/exchange/node_memory.hpp"

namespace weir::array {

/// Runs jobs, the writes of windows, in a thread, in their order. They make no MPI call.
class BackgroundWriter {
  public:
    BackgroundWriter() : thread_([this] { work(); }) {}
    ~BackgroundWriter();

    /// Where there is no memory to queue a job, it is done here, after all before it.
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

/// Counters in shared memory wrap around; comparisons hold all the same.
inline std::uint32_t wrapped(std::uint64_t count) { return static_cast<std::uint32_t>(count); }

/// Buffers for the packed messages of a rank, to or from many others: those of a round lie one behind the other in one
/// of the slots, so that they take no more than what the rank moves in a round.
class MessageBuffers {
  public:
    /// Begins the round's messages where those of an earlier round have been; they must all have arrived.
    void begin(std::uint64_t round, std::uint64_t slots) {
        slot_ = round % slots;
        used_ = 0;
    }

    /// Room for all of a round's messages together. It is kept for later rounds.
    void reserve(std::uint64_t round, std::uint64_t slots, std::uint64_t bytes) {
        auto& memory = memory_[round % slots];
        if (memory.size() < bytes) {
            memory = {};  // a vector that grows takes twice as much as it holds
            memory.resize(bytes);
        }
    }

    /// What a message of so many bytes takes.
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

/// Another rank of the group, and the message to or from it in each slot.
struct Peer {
    std::uint64_t rank = 0;  ///< in the group
    std::array<std::byte*, max_slots> message{};
    std::array<MPI_Request, max_slots> request;
    Peer() { request.fill(MPI_REQUEST_NULL); }
};

/// The windows of an aggregator's domain, and the slots that they move through.
struct DomainSlots {
    Domain domain;
    std::uint64_t windows = 0;
    std::uint64_t past = 0;           ///< windows of earlier dumps
    ControlBlock* control = nullptr;  ///< null: on another node
    std::byte* slots = nullptr;
    std::uint64_t slot_bytes = 0;

    explicit DomainSlots(Domain const&);

    /// What control block and slots take.
    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t slot_count) const {
        return sizeof(ControlBlock) + slot_count * slot_bytes;
    }

    /// `base`: the aggregator's shared memory, for this process.
    void map(std::byte* base);

    /// A round's window, counted over all dumps; the slot that it takes; and where that is.
    [[nodiscard]] std::uint64_t index(std::uint64_t round) const { return past + round; }
    [[nodiscard]] std::byte* slot(std::uint64_t number) const { return slots + number * slot_bytes; }
};

/// An aggregator that moves bytes of this rank.
struct Exchange::AggregatorPeer : Peer, DomainSlots {
    AggregatorPeer(std::uint64_t rank_in_group, Domain const& all) : DomainSlots(all) { rank = rank_in_group; }
    [[nodiscard]] bool shares_memory() const { return control != nullptr; }
};

/// A rank that holds bytes of this aggregator's domain.
struct Exchange::MemberPeer : Peer {
    Share share;             ///< what it holds of the domain
    bool same_node = false;  ///< shares the slots' memory
    [[nodiscard]] bool shares_memory() const { return same_node; }
};

/// What this rank moves as an aggregator.
struct Exchange::OwnDomain : DomainSlots {
    std::vector<MemberPeer> members{};
    std::vector<bool> exactly_full{};  ///< is_full() of each window; empty where no two ranks have the same byte
    std::array<std::uint32_t, max_slots> expected{};  ///< what the slots' counters will reach

    using DomainSlots::DomainSlots;

    [[nodiscard]] Window window(Region const& region, std::uint64_t round, MemberPeer const& member) const {
        return {region, domain.window_at(round), member.share};
    }

    /// What the ranks have of a window. Recomputed per dump: caching would cost O(windows) memory.
    struct Filling {
        std::uint32_t same_node = 0;  ///< ranks that have some of it, and share memory
        bool full = false;            ///< do they have all of its bytes?
    };
    [[nodiscard]] Filling filling(Region const& region, std::uint64_t round) const;

    /// Do the ranks have all bytes of the window, also where some have the same? Walks all their rows in it.
    [[nodiscard]] bool is_full(Region const& region, std::uint64_t round) const;

    /// The window's pieces that ranks have, or with small gaps between them all.
    [[nodiscard]] std::vector<SlotExtent> extents(Region const& region, std::uint64_t round, bool full,
                                                  std::uint64_t gap) const;

  private:
    [[nodiscard]] std::vector<SlotExtent> held(Region const& region, std::uint64_t round, std::uint64_t gap) const;
};

}  // namespace weir::array
