#pragma once

#include <string>

#include "core/error.hpp"
#include "core/own_file.hpp"
#include "storage/backend.hpp"

namespace weir {

/// The error of a request, with advice. `what` is "read" or "write".
Error transfer_error(char const* what, std::string const& path, std::uint64_t offset, int error_number);

/// A file descriptor.
class PosixFile final : public OpenFile {
  public:
    PosixFile(OpenRequest const&, bool direct);

    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    void write_all(Operations&, RequestMemory& data, Meter&) override;
    void read_all(Operations&, RequestMemory& data, Meter&) override;
    void preallocate(std::uint64_t bytes) override;
    void sync() override;
    void close() override;

    [[nodiscard]] int descriptor() const { return file_.get(); }
    [[nodiscard]] std::string const& path() const { return path_; }

  private:
    void check_alignment(std::uint64_t transfer_bytes) const;

    std::string path_;
    CallCounter* counter_;
    Descriptor file_;
};

}  // namespace weir
