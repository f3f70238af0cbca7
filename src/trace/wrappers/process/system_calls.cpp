// syscall(): system calls of the program's own through the C library. File-related ones are forwarded to their
// functions, which record them; all others go to the kernel unchanged, without a frame on the stack: clone() returns on
// another one.

#if defined(__x86_64__)

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "trace/recorder/confinement.hpp"
#include "trace/recorder/process_facts.hpp"

using namespace weir::trace;

extern "C" {

/// 1: forwarded, by number.
__attribute__((visibility("hidden"), used)) constinit unsigned char weir_handed_on[512] = {};

__attribute__((visibility("hidden"), used)) long weir_system_call(long number, long a, long b, long c, long d, long e,
                                                                  long f) {
    auto const fd = static_cast<int>(a);
    auto const bytes = static_cast<size_t>(c);
    auto* const memory = reinterpret_cast<void*>(b);
    auto const* const pieces = reinterpret_cast<iovec const*>(b);
    auto const count = static_cast<int>(c);
    switch (number) {
        case SYS_read:
            return read(fd, memory, bytes);
        case SYS_write:
            return write(fd, memory, bytes);
        case SYS_pread64:
            return pread(fd, memory, bytes, d);
        case SYS_pwrite64:
            return pwrite(fd, memory, bytes, d);
        case SYS_readv:
            return readv(fd, pieces, count);
        case SYS_writev:
            return writev(fd, pieces, count);
        case SYS_preadv:
            return preadv(fd, pieces, count, d);
        case SYS_pwritev:
            return pwritev(fd, pieces, count, d);
        case SYS_preadv2:
            return preadv2(fd, pieces, count, d, static_cast<int>(f));
        case SYS_pwritev2:
            return pwritev2(fd, pieces, count, d, static_cast<int>(f));
        case SYS_open:
            return open(reinterpret_cast<char const*>(a), static_cast<int>(b), static_cast<mode_t>(c));
        case SYS_openat:
            return openat(fd, static_cast<char const*>(memory), count, static_cast<mode_t>(d));
        case SYS_creat:
            return creat(reinterpret_cast<char const*>(a), static_cast<mode_t>(b));
        case SYS_close:
            return close(fd);
        case SYS_dup:
            return dup(fd);
        case SYS_dup2:
            return dup2(fd, static_cast<int>(b));
        case SYS_dup3:
            return dup3(fd, static_cast<int>(b), count);
        case SYS_close_range:
            return close_range(static_cast<unsigned>(a), static_cast<unsigned>(b), count);
        case SYS_lseek:
            return lseek(fd, b, count);
        case SYS_chdir:
            return chdir(reinterpret_cast<char const*>(a));
        case SYS_fchdir:
            return fchdir(fd);
        case SYS_rename:
            return rename(reinterpret_cast<char const*>(a), reinterpret_cast<char const*>(b));
        case SYS_renameat:
            return renameat(fd, reinterpret_cast<char const*>(b), count, reinterpret_cast<char const*>(d));
        case SYS_renameat2:
            return renameat2(fd, reinterpret_cast<char const*>(b), count, reinterpret_cast<char const*>(d),
                             static_cast<unsigned>(e));
        case SYS_fsync:
            return fsync(fd);
        case SYS_fdatasync:
            return fdatasync(fd);
        case SYS_ftruncate:
            return ftruncate(fd, b);
        case SYS_fallocate:
            return fallocate(fd, static_cast<int>(b), c, d);
        case SYS_sendfile:
            return sendfile(fd, static_cast<int>(b), reinterpret_cast<off_t*>(c), static_cast<size_t>(d));
        case SYS_copy_file_range:
            return copy_file_range(fd, reinterpret_cast<off_t*>(b), count, reinterpret_cast<off_t*>(d),
                                   static_cast<size_t>(e), static_cast<unsigned>(f));
        case SYS_chroot:
            return chroot(reinterpret_cast<char const*>(a));
        case SYS_unshare:
            return unshare(fd);
        case SYS_setns:
            return setns(fd, static_cast<int>(b));
        case SYS_prctl:
            return prctl(fd, b, c, d, e);
        case SYS_seccomp:
            if (a == SECCOMP_SET_MODE_STRICT) {
                return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
            }
            return set_filter(a, b, c);
        case SYS_io_uring_setup: {
            auto const ring = system::call(number, a, b);
            ring >= 0 ? report_queue("io_uring") : void();
            return ring;
        }
        case SYS_io_setup: {
            auto const failed = system::call(number, a, b);
            failed == 0 ? report_queue("libaio") : void();
            return failed;
        }
        case SYS_fork:
        case SYS_clone: {
            prepare_fork();
            auto const child = system::call(number, a, b, c, d, e);
            if (child == 0) {
                child_begins();
            }
            return child;
        }
        case SYS_exit_group:
            _exit(fd);
        default:
            return system::call(number, a, b, c, d, e, f);
    }
}

__attribute__((visibility("hidden"), used)) long weir_call_failed(long error) {
    errno = static_cast<int>(error);
    return -1;
}
}

static_assert(SYS_clone == 56 && CLONE_VM == 0x100);

namespace {

constexpr short handed_on[] = {SYS_read,           SYS_write,     SYS_pread64,     SYS_pwrite64, SYS_readv,
                               SYS_writev,         SYS_preadv,    SYS_pwritev,     SYS_preadv2,  SYS_pwritev2,
                               SYS_open,           SYS_openat,    SYS_creat,       SYS_close,    SYS_dup,
                               SYS_dup2,           SYS_dup3,      SYS_close_range, SYS_lseek,    SYS_fsync,
                               SYS_fdatasync,      SYS_ftruncate, SYS_fallocate,   SYS_sendfile, SYS_copy_file_range,
                               SYS_chdir,          SYS_fchdir,    SYS_rename,      SYS_renameat, SYS_renameat2,
                               SYS_chroot,         SYS_unshare,   SYS_setns,       SYS_prctl,    SYS_seccomp,
                               SYS_io_uring_setup, SYS_io_setup,  SYS_exit_group,  SYS_fork,     SYS_clone};

/// If nothing is recorded, all go to the kernel.
__attribute__((constructor)) void hand_on() {
    begin_process();
    for (auto const number : handed_on) {
        weir_handed_on[number] = process.recording ? 1 : 0;
    }
}

}  // namespace

asm(R"(
    .text
    .globl syscall
    .type syscall, @function
syscall:
    .cfi_startproc
    endbr64
    cmpq $512, %rdi
    jae 1f
    cmpq $56, %rdi          # clone: only where the child gets a copy of the memory, and so of the stack
    jne 3f
    testq $0x100, %rsi
    jnz 1f
    testq %rdx, %rdx
    jnz 1f
3:  leaq weir_handed_on(%rip), %rax
    cmpb $0, (%rax,%rdi)
    jne weir_system_call
1:  movq %rdi, %rax
    movq %rsi, %rdi
    movq %rdx, %rsi
    movq %rcx, %rdx
    movq %r8, %r10
    movq %r9, %r8
    movq 8(%rsp), %r9
    syscall
    cmpq $-4095, %rax
    jae 2f
    ret
2:  negq %rax
    movq %rax, %rdi
    jmp weir_call_failed
    .cfi_endproc
    .size syscall, . - syscall
)");

#endif
