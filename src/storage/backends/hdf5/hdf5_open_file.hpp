#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "storage/backend.hpp"
#include "storage/backends/hdf5/hdf5_handle.hpp"
#include "storage/write_error_interposer.hpp"

namespace weir {

/// Versions up to 1.10 refuse independent requests of 2 GiB and more: larger ones go in pieces.
constexpr std::uint64_t largest_piece = 1ULL << 30;

/// How a file is laid out and its metadata treated; sizes in bytes, 0 leaves the library its own way.
struct Hdf5Settings {
    std::uint64_t chunk = 0;  ///< datasets in chunks of this size; 0: contiguous
    std::uint64_t alignment = 0;
    std::uint64_t metadata_block = 0;
    bool collective_metadata = false;
};

/// What HDF5 files have in common, whatever is in them: they are open through the library's MPI-IO driver.
class Hdf5OpenFile : public OpenFile {
  public:
    ~Hdf5OpenFile() override;

    void sync() override;
    [[nodiscard]] bool syncs_together() const override { return comm_.size() > 1; }
    [[nodiscard]] Hints hints() const override;

  protected:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    Hdf5OpenFile(OpenRequest const&, Hdf5Settings const&);

    /// Are requests made by all ranks together?
    void make_collective(bool collective);

    /// Refuses to pass off as collective what the library, for reasons of its own, has made independent. Once a file:
    /// what the library decides by does not change.
    void check_collective();

    /// Reserves the file's space, of so many bytes at least. Collective.
    void reserve(std::uint64_t bytes);

    /// Makes a call of the library, which says by less than 0 that it failed; throws if it, or a write below it, did.
    template <class Call>
    void attempt(char const* what, Call call) {
        auto const status = [&] {
            WriteWatch const watch(lost_);
            return call();
        }();
        if (status < 0 || lost_) [[unlikely]] {
            fail(what);
        }
    }

    /// As a call that is counted, and moves so many bytes.
    template <class Call>
    void attempt(IoCall what, std::uint64_t bytes, Call call) {
        CallCounter::library(counter_, what, bytes, [&] { attempt(to_text(what).data(), call); });
    }
    [[noreturn]] void fail(char const* what);

    std::string path_;
    Communicator comm_;
    bool collective_;
    CallCounter* counter_;
    Hdf5Handle file_;
    Hdf5Handle transfer_;      ///< the transfer properties
    std::optional<int> lost_;  ///< the error of a write below the library that failed

  private:
    void open_file(OpenRequest const&, Hdf5Settings const&);

    bool checked_collective_ = false;
};

/// The error of a call of the library that has just failed. Its reason is the innermost message of the library's error
/// stack, which says what really happened and is kept until the next call.
Error hdf5_error(std::string problem);

}  // namespace weir
