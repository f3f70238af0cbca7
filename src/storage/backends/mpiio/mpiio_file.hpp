#pragma once

#include <optional>
#include <string>

#include "storage/backend.hpp"

namespace weir {

/// How requests get their file offset: each an explicit one, or through a file view set once per access.
enum class Addressing { offsets, view };

/// An MPI_File.
class MpiioFile final : public OpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    MpiioFile(OpenRequest const&, Addressing);
    ~MpiioFile() override;

    void begin(Access const&, Rank) override;
    void set_collective(bool) override;
    void begin_pieces(std::span<Piece const>) override;
    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    void write_pieces(std::span<Piece const>, std::span<std::byte const> data) override;
    std::size_t read_pieces(std::span<Piece const>, std::span<std::byte> data) override;
    /// With MPI_File_iwrite_at and MPI_File_iread_at; synchronous if offsets follow from a view.
    void begin_write(Operation const&, std::span<std::byte const> data) override;
    void begin_read(Operation const&, std::span<std::byte> data, std::size_t& got) override;
    void wait() override;
    void preallocate(std::uint64_t bytes) override;
    void sync() override;
    [[nodiscard]] bool syncs_together() const override { return comm_.size() > 1; }
    void close() override;
    [[nodiscard]] Hints hints() const override;

  private:
    /// A request in flight.
    struct Begun {
        MPI_Request request = MPI_REQUEST_NULL;
        Operation operation{};
        std::size_t* got = nullptr;  ///< for a read
    };

    void set_whole_view();
    void end(Begun&);
    void check_written(std::uint64_t offset, std::size_t bytes, MPI_Status const&) const;
    void write_at(MPI_Offset place, std::uint64_t offset, std::span<std::byte const> data);
    std::size_t read_at(MPI_Offset place, std::span<std::byte> data);
    [[nodiscard]] MPI_Offset place_of(Operation const&) const;
    void check(int status, char const* what) const;

    /// Makes an MPI call; throws if it, or a write below it, failed.
    template <class Call>
    void attempt(char const* what, Call call);

    /// The same for a call that is counted, with the bytes that it moves.
    template <class Call>
    void attempt(IoCall what, std::uint64_t bytes, Call call) {
        CallCounter::library(counter_, what, bytes, [&] { attempt(to_text(what).data(), call); });
    }

    std::string path_;
    Communicator comm_;
    bool collective_;
    Addressing addressing_;
    CallCounter* counter_;
    bool has_view_ = false;  ///< a view of pieces is set
    MPI_File file_ = MPI_FILE_NULL;
    std::vector<Begun> begun_;
    std::optional<int> lost_;  ///< error of a failed write below the library
};

}  // namespace weir
