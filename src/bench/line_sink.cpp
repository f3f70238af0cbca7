#include "bench/line_sink.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace weir {

void StandardOutputLines::write(Json const& line) {
    // Bytes that are no UTF-8 (a file name, say) are replaced rather than the line lost.
    auto const text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        // Not an Error: what cannot be written down must not be taken for measured, on any rank.
        throw std::runtime_error(std::string("cannot write results to standard output: ") + std::strerror(errno));
    }
}

}  // namespace weir
