// How children end, of which the recorder must know: one that a signal has killed could not tell what it had moved.
// Nothing here is recorded.

#include <sys/resource.h>
#include <sys/wait.h>

#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/recorder.hpp"

using namespace weir::trace;

namespace {

/// Looked up, and not in the table of calls.
constinit Call next_wait{"POSIX", "wait4", "other"};
constinit Call next_waitid{"POSIX", "waitid", "other"};

__attribute__((constructor)) void look_up() {
    next_wait.next<void*>();
    next_waitid.next<void*>();
}

void tell_if_killed(pid_t child, bool killed) {
    if (killed && recording()) {
        system::KeepErrno const keep;
        Inside const inside;
        add_fact("killed", child);
    }
}

}  // namespace

WEIR_EXPORT pid_t wait4(pid_t which, int* status, int options, rusage* usage) {
    int own = 0;
    auto const child = next_wait.next<pid_t (*)(pid_t, int*, int, rusage*)>()(which, status == nullptr ? &own : status,
                                                                              options, usage);
    if (child > 0) {
        tell_if_killed(child, WIFSIGNALED(status == nullptr ? own : *status));
    }
    return child;
}

WEIR_EXPORT pid_t wait3(int* status, int options, rusage* usage) { return wait4(-1, status, options, usage); }
WEIR_EXPORT pid_t waitpid(pid_t which, int* status, int options) { return wait4(which, status, options, nullptr); }
WEIR_EXPORT pid_t wait(int* status) { return wait4(-1, status, 0, nullptr); }
WEIR_SAME(pid_t, __waitpid, (pid_t, int*, int), waitpid)
WEIR_SAME(pid_t, __wait, (int*), wait)

WEIR_EXPORT int waitid(idtype_t kind, id_t which, siginfo_t* found, int options) {
    auto const result = next_waitid.next<decltype(&waitid)>()(kind, which, found, options);
    if (result == 0 && found != nullptr && found->si_pid > 0) {
        tell_if_killed(found->si_pid, found->si_code == CLD_KILLED || found->si_code == CLD_DUMPED);
    }
    return result;
}
