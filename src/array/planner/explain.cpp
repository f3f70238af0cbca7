// Why a strategy was chosen: the planner's one line for users.
#include "array/planner/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace weir::array {

std::string text_of_seconds(double seconds) {
    auto const digit = std::pow(10.0, std::floor(std::log10(std::max(seconds, 1e-9))) - 1);
    auto const rounded = std::round(seconds / digit) * digit;
    return rounded >= 1      ? fmt::format("{:.4g} s", rounded)
           : rounded >= 1e-3 ? fmt::format("{:.4g} ms", rounded * 1e3)
                             : fmt::format("{:.4g} µs", rounded * 1e6);
}

std::string text_of_bytes(std::uint64_t bytes) {
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < units.size(); ++unit) {
        value /= 1024;
    }
    bool const whole = value == std::floor(value);
    return fmt::format("{:.{}f} {}", value, whole ? 0 : 1, units[unit]);
}

std::string text_of_count(std::uint64_t count) {
    return count < 1000 ? std::to_string(count) : fmt::format("{},{:03}", text_of_count(count / 1000), count % 1000);
}

std::string text_of_count(std::uint64_t count, char const* what) {
    return fmt::format("{} {}{}", text_of_count(count), what, count == 1 ? "" : "s");
}

std::string text_of(Strategy const& strategy, std::uint64_t group, char const* who) {
    switch (strategy.method) {
        case Method::independent:
            return "independent";
        case Method::gather:
            return "gather to rank 0";
        case Method::grouped:
            return fmt::format("groups of {}", text_of_count(group, "rank"));
        default:
            return fmt::format("two-phase, {}", text_of_count(strategy.aggregators, who));
    }
}

std::string text_of(Choice const& choice) {
    auto text = text_of(choice.write, choice.group, "writer");
    if (choice.write != choice.read) {
        bool const same = choice.write.method == choice.read.method;
        text += same ? fmt::format(" and {}", text_of_count(choice.read.aggregators, "reader"))
                     : fmt::format("; reading {}", text_of(choice.read, choice.group, "reader"));
    }
    bool const windows = choice.write.method != Method::independent || choice.read.method != Method::independent;
    return windows ? fmt::format("{}, windows of {}", text, text_of_bytes(choice.window)) : text;
}

namespace {

std::string where(PlanFacts const& facts, PlanOptions const& options) {
    auto const& system = facts.file_system;
    auto text = system.error_number != 0
                    ? fmt::format("{} cannot be looked at: {}", options.directory, std::strerror(system.error_number))
                : system.type == 0 ? std::string("file system not known")
                                   : system.name();
    if (system.stripes != 0) {
        text +=
            fmt::format(" with {} of {}", text_of_count(system.stripes, "stripe"), text_of_bytes(system.stripe_bytes));
    }
    return fmt::format("{}, {}", text, facts.profile.source);
}

}  // namespace

std::string reason_for(PlanFacts const& facts, PlanOptions const& options, Choice const& choice) {
    auto const sizes = Sizes{choice.window, choice.group, options.exchange == Route::messages};
    auto const cost = [&](Use use, Strategy const& strategy) { return cost_of(facts, use, strategy, sizes); };
    auto const alone = cost(Use::write, {Method::independent, facts.ranks});
    auto const chosen = cost(Use::write, choice.write);
    auto text = text_of(choice) + ": ";
    if (options.method != Method::automatic) {
        text +=
            fmt::format("{} is asked for", options.method == Method::two_phase ? "two-phase" : to_text(options.method));
    } else if (choice.write.method == Method::independent) {
        auto const exchanged = cost(Use::write, {Method::two_phase, facts.ranks});
        text += fmt::format("runs of {} make {} (about {}), an exchange would gain nothing (about {})",
                            text_of_bytes(facts.write.run_bytes()), text_of_count(alone.requests, "request"),
                            text_of_seconds(alone.seconds), text_of_seconds(exchanged.seconds));
    } else {
        text += fmt::format("runs of {} would make {} (about {}), exchanged they make {} (about {})",
                            text_of_bytes(facts.write.run_bytes()), text_of_count(alone.requests, "request"),
                            text_of_seconds(alone.seconds), text_of_count(chosen.requests),
                            text_of_seconds(chosen.seconds));
    }
    if (auto const asked = options.window.value; asked != 0 && asked < least_window(facts)) {
        text += fmt::format("; windows of {} would be {}", text_of_bytes(asked), text_of_count(facts.bytes / asked));
    }
    return fmt::format("{} ({}){}", text, where(facts, options),
                       options.measure ? "; nothing was measured: measure= has no effect any more" : "");
}

}  // namespace weir::array
