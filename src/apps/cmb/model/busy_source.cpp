#include "apps/cmb/model/busy_source.hpp"

#include "storage/engine/stamp.hpp"

namespace weir::cmb {

void BusySource::fill(CurrentAccess const&, Operation const& operation, std::span<std::byte> data) {
    auto& filled = filled_[data.data()];
    if (filled < data.size()) {
        Stamp(0, 0).fill(data, operation.offset);
        filled = data.size();
    }
}

}  // namespace weir::cmb
