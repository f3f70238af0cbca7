#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>

#include "comm/communicator.hpp"
#include "core/clock.hpp"
#include "core/json_fwd.hpp"
#include "core/posix_io.hpp"

namespace weir {

/// Kinds of I/O calls: tables 1 to 8 of Thakur, Gropp, Lusk (1996) count these, except syncs, which that paper does not
/// have.
enum class IoCall { open, close, read, write, seek, communication, sync };
constexpr std::array<std::string_view, 7> enum_names(IoCall) {
    return {"open", "close", "read", "write", "seek", "communication", "sync"};
}

/// I/O calls of one rank, or of all, by kind: number, time, and request sizes.
struct Tally {
    struct Calls {
        std::uint64_t count = 0;
        std::uint64_t bytes = 0;
        double time_s = 0;  ///< summed over calls, and over ranks
    };

    /// A seek is counted where a program with a file pointer would make one (the pointer is elsewhere); it takes no
    /// time where each request carries its offset, as through all back-ends but MPI-IO with a pointer. Communication:
    /// MPI messages with data sent or received, and a broadcast on each rank; its time includes packing, sending,
    /// receiving and waiting for other ranks. Agreements on failures are not counted. The time of syncs includes
    /// durable renames.
    std::array<Calls, 7> calls{};

    /// The part of the communication time spent waiting: for messages in flight and for other ranks, including those
    /// that write.
    double waiting_s = 0;

    /// Number of requests by size in bytes.
    std::map<std::uint64_t, std::uint64_t> read_sizes, write_sizes;

    [[nodiscard]] Calls& operator[](IoCall c) { return calls[static_cast<std::size_t>(c)]; }
    [[nodiscard]] Calls const& operator[](IoCall c) const { return calls[static_cast<std::size_t>(c)]; }
    void add(Tally const&);
};

/// Counts the calls actually made into a tally; with a clock, also times each of them and records its size.
class CallCounter {
  public:
    explicit CallCounter(Tally& tally, Clock* clock = nullptr) : tally_(tally), clock_(clock) {}

    /// Makes and counts a request, or a call without data; without a counter, only makes it.
    template <class Request>
    static Moved request(CallCounter* counter, IoCall call, Request request) {
        if (counter == nullptr) {
            return request();
        }
        auto const began = counter->now_s();
        Moved const moved = request();
        counter->note(call, moved, counter->now_s() - began);
        return moved;
    }
    template <class Work>
    static auto call(CallCounter* counter, IoCall call, Work work) {
        auto const began = counter == nullptr ? 0 : counter->now_s();
        auto const result = work();
        if (counter != nullptr) {
            counter->note(call, {0, 1, 0}, counter->now_s() - began);
        }
        return result;
    }

    /// Makes and counts a library call that moves this many bytes; not counted if it throws.
    template <class Work>
    static void library(CallCounter* counter, IoCall call, std::uint64_t bytes, Work work) {
        auto const began = counter == nullptr ? 0 : counter->now_s();
        work();
        if (counter != nullptr) {
            counter->note(call, {bytes, 1, 0}, counter->now_s() - began);
        }
    }

    void note(IoCall, Moved const&, double time_s);

    /// Messages of an exchange, and the time of packing, sending, receiving and waiting.
    void note_messages(std::uint64_t count, double time_s, double waiting_s);

    /// 0 if calls are not timed.
    [[nodiscard]] double now_s() const { return clock_ == nullptr ? 0 : clock_->now_s(); }

  private:
    Tally& tally_;
    Clock* clock_;
};

/// Number and bytes of the calls, by kind; null if there were none. Local.
Json calls_json(Tally const&);

/// The tallies of all ranks in one, on every rank. Collective.
Tally sum_over_ranks(Tally const& mine, Communicator const&);

}  // namespace weir
