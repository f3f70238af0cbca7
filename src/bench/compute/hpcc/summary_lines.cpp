#include "bench/compute/hpcc/summary_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/latency.hpp"

namespace weir {

bool is_wrong(Json const& sample) { return sample.contains(SummaryLines::wrong); }

void SummaryLines::text(std::string_view key, std::string_view value) { text_ += fmt::format("{}={}\n", key, value); }

void SummaryLines::number(std::string_view key, double value) {
    constexpr double most_exact = 1e15;
    auto const is_whole = value == std::floor(value) && std::abs(value) < most_exact;
    text(key, is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value));
}

SummaryLines& SummaryLines::of_either(std::string const& series, std::string const& test) {
    of(series + "star-" + test);
    return found("/size") || found("/words") ? *this : of(series + "single-" + test);
}

void SummaryLines::metric(std::string_view key, std::string_view name, double unit) {
    std::vector<double> values;
    for (auto const* sample : of_phase()) {
        for (auto const& one : sample->at("metrics")) {
            if (one.at("key") == name && one.at("value").is_number()) {
                values.push_back(one.at("value").get<double>());
            }
        }
    }
    if (values.empty()) {
        return number(key, -1);
    }
    auto const count = values.size();
    auto const value = median(std::move(values)) / unit;
    number(key, value);
    results_.push_back({std::string(key), value, count, found("/rules").value_or("").get<std::string>(), marks()});
}

void SummaryLines::detail(std::string_view key, std::string const& pointer) {
    Json::json_pointer const at("/details" + pointer);
    std::vector<double> values;
    for (auto const* sample : of_phase()) {
        if (sample->contains(at) && sample->at(at).is_number()) {
            values.push_back(sample->at(at).get<double>());
        }
    }
    number(key, values.empty() ? -1 : median(std::move(values)));
}

std::optional<Json> SummaryLines::found(std::string const& pointer) const {
    Json::json_pointer const at("/details" + pointer);
    auto const* sample = last();
    return sample != nullptr && sample->contains(at) ? std::optional(sample->at(at)) : std::nullopt;
}

std::vector<std::string> SummaryLines::phases_with(std::function<bool(Json const&)> const& holds) const {
    std::vector<std::string> phases;
    for (auto const& sample : samples_) {
        std::string const phase = sample.at("phase");
        if (holds(sample) && std::find(phases.begin(), phases.end(), phase) == phases.end()) {
            phases.push_back(phase);
        }
    }
    return phases;
}

std::vector<Json const*> SummaryLines::of_phase() const {
    std::vector<Json const*> found;
    for (auto const& sample : samples_) {
        if (sample.at("phase") == phase_) {
            found.push_back(&sample);
        }
    }
    return found;
}

Json const* SummaryLines::last() const {
    auto const found = of_phase();
    return found.empty() ? nullptr : found.back();
}

std::string SummaryLines::marks() const {
    auto const samples = of_phase();
    auto const failed =
        std::any_of(samples.begin(), samples.end(), [](Json const* sample) { return is_wrong(*sample); });
    std::string text = failed ? ", WRONG: its check failed" : "";
    text += found("/conforming") == Json(false) ? ", not conforming" : "";
    auto const* sample = last();
    for (auto const& one : sample != nullptr ? sample->value("warnings", Json::array()) : Json::array()) {
        text += ", " + one.at("code").get<std::string>();
    }
    return text;
}

}  // namespace weir
