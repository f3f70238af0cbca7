#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "array/sinks/sink.hpp"
#include "core/error.hpp"
#include "core/posix_io.hpp"
#include "storage/backends/posix/posix_file.hpp"

namespace weir {

/// A file descriptor that a rank opens when it first needs it: of a shared file that a few ranks move for all, the
/// others never do. Local.
class DeferredFile {
  public:
    /// Is a new one made by one rank alone?
    DeferredFile(OpenRequest request, bool alone) : request_(std::move(request)) { request_.empties = alone; }

    /// The file; opens it.
    PosixFile& get() {
        if (!file_) {
            file_.emplace(request_, false);
        }
        return *file_;
    }

    /// From now on it is there: another rank has made it.
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

/// Where an aggregator puts what it has collected for one request, and gets it from: a file, from a byte of it on.
/// It never throws: what failed first is kept, and nothing is done after it.
class PosixSink final : public array::Sink {
  public:
    PosixSink(DeferredFile& file, std::uint64_t base) : file_(file), base_(base) {}

    void write(std::uint64_t position, std::span<std::byte const> data) override {
        auto const offset = base_ + position;
        if (failure_) {
            return;
        }
        keep_failure(failure_, [&] { file_.get().write({offset, data.size(), 0}, data); });
        // The device begins now, while ranks exchange more; with less at a time it would only be disturbed.
        constexpr std::uint64_t worthwhile = 1 << 20;
        if (!failure_ && data.size() >= worthwhile) {
            start_writing_out(file_.get().descriptor(), offset, offset + data.size());
        }
    }

    /// What lies beyond the end of the file reads as zeros; its place is kept.
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

    /// The first byte of the file that was asked for and is not there; none where all are.
    static constexpr auto none = std::numeric_limits<std::uint64_t>::max();
    [[nodiscard]] std::uint64_t missing() const { return missing_; }

  private:
    DeferredFile& file_;
    std::uint64_t base_;
    std::uint64_t missing_ = none;
    std::optional<Diagnosis> failure_;
};

}  // namespace weir
