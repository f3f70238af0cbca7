#include "apps/cloud/state.hpp"

namespace weir::cloud {

State::State(Decomposition where) : where_(std::move(where)) {
    for (auto& field : fields_) {
        field.assign(static_cast<std::size_t>(cells()), 0.0);
    }
}

}  // namespace weir::cloud
