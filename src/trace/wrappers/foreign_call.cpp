#include "trace/wrappers/foreign_call.hpp"

#include <stdio.h>

namespace weir::trace {

thread_local __attribute__((tls_model("initial-exec"))) Innermost innermost;

void tell_missing(char const* name) {
    static bool told = false;
    if (!__atomic_exchange_n(&told, true, __ATOMIC_RELAXED)) {
        char line[320];
        auto const length = snprintf(line, sizeof line,
                                     "weir: the program calls %s, but no library in it has that function (the recorder "
                                     "stands in for it and returns an error; record with --files-only if the program "
                                     "looks by itself whether it is there)\n",
                                     name);
        system::tell(line, static_cast<size_t>(length));
    }
}

}  // namespace weir::trace
