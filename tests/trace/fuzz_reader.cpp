// The target of libFuzzer: cmake --preset debug -DWEIR_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++, then the target
// fuzz_trace_reader.

#include "trace/damaged_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
    weir::trace::test::read_as_anything({reinterpret_cast<std::byte const*>(data), bytes});
    return 0;
}
