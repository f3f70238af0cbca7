#include "array/sinks/sink.hpp"

#include <algorithm>
#include <cstring>

#include "comm/collective_error_c.hpp"

namespace weir::array {
namespace {

/// Moves each array's part of these bytes by a function of the target.
template <class Byte, class Function>
void move(Arrays const& arrays, weir_target const& target, std::uint64_t position, std::span<Byte> data,
          Function function, char const* problem) {
    arrays.each_array(position, data.size(), [&](auto array, auto start, auto before, auto bytes) {
        char message[WEIR_MESSAGE_SIZE] = "";
        if (function(target.context, static_cast<int>(array), static_cast<std::int64_t>(start),
                     static_cast<std::int64_t>(bytes), data.data() + before, message) != 0) {
            fail(WEIR_IO, problem, message, "The target says why.");
        }
    });
}

}  // namespace

void TargetSink::write(std::uint64_t position, std::span<std::byte const> data) {
    move(arrays_, target_, position, data, target_.write, "a target could not be written");
}

void TargetSink::read(std::uint64_t position, std::span<std::byte> data) {
    move(arrays_, target_, position, data, target_.read, "a target could not be read");
}

void MemorySink::write(std::uint64_t position, std::span<std::byte const> data) {
    std::ranges::copy(data, bytes_.begin() + static_cast<std::ptrdiff_t>(position - first_));
}

void MemorySink::read(std::uint64_t position, std::span<std::byte> data) {
    std::memcpy(data.data(), bytes_.data() + (position - first_), data.size());
}

namespace {

/// Small enough that reversed bytes are still in the processor's cache when they are written.
constexpr std::uint64_t chunk = 1 << 20;

std::uint16_t reversed(std::uint16_t value) { return __builtin_bswap16(value); }
std::uint32_t reversed(std::uint32_t value) { return __builtin_bswap32(value); }
std::uint64_t reversed(std::uint64_t value) { return __builtin_bswap64(value); }

template <class Number>
void copy_numbers(std::byte* target, std::byte const* source, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes; i += sizeof(Number)) {
        Number value;
        std::memcpy(&value, source + i, sizeof value);
        value = reversed(value);
        std::memcpy(target + i, &value, sizeof value);
    }
}

}  // namespace

void copy_reversed(std::byte* target, std::byte const* source, std::uint64_t bytes, std::uint64_t number) {
    if (bytes % number == 0 && number == 2) {
        copy_numbers<std::uint16_t>(target, source, bytes);
    } else if (bytes % number == 0 && number == 4) {
        copy_numbers<std::uint32_t>(target, source, bytes);
    } else if (bytes % number == 0 && number == 8) {
        copy_numbers<std::uint64_t>(target, source, bytes);
    } else if (bytes > 0) {
        std::memmove(target, source, bytes);
        for (std::uint64_t i = 0; i < bytes; i += number) {
            std::reverse(target + i, target + std::min(i + number, bytes));
        }
    }
}

/// Splits a piece into complete numbers and, at its ends, parts of one: visit(target position, bytes before, bytes,
/// bytes of a number). Bytes [a, b) of a number of n bytes are bytes [n - b, n - a) of the reversed one.
template <class Visit>
void SwappedSink::each_piece(std::uint64_t position, std::uint64_t bytes, Visit visit) const {
    arrays_.each_array(position, bytes, [&](auto array, auto start, auto before, auto length) {
        auto const number = static_cast<std::uint64_t>(numbers_[array]);
        while (length > 0) {
            auto const within = start % number;
            bool const whole = within == 0 && length >= number;
            auto const n = whole ? length - length % number : std::min(length, number - within);
            auto const goes_to = whole ? start : start - within + number - within - n;
            visit(arrays_.origins[array] + goes_to, before, n, number);
            start += n;
            before += n;
            length -= n;
        }
    });
}

void SwappedSink::write(std::uint64_t position, std::span<std::byte const> data) {
    each_piece(position, data.size(), [&](auto goes_to, auto before, auto bytes, auto number) {
        if (number == 1) {
            sink_.write(goes_to, data.subspan(before, bytes));
            return;
        }
        auto const at_once = std::max(number, chunk / number * number);
        reversed_.resize(std::max<std::size_t>(reversed_.size(), std::min<std::uint64_t>(bytes, at_once)));
        for (std::uint64_t done = 0; done < bytes; done += at_once) {
            auto const n = std::min<std::uint64_t>(at_once, bytes - done);
            copy_reversed(reversed_.data(), data.data() + before + done, n, number);
            sink_.write(goes_to + done, {reversed_.data(), n});
        }
    });
}

template <class Read>
void SwappedSink::read_reversed(std::uint64_t position, std::span<std::byte> data, Read read) const {
    each_piece(position, data.size(), [&](auto goes_to, auto before, auto bytes, auto number) {
        auto const part = data.subspan(before, bytes);
        read(goes_to, part);
        if (number > 1) {
            copy_reversed(part.data(), part.data(), bytes, number);
        }
    });
}

void SwappedSink::read(std::uint64_t position, std::span<std::byte> data) {
    read_reversed(position, data, [&](auto goes_to, auto part) { sink_.read(goes_to, part); });
}

void SwappedSink::read_old(std::uint64_t position, std::span<std::byte> data) {
    read_reversed(position, data, [&](auto goes_to, auto part) { sink_.read_old(goes_to, part); });
}

}  // namespace weir::array
