// The target of libFuzzer: scripts/build with -DWEIR_FUZZ=ON and clang, then build/.../bin/fuzz_trace_reader.

#include "trace/damaged_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
    weir::trace::test::read_as_anything({reinterpret_cast<std::byte const*>(data), bytes});
    return 0;
}
