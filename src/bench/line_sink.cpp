#include "bench/line_sink.hpp"

#include <cstdio>

namespace weir {

void StandardOutputLines::write(Json const& line) {
    // Bytes that are no UTF-8 (a file name, say) are replaced rather than the line lost.
    auto const text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

}  // namespace weir
