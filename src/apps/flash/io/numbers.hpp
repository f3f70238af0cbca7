#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "pattern/array.hpp"

namespace weir::flash {

/// Numbers written one after the other into an array's bytes, in its type.
class ElementNumbers {
  public:
    /// The element outlives this.
    ElementNumbers(Element const& element, std::span<std::byte> data) : element_(element), data_(data) {}

    /// The next one; there must be room for it.
    void put(double value) {
        if (element_.kind == Element::Kind::integer) {
            write(static_cast<std::int32_t>(value));
        } else if (element_.bytes == sizeof(float)) {
            write(static_cast<float>(value));
        } else {
            write(value);
        }
    }

    /// The same value up to the end.
    void fill(double value) {
        while (!data_.empty()) {
            put(value);
        }
    }

  private:
    template <class Number>
    void write(Number number) {
        std::memcpy(data_.data(), &number, sizeof number);
        data_ = data_.subspan(sizeof number);
    }

    Element const& element_;
    std::span<std::byte> data_;
};

}  // namespace weir::flash
