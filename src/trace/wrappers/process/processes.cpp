// Beginning and end of processes, as far as the recorder must know. Nothing here is recorded.

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/recorder/children.hpp"
#include "trace/recorder/next_program.hpp"
#include "trace/recorder/open_files.hpp"
#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/recorder.hpp"

using namespace weir::trace;

namespace {

/// Looked up, but not in the table of calls.
constinit Call next_fork{"POSIX", "_Fork", "other"};
constinit Call next_exit_now{"POSIX", "_exit", "other"};
constinit Call next_exit_quickly{"POSIX", "quick_exit", "other"};
constinit Call next_chdir{"POSIX", "chdir", "other"};
constinit Call next_fchdir{"POSIX", "fchdir", "other"};
constinit Call next_spawn{"POSIX", "posix_spawn", "other"};
constinit Call next_spawn_found{"POSIX", "posix_spawnp", "other"};

/// A child that is about to start may move the positions of open files.
void child_will_share() {
    if (recording()) {
        make_files();  // the child names its parent
        share_all_positions();
    }
}

template <class Real>
int changing_directory(Real real) {
    directory_changed();
    auto const result = real();
    directory_changed();  // again: another thread may have opened a file meanwhile
    return result;
}

}  // namespace

/// fork() runs pthread_atfork handlers; this function, made for signal handlers, does not.
WEIR_EXPORT pid_t _Fork() noexcept {
    prepare_fork();
    child_will_share();
    auto const child = next_fork.next<pid_t (*)()>()();
    if (child == 0) {
        child_begins();
    }
    return child;
}

// These create their child inside the C library, without calling fork().
WEIR_EXPORT int posix_spawn(pid_t* child, char const* path, posix_spawn_file_actions_t const* actions,
                            posix_spawnattr_t const* attributes, char* const arguments[], char* const environment[]) {
    WEIR_COMPLETE(environment)
    look_at_program(path, false);
    child_will_share();
    return next_spawn.next<decltype(&posix_spawn)>()(child, path, actions, attributes, arguments, environment);
}

WEIR_EXPORT int posix_spawnp(pid_t* child, char const* name, posix_spawn_file_actions_t const* actions,
                             posix_spawnattr_t const* attributes, char* const arguments[], char* const environment[]) {
    WEIR_COMPLETE(environment)
    look_at_program(name, true);
    child_will_share();
    return next_spawn_found.next<decltype(&posix_spawnp)>()(child, name, actions, attributes, arguments, environment);
}

/// Calls the real function, which starts a child.
#define WEIR_STARTS_CHILD(result, name, parameters, arguments)     \
    static constinit Call next_##name{"POSIX", #name, "other"};    \
    WEIR_EXPORT result name parameters {                           \
        child_will_share();                                        \
        return next_##name.next<result(*) parameters>() arguments; \
    }

WEIR_STARTS_CHILD(int, system, (char const* command), (command))
WEIR_STARTS_CHILD(FILE*, popen, (char const* command, char const* mode), (command, mode))

WEIR_EXPORT void _exit(int status) {
    end_process();
    next_exit_now.next<void (*)(int)>()(status);
    __builtin_unreachable();
}
WEIR_ALIAS(void, _Exit, (int) noexcept, _exit)

WEIR_EXPORT void quick_exit(int status) noexcept {
    end_process();
    next_exit_quickly.next<void (*)(int)>()(status);
    __builtin_unreachable();
}

WEIR_EXPORT int chdir(char const* path) noexcept {
    return changing_directory([&] { return next_chdir.next<decltype(&chdir)>()(path); });
}

WEIR_EXPORT int fchdir(int fd) noexcept {
    return changing_directory([&] { return next_fchdir.next<decltype(&fchdir)>()(fd); });
}

// Ends of children: one killed by a signal could not report its bytes.

namespace {

/// Whom wait4() would wait for.
idtype_t kind_of(pid_t which) { return which == -1 ? P_ALL : which > 0 ? P_PID : P_PGID; }

id_t id_of(pid_t which) { return which == -1 ? 0 : static_cast<id_t>(which > 0 ? which : -which); }

/// Looks at the child before it waits for that very one: another may have ended meanwhile. Where another thread was
/// quicker, it looks again.
template <class Reap, class AsAsked, class None>
int reaping(idtype_t kind, id_t which, int options, Reap reap, AsAsked as_asked, None none) {
    while (recording()) {
        auto const child = look_at_ending_child(kind, which, options);
        if (child <= 0) {
            return child == 0 ? none() : errno == EINTR ? -1 : as_asked();
        }
        bool const asked = kind == P_PID && static_cast<id_t>(child) == which;
        auto const result = reap(child);
        if (result >= 0 || errno != ECHILD || asked) {
            return result;
        }
    }
    process.recording ? look_at_no_child() : void();
    return as_asked();
}

}  // namespace

WEIR_NEXT(wait4)
WEIR_EXPORT pid_t wait4(pid_t which, int* status, int options, rusage* usage) {
    auto const reap = [&](pid_t child) {
        return next_wait4.next<pid_t (*)(pid_t, int*, int, rusage*)>()(child, status, options, usage);
    };
    auto const as_asked = [&] { return reap(which); };
    return reaping(kind_of(which), id_of(which), options | WEXITED, reap, as_asked, [] { return 0; });
}

WEIR_EXPORT pid_t wait3(int* status, int options, rusage* usage) { return wait4(-1, status, options, usage); }
WEIR_EXPORT pid_t waitpid(pid_t which, int* status, int options) { return wait4(which, status, options, nullptr); }
WEIR_EXPORT pid_t wait(int* status) { return wait4(-1, status, 0, nullptr); }
WEIR_ALIAS(pid_t, __waitpid, (pid_t, int*, int), waitpid)
WEIR_ALIAS(pid_t, __wait, (int*), wait)

WEIR_NEXT(waitid)
WEIR_EXPORT int waitid(idtype_t kind, id_t which, siginfo_t* found, int options) {
    auto const call = [&](idtype_t kind_of_it, id_t it) {
        return next_waitid.next<decltype(&waitid)>()(kind_of_it, it, found, options);
    };
    auto const none = [&] {
        found == nullptr ? void() : void(*found = siginfo_t{});
        return 0;
    };
    bool const reaps = (options & WEXITED) != 0 && (options & WNOWAIT) == 0;
    auto const as_asked = [&] { return call(kind, which); };
    auto const reap = [&](pid_t child) { return call(P_PID, static_cast<id_t>(child)); };
    return reaps ? reaping(kind, which, options, reap, as_asked, none) : as_asked();
}

// A child of vfork shares its parent's memory: its changes to descriptors do not affect the parent, and are not
// recorded until it calls exec. Its parent sleeps meanwhile. The return address is kept in a register, since the child
// uses the same stack.
extern "C" __attribute__((visibility("hidden"), used)) void weir_child_of_vfork() {
    this_thread.bypass = Bypass::vfork_child;
}
extern "C" __attribute__((visibility("hidden"), used)) void weir_parent_of_vfork() {
    this_thread.bypass = Bypass::none;
    child_will_share();
}
extern "C" __attribute__((visibility("hidden"), used)) int weir_vfork_failed(int error) {
    errno = error;
    return -1;
}

#if defined(__x86_64__)
static_assert(SYS_vfork == 58);
asm(R"(
    .text
    .globl vfork
    .type vfork, @function
vfork:
    .cfi_startproc
    endbr64
    popq %rdi
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %rdi
    movl $58, %eax
    syscall
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    .cfi_offset %rip, -8
    testl %eax, %eax
    js 1f
    jnz 2f
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call weir_child_of_vfork
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    xorl %eax, %eax
    ret
2:  pushq %rax
    .cfi_adjust_cfa_offset 8
    call weir_parent_of_vfork
    popq %rax
    .cfi_adjust_cfa_offset -8
    ret
1:  negl %eax
    movl %eax, %edi
    jmp weir_vfork_failed
    .cfi_endproc
    .size vfork, . - vfork
    .globl __vfork
    .set __vfork, vfork
    .type __vfork, @function
)");
#endif
