#include "storage/backends/twophase/posix_sink.hpp"

#include "core/posix_io.hpp"

namespace weir {

void PosixSink::write(std::uint64_t position, std::span<std::byte const> data) {
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

void PosixSink::read(std::uint64_t position, std::span<std::byte> data) {
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

}  // namespace weir
