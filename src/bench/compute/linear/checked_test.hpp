#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "bench/benchmark.hpp"
#include "bench/compute/linear/cache_share.hpp"
#include "bench/compute/linear/energy_meter.hpp"
#include "bench/compute/linear/rank_memory.hpp"
#include "bench/compute/linear/sharing.hpp"
#include "bench/compute/linear/test_sample.hpp"
#include "bench/repetitions.hpp"
#include "comm/collective_error.hpp"
#include "core/fast_clock.hpp"
#include "core/interrupt.hpp"

namespace weir {

/// One repetition of a test, or its warm-up.
struct TestRun {
    JobContext& context;
    Turn const& turn;
    EnergyMeter& energy;
    CacheShare const& cache_share;
    std::string started;  ///< utc_time()

    /// Writes a sample of this repetition. Local.
    void write(TestSample) const;
};

/// A test of the HPC Challenge that fills memory, times its work, and checks what this left: the frame, which is the
/// same for all. A test has its options, how its size follows from the memory, and one repetition.
class CheckedTest : public Job {
  public:
    void declare(OptionSet&) final;
    [[nodiscard]] Json describe(std::uint64_t ranks) final;
    void run(JobContext&) final;

  protected:
    /// `name`: of what is said of a rank that makes no progress.
    explicit CheckedTest(std::string_view name, Pages by_default = Pages::usual) : memory_(by_default), name_(name) {}

    using Repetition = std::function<void(TestRun const&)>;

    /// All groups but "measuring", which declare_check() begins.
    virtual void declare_work(OptionSet&) = 0;
    virtual void declare_check(OptionSet&);

    /// Loads libraries: their buffers are no memory that is left. Local.
    virtual void load() {}

    /// Sets the size: that of the options, or what such memory of a rank holds. Local, as the next four, pure.
    virtual void choose_size(std::uint64_t bytes_of_rank, std::uint64_t ranks) = 0;

    /// Throws Error (usage) where so many ranks cannot do that size.
    virtual void check_size(std::uint64_t /*ranks*/) const {}

    /// What a rank needs.
    [[nodiscard]] virtual std::uint64_t bytes(std::uint64_t ranks) const = 0;

    /// The option that asks for the largest size for which a rank needs no more bytes.
    [[nodiscard]] virtual std::string option_within(std::uint64_t bytes, std::uint64_t ranks) const = 0;

    /// Of that, what the work goes through again and again, if it measures memory; 0: it does not.
    [[nodiscard]] virtual std::uint64_t bytes_in_use(std::uint64_t /*ranks*/) const { return 0; }
    [[nodiscard]] virtual Sharing sharing() const { return Sharing::star; }

    /// Makes what the repetitions need, which they own, and returns the function that runs one. Both are collective.
    [[nodiscard]] virtual Repetition prepare(JobContext&) = 0;

    RankMemory memory_;
    bool plant_error_ = false;

  private:
    std::string_view name_;
    Repetitions repetitions_;
};

/// Throws Error (interrupted) on all ranks if a stop was requested. Collective.
inline void stop_if_asked(Communicator const& comm) {
    run_together(comm, [] { throw_if_interrupted(); });
}

/// Memory that any rank may lack: then all throw. Collective; its making is local.
template <class Made, class... Arguments>
std::shared_ptr<Made> make_together(Communicator const& comm, Arguments const&... arguments) {
    std::shared_ptr<Made> made;
    run_together(comm, [&] { made = std::make_shared<Made>(arguments...); });
    return made;
}

/// Seconds that the work takes. Local.
template <class Work>
double seconds_of(Work work) {
    auto const& clock = FastClock::shared();
    auto const from_s = clock.now_s();
    work();
    return clock.now_s() - from_s;
}

/// Throws Error (wrong_data) unless a check found what it should.
void expect_right(bool is_right, char const* problem, std::string why, char const* advice);

constexpr char const* check_blas = "Try another BLAS, and check the memory and the processors.";

}  // namespace weir
