#pragma once

#include <stdint.h>

#include "trace/recorder/next_function.hpp"

namespace weir::trace {

/// A recorded function: its interface, its name, and its kind of operation. Each is defined next to its wrapper, in a
/// section that the linker gathers: there is no central list, and all exist before any constructor runs. The index in
/// the section is the call's number; traces contain numbers and names. Aligned to its size, so that the section has no
/// gaps.
///
/// Its texts are in it: a pointer to them would be set when the library is loaded, in every program, and so would copy
/// all pages of the section.
class alignas(128) Call {
  public:
    constexpr Call(char const* interface, char const* name, char const* kind)
        : direction_(direction_of(interface, kind)) {
        put(interface);
        name_at_ = used_;
        put(name);
        kind_at_ = used_;
        put(kind);
    }

    /// The function that the program would call without the recorder; null if none. Looked up once.
    template <class Function>
    Function next() {
        auto* function = __atomic_load_n(&function_, __ATOMIC_RELAXED);
        if (function == nullptr) [[unlikely]] {
            function = next_function(name());
            __atomic_store_n(&function_, function, __ATOMIC_RELAXED);
        }
        return reinterpret_cast<Function>(function);
    }

    [[nodiscard]] uint16_t id() const;

    /// The kernel's byte count that it adds to: 0, bytes read; 1, bytes written; 2: none, or nested calls do.
    [[nodiscard]] uint8_t direction() const { return direction_; }
    [[nodiscard]] char const* interface() const { return texts_; }
    [[nodiscard]] char const* name() const { return texts_ + name_at_; }
    [[nodiscard]] char const* kind() const { return texts_ + kind_at_; }

    /// The last table of names that it is in, as counted by this process and those that it was forked from: only calls
    /// that occurred are in one.
    mutable uint32_t entered_in = 0;

  private:
    static constexpr bool same(char const* a, char const* b) { return __builtin_strcmp(a, b) == 0; }
    static constexpr uint8_t direction_of(char const* interface, char const* kind) {
        bool const moves = same(interface, "POSIX") || same(interface, "STDIO");
        return moves && same(kind, "read") ? 0 : moves && same(kind, "write") ? 1 : 2;
    }

    /// A text that is too long does not compile.
    constexpr void put(char const* text) {
        for (; *text != 0; ++text) {
            texts_[used_++] = *text;
        }
        texts_[used_++] = 0;
    }

    void* function_ = nullptr;
    uint8_t direction_;
    uint8_t name_at_ = 0;
    uint8_t kind_at_ = 0;
    uint8_t used_ = 0;
    char texts_[108] = {};
};

extern "C" __attribute__((visibility("hidden"))) Call __start_weir_calls[];
extern "C" __attribute__((visibility("hidden"))) Call __stop_weir_calls[];

inline uint16_t Call::id() const { return static_cast<uint16_t>(this - __start_weir_calls + 1); }

/// All calls: `for (auto const& call : AllCalls{})`.
struct AllCalls {
    [[nodiscard]] Call const* begin() const { return __start_weir_calls; }
    [[nodiscard]] Call const* end() const { return __stop_weir_calls; }
};

static_assert(sizeof(Call) == 128);

}  // namespace weir::trace

/// Declares `name` as a call of this interface and kind, for its wrapper: WEIR_CALL(POSIX, pwrite, write).
#define WEIR_CALL(interface, name, kind) WEIR_CALL_OF(#interface, name, kind)

/// The same, with the interface as a text: "MPI-IO".
#define WEIR_CALL_OF(interface, name, kind) WEIR_CALL_AS(name, interface, #name, kind)

/// The same for a function that is recorded as two kinds of operation: the second is call_VARIABLE.
#define WEIR_CALL_NAMED(variable, interface, name, kind) WEIR_CALL_AS(variable, #interface, #name, kind)

#define WEIR_CALL_AS(variable, interface, name, kind)                                                 \
    __attribute__((section("weir_calls"), used)) static constinit weir::trace::Call call_##variable { \
        interface, name, #kind                                                                        \
    }

/// A function that is wrapped but not recorded: next_NAME is the real one.
#define WEIR_NEXT(name) static constinit weir::trace::Call next_##name{"POSIX", #name, "other"};

/// Exports the wrapper of a function, which replaces the function in the program's symbol lookup.
#define WEIR_EXPORT extern "C" __attribute__((visibility("default")))

/// Another name for a wrapper, for a function that does the same.
#define WEIR_ALIAS(result, name, parameters, wrapper) \
    extern "C" __attribute__((visibility("default"), alias(#wrapper))) result name parameters;
