#pragma once

#include <stdint.h>

namespace weir::trace {

/// An argument or result that is passed unchanged: an integer, a pointer or a handle. Each fills one register or stack
/// slot.
using Word = uintptr_t;
static_assert(sizeof(Word) == 8, "an offset of MPI or HDF5 fits a word");

/// A name without a pointer to it: pointers would be set when the recorder is loaded, in every program, and so would
/// copy all pages of the more than a thousand functions below. One that is too long does not compile.
struct ShortName {
    char text[48] = {};

    constexpr explicit ShortName(char const* from) {
        for (auto* to = text; *from != 0; ++from) {
            *to++ = *from;
            *to = 0;
        }
    }
};

/// A loaded library that contains a real function.
struct Library {
    void* handle;
    uint32_t number;  ///< counted from 0 in this process
};

/// A function of a library that the recorder does not link: MPI, HDF5, PnetCDF. A process may load several copies
/// (Python wheels bring their own), so each caller gets the one that it would call without the recorder.
class LibraryFunction {
  public:
    explicit constexpr LibraryFunction(char const* name) : name_(name) {}

    struct Target {
        void* function;  ///< null if no library has it
        Library const* library;
    };

    /// The function that the code at this address would call.
    Target for_caller(void const* caller) {
        auto const address = reinterpret_cast<Word>(caller);
        for (auto const& object : callers_) {
            auto const begin = __atomic_load_n(&object.begin, __ATOMIC_ACQUIRE);
            if (address - begin < object.bytes) {
                return object.target;
            }
        }
        return look_up(caller);
    }

    [[nodiscard]] char const* name() const { return name_.text; }

    /// Called first in the child of a fork: another thread of the parent may have held the lock.
    static void after_fork();

  private:
    /// The address range of one caller's code. Filled in once, `begin` last.
    struct Caller {
        Word begin;
        Word bytes;
        Target target;
    };

    Target look_up(void const* caller);
    void keep_for(Word begin, Word end, Target target);

    ShortName name_;
    Caller callers_[4] = {};
};

/// A function that the recorder itself calls, in the library of the recorded function; or an object there.
class LibrarySymbol {
  public:
    enum What : uint8_t { function, object };

    explicit constexpr LibrarySymbol(char const* name, What what = function) : name_(name), what_(what) {}

    /// Null if the library lacks it.
    template <class Pointer>
    Pointer in(Library const* library) {
        if (library != nullptr && library->number < kept) [[likely]] {
            auto* const found = __atomic_load_n(&found_[library->number], __ATOMIC_RELAXED);
            if (found != nullptr) [[likely]] {
                return reinterpret_cast<Pointer>(found == &absent_ ? nullptr : found);
            }
        }
        return reinterpret_cast<Pointer>(library == nullptr ? nullptr : look_up(*library));
    }

    /// Calls it as a function of exactly these types; -1 if the library lacks it.
    template <class Result = int, class... Arguments>
    Result call(Library const* library, Arguments... arguments) {
        auto const function = in<Result (*)(Arguments...)>(library);
        return function == nullptr ? Result{-1} : function(arguments...);
    }

  private:
    void* look_up(Library const&);

    static constexpr uint32_t kept = 4;
    static char absent_;  ///< in found_: the library lacks it
    ShortName name_;
    What what_;
    void* found_[kept] = {};
};

}  // namespace weir::trace
