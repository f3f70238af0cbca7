#include "core/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace weir {

void open_closed_streams() {
    for (auto const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) {
            // The lowest free number is this stream's.
            static_cast<void>(::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR));
        }
    }
}

}  // namespace weir
