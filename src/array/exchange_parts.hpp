#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <thread>

#include "array/exchange.hpp"
#include "array/extents.hpp"
#include "array/node_memory.hpp"
#include "array/units.hpp"

namespace weir::array {

constexpr int to_aggregator_tag = 101;
constexpr int from_aggregator_tag = 102;

/// Counters in shared memory wrap around; comparisons hold all the same.
inline std::uint32_t wrapped(std::uint64_t count) { return static_cast<std::uint32_t>(count); }

/// The packed messages of a rank, to or from many others: those of a round lie one behind the other in one of the
/// slots, so that they take no more than what the rank moves in a round.
class Letters {
  public:
    /// Begins the round's letters where those of an earlier round have been; they must all have arrived.
    void begin(std::uint64_t round, std::uint64_t slots) {
        slot_ = round % slots;
        used_ = 0;
    }

    /// Room for all of a round's letters together. It is kept for later rounds.
    void reserve(std::uint64_t round, std::uint64_t slots, std::uint64_t bytes) {
        auto& memory = memory_[round % slots];
        if (memory.size() < bytes) {
            memory = {};  // a vector that grows takes twice as much as it holds
            memory.resize(bytes);
        }
    }

    /// What a letter of so many bytes takes.
    static std::uint64_t room(std::uint64_t bytes) { return needs_units(bytes) ? filled_up(bytes) : bytes; }

    std::byte* take(std::uint64_t bytes) {
        auto* const letter = memory_[slot_].data() + used_;
        used_ += room(bytes);
        return letter;
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

/// A message to or from one rank in each slot.
struct Post {
    std::array<std::byte*, max_slots> letter{};
    std::array<MPI_Request, max_slots> request;
    Post() { request.fill(MPI_REQUEST_NULL); }
};

struct Exchange::Outlet {
    std::uint64_t rank = 0;  ///< the aggregator's, in the team
    Domain domain;
    std::uint64_t windows = 0;
    Desk* desk = nullptr;  ///< null: on another node
    std::byte* slots = nullptr;
    std::uint64_t slot_bytes = 0;
    std::uint64_t past = 0;  ///< windows of earlier dumps
    Post post{};
};

struct Exchange::Inlet {
    std::uint64_t rank = 0;  ///< in the team
    Share share;             ///< what it holds of the domain
    bool near = false;       ///< shares the slots' memory
    Post post{};
};

struct Exchange::Own {
    Domain domain;
    std::uint64_t windows = 0;
    std::vector<Inlet> inlets{};
    std::vector<bool> walked{};  ///< is_full() of each window; empty where no two ranks have the same byte
    std::uint64_t past = 0;
    std::array<std::uint32_t, max_slots> expected{};  ///< what the slots' counters will reach
    Desk* desk = nullptr;
    std::byte* slots = nullptr;
    std::uint64_t slot_bytes = 0;

    [[nodiscard]] Window window(Region const& region, std::uint64_t round, Inlet const& inlet) const {
        return {region, domain.window_at(round), inlet.share};
    }

    /// What the ranks have of a window. Reckoned anew in every dump: kept, it would take memory by the window.
    struct Filling {
        std::uint32_t near = 0;  ///< ranks that have some of it, and share memory
        bool full = false;       ///< do they have all of its bytes?
    };
    [[nodiscard]] Filling filling(Region const& region, std::uint64_t round) const;

    /// Do the ranks have all bytes of the window, also where some have the same? Walks all their rows in it.
    [[nodiscard]] bool is_full(Region const& region, std::uint64_t round) const;

    /// The window's pieces that ranks have, or with small gaps between them all.
    [[nodiscard]] std::vector<Stretch> stretches(Region const& region, std::uint64_t round, bool full,
                                                 std::uint64_t gap) const;

  private:
    [[nodiscard]] std::vector<Stretch> held(Region const& region, std::uint64_t round, std::uint64_t gap) const;
};

/// Writes windows in a thread, in their order. It makes no MPI call.
class Exchange::Writer {
  public:
    Writer() : thread_([this] { work(); }) {}
    ~Writer();
    /// Where there is no memory to remember a job by, it is done here, after all before it.
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

/// Seconds on a clock that only goes forward.
double now();

/// Adds the time that it lives to a sum.
class Stopwatch {
  public:
    explicit Stopwatch(double& sum);
    ~Stopwatch();
    Stopwatch(Stopwatch const&) = delete;
    Stopwatch& operator=(Stopwatch const&) = delete;

  private:
    double& sum_;
    double began_;
};

}  // namespace weir::array
