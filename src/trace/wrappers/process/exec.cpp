// exec: the process's trace files are truncated to their length, since no footer will be written. Nothing here is
// recorded; if the call fails, the process and its files continue.

#include <stdarg.h>
#include <unistd.h>

#include "trace/recorder/next_program.hpp"
#include "trace/recorder/recorder.hpp"

using namespace weir::trace;

WEIR_NEXT(execve)
WEIR_NEXT(execvpe)
WEIR_NEXT(execveat)
WEIR_NEXT(fexecve)

namespace {

/// The number of words, without the terminating null.
size_t count_words(va_list words) {
    size_t count = 0;
    while (va_arg(words, char*) != nullptr) {
        ++count;
    }
    return count;
}

void leave_for(char const* path, bool search = false) {
    if (recording()) {
        look_at_program(path, search);
        end_program_for(system::is_readable(path) ? path : "");
    } else if (this_thread.bypass == Bypass::vfork_child) {
        look_at_program(path, search);
    }
}

}  // namespace

WEIR_EXPORT int execve(char const* path, char* const arguments[], char* const environment[]) noexcept {
    WEIR_COMPLETE(environment)
    leave_for(path);
    return next_execve.next<decltype(&execve)>()(path, arguments, environment);
}

WEIR_EXPORT int execv(char const* path, char* const arguments[]) noexcept { return execve(path, arguments, environ); }

WEIR_EXPORT int execvpe(char const* name, char* const arguments[], char* const environment[]) noexcept {
    WEIR_COMPLETE(environment)
    leave_for(name, true);
    return next_execvpe.next<decltype(&execvpe)>()(name, arguments, environment);
}

WEIR_EXPORT int execvp(char const* name, char* const arguments[]) noexcept { return execvpe(name, arguments, environ); }

/// In the C library since glibc 2.34.
WEIR_EXPORT int execveat(int directory, char const* path, char* const arguments[], char* const environment[],
                         int flags) noexcept {
    WEIR_COMPLETE(environment)
    leave_for(path);
    auto* const next = next_execveat.next<int (*)(int, char const*, char* const*, char* const*, int)>();
    return next != nullptr
               ? next(directory, path, arguments, environment, flags)
               : static_cast<int>(system::call(SYS_execveat, directory, path, arguments, environment, flags));
}

WEIR_EXPORT int fexecve(int fd, char* const arguments[], char* const environment[]) noexcept {
    WEIR_COMPLETE(environment)
    leave_for("");
    return next_fexecve.next<decltype(&fexecve)>()(fd, arguments, environment);
}

// Words as a list, on the stack: a child of vfork cannot free other memory.
#define WEIR_LIST_OF_WORDS(first)                                                                   \
    va_list words;                                                                                  \
    va_start(words, first);                                                                         \
    auto const count = (first) == nullptr ? 0 : count_words(words);                                 \
    va_end(words);                                                                                  \
    auto** const list = static_cast<char**>(__builtin_alloca((count + 2) * sizeof(char*)));         \
    va_start(words, first);                                                                         \
    list[0] = const_cast<char*>(first);                                                             \
    for (size_t i = 1; (first) != nullptr && i <= count + 1; ++i) { /* with the null behind them */ \
        list[i] = va_arg(words, char*);                                                             \
    }

WEIR_EXPORT int execl(char const* path, char const* first, ...) noexcept {
    WEIR_LIST_OF_WORDS(first)
    va_end(words);
    return execv(path, list);
}

WEIR_EXPORT int execlp(char const* name, char const* first, ...) noexcept {
    WEIR_LIST_OF_WORDS(first)
    va_end(words);
    return execvp(name, list);
}

WEIR_EXPORT int execle(char const* path, char const* first, ...) noexcept {
    WEIR_LIST_OF_WORDS(first)
    auto* const* const environment = va_arg(words, char* const*);
    va_end(words);
    return execve(path, list, environment);
}
