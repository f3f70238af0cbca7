#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/backends/posix/posix_file.hpp"
#include "storage/backends/uring/ring.hpp"

namespace weir {

/// A file descriptor whose requests go through a ring, as many on their way at once as it is deep. Nothing is on its
/// way any more when a member function has returned or thrown, but for what was begun.
class UringFile final : public OpenFile {
  public:
    UringFile(OpenRequest const&, bool direct, std::shared_ptr<Ring>);
    ~UringFile() override;

    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    void write_all(Operations&, std::span<std::byte const> data, Meter&) override;

    /// Reads into the buffers of the ring: requests on their way at once may not share one.
    void read_all(Operations&, std::span<std::byte> data, Meter&) override;

    /// Pieces lie apart in `data`, so that they are on their way at once.
    void write_pieces(std::span<Piece const>, std::span<std::byte const> data) override;
    std::size_t read_pieces(std::span<Piece const>, std::span<std::byte> data) override;

    void begin_write(Operation const&, std::span<std::byte const> data) override;
    void begin_read(Operation const&, std::span<std::byte> data, std::size_t& got) override;
    void wait() override;

    void preallocate(std::uint64_t bytes) override { file_.preallocate(bytes); }
    void sync() override { file_.sync(); }
    void close() override;

    /// What is in force: the queue's depth, the most requests that were on their way at once, and whether the kernel
    /// has registered the buffers.
    [[nodiscard]] Hints hints() const override;

  private:
    /// One of the requests on their way.
    struct Request {
        Operation operation;
        std::span<std::byte const> source;  ///< of a write, else empty
        std::span<std::byte> target;        ///< of a read
        double began_s = 0;
        std::size_t done = 0;
        double submitted_s = 0;
        std::size_t* got = nullptr;  ///< of a read that was begun
    };

    /// Starts what `next(request, slot)` puts into free slots until it returns false, and waits for all of it; keeps
    /// what failed.
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
