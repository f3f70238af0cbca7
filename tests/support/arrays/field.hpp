#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/arrays/typed_field.hpp"

namespace weir::testing {

/// An array of whole numbers in three dimensions, with a plan for it.
class Field : public TypedField<std::int64_t> {
  public:
    Field(Communicator const& comm, std::vector<std::int64_t> shape, std::string const& options)
        : TypedField(comm, std::move(shape)), plan_(plan_of(comm, {array()}, options)), buffers_{data()} {}

    [[nodiscard]] weir_plan* plan() const { return plan_.get(); }
    [[nodiscard]] void* const* buffers() const { return buffers_; }

    /// The version that its first element says, of a rank that has any.
    [[nodiscard]] std::int64_t version() const {
        bool const none = count_[0] * count_[1] * count_[2] == 0;
        return none ? 0 : values_[0] - ((start_[0] * shape_[1] + start_[1]) * shape_[2] + start_[2]);
    }

  private:
    PlanHandle plan_;
    void* buffers_[1];
};

}  // namespace weir::testing
