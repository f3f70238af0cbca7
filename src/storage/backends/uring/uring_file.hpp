#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/backends/posix/posix_file.hpp"
#include "storage/backends/uring/ring.hpp"

namespace weir {

/// A file descriptor whose requests go through a ring, with up to its depth in flight. When a member function has
/// returned or thrown, only requests of begin_write() and begin_read() are in flight.
class UringFile final : public OpenFile {
  public:
    UringFile(OpenRequest const&, bool direct, std::shared_ptr<Ring>);
    ~UringFile() override;

    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    void write_all(Operations&, std::span<std::byte const> data, Meter&) override;

    /// Reads into the buffers of the ring: requests in flight must not share one.
    void read_all(Operations&, std::span<std::byte> data, Meter&) override;

    /// Pieces have separate places in `data`, so they can be in flight together.
    void write_pieces(std::span<Piece const>, std::span<std::byte const> data) override;
    std::size_t read_pieces(std::span<Piece const>, std::span<std::byte> data) override;

    void begin_write(Operation const&, std::span<std::byte const> data) override;
    void begin_read(Operation const&, std::span<std::byte> data, std::size_t& got) override;
    void wait() override;

    void preallocate(std::uint64_t bytes) override { file_.preallocate(bytes); }
    void sync() override { file_.sync(); }
    void close() override;

    /// The queue depth, the most requests that were in flight, and whether the kernel has registered the buffers.
    [[nodiscard]] Hints hints() const override;

  private:
    /// A request in flight.
    struct Request {
        Operation operation;
        std::span<std::byte const> source;  ///< for a write, else empty
        std::span<std::byte> target;        ///< for a read
        double began_s = 0;
        std::size_t done = 0;
        double submitted_s = 0;
        std::size_t* got = nullptr;  ///< for a started read
    };

    /// Puts the requests of `next(request, slot)` into free slots until it returns false, and waits for all of them;
    /// keeps the first failure.
    template <class Next>
    void carry_out(Next next, Meter*);
    void begin(Request const&);
    void drain();
    void submit(unsigned slot);
    void complete(unsigned slot, int result, Meter*);
    void free_all();
    void raise();

    PosixFile file_;
    CallCounter* counter_;
    std::shared_ptr<Ring> ring_;
    RingFile place_;
    std::vector<Request> requests_;  ///< by slot
    std::vector<unsigned> free_;     ///< slots
    std::size_t most_on_their_way_ = 0;
    std::optional<Diagnosis> failure_;
    std::optional<ShortRead> short_read_;
};

}  // namespace weir
