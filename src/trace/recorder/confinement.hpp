#pragma once

#include "trace/recorder/recorder.hpp"

namespace weir::trace {

// Programs give up privileges: access to names (chroot, another user), or to system calls (seccomp). The recorder must
// acquire its resources before that.

/// The process may be about to lose access to the trace's files.
void before_leaving(char const* why);
/// It has done so, or tried: checks whether they are still accessible.
void after_leaving();

/// This thread, or the whole process, is about to restrict its system calls.
void confine_thread(char const* why);
void confine_process(char const* why);
/// The restriction was refused by the system.
void release();

/// seccomp(), which the C library lacks.
long set_filter(long operation, long flags, long program);

/// Calls the real function, which may make the trace's files inaccessible.
template <class Real>
auto leaving(char const* why, Real real) {
    begin_process();
    if (!recording() || system::is_cut_off) {
        return real();
    }
    before_leaving(why);
    auto const result = real();
    after_leaving();
    return result;
}

/// Are this thread's calls that bypass the recorder counted?
inline bool counts_bypassed() {
    auto const bypass = this_thread.bypass;
    return process.recording && (process.confined || bypass == Bypass::confined || bypass == Bypass::recorder);
}

/// Counts a call on this descriptor, or on a name, that bypassed the recorder. Makes no system call.
void count_bypassed(Call const&, int descriptor, int64_t result);
void count_bypassed(Call const&, char const* path, int64_t result);

}  // namespace weir::trace
