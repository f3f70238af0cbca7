#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "weir/array.h"

namespace weir::testing {

/// An array of three dimensions in blocks, whose elements say where they belong; with a plan for it.
class Field {
  public:
    Field(Communicator const& comm, std::vector<std::int64_t> shape, std::string const& options)
        : shape_(std::move(shape)), start_(3), count_(3) {
        weir_error error;
        EXPECT_EQ(weir_array_block(3, shape_.data(), nullptr, sizeof(std::int64_t), WEIR_C_ORDER, &array_, &error),
                  WEIR_OK)
            << error.message;
        std::int64_t bytes = 0;
        weir_array_local(array_, static_cast<std::int64_t>(comm.rank()), static_cast<std::int64_t>(comm.size()),
                         nullptr, start_.data(), count_.data(), &bytes, &error);
        values_.resize(static_cast<std::size_t>(bytes) / sizeof(std::int64_t));
        EXPECT_EQ(weir_plan_make(comm.handle(), 1, &array_, options.c_str(), &plan_, &error), WEIR_OK) << error.message;
        buffers_[0] = values_.data();
    }
    ~Field() {
        weir_plan_free(plan_);
        weir_array_free(array_);
    }
    Field(Field const&) = delete;
    Field& operator=(Field const&) = delete;

    [[nodiscard]] weir_plan* plan() const { return plan_; }
    [[nodiscard]] void* const* buffers() const { return buffers_; }

    /// Each element's place in the array, plus this.
    void fill(std::int64_t version) {
        each([&](std::int64_t& value, std::int64_t place) { value = place + version; });
    }
    void clear() { values_.assign(values_.size(), -1); }

    [[nodiscard]] bool holds(std::int64_t version) {
        bool all = true;
        each([&](std::int64_t const& value, std::int64_t place) { all = all && value == place + version; });
        return all;
    }

    /// The version that its first element says, of a rank that has any.
    [[nodiscard]] std::int64_t version() const {
        return values_.empty() ? 0 : values_[0] - ((start_[0] * shape_[1] + start_[1]) * shape_[2] + start_[2]);
    }

  private:
    template <class Visit>
    void each(Visit visit) {
        std::size_t n = 0;
        for (auto i = start_[0]; i < start_[0] + count_[0]; ++i) {
            for (auto j = start_[1]; j < start_[1] + count_[1]; ++j) {
                for (auto k = start_[2]; k < start_[2] + count_[2]; ++k) {
                    visit(values_[n++], (i * shape_[1] + j) * shape_[2] + k);
                }
            }
        }
    }

    std::vector<std::int64_t> shape_, start_, count_, values_;
    weir_array* array_ = nullptr;
    weir_plan* plan_ = nullptr;
    void* buffers_[1] = {};
};

}  // namespace weir::testing
