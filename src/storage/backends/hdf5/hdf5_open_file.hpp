#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "storage/backend.hpp"
#include "storage/backends/hdf5/hdf5_handle.hpp"
#include "storage/write_error_interposer.hpp"

namespace weir {

/// Versions up to 1.10 refuse independent requests of 2 GiB and more: larger ones are split.
constexpr std::uint64_t largest_piece = 1ULL << 30;

/// A file's layout and metadata settings; sizes in bytes, 0: the library's default.
struct Hdf5Settings {
    std::uint64_t chunk = 0;  ///< datasets in chunks of this size; 0: contiguous
    std::uint64_t alignment = 0;
    std::uint64_t metadata_block = 0;
    bool collective_metadata = false;
};

/// Base of all HDF5 files, whatever they contain: opened through the library's MPI-IO driver.
class Hdf5OpenFile : public OpenFile {
  public:
    ~Hdf5OpenFile() override;

    void sync() override;
    [[nodiscard]] bool syncs_together() const override { return comm_.size() > 1; }
    [[nodiscard]] Hints hints() const override;

  protected:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    Hdf5OpenFile(OpenRequest const&, Hdf5Settings const&);

    /// Sets whether requests are collective.
    void make_collective(bool collective);

    /// Throws if the library silently made a collective request independent. Once per file: the conditions for that do
    /// not change.
    void check_collective();

    /// Reserves at least this many bytes for the file. Collective.
    void reserve(std::uint64_t bytes);

    /// Makes an HDF5 call, which reports failure by a negative value; throws if it, or a write below it, failed.
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

    /// The same for a call that is counted, with the bytes that it moves.
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
    Hdf5Handle transfer_;      ///< transfer property list
    std::optional<int> lost_;  ///< error of a failed write below the library

  private:
    void open_file(OpenRequest const&, Hdf5Settings const&);

    bool checked_collective_ = false;
};

/// The error of the HDF5 call that has just failed. Its reason is the innermost message of HDF5's error stack, which
/// has the actual cause and is valid until the next call.
Error hdf5_error(std::string problem);

}  // namespace weir
