#pragma once

#include <string>

#include "storage/backend.hpp"

namespace weir {

/// How requests find their place: each by an explicit offset, or through a file view set once an access.
enum class Addressing { offsets, view };

/// An MPI_File.
class MpiioFile final : public OpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    MpiioFile(OpenRequest const&, Addressing);
    ~MpiioFile() override;

    void begin(Access const&, Rank) override;
    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    void preallocate(std::uint64_t bytes) override;
    void sync() override;
    [[nodiscard]] bool syncs_together() const override { return comm_.size() > 1; }
    void close() override;
    [[nodiscard]] Hints hints() const override;

  private:
    [[nodiscard]] MPI_Offset place_of(Operation const&) const;
    void check(int status, char const* what) const;

    std::string path_;
    Communicator comm_;
    bool collective_;
    Addressing addressing_;
    MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace weir
