#include "array/exchange/shared_counter.hpp"

#include <sched.h>

#include <ctime>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#endif

namespace weir::array {
namespace {

constexpr int looks_before_sleep = 200;

#ifdef __linux__
void sleep_while(std::atomic<std::uint32_t>* word, std::uint32_t value, timespec const* at_most) {
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(word), FUTEX_WAIT, value, at_most, nullptr, 0);
}
void wake_all(std::atomic<std::uint32_t>* word) {
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}
#else
void sleep_while(std::atomic<std::uint32_t>*, std::uint32_t, timespec const*) { sched_yield(); }
void wake_all(std::atomic<std::uint32_t>*) {}
#endif

}  // namespace

void Counter::add(std::uint32_t n) noexcept {
    value_.fetch_add(n, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) != 0) {
        wake_all(&value_);
    }
}

bool Counter::wait_a_while(std::uint32_t target) noexcept {
    for (int look = 0; look < looks_before_sleep; ++look) {
        if (reached(target)) {
            return true;
        }
    }
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    auto const seen = value_.load();
    if (static_cast<std::int32_t>(seen - target) < 0) {
        timespec const millisecond{0, 1'000'000};
        sleep_while(&value_, seen, &millisecond);
    }
    sleepers_.fetch_sub(1, std::memory_order_seq_cst);
    return reached(target);
}

}  // namespace weir::array
