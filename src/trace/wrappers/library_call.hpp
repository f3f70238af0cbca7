#pragma once

// Wrappers of library functions without linking the library or including its headers: every argument is passed as a
// word, so that a handle may be a number (MPICH) or a pointer (Open MPI). Each wrapper is one line: its name, its kind,
// its number of arguments, and which of them its record needs.

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <utility>

#include "trace/recorder/library_function.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {

/// A call in progress: its arguments and, after it, its result; and the contents of its record.
struct Context {
    Context(Library const* of, Word* with) : library(of), arguments(with) {}

    Library const* library;  ///< that of the real function; null if unknown
    Word* arguments;
    Word result = 0;

    bool recorded = true;
    uint32_t file = 0;
    int64_t offset = -1;
    uint64_t length = 0;
    int64_t outcome = 0;
    uint8_t flags = 0;

    alignas(16) char buffer[256];  ///< room for output that the program does not want: a status

    [[nodiscard]] Word at(int place) const { return arguments[place]; }
    template <class Type>
    [[nodiscard]] Type* pointer(int place) const {
        return reinterpret_cast<Type*>(arguments[place]);
    }
    [[nodiscard]] int number(int place) const { return static_cast<int>(arguments[place]); }
    [[nodiscard]] int code() const { return static_cast<int>(result); }

    /// Of the file or object of this name; 0: not recorded.
    void set_file(uint32_t name) {
        file = name;
        recorded = name != 0;
    }

    /// All requested bytes were moved.
    void complete() { outcome = static_cast<int64_t>(length); }
};

/// How a call is recorded: the queries before and after it, on the arguments that `spec` names.
template <class Spec>
struct CallDescription {
    void (*before)(Spec const&, Context&);  ///< may be null
    void (*after)(Spec const&, Context&);
    Spec spec{};
};

/// One function under one of its names.
struct Wrapped {
    Call& call;
    LibraryFunction& real;
    Word missing;                           ///< returned if the function does not exist
    LibraryFunction* substitute = nullptr;  ///< an equivalent function; may be null
};

/// The innermost call of this thread: MPI may implement MPI_X by PMPI_X, which is recorded once. A call left by longjmp
/// or an exception has its frame deeper on the stack than later calls.
struct Innermost {
    Call const* call = nullptr;
    void const* frame = nullptr;

    [[nodiscard]] bool is(Call const& other, void const* in_frame) const { return call == &other && in_frame < frame; }
};
inline constinit thread_local __attribute__((tls_model("initial-exec"))) Innermost innermost;

/// Reports once that a program has called a function that its library lacks.
inline void warn_missing(char const* name) {
    static bool warned = false;
    if (!__atomic_exchange_n(&warned, true, __ATOMIC_RELAXED)) {
        char line[320];
        auto const length = snprintf(line, sizeof line,
                                     "weir: the program calls %s, but no library in it has that function (the recorder "
                                     "stands in for it and returns an error; record with --files-only if the program "
                                     "looks by itself whether it is there)\n",
                                     name);
        system::write_to_stderr(line, static_cast<size_t>(length));
    }
}

/// Calls the real function with this many words.
using Through = Word (*)(void* function, Word const* arguments);
template <size_t... I>
Word call_with(void* function, Word const* arguments, std::index_sequence<I...>) {
    return reinterpret_cast<Word (*)(decltype(I, Word{})...)>(function)(arguments[I]...);
}
template <size_t count>
Word through(void* function, Word const* arguments) {
    return call_with(function, arguments, std::make_index_sequence<count>());
}

/// A function called instead of one that the library lacks.
struct Substitute {
    Wrapped const& wrapped;
    LibraryFunction::Target real;
    Through through;
    Word* arguments;
};

/// Calls it. Interfaces where arguments may not fit have their own overload.
template <class Spec>
Word call_substitute(Spec const&, Substitute const& how) {
    return how.through(how.real.function, how.arguments);
}

template <class Spec>
Word record_library_call(Wrapped const& wrapped, void const* caller, Word* arguments, Through through,
                         CallDescription<Spec> const& description) {
    auto real = wrapped.real.for_caller(caller);
    bool const substituted = real.function == nullptr && wrapped.substitute != nullptr;
    if (substituted) {
        real = wrapped.substitute->for_caller(caller);
    }
    if (real.function == nullptr) {
        warn_missing(wrapped.real.name());
        return wrapped.missing;
    }
    auto const call_real = [&] {
        return substituted ? call_substitute(description.spec, {wrapped, real, through, arguments})
                           : through(real.function, arguments);
    };
    if (!recording() || innermost.is(wrapped.call, __builtin_frame_address(0))) {
        begin_process();
        return call_real();
    }
    Context context(real.library, arguments);
    if (description.before != nullptr) {
        AtWork const at_work;
        description.before(description.spec, context);
    }
    auto const outer = innermost;
    innermost = {&wrapped.call, __builtin_frame_address(0)};
    Recording recording(wrapped.call);
    context.result = call_real();
    auto const now = ticks();
    innermost = outer;
    {
        system::KeepErrno const keep;
        AtWork const at_work;
        description.after(description.spec, context);
    }
    context.recorded
        ? recording.end_at(now, context.file, context.offset, context.length, context.outcome, context.flags)
        : recording.forget();
    return context.result;
}

}  // namespace weir::trace

#define WEIR_WORDS_0
#define WEIR_WORDS_1 weir::trace::Word a0
#define WEIR_WORDS_2 WEIR_WORDS_1, weir::trace::Word a1
#define WEIR_WORDS_3 WEIR_WORDS_2, weir::trace::Word a2
#define WEIR_WORDS_4 WEIR_WORDS_3, weir::trace::Word a3
#define WEIR_WORDS_5 WEIR_WORDS_4, weir::trace::Word a4
#define WEIR_WORDS_6 WEIR_WORDS_5, weir::trace::Word a5
#define WEIR_WORDS_7 WEIR_WORDS_6, weir::trace::Word a6
#define WEIR_WORDS_8 WEIR_WORDS_7, weir::trace::Word a7
#define WEIR_WORDS_9 WEIR_WORDS_8, weir::trace::Word a8
#define WEIR_WORDS_10 WEIR_WORDS_9, weir::trace::Word a9
#define WEIR_WORDS_11 WEIR_WORDS_10, weir::trace::Word a10
#define WEIR_WORDS_12 WEIR_WORDS_11, weir::trace::Word a11
#define WEIR_WORDS_13 WEIR_WORDS_12, weir::trace::Word a12

#define WEIR_ARGUMENTS_0 0
#define WEIR_ARGUMENTS_1 a0
#define WEIR_ARGUMENTS_2 WEIR_ARGUMENTS_1, a1
#define WEIR_ARGUMENTS_3 WEIR_ARGUMENTS_2, a2
#define WEIR_ARGUMENTS_4 WEIR_ARGUMENTS_3, a3
#define WEIR_ARGUMENTS_5 WEIR_ARGUMENTS_4, a4
#define WEIR_ARGUMENTS_6 WEIR_ARGUMENTS_5, a5
#define WEIR_ARGUMENTS_7 WEIR_ARGUMENTS_6, a6
#define WEIR_ARGUMENTS_8 WEIR_ARGUMENTS_7, a7
#define WEIR_ARGUMENTS_9 WEIR_ARGUMENTS_8, a8
#define WEIR_ARGUMENTS_10 WEIR_ARGUMENTS_9, a9
#define WEIR_ARGUMENTS_11 WEIR_ARGUMENTS_10, a10
#define WEIR_ARGUMENTS_12 WEIR_ARGUMENTS_11, a11
#define WEIR_ARGUMENTS_13 WEIR_ARGUMENTS_12, a12

/// A wrapper `name` with `count` arguments, for the call declared as `declared`; if no library has the function, calls
/// `substitute`, the address of a LibraryFunction or null.
#define WEIR_LIBRARY_CALL(declared, name, count, missing, substitute, ...)                       \
    static constinit weir::trace::LibraryFunction real_##name{#name};                            \
    WEIR_EXPORT weir::trace::Word name(WEIR_WORDS_##count) {                                     \
        weir::trace::Word arguments[] = {WEIR_ARGUMENTS_##count};                                \
        return record_library_call(                                                              \
            {call_##declared, real_##name, static_cast<weir::trace::Word>(missing), substitute}, \
            __builtin_return_address(0), arguments, &weir::trace::through<count>, __VA_ARGS__);  \
    }
