#include "trace/recorder/own_files.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "trace/recorder/open_files.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

struct Task {
    void (*function)(void*);
    void* argument;
    int error;

    void run() {
        function(argument);
        error = errno;
    }
};

/// In the child: its copy of the descriptor table may be full, so it gives up standard input.
int run_in_child(void* task) {
    system::close(0);
    static_cast<Task*>(task)->run();
    return 0;
}

bool is_open(rlim_t descriptor) { return system::call(SYS_fcntl, descriptor, F_GETFD) >= 0; }

/// Could other threads need the last descriptors in a moment? The system hands out the lowest free descriptor: a
/// program that has never used half of its limit does not open the other half meanwhile. With a low limit, it may.
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

/// Runs in a child that shares the memory and has a copy of the descriptor table; it has ended on return. No signal
/// handler may run in it. False if the system allows no more processes.
bool run_with_own_descriptor_table(Task& task) {
    constexpr size_t stack_bytes = 64 << 10;
    auto* const stack = static_cast<char*>(system::map_memory(stack_bytes));
    if (stack == nullptr) {
        return false;
    }
    constexpr size_t set_bytes = 8;
    uint64_t const all = ~uint64_t{0};
    uint64_t before = 0;
    system::call(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, set_bytes);
    auto const child = clone(run_in_child, stack + stack_bytes, CLONE_VM | CLONE_VFORK | CLONE_FS, &task);
    if (child > 0) {
        system::retry_if_interrupted([&] { return system::call(SYS_wait4, child, nullptr, __WALL, nullptr); });
    }
    system::call(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, set_bytes);
    system::unmap(stack, stack_bytes);
    return child > 0;
}

}  // namespace

void run_with_free_descriptor(void (*function)(void*), void* argument) {
    Task task{function, argument, 0};
    auto& has_free = this_thread.has_free_descriptor;
    auto const before = has_free;
    bool const at_once = before || system::is_cut_off || !is_crowded();
    has_free = true;
    if (at_once || !run_with_own_descriptor_table(task)) {
        task.run();
    }
    has_free = before;
    errno = task.error;
}

char* GrowingFile::move(char const* path, int64_t position, int64_t bytes, system::PageTable pages) {
    constexpr int64_t page = 4096;
    auto const from = position / page * page;
    auto const length = (position - from + bytes + page - 1) / page * page;
    char* place = nullptr;
    with_own_file(path, O_RDWR | O_CREAT, [&](int descriptor) {
        auto const missing = from + length - reserved;
        if (missing <= 0 || system::reserve(descriptor, reserved, missing)) {
            reserved = missing > 0 ? from + length : reserved;
            place = static_cast<char*>(system::map_file(descriptor, from, static_cast<size_t>(length), pages));
        }
        if (place == nullptr && reserved == 0) {
            system::KeepErrno const keep;
            system::remove(path);  // an empty file has no information
        }
    });
    if (place == nullptr) {
        return nullptr;
    }
    if (window != nullptr) {
        system::unmap(window, static_cast<size_t>(window_bytes));
    }
    window = place;
    window_from = from;
    window_bytes = length;
    return window + (position - from);
}

void GrowingFile::cut(char const* path, int64_t end) {
    if (window != nullptr) {
        system::unmap(window, static_cast<size_t>(window_bytes));
        window = nullptr;
    }
    if (end < reserved && system::truncate(path, end)) {
        reserved = end;
    }
}

}  // namespace weir::trace
