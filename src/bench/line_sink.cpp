#include "bench/line_sink.hpp"

#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "core/interrupt.hpp"

namespace weir {

void StandardOutputLines::write(Json const& line) {
    // Bytes that are no UTF-8 (a file name, say) are replaced rather than the line lost.
    write_text(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void StandardOutputLines::write_text(std::string_view rest) {
    // In one call where the system takes it: each wakes the launcher and the reader, on the cores that are measured.
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
