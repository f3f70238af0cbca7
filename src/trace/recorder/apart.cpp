#include "trace/recorder/apart.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "trace/recorder/files.hpp"
#include "trace/recorder/system.hpp"

namespace weir::trace {
namespace {

struct Errand {
    Work work;
    void* self;
    int error;
};

void carry_out(Errand& errand) {
    errand.work(errand.self);
    errand.error = errno;
}

/// In the child: its copy of the descriptors may be full, so it does without standard input.
int begin(void* errand) {
    system::close(0);
    carry_out(*static_cast<Errand*>(errand));
    return 0;
}

bool is_open(rlim_t descriptor) { return system::call(SYS_fcntl, descriptor, F_GETFD) >= 0; }

/// May other threads need the last descriptors in a moment? Descriptors are given from the lowest on: a program that
/// has never had half of what it may have does not open the other half meanwhile. Where it may have few, it does.
bool is_crowded() {
    constexpr rlim_t few = 256;
    rlimit limit{};
    if (system::call(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit) != 0) {
        return false;
    }
    auto const most = limit.rlim_cur;
    return most < few || static_cast<rlim_t>(highest_descriptor()) + 1 > most / 2 || is_open(most / 2) ||
           is_open(most / 4 * 3) || is_open(most - 1);
}

/// A child that shares the memory, and has a copy of the descriptors; it is gone when this returns. No handler of a
/// signal may run in it. False where there may be no more processes.
bool send(Errand& errand) {
    constexpr size_t stack_bytes = 64 << 10;
    auto* const stack = static_cast<char*>(system::map_memory(stack_bytes));
    if (stack == nullptr) {
        return false;
    }
    constexpr size_t set_bytes = 8;
    uint64_t const all = ~uint64_t{0};
    uint64_t before = 0;
    system::call(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, set_bytes);
    auto const child = clone(begin, stack + stack_bytes, CLONE_VM | CLONE_VFORK | CLONE_FS, &errand);
    if (child > 0) {
        system::patiently([&] { return system::call(SYS_wait4, child, nullptr, __WALL, nullptr); });
    }
    system::call(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, set_bytes);
    system::unmap(stack, stack_bytes);
    return child > 0;
}

}  // namespace

void run_apart(Work work, void* self) {
    Errand errand{work, self, 0};
    if (system::is_cut_off || !is_crowded() || !send(errand)) {
        carry_out(errand);
    }
    errno = errand.error;
}

}  // namespace weir::trace
