#include "bench/network/buffers.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/error.hpp"
#include "core/units.hpp"

namespace weir {
namespace {

constexpr std::uint64_t line = 64;
constexpr std::size_t page = 4096;

[[noreturn]] void no_memory(std::uint64_t bytes) {
    throw Error({"not enough memory for the messages", "a buffer of this rank takes " + format_bytes(Bytes(bytes)),
                 "choose smaller messages or fewer ranks", ExitCode::cannot_run});
}

}  // namespace

CallBuffers::Layout CallBuffers::layout(std::uint64_t bytes, std::uint64_t cache_bytes) {
    auto const stride = (bytes + line - 1) / line * line + 2 * line;
    return {stride, std::max<std::uint64_t>(1, (2 * cache_bytes + stride - 1) / stride)};
}

CallBuffers::CallBuffers(BufferSizes sizes, std::uint64_t cache_bytes, Allocator allocator)
    : sizes_(sizes),
      send_layout_(layout(sizes.send, cache_bytes)),
      receive_layout_(layout(sizes.receive, cache_bytes)),
      send_memory_(allocate(send_layout_.bytes(sizes.send), allocator)),
      receive_memory_(allocate(receive_layout_.bytes(sizes.receive), allocator)),
      send_(send_memory_.get(), send_layout_.bytes(sizes.send)),
      receive_(receive_memory_.get(), receive_layout_.bytes(sizes.receive)) {}

CallBuffers::Memory CallBuffers::allocate(std::uint64_t bytes, Allocator allocator) {
    auto const room = (bytes + page) / page * page;  // never empty: some MPIs do not take a null pointer
    void* memory = nullptr;
    if (allocator == Allocator::mpi) {
        if (MPI_Alloc_mem(static_cast<MPI_Aint>(room), MPI_INFO_NULL, static_cast<void*>(&memory)) != MPI_SUCCESS) {
            no_memory(room);
        }
    } else {
        memory = std::aligned_alloc(page, room);
        if (memory == nullptr) {
            no_memory(room);
        }
    }
    std::memset(memory, 0, room);  // the kernel and the host provide it now, not in a call
    auto* const free = allocator == Allocator::mpi ? [](std::byte* data) { MPI_Free_mem(data); }
                                                   : [](std::byte* data) { std::free(data); };
    return {static_cast<std::byte*>(memory), free};
}

}  // namespace weir
