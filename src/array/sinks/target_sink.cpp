#include "array/sinks/target_sink.hpp"

#include <algorithm>
#include <cstring>

#include "comm/collective_error_c.hpp"

namespace weir::array {
namespace {

void check(int status, char const* message, char const* what) {
    if (status != 0) {
        fail(WEIR_IO, what, message, "The target says why.");
    }
}

}  // namespace

void TargetSink::write(std::uint64_t position, std::span<std::byte const> data) {
    arrays_.each_array(position, data.size(), [&](auto array, auto start, auto before, auto bytes) {
        char message[WEIR_MESSAGE_SIZE] = "";
        auto const status = target_.write(target_.context, static_cast<int>(array), static_cast<std::int64_t>(start),
                                          static_cast<std::int64_t>(bytes), data.data() + before, message);
        check(status, message, "a target could not be written");
    });
}

void TargetSink::read(std::uint64_t position, std::span<std::byte> data) {
    arrays_.each_array(position, data.size(), [&](auto array, auto start, auto before, auto bytes) {
        char message[WEIR_MESSAGE_SIZE] = "";
        auto const status = target_.read(target_.context, static_cast<int>(array), static_cast<std::int64_t>(start),
                                         static_cast<std::int64_t>(bytes), data.data() + before, message);
        check(status, message, "a target could not be read");
    });
}

void MemorySink::write(std::uint64_t position, std::span<std::byte const> data) {
    std::ranges::copy(data, bytes_.begin() + static_cast<std::ptrdiff_t>(position - first_));
}

void MemorySink::read(std::uint64_t position, std::span<std::byte> data) {
    std::memcpy(data.data(), bytes_.data() + (position - first_), data.size());
}

}  // namespace weir::array
