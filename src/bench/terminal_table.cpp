#include "bench/terminal_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "core/terminal_text.hpp"

namespace weir {
namespace {

constexpr int shown_digits = 3;

std::string significant(double value) {
    if (value == 0 || !std::isfinite(value)) {
        return fmt::format("{:g}", value);
    }
    auto const places = shown_digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    return fmt::format("{:.{}f}", value, std::max(places, 0));
}

struct UnitStep {
    double scale;
    std::string_view name;
};

/// The value in the largest of these units that is not above it.
std::string scaled(double value, std::span<UnitStep const> steps) {
    auto const fits = [&](UnitStep const& step) { return std::abs(value) >= step.scale; };
    auto const step = std::find_if(steps.begin(), steps.end(), fits);
    auto const& chosen = step == steps.end() ? steps.back() : *step;
    return fmt::format("{} {}", significant(value / chosen.scale), chosen.name);
}

constexpr std::array seconds{UnitStep{1, "s"}, UnitStep{1e-3, "ms"}, UnitStep{1e-6, "µs"}, UnitStep{1e-9, "ns"}};
constexpr std::array flops{UnitStep{1e12, "Tflop/s"}, UnitStep{1e9, "Gflop/s"}, UnitStep{1e6, "Mflop/s"},
                           UnitStep{1, "flop/s"}};

std::string row(std::string_view phase, std::string_view what, std::string_view value) {
    return printable(fmt::format("{:<20} {:<36} {:>20}", phase, what, value)) + "\n";
}

}  // namespace

std::string value_words(double value, std::string_view unit, bool decimal) {
    if (unit == "B/s" && decimal) {
        return fmt::format("{} GB/s", significant(value / 1e9));
    }
    if (unit == "B/s") {
        constexpr double mebibyte = 1 << 20;
        return fmt::format("{} MiB/s", significant(value / mebibyte));
    }
    if (unit == "s") {
        return scaled(value, seconds);
    }
    if (unit == "flop/s") {
        return scaled(value, flops);
    }
    return unit == "1/s" ? fmt::format("{} a second", significant(value))
                         : fmt::format("{} {}", significant(value), unit);
}

void TerminalTable::write(Json const& line) {
    if (line.value("kind", "") != "sample") {
        return;
    }
    if (!has_heading_) {
        has_heading_ = true;
        out_.write_text(row("phase", "metric", "one sample a row"));
    }
    auto phase = line.value("phase", "");
    if (auto const sync = line.find("sync"); sync != line.end() && *sync == "never") {
        phase += " (not synced)";
    }
    for (auto const& metric : line.at("metrics")) {
        if (metric.at("value").is_number()) {
            out_.write_text(row(phase, metric.at("noun").get<std::string>(),
                                value_words(metric.at("value").get<double>(), metric.at("unit").get<std::string>(),
                                            metric.value("decimal", false))));
        }
    }
    auto const cache = line.value("cache", Json::object());
    if (cache.is_object() && cache.value("suspect", Json()) == true) {
        auto const why = cache.value("why", Json());
        out_.write_text(printable(
            fmt::format("  ! from a cache, not the device{}\n", why.is_string() ? ": " + why.get<std::string>() : "")));
    }
    for (auto const& warning : line.value("warnings", Json::array())) {
        out_.write_text(printable(fmt::format("  ! {}\n", warning.value("problem", ""))));
    }
}

}  // namespace weir
