#include "trace/recorder/rings.hpp"

#include <stdio.h>
#include <string.h>

#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

char const* const kinds[] = {"io_uring", "libaio"};
uint32_t told_in[sizeof kinds / sizeof kinds[0]];  ///< the process that did: a child tells its own

}  // namespace

void tell_ring(char const* kind) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (process.recording && strcmp(kinds[i], kind) == 0) {
            make_files();
            if (__atomic_exchange_n(&told_in[i], process.id, __ATOMIC_RELAXED) != process.id) {
                system::KeepErrno const keep;
                add_fact(kind, 1);
            }
        }
    }
}

void look_for_ring(char const* name) {
    if (strcmp(name, "anon_inode:[io_uring]") == 0) {
        tell_ring("io_uring");
    }
}

}  // namespace weir::trace
