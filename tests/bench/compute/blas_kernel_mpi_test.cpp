#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>

#include "bench/compute/linear/blas_kernel.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

/// While it lives, this thread runs on the first of its CPUs only.
class OnFirstCpu {
  public:
    OnFirstCpu() {
        EXPECT_EQ(sched_getaffinity(0, sizeof before_, &before_), 0);
        while (CPU_ISSET(cpu_, &before_) == 0 && cpu_ + 1 < CPU_SETSIZE) {
            ++cpu_;
        }
        cpu_set_t first;
        CPU_ZERO(&first);
        CPU_SET(cpu_, &first);
        EXPECT_EQ(sched_setaffinity(0, sizeof first, &first), 0);
    }
    ~OnFirstCpu() { EXPECT_EQ(sched_setaffinity(0, sizeof before_, &before_), 0); }
    OnFirstCpu(OnFirstCpu const&) = delete;
    OnFirstCpu& operator=(OnFirstCpu const&) = delete;

    [[nodiscard]] int number() const { return cpu_; }

  private:
    cpu_set_t before_{};
    int cpu_ = 0;
};

TEST(BlasKernel, IsWarnedOfThreadsOfRanksThatShareACpu) {
    auto const world = Communicator::world();
    auto const& blas = Blas::load("auto", 2);
    OnFirstCpu const here;
    auto const there = world.node().all_gather(here.number());
    auto const ranks = std::count(there.begin(), there.end(), here.number());
    std::string told;
    for (auto const& one : warnings_of(blas, world)) {
        told += one.at("code") == "crowded-threads" ? one.at("problem").get<std::string>() : "";
    }
    EXPECT_EQ(told, std::to_string(2 * ranks) + " threads of the BLAS share 1 CPU");
    Blas::load("auto", 1);
}

}  // namespace
}  // namespace weir
