#pragma once

// Wrappers of functions whose libraries are not linked, nor their headers included: every argument goes through as a
// word, so that a handle may be a number (MPICH) or a pointer (Open MPI). Each is one line: its name, its kind, how
// many arguments it has, and where among them stands what a record tells.

#include <stddef.h>
#include <string.h>

#include <utility>

#include "trace/recorder/foreign.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {

/// A call on its way: its arguments and, after it, its result; and what its record shall tell.
struct Context {
    Context(Library const* of, Word* with) : library(of), arguments(with) {}

    Library const* library;  ///< that of the real function; null where it is not known
    Word* arguments;
    Word result = 0;

    bool recorded = true;
    uint32_t file = 0;
    int64_t offset = -1;
    uint64_t length = 0;
    int64_t outcome = 0;
    uint8_t flags = 0;

    alignas(16) char buffer[256];  ///< room for what the program does not want to know: a status

    [[nodiscard]] Word at(int place) const { return arguments[place]; }
    template <class Type>
    [[nodiscard]] Type* pointer(int place) const {
        return reinterpret_cast<Type*>(arguments[place]);
    }
    [[nodiscard]] int number(int place) const { return static_cast<int>(arguments[place]); }
    [[nodiscard]] int code() const { return static_cast<int>(result); }
};

/// How a call is told: what is asked before it, and after it, of its arguments at the places that `spec` names.
template <class Spec>
struct Telling {
    void (*before)(Spec const&, Context&);  ///< may be null
    void (*after)(Spec const&, Context&);
    Spec spec{};
};

/// One function under one of its names.
struct Wrapped {
    Call& call;
    Foreign& real;
    Word missing;                ///< what to return where there is no such function
    Foreign* instead = nullptr;  ///< a function that does the same; it may be null
};

/// The call that the thread is in, innermost: a name may be carried out by another name of the same. One that was left
/// by a longjmp or an exception stands deeper on the stack than what is called later.
struct Innermost {
    Call const* call = nullptr;
    void const* frame = nullptr;

    [[nodiscard]] bool is(Call const& other, void const* in_frame) const { return call == &other && in_frame < frame; }
};
extern thread_local __attribute__((tls_model("initial-exec"))) Innermost innermost;

/// Says once that a program has called what its library lacks.
void tell_missing(char const* name);

/// Calls the real function with so many words.
using Through = Word (*)(void* function, Word const* arguments);
template <size_t... I>
Word call_with(void* function, Word const* arguments, std::index_sequence<I...>) {
    return reinterpret_cast<Word (*)(decltype(I, Word{})...)>(function)(arguments[I]...);
}
template <size_t count>
Word through(void* function, Word const* arguments) {
    return call_with(function, arguments, std::make_index_sequence<count>());
}

/// A function that stands in for one that the library lacks.
struct Instead {
    Wrapped const& wrapped;
    Foreign::Target real;
    Through through;
    Word* arguments;
};

/// Calls it. Interfaces where arguments may not fit have their own.
template <class Spec>
Word call_instead(Spec const&, Instead const& how) {
    return how.through(how.real.function, how.arguments);
}

template <class Spec>
Word carry_out(Wrapped const& wrapped, void const* caller, Word* arguments, Through through,
               Telling<Spec> const& description) {
    auto real = wrapped.real.of(caller);
    bool const instead = real.function == nullptr && wrapped.instead != nullptr;
    if (instead) {
        real = wrapped.instead->of(caller);
    }
    if (real.function == nullptr) {
        tell_missing(wrapped.real.name());
        return wrapped.missing;
    }
    auto const call_real = [&] {
        return instead ? call_instead(description.spec, {wrapped, real, through, arguments})
                       : through(real.function, arguments);
    };
    if (!recording() || innermost.is(wrapped.call, __builtin_frame_address(0))) {
        begin_process();
        return call_real();
    }
    Context context(real.library, arguments);
    if (description.before != nullptr) {
        Inside const inside;
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
        Inside const inside;
        description.after(description.spec, context);
    }
    context.recorded
        ? recording.end_at(now, context.file, context.offset, context.length, context.outcome, context.flags)
        : recording.forget();
    return context.result;
}

}  // namespace weir::trace

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

/// A wrapper `name` of so many arguments, for the call that was declared as `declared`; where no library has it,
/// `instead` is called, the address of a Foreign or null.
#define WEIR_FOREIGN(declared, name, count, missing, instead, ...)                                           \
    static constinit weir::trace::Foreign real_##name{#name};                                                \
    WEIR_EXPORT weir::trace::Word name(WEIR_WORDS_##count) {                                                 \
        weir::trace::Word arguments[] = {WEIR_ARGUMENTS_##count};                                            \
        return carry_out({call_##declared, real_##name, static_cast<weir::trace::Word>(missing), instead},   \
                         __builtin_return_address(0), arguments, &weir::trace::through<count>, __VA_ARGS__); \
    }
