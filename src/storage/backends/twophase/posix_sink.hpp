#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "array/sinks/sink.hpp"
#include "core/error.hpp"
#include "core/posix_io.hpp"
#include "storage/backends/posix/posix_file.hpp"

namespace weir {

/// A file descriptor that a rank opens at first use: for a shared file accessed only by its aggregators, the other
/// ranks never open it. Local.
class DeferredFile {
  public:
    /// `alone`: is a new file created by one rank only?
    DeferredFile(OpenRequest request, bool alone) : request_(std::move(request)) { request_.empties = alone; }

    /// The file; opens it.
    PosixFile& get() {
        if (!file_) {
            file_.emplace(request_, false);
        }
        return *file_;
    }

    /// From now on the file exists: another rank has created it.
    void expect_there() { request_.mode = request_.mode == OpenMode::create ? OpenMode::update : request_.mode; }

    [[nodiscard]] bool is_open() const { return file_.has_value(); }

    void close() {
        if (file_) {
            file_->close();
        }
    }

  private:
    OpenRequest request_;
    std::optional<PosixFile> file_;
};

/// Where an aggregator writes the data of one request to, or reads it from: a file, from this offset on. Never throws:
/// keeps the first failure, and does nothing after it.
class PosixSink final : public array::Sink {
  public:
    PosixSink(DeferredFile& file, std::uint64_t base) : file_(file), base_(base) {}

    void write(std::uint64_t position, std::span<std::byte const> data) override {
        auto const offset = base_ + position;
        if (failure_) {
            return;
        }
        keep_failure(failure_, [&] { file_.get().write({offset, data.size(), 0}, data); });
        // Writeback starts now, while ranks exchange more; smaller amounts per call would slow the device down.
        constexpr std::uint64_t worthwhile = 1 << 20;
        if (!failure_ && data.size() >= worthwhile) {
            start_writing_out(file_.get().descriptor(), offset, offset + data.size());
        }
    }

    /// Bytes beyond end of file read as zeros; the offset of the first is kept.
    void read(std::uint64_t position, std::span<std::byte> data) override {
        auto const offset = base_ + position;
        if (failure_) {
            return;
        }
        keep_failure(failure_, [&] {
            auto const got = file_.get().read({offset, data.size(), 0}, data);
            if (got < data.size()) {
                std::ranges::fill(data.subspan(got), std::byte{0});
                missing_ = std::min(missing_, offset + got);
            }
        });
    }

    [[nodiscard]] std::optional<Diagnosis> const& failure() const { return failure_; }

    /// The first requested byte of the file that does not exist; `none` if all do.
    static constexpr auto none = std::numeric_limits<std::uint64_t>::max();
    [[nodiscard]] std::uint64_t missing() const { return missing_; }

  private:
    DeferredFile& file_;
    std::uint64_t base_;
    std::uint64_t missing_ = none;
    std::optional<Diagnosis> failure_;
};

}  // namespace weir
