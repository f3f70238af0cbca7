#include "bench/network/message_buffer.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace weir {

MessageBuffer::MessageBuffer(std::uint64_t bytes, SentMemory memory) : room_(header + bytes + 1), mapped_(nullptr) {
    auto* const place = mmap(nullptr, room_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) {
        throw std::bad_alloc();
    }
    mapped_ = static_cast<std::byte*>(place);
    if (memory == SentMemory::written) {
        std::memset(mapped_, 1, room_);
    } else {
        madvise(mapped_, room_, MADV_NOHUGEPAGE);  // a page of zeros may be one of 2 MiB, which no first cache holds
        data()[0] = data()[bytes > 0 ? bytes - 1 : 0] = std::byte{1};
    }
}

MessageBuffer::~MessageBuffer() { munmap(mapped_, room_); }

}  // namespace weir
