#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace weir {

/// Allocates whole lines of the cache, so that eight numbers in a row lie on one line and not on two.
template <class Value>
struct OnLines {
    using value_type = Value;
    static constexpr std::align_val_t line{64};

    OnLines() = default;
    template <class Other>
    explicit OnLines(OnLines<Other> const&) {}

    Value* allocate(std::size_t count) { return static_cast<Value*>(::operator new(count * sizeof(Value), line)); }
    void deallocate(Value* place, std::size_t) { ::operator delete(place, line); }
    bool operator==(OnLines const&) const = default;
};

using AlignedNumbers = std::vector<double, OnLines<double>>;

}  // namespace weir
