#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Counts and indices of cells, and differences of them.
using Index = std::int64_t;
using Triple = std::array<Index, 3>;  ///< along x, y, z

constexpr std::size_t axes = 3;

/// A periodic box of cubic cells.
struct Grid {
    Triple cells{};
    double spacing = 0;  ///< a cell's edge; lengths have no unit (the equations are scaled)
};

constexpr Index volume(Triple const& n) { return n[0] * n[1] * n[2]; }
constexpr bool all_even(Triple const& n) { return n[0] % 2 == 0 && n[1] % 2 == 0 && n[2] % 2 == 0; }

/// Doubles aligned to a cache line.
template <class T>
struct LineAllocator {
    using value_type = T;
    LineAllocator() = default;
    template <class U>
    LineAllocator(LineAllocator<U> const&) {}
    static constexpr std::align_val_t line{64};
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
    void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
    friend bool operator==(LineAllocator, LineAllocator) { return true; }
};
using Doubles = std::vector<double, LineAllocator<double>>;

constexpr Index greatest_in_triple = Index{1} << 24;  ///< largest range of integers that are exact in a 4-byte real

/// Three integers from 1 to 2^24, as in "128x128x64". Error (usage), naming the option.
Triple parse_triple(std::string_view text, std::string_view option);

std::string to_text(Triple const&);

/// Three numbers with this character between them; nothing if the text is otherwise.
std::optional<std::array<double, axes>> three_numbers(std::string_view text, char between);

}  // namespace weir
