#include "trace/recorder/scratch.hpp"

#include "trace/recorder/recorder.hpp"
#include "trace/recorder/streams.hpp"

namespace weir::trace {
namespace {

Scratch last_resort;  ///< where the system has no more memory; texts of two threads may mix there

}  // namespace

Scratch& scratch() {
    auto& mine = this_thread.scratch;
    if (mine == nullptr) [[unlikely]] {
        system::KeepErrno const keep;
        mine = static_cast<Scratch*>(system::map_memory(sizeof(Scratch)));
        if (mine == nullptr) {
            return last_resort;
        }
        announce_thread_end();
    }
    return *mine;
}

void forget_scratch() {
    if (this_thread.scratch != nullptr) {
        system::unmap(this_thread.scratch, sizeof(Scratch));
        this_thread.scratch = nullptr;
    }
}

}  // namespace weir::trace
