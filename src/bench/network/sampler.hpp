#pragma once

#include <vector>

#include "bench/network/data_check.hpp"
#include "bench/network/network_options.hpp"
#include "bench/network/overlap.hpp"
#include "core/fast_clock.hpp"
#include "core/latency.hpp"

namespace weir {

/// Times of one group in one sample, in seconds: of the ranks' times the least, the mean and the greatest.
struct GroupTimes {
    double least_s = 0;
    double mean_s = 0;
    double greatest_s = 0;
};

/// The times of the rank whose call took longest, and their share.
struct OverlapFound {
    double pure_s = 0;
    double cpu_s = 0;
    std::optional<double> share{};  ///< if time passed
};

/// What one way to sum up a sample gives.
struct CallTimes {
    std::vector<GroupTimes> groups;
    std::size_t slowest = 0;                ///< the group whose greatest time is the greatest
    std::optional<OverlapFound> overlap{};  ///< of a non-blocking call, whose times are then those with computing
};

/// What a sample of the benchmark `network` found, the same on every rank that took part.
struct NetworkSample {
    CallTimes median;  ///< of each batch the ranks' mean calls; over the batches the medians
    CallTimes imb;     ///< as IMB does: the ranks' mean calls over all batches, disturbed ones too
    std::uint64_t batches = 0;
    std::uint64_t calls = 0;  ///< of a batch
    std::uint64_t late = 0;   ///< calls left out, since some rank began after the window did
    double elapsed_s = 0;     ///< of all batches
    double width = 0;         ///< of the interval of the batches' median, as a share of it; infinite: none
    LatencySketch latency;    ///< of all calls on all ranks that were timed by themselves, by IMB's convention
    std::uint64_t checked_bytes = 0;
    std::uint64_t nodes = 0;  ///< over which the ranks that call it together lie; of groups, the fewest
};

/// Times one function on the ranks that take part.
class Sampler {
  public:
    /// Collective over all ranks of the communicator; throws the same Error on all of them.
    Sampler(Communicator const& all, Clock const& common_clock, NetworkOptions const&);

    /// One sample, on the ranks that take part while the others sleep. Collective over all ranks; what it returns
    /// counts on rank 0. Throws the same Error on all of them, an interruption too.
    NetworkSample sample();

    [[nodiscard]] NetworkFunction const& function() const { return function_; }

  private:
    struct Roles {
        Communicator together;  ///< of all groups
        Communicator ranks;     ///< that call the function together
        std::uint64_t groups = 1;
        bool takes_part = false;
        bool some_wait = false;  ///< ranks that take no part sleep meanwhile
        std::uint64_t nodes = 1;
    };
    static Roles roles(Communicator const& all, NetworkOptions const&, FunctionFacts const&);
    [[nodiscard]] CallLoop::Timing timing();
    [[nodiscard]] CallSetting setting() const;
    void refuse_more_than_memory() const;
    void prepare(CallLoop::Timing const&);
    void set_up_alone();
    NetworkSample measure();
    void wake_up();
    void warm_up(NetworkSample&);
    struct Batch;
    [[nodiscard]] Batch run_batch(NetworkSample&);
    [[nodiscard]] Batch of_all_ranks(OverlapTimes const& mine) const;
    [[nodiscard]] CallTimes by_imb() const;
    [[nodiscard]] CallLoop::Total timed(CallLoop&, NetworkSample&, bool of_result);
    [[nodiscard]] double typical_s() const;
    [[nodiscard]] bool root_rotates() const;
    void check(NetworkSample&);
    void check_call(std::uint64_t number, NetworkSample&);

    Communicator all_;
    Clock const& common_clock_;
    NetworkOptions const& options_;
    NetworkFunction const& function_;
    Roles roles_;
    /// What a rank that takes no part has instead, with itself: Open MPI 5 sets partitioned calls up by all ranks of
    /// MPI_COMM_WORLD, or their first one never ends (its issue 12969).
    struct Alone {
        Communicator rank;
        std::vector<std::byte> send, receive;
        std::unique_ptr<NetworkCall> call;
    };
    std::unique_ptr<Alone> alone_;
    std::unique_ptr<NetworkCall> call_;
    std::unique_ptr<CallBuffers> buffers_;
    std::unique_ptr<CallLoop> loop_;
    std::unique_ptr<OverlappedCall> overlapped_;  ///< null: the call is not in two parts
    std::unique_ptr<CallLoop> overlapped_loop_;
    DataCheck data_;
    std::vector<double> durations_s_;
    /// Of all calls of a sample on this rank.
    struct Sums {
        CallLoop::Total pure;
        CallLoop::Total calls;  ///< with computing, where something overlaps
        double computing_s = 0;
    };
    Sums sums_;
    double window_s_ = 0;
    double least_window_s_ = 0;
};

}  // namespace weir
