#pragma once

#include <pnetcdf.h>

#include <optional>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "storage/backend.hpp"
#include "storage/write_error_interposer.hpp"

namespace weir {

/// The library refuses requests of more than 2 GiB.
constexpr std::uint64_t largest_piece = 1ULL << 30;

/// Base of all netCDF files, whatever they contain: opened as CDF-5, through PnetCDF.
class PnetcdfOpenFile : public OpenFile {
  public:
    [[nodiscard]] bool syncs_together() const override { return comm_.size() > 1; }
    [[nodiscard]] Hints hints() const override;

  protected:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    explicit PnetcdfOpenFile(OpenRequest const&);

    /// Reserves at least this many bytes for the file.
    void reserve(std::uint64_t bytes);

    /// Offset of a variable's data in the file.
    [[nodiscard]] std::uint64_t begin_of(int variable) const;

    /// Makes a PnetCDF call; throws if it, or a write below it, failed.
    template <class Call>
    void attempt(char const* what, Call call) {
        auto const status = [&] {
            WriteWatch const watch(lost_);
            return call();
        }();
        if (status != NC_NOERR || lost_) [[unlikely]] {
            fail(what, status);
        }
    }

    /// The same for a call that is counted, with the bytes that it moves.
    template <class Call>
    void attempt(IoCall what, std::uint64_t bytes, Call call) {
        CallCounter::library(counter_, what, bytes, [&] { attempt(to_text(what).data(), call); });
    }
    [[noreturn]] void fail(char const* what, int status);

    std::string path_;
    Communicator comm_;
    bool collective_;
    CallCounter* counter_;
    int file_ = -1;
    std::optional<int> lost_;  ///< error of a failed write below the library
};

}  // namespace weir
