#include "bench/metric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/enum_names.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

double combined(std::vector<double> const& values, Metric const& metric) {
    auto const sum = std::accumulate(values.begin(), values.end(), 0.0);
    switch (metric.over_ranks) {
        case OverRanks::sum:
            return sum;
        case OverRanks::mean:
            return sum / static_cast<double>(values.size());
        case OverRanks::slowest:
            break;
    }
    auto const [least, greatest] = std::minmax_element(values.begin(), values.end());
    return metric.better == Better::higher ? *least : *greatest;
}

}  // namespace

std::optional<double> per_second(double amount, double elapsed_s) {
    return elapsed_s > 0 ? std::optional(amount / elapsed_s) : std::nullopt;
}

Metric bandwidth(double bytes, double elapsed_s) {
    return {"bandwidth_bytes_per_s", per_second(bytes, elapsed_s), "B/s", "bandwidth"};
}

Metric operation_rate(double operations, double elapsed_s) {
    return {"operations_per_s", per_second(operations, elapsed_s), "1/s", "rate"};
}

Metric elapsed_time(double elapsed_s) { return {"elapsed_s", elapsed_s, "s", "time", Better::lower}; }

Metric in_gbytes(Metric metric) {
    metric.decimal = true;
    return metric;
}

Metric over_all_ranks(Metric mine, Communicator const& comm) {
    auto const values = comm.all_gather(mine.value.value_or(std::numeric_limits<double>::quiet_NaN()));
    auto const known = std::ranges::none_of(values, [](double value) { return std::isnan(value); });
    mine.value = known ? std::optional(combined(values, mine)) : std::nullopt;
    return mine;
}

Json to_json(ScreenPlace const& where) { return {{"place", where.place}, {"label", where.label}}; }

Json to_json(std::vector<Metric> const& metrics) {
    auto json = Json::array();
    for (auto const& metric : metrics) {
        json.push_back({{"key", metric.key},
                        {"value", metric.value ? Json(*metric.value) : Json()},
                        {"unit", metric.unit},
                        {"noun", metric.noun},
                        {"better", to_text(metric.better)},
                        {"over_ranks", to_text(metric.over_ranks)},
                        {"decimal", metric.decimal}});
        if (metric.first_screen) {
            json.back()["first_screen"] = to_json(*metric.first_screen);
        }
    }
    return json;
}

}  // namespace weir
