#include "bench/network/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/error.hpp"
#include "core/units.hpp"

namespace weir {
namespace {

constexpr std::uint64_t line = 64;
constexpr std::size_t page = 4096;
constexpr std::uint64_t header = 16;  // of a block of malloc, and what blocks are multiples of

/// In pages, and never nothing: some MPIs do not take a null pointer.
std::uint64_t in_pages(std::uint64_t bytes) { return (bytes + page) / page * page; }

/// Where the receive buffer begins in a block that begins with the send buffer.
std::uint64_t place_to_receive(std::uint64_t send) { return 2 * header + (send + header - 1) / header * header; }

[[noreturn]] void no_memory(std::uint64_t bytes) {
    constexpr double gib = 1U << 30U;
    throw Error({"not enough memory for the messages",
                 fmt::format("buffers of this rank take {:.3g} GiB", static_cast<double>(bytes) / gib),
                 "choose smaller messages or fewer ranks", ExitCode::cannot_run});
}

}  // namespace

CallBuffers::CallSlots CallBuffers::layout(std::uint64_t bytes, std::uint64_t cache_bytes) {
    auto const stride = (bytes + line - 1) / line * line + 2 * line;
    return {stride, std::max<std::uint64_t>(1, (2 * cache_bytes + stride - 1) / stride)};
}

std::uint64_t CallBuffers::room(BufferSizes sizes, std::uint64_t cache_bytes, BufferMemory where) {
    auto const send = layout(sizes.send, cache_bytes).bytes(sizes.send);
    auto const receive = layout(sizes.receive, cache_bytes).bytes(sizes.receive);
    return where == BufferMemory::neighbours ? in_pages(place_to_receive(send) + receive)
                                             : in_pages(send) + in_pages(receive);
}

CallBuffers::CallBuffers(BufferSizes sizes, std::uint64_t cache_bytes, BufferMemory where)
    : sizes_(sizes),
      send_layout_(layout(sizes.send, cache_bytes)),
      receive_layout_(layout(sizes.receive, cache_bytes)) {
    auto const send = send_layout_.bytes(sizes.send);
    auto const receive = receive_layout_.bytes(sizes.receive);
    if (where == BufferMemory::neighbours) {
        auto const to_receive = place_to_receive(send);
        memory_.push_back(allocate(to_receive + receive, where));
        send_ = {memory_.back().get() + header, send};
        receive_ = {memory_.back().get() + to_receive, receive};
    } else {
        memory_.push_back(allocate(send, where));
        send_ = {memory_.back().get(), send};
        memory_.push_back(allocate(receive, where));
        receive_ = {memory_.back().get(), receive};
    }
}

/// A byte of each line, which the processor then has to itself.
void CallBuffers::write(std::uint64_t call) {
    auto const slot = send_.subspan(send_layout_.offset(made_ + call), sizes_.send);
    for (std::size_t at = 0; at < slot.size(); at += line) {
        auto volatile& byte = slot[at];
        byte = std::byte{byte};
    }
}

CallBuffers::Memory CallBuffers::allocate(std::uint64_t bytes, BufferMemory where) {
    auto const room = in_pages(bytes);
    void* memory = nullptr;
    if (where == BufferMemory::mpi) {
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
    auto* const free = where == BufferMemory::mpi ? [](std::byte* data) { MPI_Free_mem(data); }
                                                  : [](std::byte* data) { std::free(data); };
    return {static_cast<std::byte*>(memory), free};
}

}  // namespace weir
