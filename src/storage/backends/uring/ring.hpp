#pragma once

#include <liburing.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/memory.hpp"

namespace weir {

/// A request's file: a descriptor, or an index in the ring's table of registered files.
struct RingFile {
    int descriptor = -1;
    std::optional<int> place;
};

/// The submission and completion queues of one process, for `depth` requests in flight, their buffers and a table of
/// files, both registered with the kernel if it permits. Local.
class Ring {
  public:
    /// `outside`: another buffer that requests may use. Throws Error (usage) if the kernel refuses io_uring.
    Ring(unsigned depth, std::span<std::byte> outside);
    ~Ring();
    Ring(Ring const&) = delete;
    Ring& operator=(Ring const&) = delete;

    [[nodiscard]] unsigned depth() const { return depth_; }

    /// Why the buffers are not registered; empty if they are.
    [[nodiscard]] std::string const& why_unregistered() const { return why_unregistered_; }

    /// The buffer of one of the `depth` slots, as large as `outside`.
    [[nodiscard]] std::span<std::byte> buffer(unsigned slot);

    /// Puts a file into the table, if it has room.
    [[nodiscard]] RingFile enter(int descriptor);
    void leave(RingFile const&);

    /// Prepares a request; the next wait() submits it. `data` must stay unchanged until it completes; it is registered
    /// if it lies in the slot's buffer or in `outside`.
    void write(unsigned slot, RingFile const&, std::span<std::byte const> data, std::uint64_t offset);
    void read(unsigned slot, RingFile const&, std::span<std::byte> data, std::uint64_t offset);

    /// Submits the prepared requests. Throws as wait().
    void start();

    /// Makes `holder` the owner of requests in flight, which ends them by `end`; those of the previous owner are ended
    /// first.
    void claim(void const* holder, std::function<void()> end);

    /// Tells the ring that this owner has no requests in flight.
    void release(void const* holder);

    /// Submits the prepared requests and waits for a completion. Throws Error if the ring has failed; then nothing is
    /// in flight.
    void wait();

    /// Calls `done(slot, result)` for every available completion; the result is a number of bytes or -errno.
    template <class Done>
    void take(Done done) {
        io_uring_cqe* completion = nullptr;
        while (io_uring_peek_cqe(&ring_, &completion) == 0) {
            auto const slot = static_cast<unsigned>(io_uring_cqe_get_data64(completion));
            auto const result = completion->res;
            io_uring_cqe_seen(&ring_, completion);
            --on_their_way_;
            done(slot, result);
        }
    }

  private:
    void set_up();
    void register_buffers();
    void register_files();
    void address(io_uring_sqe*, unsigned slot, RingFile const&);
    [[nodiscard]] std::optional<int> buffer_index(unsigned slot, std::byte const* data);
    [[nodiscard]] io_uring_sqe* next_request();
    [[noreturn]] void give_up(int error_number);

    unsigned depth_;
    std::span<std::byte> outside_;
    std::size_t slot_bytes_;
    Buffer buffers_;
    io_uring ring_{};
    std::uint64_t on_their_way_ = 0;  ///< prepared or submitted, not completed
    std::string why_unregistered_;
    std::vector<int> free_places_;  ///< in the table of files
    std::optional<Diagnosis> broken_;
    void const* holder_ = nullptr;
    std::function<void()> end_;
};

}  // namespace weir
