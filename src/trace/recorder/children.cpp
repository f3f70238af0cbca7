#include "trace/recorder/children.hpp"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "trace/recorder/coverage.hpp"
#include "trace/recorder/own_files.hpp"
#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

constexpr int options_of_kernel = static_cast<int>(__WALL | __WCLONE | __WNOTHREAD);
constexpr int most_reported = 256;
bool looked_at_all = true;

constinit Call real_waitid{"POSIX", "waitid", "other"};

/// By the C library: a thread that waits may be cancelled.
int ask(idtype_t kind, id_t which, siginfo_t& found, int options) {
    return real_waitid.next<decltype(&waitid)>()(kind, which, &found, options | WNOWAIT);
}

/// /proc may show the numbers of another namespace, one around this one.
bool numbers_are_those_of_proc() { return process.number_in_proc == process.id; }

/// The numbers of a process in the namespaces from that of /proc on inwards, as the kernel lists them.
struct NumbersOfProcess {
    static constexpr int most = 32;  ///< namespaces within one another, by the kernel's limit
    int count = 0;
    int64_t all[most];

    explicit NumbersOfProcess(int64_t in_proc) {
        char path[40];
        auto& text = scratch().command;
        snprintf(path, sizeof path, "/proc/%lld/status", static_cast<long long>(in_proc));
        ssize_t length = 0;
        with_free_descriptor([&] { length = system::read_file(path, text, sizeof text - 1); });
        text[length > 0 ? length : 0] = 0;
        auto const* const line = strstr(text, "NSpid:");
        char* at = line == nullptr ? nullptr : const_cast<char*>(line) + strlen("NSpid:");
        while (at != nullptr && *at != '\n' && *at != 0 && count < most) {
            all[count++] = strtoll(at, &at, 10);
        }
    }
};

/// A child's number in this process's namespace, from its number in /proc; 0: unknown.
int64_t number_here(int64_t in_proc) {
    if (numbers_are_those_of_proc()) {
        return in_proc;
    }
    auto const depth = NumbersOfProcess(process.number_in_proc).count;
    NumbersOfProcess const numbers(in_proc);
    return depth > 0 && depth <= numbers.count ? numbers.all[depth - 1] : 0;
}

/// Does the kernel drop ended children by itself, with their counts?
bool drops_children() {
    constexpr size_t set_bytes = 8;
    struct {
        void* handler;
        unsigned long flags;
        void* restorer;
        uint64_t mask;
    } action{};
    bool const known = system::call(SYS_rt_sigaction, SIGCHLD, nullptr, &action, set_bytes) == 0;
    return known && (action.handler == reinterpret_cast<void*>(SIG_IGN) || (action.flags & SA_NOCLDWAIT) != 0);
}

/// Calls `visit` with each number of a text, in which blanks separate them; a number cut off at the end is kept for the
/// next part.
template <class Visit>
struct Numbers {
    Visit visit;
    int64_t number = 0;

    void add(char const* text, ssize_t length) {
        for (ssize_t i = 0; i < length; ++i) {
            if (text[i] >= '0' && text[i] <= '9') {
                number = number * 10 + (text[i] - '0');
            } else if (number > 0) {
                visit(number);
                number = 0;
            }
        }
    }
};

/// Those that a thread has started, by their numbers in /proc. False if the kernel does not tell.
template <class Visit>
bool visit_children_of(char const* thread, Visit const& visit) {
    char path[80];
    snprintf(path, sizeof path, "/proc/%u/task/%.20s/children", process.number_in_proc, thread);
    auto& text = scratch().raw;
    Numbers<Visit const&> numbers{visit};
    auto const file = static_cast<int>(system::call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
    ssize_t length = -1;
    while (file >= 0 && (length = system::count_own_bytes(0, system::call(SYS_read, file, text, sizeof text))) > 0) {
        numbers.add(text, length);
    }
    if (file >= 0) {
        system::close(file);
    }
    return file >= 0 && length == 0;
}

/// Those of all threads.
template <class Visit>
bool visit_children(Visit const& visit) {
    char path[40];
    snprintf(path, sizeof path, "/proc/%u/task", process.number_in_proc);
    auto const folder = static_cast<int>(system::call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    alignas(dirent64) char entries[512];
    bool known = folder >= 0;
    for (long bytes = 0; known && (bytes = system::call(SYS_getdents64, folder, entries, sizeof entries)) != 0;) {
        known = bytes > 0;
        for (long at = 0; at < bytes;) {
            auto const* const entry = reinterpret_cast<dirent64 const*>(entries + at);
            known = known && (entry->d_name[0] == '.' || visit_children_of(entry->d_name, visit));
            at += entry->d_reclen;
        }
    }
    if (folder >= 0) {
        system::close(folder);
    }
    return known;
}

/// The reverse of number_here().
int64_t number_in_proc_of(int64_t child) {
    if (numbers_are_those_of_proc()) {
        return child;
    }
    int64_t found = 0;
    visit_children([&](int64_t in_proc) { found = number_here(in_proc) == child ? in_proc : found; });
    return found;
}

void report_killed_child(int64_t child) {
    ByteCounts moved{-1, -1};
    auto const number = number_in_proc_of(child);
    if (number > 0) {
        ask_kernel_byte_counts_of(static_cast<uint32_t>(number), moved);
    }
    report_killed(child, moved);
}

/// The first process of a namespace, and a "subreaper", which exec keeps.
bool adopts_orphans() {
    int is_subreaper = 0;
    system::call(SYS_prctl, PR_GET_CHILD_SUBREAPER, &is_subreaper);
    return is_subreaper != 0 || system::call(SYS_getpid) == 1;
}

}  // namespace

pid_t look_at_ending_child(idtype_t kind, id_t which, int options) {
    siginfo_t found{};
    constexpr int understood = WNOHANG | WSTOPPED | WCONTINUED | WEXITED | options_of_kernel;
    auto const result = ask(kind, which, found, options & understood);
    if (result < 0 || found.si_pid <= 0) {
        return result < 0 ? -1 : 0;
    }
    bool const killed = found.si_code == CLD_KILLED || found.si_code == CLD_DUMPED;
    bool const waited = (killed || found.si_code == CLD_EXITED) && adopts_orphans();
    if (killed || waited) {
        system::KeepErrno const keep;
        make_files();
        AtWork const at_work;
        killed ? report_killed_child(found.si_pid) : void();
        waited ? report_child("waited", found.si_pid) : void();
    }
    return found.si_pid;
}

void look_at_no_child() { looked_at_all = false; }

int64_t children_left() {
    constexpr int any = WEXITED | WSTOPPED | WCONTINUED | WNOHANG;
    siginfo_t found{};
    bool const none = ask(P_ALL, 0, found, any | static_cast<int>(__WALL)) < 0 && errno == ECHILD;
    if (!looked_at_all && adopts_orphans()) {
        report_child("waited", -1);
    }
    if (drops_children()) {
        return -1;
    }
    int count = 0;
    bool known = true;
    auto const report = [&](int64_t in_proc) {
        auto const number = number_here(in_proc);
        known = known && number > 0;
        known&& count < most_reported ? report_child("left", number) : void();
        ++count;
    };
    known = none || (visit_children(report) && known && count <= most_reported);
    return known ? count : -1;
}

}  // namespace weir::trace
