#include "array/part_of_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/error.hpp"
#include "core/posix_io.hpp"

namespace weir::performance {
namespace {

constexpr std::uint64_t elements_of_page = 4096 / sizeof(double);

int opened(std::string const& path, int flags) {
    auto const file = open_or_make(path.c_str(), flags | O_CLOEXEC);
    if (file < 0) {
        throw system_error("cannot open '" + path + "'", errno, "");
    }
    return file;
}

std::uint64_t share_of(Block const& block) {
    auto const even = block.elements_of_file() / block.comm.size() + 1;
    return (even + elements_of_page - 1) / elements_of_page * elements_of_page;
}

}  // namespace

PartOfFile::PartOfFile(Block const& block)
    : share(share_of(block)),
      begin(std::min(block.comm.rank() * share, block.elements_of_file())),
      count(std::min(begin + share, block.elements_of_file()) - begin) {}

void PartOfFile::store(std::string const& path, double const* from) const {
    auto const file = opened(path, O_WRONLY | O_CREAT);
    auto const* const bytes = reinterpret_cast<char const*>(from);
    all_bytes([&](std::size_t done, std::size_t left, off_t at) { return pwrite(file, bytes + done, left, at); });
    auto const synced = fsync(file);
    close(file);
    validate(synced == 0, "cannot sync", path, "");
}

void PartOfFile::load(std::string const& path, double* to) const {
    auto const file = opened(path, O_RDONLY);
    auto* const bytes = reinterpret_cast<char*>(to);
    all_bytes([&](std::size_t done, std::size_t left, off_t at) { return pread(file, bytes + done, left, at); });
    close(file);
}

/// The kernel moves at most 2 GiB less a page a call.
template <class Call>
void PartOfFile::all_bytes(Call call) const {
    auto const bytes = count * sizeof(double);
    for (std::size_t done = 0; done < bytes;) {
        auto const moved = call(done, bytes - done, static_cast<off_t>(begin * sizeof(double) + done));
        if (moved <= 0) {
            throw system_error("cannot move a contiguous part of the file", errno, "");
        }
        done += static_cast<std::size_t>(moved);
    }
}

}  // namespace weir::performance
