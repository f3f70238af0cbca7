#include "boost/direct.hpp"

#include <algorithm>
#include <cstring>

#include "core/posix_io.hpp"

namespace weir::boost {
namespace {

constexpr std::uint64_t longest_packed = 4 << 20;

}  // namespace

template <class Move>
int Direct::each(Request const& request, Move move) {
    auto const longest = request.memory->contiguous() ? request.bytes : longest_packed;
    std::uint64_t done = 0;
    int failed = 0;
    request.view->each(request.from, request.from + request.bytes, [&](std::int64_t offset, std::uint64_t bytes) {
        for (std::uint64_t at = 0; at < bytes && failed == 0;) {
            auto const length = std::min(bytes - at, longest);
            failed = move(static_cast<std::uint64_t>(offset) + at, done, done + length);
            ++requests_;
            at += length;
            done += length;
        }
    });
    return failed;
}

int Direct::write(Request const& request, int descriptor) {
    return each(request, [&](std::uint64_t offset, std::uint64_t from, std::uint64_t to) {
        if (request.memory->contiguous()) {
            auto const* const data = request.buffer + request.memory->begin() + from;
            return write_at(descriptor, offset, {data, to - from}).error_number;
        }
        packed_.resize(to - from);
        auto* next = packed_.data();
        request.memory->each(from, to, [&](std::int64_t at, std::uint64_t bytes) {
            std::memcpy(next, request.buffer + at, bytes);
            next += bytes;
        });
        return write_at(descriptor, offset, {packed_.data(), to - from}).error_number;
    });
}

int Direct::read(Request const& request, int descriptor) {
    return each(request, [&](std::uint64_t offset, std::uint64_t from, std::uint64_t to) {
        bool const in_place = request.memory->contiguous();
        packed_.resize(in_place ? 0 : to - from);
        auto* const data = in_place ? request.buffer + request.memory->begin() + from : packed_.data();
        auto const moved = read_at(descriptor, offset, {data, to - from});
        if (moved.error_number != 0 || moved.bytes < to - from) {
            return moved.error_number != 0 ? moved.error_number : OneShot::end_of_file;
        }
        if (!in_place) {
            auto const* next = data;
            request.memory->each(from, to, [&](std::int64_t at, std::uint64_t bytes) {
                std::memcpy(request.buffer + at, next, bytes);
                next += bytes;
            });
        }
        return 0;
    });
}

}  // namespace weir::boost
