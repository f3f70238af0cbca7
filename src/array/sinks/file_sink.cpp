#include "array/sinks/file_sink.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "comm/collective_error_c.hpp"
#include "core/posix_io.hpp"

namespace weir::array {
namespace {

/// Writeback of a long piece is started in steps, so that the device begins before the piece is complete.
constexpr std::uint64_t step_of_device = 4 << 20;

}  // namespace

FileSink::FileSink(std::filesystem::path path, OpenAs how, FileMap map, Checksums* checksums, bool syncs)
    : path_(std::move(path)), map_(std::move(map)), checksums_(checksums), syncs_(syncs) {
    if (how == OpenAs::part) {
        descriptor_ = PartFile::opened(path_);
        return;
    }
    auto const flags = how == OpenAs::output ? O_RDWR | O_CREAT : O_RDONLY;
    descriptor_ = open_or_make(path_.c_str(), flags | O_CLOEXEC);
    if (descriptor_ < 0) {
        fail_system(errno,
                    how == OpenAs::output ? "Does its directory exist, and may you write there?"
                                          : "Is it the right name, and may you read it?",
                    "{} cannot be opened", path_.native());
    }
}

FileSink::~FileSink() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void FileSink::write(std::uint64_t position, std::span<std::byte const> data) {
    map_.each(position, data.size(), [&](std::uint64_t offset, std::uint64_t length, std::uint64_t before) {
        auto const* from = data.data() + before;
        if (checksums_ != nullptr) {
            checksums_->add(offset, {from, length});
        }
        for (std::uint64_t done = 0; done < length;) {
            auto const step = syncs_ ? std::min(length - done, step_of_device) : length - done;
            auto const moved = write_at(descriptor_, offset + done, {from + done, step});
            if (moved.failed()) {
                fail_system(moved.error_number, "The file is incomplete.", "{} cannot be written at byte {}",
                            path_.native(), offset + done + moved.bytes);
            }
            start_device(offset + done, offset + done + step);
            done += step;
        }
    });
}

void FileSink::start_device(std::uint64_t from, std::uint64_t to) {
    // Writeback of small pieces is started for several together: one call each would cost more than it gains. Pieces
    // with gaps between them share pages with other ranks, which would be written repeatedly.
    constexpr std::uint64_t worth_a_call = 1 << 20;
    constexpr std::uint64_t many_pages = 64 << 10;
    if (!syncs_) {
        return;
    }
    if (from != fresh_.end && to - from < many_pages) {
        fresh_ = {};
    }
    fresh_.from = fresh_.bytes == 0 ? from : std::min(fresh_.from, from);
    fresh_.to = fresh_.bytes == 0 ? to : std::max(fresh_.to, to);
    fresh_.end = to;
    fresh_.bytes += to - from;
    if (fresh_.bytes >= worth_a_call) {
        start_writing_out(descriptor_, fresh_.from, fresh_.to);
        fresh_.bytes = 0;
    }
}

void FileSink::read(std::uint64_t position, std::span<std::byte> data) {
    map_.each(position, data.size(), [&](std::uint64_t offset, std::uint64_t length, std::uint64_t before) {
        auto* const to = data.data() + before;
        if (auto const bytes = read_some(offset, {to, length}); bytes < length) {
            fail(WEIR_SHORT_FILE, fmt::format("{} is too short", path_.string()),
                 fmt::format("it ends at byte {}, and the arrays end at {}", end_before(offset + bytes), map_.end()),
                 "Is it the right file, with the right shape, element size and offset?");
        }
        if (checksums_ != nullptr) {
            checksums_->add(offset, {to, length});
        }
    });
}

/// Where the file ends, which the caller knows to be there or before: a piece may lie behind the end of a cut file.
std::uint64_t FileSink::end_before(std::uint64_t known) const {
    struct stat status {};
    bool const told = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    return told ? std::min(known, static_cast<std::uint64_t>(status.st_size)) : known;
}

std::uint64_t FileSink::read_some(std::uint64_t offset, std::span<std::byte> data) const {
    auto const moved = read_at(descriptor_, offset, data);
    if (moved.failed()) {
        fail_system(moved.error_number, "Is it a file on a healthy file system?", "{} cannot be read at byte {}",
                    path_.native(), offset + moved.bytes);
    }
    return moved.bytes;
}

void FileSink::read_old(std::uint64_t position, std::span<std::byte> data) {
    map_.each(position, data.size(), [&](std::uint64_t offset, std::uint64_t length, std::uint64_t before) {
        auto const bytes = read_some(offset, data.subspan(before, length));
        std::ranges::fill(data.subspan(before + bytes, length - bytes), std::byte{0});
    });
}

void FileSink::sync() {
    if (auto const error = sync_file(descriptor_); error != 0) {
        fail_system(error, "What was written may be lost.", "{} cannot be brought to the device", path_.native());
    }
}

void FileSink::close() {
    if (auto const error = close_file(std::exchange(descriptor_, -1)); error != 0) {
        fail_system(error, "What was written may be lost.", "{} cannot be closed", path_.native());
    }
}

}  // namespace weir::array
