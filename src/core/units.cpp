#include "core/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace weir {
namespace {

struct SizeUnit {
    std::string_view name;
    std::uint64_t bytes;
};

constexpr std::array<SizeUnit, 9> size_units{{{"TiB", 1ULL << 40},
                                              {"GiB", 1ULL << 30},
                                              {"MiB", 1ULL << 20},
                                              {"KiB", 1ULL << 10},
                                              {"TB", 1'000'000'000'000ULL},
                                              {"GB", 1'000'000'000ULL},
                                              {"MB", 1'000'000ULL},
                                              {"kB", 1'000ULL},
                                              {"B", 1ULL}}};

struct TimeUnit {
    std::string_view name;
    double seconds;
};

constexpr std::array<TimeUnit, 5> time_units{{{"ms", 1e-3}, {"us", 1e-6}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}}};

[[noreturn]] void refuse(char const* what, std::string_view text, char const* reason, char const* example) {
    throw Error({fmt::format("'{}' is not a {}", text, what), reason, fmt::format("Write for example {}.", example),
                 ExitCode::usage});
}

template <class Units>
auto const* find_unit(Units const& units, std::string_view name) {
    for (auto const& unit : units) {
        if (unit.name == name) {
            return &unit;
        }
    }
    return static_cast<typename Units::value_type const*>(nullptr);
}

}  // namespace

Bytes parse_bytes(std::string_view text) {
    constexpr auto example = "64KiB (2^16 bytes) or 64kB (64,000 bytes)";
    std::uint64_t count = 0;
    auto const [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (status != std::errc{}) {
        refuse("size", text, "it must begin with a whole number below 2^64", example);
    }
    auto const name = text.substr(static_cast<std::size_t>(end - text.data()));
    auto const* unit = find_unit(size_units, name);
    if (count == 0 && name.empty()) {
        return Bytes{0};
    }
    if (unit == nullptr) {
        refuse("size", text, name.empty() ? "its unit is missing" : "its unit is unknown", example);
    }
    if (count > std::numeric_limits<std::uint64_t>::max() / unit->bytes) {
        refuse("size", text, "it is 2^64 bytes or more", example);
    }
    return Bytes{count * unit->bytes};
}

Seconds parse_seconds(std::string_view text) {
    constexpr auto example = "30s, 1h30m or 250ms";
    constexpr auto digits = "0123456789.-";
    double sum_s = 0;
    auto rest = text;
    do {
        double count = 0;
        auto const [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
        if (status != std::errc{} || !std::isfinite(count) || count < 0) {
            refuse("time", text, "it must begin with a number of 0 or more", example);
        }
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        auto const name = rest.substr(0, rest.find_first_of(digits));
        auto const* unit = find_unit(time_units, name);
        if (unit == nullptr && text != "0") {
            refuse("time", text, name.empty() ? "its unit is missing" : "its unit is unknown", example);
        }
        sum_s += unit == nullptr ? 0 : count * unit->seconds;
        rest.remove_prefix(name.size());
    } while (!rest.empty());
    return Seconds{sum_s};
}

std::string format_bytes(Bytes bytes) {
    for (auto const& unit : size_units) {
        if (bytes.value >= unit.bytes && bytes.value % unit.bytes == 0) {
            return fmt::format("{}{}", bytes.value / unit.bytes, unit.name);
        }
    }
    return "0B";
}

}  // namespace weir
