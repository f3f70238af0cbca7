#include "core/proc.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <limits>
#include <sstream>

namespace weir {
namespace {

std::optional<std::uint64_t> number_in(std::string const& path) {
    auto const text = read_text_file(path);
    if (!text || text->empty() || (*text)[0] < '0' || (*text)[0] > '9') {
        return {};  // "max" is no limit
    }
    return std::stoull(*text);
}

/// What a control group leaves of its limit: version 2 or 1, as mounted for this process.
std::optional<std::uint64_t> left_in_control_group() {
    auto const left = [](std::string const& limit, std::string const& usage) -> std::optional<std::uint64_t> {
        auto const most = number_in(limit);
        auto const used = number_in(usage);
        if (!most || !used || *most > std::numeric_limits<std::uint64_t>::max() / 4) {
            return {};
        }
        return *most > *used ? *most - *used : 0;
    };
    auto const groups = read_text_file("/proc/self/cgroup").value_or("");
    std::istringstream lines(groups);
    for (std::string line; std::getline(lines, line);) {
        auto const path = line.substr(line.rfind(':') + 1);
        if (line.starts_with("0::")) {
            auto const folder = "/sys/fs/cgroup" + path;
            if (auto const value = left(folder + "/memory.max", folder + "/memory.current")) {
                return value;
            }
        } else if (line.find(":memory:") != std::string::npos) {
            auto const folder = "/sys/fs/cgroup/memory" + path;
            if (auto const value = left(folder + "/memory.limit_in_bytes", folder + "/memory.usage_in_bytes")) {
                return value;
            }
        }
    }
    return {};
}

}  // namespace

std::optional<std::string> read_text_file(std::string const& path) {
    std::ifstream file(path);
    if (!file) {
        return {};
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::optional<std::uint64_t> number_of_line(std::string const& text, std::string const& key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(key + ":")) {
            std::istringstream rest(line.substr(key.size() + 1));
            std::uint64_t number = 0;
            return rest >> number ? std::optional(number) : std::nullopt;
        }
    }
    return {};
}

std::optional<Seconds> busy_core_time() {
    std::istringstream text(read_text_file("/proc/stat").value_or(""));
    std::string name;
    std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal
    text >> name;
    for (auto& value : ticks) {
        text >> value;
    }
    if (!text || name != "cpu") {
        return {};
    }
    auto const busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
    return Seconds{busy / static_cast<double>(sysconf(_SC_CLK_TCK))};
}

std::optional<Bytes> bytes_read_from_devices() {
    auto const text = read_text_file("/proc/self/io");
    auto const bytes = text ? number_of_line(*text, "read_bytes") : std::nullopt;
    return bytes ? std::optional(Bytes{*bytes}) : std::nullopt;
}

std::optional<Bytes> available_memory() {
    auto const text = read_text_file("/proc/meminfo");
    auto const kib = text ? number_of_line(*text, "MemAvailable") : std::nullopt;
    if (!kib) {
        return {};
    }
    auto const machine = *kib * 1024;
    return Bytes{std::min(machine, left_in_control_group().value_or(machine))};
}

std::string allowed_cpus() {
    std::istringstream lines(read_text_file("/proc/self/status").value_or(""));
    constexpr std::string_view key = "Cpus_allowed_list:\t";
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(key)) {
            return line.substr(key.size());
        }
    }
    return "";
}

std::uint64_t allowed_cpu_count() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return static_cast<std::uint64_t>(CPU_COUNT(&set));
    }
    return static_cast<std::uint64_t>(sysconf(_SC_NPROCESSORS_ONLN));
}

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::string utc_time() {
    auto const now = std::chrono::system_clock::now();
    auto const ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)), ms);
}

}  // namespace weir
