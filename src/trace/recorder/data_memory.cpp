#include "trace/recorder/data_memory.hpp"

namespace weir::trace {

constinit CallMemory posix_memory;
constinit CallMemory mpiio_memory;

int64_t CallMemory::bytes() const {
    int64_t blocks = 0;
    for (auto const& word : words_) {
        blocks += __builtin_popcountll(__atomic_load_n(&word, __ATOMIC_RELAXED));
    }
    return blocks * static_cast<int64_t>(block_bytes);
}

void CallMemory::forget() {
    for (auto& word : words_) {
        __atomic_store_n(&word, 0, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&votes_, 0, __ATOMIC_RELAXED);
}

}  // namespace weir::trace
