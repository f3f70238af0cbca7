#include "bench/line_sink.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weir {

void StandardOutputLines::write(Json const& line) {
    // Bytes that are no UTF-8 (a file name, say) are replaced rather than the line lost.
    auto const text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    // In one call where the system takes it: each wakes the launcher and the reader, on the cores that are measured.
    std::string_view rest(text);
    while (!rest.empty()) {
        auto const done = ::write(STDOUT_FILENO, rest.data(), rest.size());
        if (done > 0) {
            rest.remove_prefix(static_cast<std::size_t>(done));
        } else if (done == 0 || errno != EINTR) {
            // Not an Error: what cannot be written down must not be taken for measured, on any rank.
            throw std::runtime_error(std::string("cannot write results to standard output: ") + std::strerror(errno));
        }
    }
}

}  // namespace weir
