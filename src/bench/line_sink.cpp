#include "bench/line_sink.hpp"

#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "core/interrupt.hpp"

namespace weir {

void StandardOutputLines::write(Json const& line) {
    // Bytes that are not UTF-8 (in a file name, say) are replaced, so that the line is not lost.
    write_text(json_text(line) + "\n");
}

void StandardOutputLines::write_text(std::string_view rest) {
    // In one call if possible: each wakes the launcher and the reader, on the cores that are measured.
    while (!rest.empty() && lost_ == 0) {
        auto const done = ::write(STDOUT_FILENO, rest.data(), rest.size());
        if (done > 0) {
            rest.remove_prefix(static_cast<std::size_t>(done));
        } else if (done == 0 || errno != EINTR) {
            lost_ = done == 0 ? EIO : errno;
            stop_requested.store(true, std::memory_order_relaxed);
        }
    }
}

}  // namespace weir
