#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/arrays/array_case.hpp"

namespace weir::testing {

/// An array of numbers in blocks, in C or Fortran order, with ghosts; its elements say where they stand in the file.
template <class Number>
class TypedField {
  public:
    TypedField(Communicator const& comm, std::vector<std::int64_t> shape, weir_order order = WEIR_C_ORDER,
               std::int64_t ghosts = 0)
        : shape_(std::move(shape)), order_(order), ghosts_(ghosts), start_(shape_.size()), count_(shape_.size()) {
        auto const dims = static_cast<int>(shape_.size());
        std::vector<std::int64_t> const around(shape_.size(), ghosts);
        array_ = array_by(weir_array_block, dims, shape_.data(), nullptr, sizeof(Number), order);
        weir_array_ghosts(array_.get(), around.data(), around.data(), nullptr);
        std::int64_t bytes = 0;
        weir_error error;
        EXPECT_EQ(weir_array_local(array_.get(), static_cast<std::int64_t>(comm.rank()),
                                   static_cast<std::int64_t>(comm.size()), nullptr, start_.data(), count_.data(),
                                   &bytes, &error),
                  WEIR_OK)
            << error.message;
        values_.resize(static_cast<std::size_t>(bytes) / sizeof(Number) + 1);  // none is null
    }

    [[nodiscard]] weir_array* array() const { return array_.get(); }
    [[nodiscard]] void* data() { return values_.data(); }

    void fill(std::int64_t version) {
        clear();
        each([&](Number& value, std::int64_t place) { value = static_cast<Number>(place + version); });
    }
    void clear() { values_.assign(values_.size(), static_cast<Number>(99)); }
    [[nodiscard]] bool holds(std::int64_t version) {
        bool all = true;
        each([&](Number const& value, std::int64_t place) {
            all = all && value == static_cast<Number>(place + version);
        });
        return all;
    }

    /// What a file must hold then, in its order.
    [[nodiscard]] std::vector<Number> whole(std::int64_t version) const {
        std::int64_t elements = 1;
        for (auto const n : shape_) {
            elements *= n;
        }
        std::vector<Number> all;
        for (std::int64_t i = 0; i < elements; ++i) {
            all.push_back(static_cast<Number>(i + version));
        }
        return all;
    }

  protected:
    std::vector<std::int64_t> shape_;
    weir_order order_;
    std::int64_t ghosts_;
    std::vector<std::int64_t> start_, count_;
    std::vector<Number> values_;
    ArrayHandle array_;

  private:
    /// Visits what this rank holds: visit(value, place in the file).
    template <class Visit>
    void each(Visit visit) {
        visit_dimension(0, 0, 0, visit);
    }

    /// Dimensions from the slowest on; `place` and `at` are of the file and of the local array, so far.
    template <class Visit>
    void visit_dimension(std::size_t k, std::int64_t place, std::int64_t at, Visit& visit) {
        if (k == shape_.size()) {
            visit(values_[static_cast<std::size_t>(at)], place);
            return;
        }
        auto const d = order_ == WEIR_C_ORDER ? k : shape_.size() - 1 - k;
        for (std::int64_t i = 0; i < count_[d]; ++i) {
            visit_dimension(k + 1, place * shape_[d] + start_[d] + i, at * (count_[d] + 2 * ghosts_) + ghosts_ + i,
                            visit);
        }
    }
};

/// Several fields: version 1 of the first, 2 of the second, and so on.
template <class... Fields>
void fill_in_turn(Fields&... fields) {
    std::int64_t version = 0;
    (fields.fill(++version), ...);
}
template <class... Fields>
void clear_all(Fields&... fields) {
    (fields.clear(), ...);
}
template <class... Fields>
[[nodiscard]] bool hold_in_turn(Fields&... fields) {
    std::int64_t version = 0;
    return (fields.holds(++version) && ...);
}

}  // namespace weir::testing
