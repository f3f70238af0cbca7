#include "trace/wrappers/foreign_call.hpp"

#include <stdio.h>

namespace weir::trace {

thread_local __attribute__((tls_model("initial-exec"))) Innermost innermost;

void tell_missing(char const* name) {
    static bool told = false;
    if (!__atomic_exchange_n(&told, true, __ATOMIC_RELAXED)) {
        char line[256];
        auto const length = snprintf(line, sizeof line,
                                     "weir: the program calls %s, but no library in it has that function (the recorder "
                                     "stands in for it and returns an error)\n",
                                     name);
        system::write(2, line, static_cast<size_t>(length));
    }
}

}  // namespace weir::trace
