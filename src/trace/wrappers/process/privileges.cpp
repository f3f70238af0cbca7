// Calls by which a process gives up privileges that the recorder needs. Nothing here is recorded.

#include <grp.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "trace/recorder/confinement.hpp"
#include "trace/recorder/process_facts.hpp"

using namespace weir::trace;

WEIR_NEXT(prctl)

namespace {

constexpr char other_user[] = "it became another user, who may not write to the trace";

constexpr char by_filter[] = "it allowed itself some system calls only (a seccomp filter)";

int call_prctl(int option, unsigned long const* words) {
    return next_prctl.next<decltype(&prctl)>()(option, words[0], words[1], words[2], words[3]);
}

int confine(int option, unsigned long const* words) {
    if (words[0] == SECCOMP_MODE_STRICT) {
        confine_thread("it allowed itself no system calls but read and write (strict seccomp)");
        forbid_counter();
    } else {
        confine_process(by_filter);
    }
    auto const result = call_prctl(option, words);
    if (result != 0) {
        release();
    }
    return result;
}

}  // namespace

long weir::trace::set_filter(long operation, long flags, long program) {
    if (operation != SECCOMP_SET_MODE_FILTER || !recording()) {
        return system::call(SYS_seccomp, operation, flags, program);
    }
    confine_process(by_filter);
    auto const result = system::call(SYS_seccomp, operation, flags, program);
    if (result != 0) {
        release();
    }
    return result;
}

#define WEIR_LEAVING(why, result, name, parameters, arguments)                                   \
    WEIR_NEXT(name)                                                                              \
    WEIR_EXPORT result name parameters noexcept {                                                \
        return leaving(why, [&] { return next_##name.next<result(*) parameters>() arguments; }); \
    }

WEIR_LEAVING("it called chroot, and the trace lies outside its new root", int, chroot, (char const* path), (path))
WEIR_LEAVING("it called unshare, and does not see the trace's folder any more", int, unshare, (int flags), (flags))
WEIR_LEAVING("it called setns, and does not see the trace's folder any more", int, setns, (int fd, int type),
             (fd, type))
WEIR_LEAVING(other_user, int, setuid, (uid_t user), (user))
WEIR_LEAVING(other_user, int, seteuid, (uid_t user), (user))
WEIR_LEAVING(other_user, int, setreuid, (uid_t real, uid_t effective), (real, effective))
WEIR_LEAVING(other_user, int, setresuid, (uid_t real, uid_t effective, uid_t saved), (real, effective, saved))
WEIR_LEAVING(other_user, int, setfsuid, (uid_t user), (user))
WEIR_LEAVING(other_user, int, setgid, (gid_t group), (group))
WEIR_LEAVING(other_user, int, setegid, (gid_t group), (group))
WEIR_LEAVING(other_user, int, setregid, (gid_t real, gid_t effective), (real, effective))
WEIR_LEAVING(other_user, int, setresgid, (gid_t real, gid_t effective, gid_t saved), (real, effective, saved))

WEIR_EXPORT int prctl(int option, ...) noexcept {
    unsigned long words[4];
    va_list arguments;
    va_start(arguments, option);
    for (auto& word : words) {
        word = va_arg(arguments, unsigned long);
    }
    va_end(arguments);
    if (option == PR_SET_TSC && words[0] == PR_TSC_SIGSEGV && process.recording) {
        forbid_counter();
    }
    if (option == PR_SET_CHILD_SUBREAPER && words[0] != 0 && recording()) {
        system::KeepErrno const keep;
        add_fact("subreaper", 1);
    }
    if (option == PR_SET_SECCOMP && recording()) {
        return confine(option, words);
    }
    return call_prctl(option, words);
}
