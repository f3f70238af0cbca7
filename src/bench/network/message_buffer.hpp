#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir {

/// What lies in a buffer that is sent. `unwritten`: its first and last byte were written, as those of the program HPCC
/// 1.5.0, and nothing else: on Linux all the rest is one page of zeros, which a core reads from its first cache. On a
/// node, a ping-pong of it takes half the time of one that a program has computed, by measurement on one machine.
enum class SentMemory { written, unwritten };
constexpr std::array<std::string_view, 2> enum_names(SentMemory) { return {"written", "unwritten"}; }

/// The memory of a message. All begin at the same place of a page, where malloc begins large blocks: some processors
/// take many times as long to copy between places that are a few bytes apart (docs/explanation/network.md).
class MessageBuffer {
  public:
    /// Local. Throws std::bad_alloc.
    explicit MessageBuffer(std::uint64_t bytes, SentMemory = SentMemory::written);
    ~MessageBuffer();
    MessageBuffer(MessageBuffer const&) = delete;
    MessageBuffer& operator=(MessageBuffer const&) = delete;

    [[nodiscard]] std::byte* data() { return mapped_ + header; }  ///< never null: some MPIs do not take that

  private:
    static constexpr std::uint64_t header = 16;

    std::uint64_t room_;
    std::byte* mapped_;
};

}  // namespace weir
