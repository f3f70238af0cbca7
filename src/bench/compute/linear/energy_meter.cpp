#include "bench/compute/linear/energy_meter.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/error.hpp"
#include "core/text_file.hpp"

namespace weir {
namespace {

std::optional<std::uint64_t> number_in(std::string const& path) {
    auto const text = read_text_file(path).value_or("");
    std::uint64_t number = 0;
    auto const [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    return status == std::errc{} ? std::optional(number) : std::nullopt;
}

}  // namespace

PackageEnergy::PackageEnergy(std::string const& root) {
    std::error_code ignored;
    for (auto const& entry : std::filesystem::directory_iterator(root + "/sys/class/powercap", ignored)) {
        auto const path = entry.path().string();
        auto const range = number_in(path + "/max_energy_range_uj");
        if (range && read_text_file(path + "/name").value_or("").starts_with("package-")) {
            counters_.push_back({path + "/energy_uj", *range});
        }
    }
    since_last_j();
}

std::optional<double> PackageEnergy::since_last_j() {
    if (counters_.empty()) {
        return {};
    }
    std::optional<double> sum_j = 0.0;
    for (auto& counter : counters_) {
        auto const now = number_in(counter.path);
        if (now && counter.last_uj && sum_j) {
            auto const wrapped = *now < *counter.last_uj ? counter.range_uj : 0;
            *sum_j += 1e-6 * static_cast<double>(*now + wrapped - *counter.last_uj);
        } else {
            sum_j.reset();
        }
        counter.last_uj = now;
    }
    return sum_j;
}

EnergyMeter::EnergyMeter(Communicator const& comm, std::string const& root) : comm_(comm) {
    if (comm.node().is_root()) {
        energy_.emplace(root);
    }
}

void EnergyMeter::start() {
    has_started_ = true;
    if (energy_) {
        energy_->since_last_j();
    }
}

std::optional<double> EnergyMeter::used_j() {
    expect(has_started_, "energy is measured from a start");
    has_started_ = false;
    auto const mine = energy_ ? energy_->since_last_j().value_or(-1) : 0;
    double sum_j = 0;
    for (auto const one : comm_.all_gather(mine)) {
        if (one < 0) {
            return {};
        }
        sum_j += one;
    }
    return sum_j;
}

std::vector<Metric> metrics_of(WorkEnergy const& energy) {
    if (!energy.joules || *energy.joules <= 0) {
        return {};
    }
    return {{"energy_j", energy.joules, "J", "energy of the processors", Better::lower, OverRanks::sum},
            {std::string(energy.unit == "B" ? "bytes" : energy.unit) + "_per_joule", energy.work / *energy.joules,
             std::string(energy.unit) + "/J", "work for each joule of the processors", Better::higher, OverRanks::sum}};
}

}  // namespace weir
