// Why a way was chosen: the planner's one line for people.

#include <fmt/format.h>

#include <cstring>

#include "array/choice.hpp"
#include "array/words.hpp"

namespace weir::array {
namespace {

std::string where(PlanFacts const& facts, PlanOptions const& options) {
    auto const& system = facts.file_system;
    auto text = system.error_number != 0
                    ? fmt::format("{} cannot be looked at: {}", options.directory, std::strerror(system.error_number))
                : system.type == 0 ? std::string("file system not known")
                                   : system.name();
    if (system.stripes != 0) {
        text += fmt::format(" with {} of {}", words_for_count(system.stripes, "stripe"),
                            words_for_bytes(system.stripe_bytes));
    }
    return fmt::format("{}, {}", text, facts.profile.source);
}

}  // namespace

std::string reason_for(PlanFacts const& facts, PlanOptions const& options, Choice const& choice) {
    auto const sizes = Sizes{choice.window, choice.group, options.exchange == Route::messages};
    auto const cost = [&](Use use, Way const& way) { return cost_of(facts, use, way, sizes); };
    auto const alone = cost(Use::write, {Method::independent, facts.ranks});
    auto const chosen = cost(Use::write, choice.write);
    auto text = words_for(choice) + ": ";
    if (options.method != Method::automatic) {
        text +=
            fmt::format("{} is asked for", options.method == Method::two_phase ? "two-phase" : to_text(options.method));
    } else if (choice.write.method == Method::independent) {
        auto const exchanged = cost(Use::write, {Method::two_phase, facts.ranks});
        text += fmt::format("runs of {} make {} (about {}), an exchange would gain nothing (about {})",
                            words_for_bytes(facts.write.run_bytes()), words_for_count(alone.requests, "request"),
                            words_for_seconds(alone.seconds), words_for_seconds(exchanged.seconds));
    } else {
        text += fmt::format("runs of {} would make {} (about {}), exchanged they make {} (about {})",
                            words_for_bytes(facts.write.run_bytes()), words_for_count(alone.requests, "request"),
                            words_for_seconds(alone.seconds), words_for_count(chosen.requests),
                            words_for_seconds(chosen.seconds));
    }
    return fmt::format("{} ({})", text, where(facts, options));
}

}  // namespace weir::array
