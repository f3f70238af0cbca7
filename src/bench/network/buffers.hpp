#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bench/network/network_function.hpp"

namespace weir {

/// Where consecutive calls find their data: always in the same memory, which the caches then hold; or each further on,
/// in buffers twice as large as the last-level cache (IMB: off_cache), so that no cache holds them.
enum class BufferCaching { on, off };
constexpr std::array<std::string_view, 2> enum_names(BufferCaching) { return {"on", "off"}; }

/// Where the buffers lie. `pages`: each on pages of its own. `neighbours`: the receive buffer 16 bytes behind the send
/// buffer, as malloc places what is asked for one after the other; where a message is a multiple of pages, both then
/// begin at almost the same place of a page, and some processors take many times as long to copy between these
/// (docs/explanation/network.md). `mpi`: where MPI_Alloc_mem places them.
enum class BufferMemory { pages, neighbours, mpi };
constexpr std::array<std::string_view, 3> enum_names(BufferMemory) { return {"pages", "neighbours", "mpi"}; }

/// What a rank sends: what has lain in its buffer since before the calls, as IMB's, so that those that read it have it
/// in their caches; or what it has written again just before each call, as applications do, which is not timed.
enum class Content { kept, fresh };
constexpr std::array<std::string_view, 2> enum_names(Content) { return {"kept", "fresh"}; }

/// The buffers of one rank, for `slots` calls each of which uses memory of its own.
class CallBuffers {
  public:
    struct CallSlots {
        std::uint64_t stride = 0;  ///< between the places of consecutive calls
        std::uint64_t slots = 1;
        /// Of a call's memory. It is part of what is timed, and mostly there is one slot: then nothing is divided.
        [[nodiscard]] std::uint64_t offset(std::uint64_t call) const { return slots == 1 ? 0 : call % slots * stride; }
        [[nodiscard]] std::uint64_t bytes(std::uint64_t one) const { return (slots - 1) * stride + one; }
    };

    /// With `cache_bytes` above 0, as many slots as fill twice that. IMB: at least 2 lines beyond the last message.
    static CallSlots layout(std::uint64_t bytes, std::uint64_t cache_bytes);

    /// What they take of a rank's memory.
    static std::uint64_t room(BufferSizes, std::uint64_t cache_bytes, BufferMemory);

    /// Local. Throws Error (cannot run) if there is not that much memory.
    CallBuffers(BufferSizes, std::uint64_t cache_bytes, BufferMemory);

    /// Of a call, counted from those that were made before.
    [[nodiscard]] CallPlace place(std::uint64_t call, int root) const {
        auto const number = made_ + call;
        return {send_.data() + send_layout_.offset(number), receive_.data() + receive_layout_.offset(number), root};
    }

    /// Writes the send buffer of a call, counted as there, with what it has.
    void write(std::uint64_t call);

    /// So many calls were made: the next ones go on with other memory, which the caches have lost since.
    void go_on(std::uint64_t calls) { made_ += calls; }
    [[nodiscard]] std::span<std::byte> send() const { return send_; }
    [[nodiscard]] std::span<std::byte> receive() const { return receive_; }
    [[nodiscard]] BufferSizes const& sizes() const { return sizes_; }

    /// Every slot's send data; the same function of rank and place for all slots.
    template <class Fill>
    void fill(Fill fill) {
        for (std::uint64_t slot = 0; slot < send_layout_.slots; ++slot) {
            fill(send_.subspan(slot * send_layout_.stride, sizes_.send));
        }
    }

  private:
    using Memory = std::unique_ptr<std::byte, void (*)(std::byte*)>;
    static Memory allocate(std::uint64_t bytes, BufferMemory);

    BufferSizes sizes_;
    CallSlots send_layout_;
    CallSlots receive_layout_;
    std::uint64_t made_ = 0;
    std::vector<Memory> memory_;
    std::span<std::byte> send_;
    std::span<std::byte> receive_;
};

}  // namespace weir
