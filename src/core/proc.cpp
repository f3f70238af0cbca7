#include "core/proc.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <future>
#include <limits>
#include <sstream>
#include <system_error>

#include "core/text_file.hpp"

namespace weir {
namespace {

std::optional<std::uint64_t> number_in(std::string const& path) {
    std::istringstream text(read_text_file(path).value_or(""));
    std::uint64_t number = 0;
    return text >> number ? std::optional(number) : std::nullopt;  // "max" is no limit
}

/// The memory control groups of one cgroup version. `counts`: the prefix of those keys of memory.stat that include
/// descendants.
struct Hierarchy {
    std::string mount;
    std::string limit;
    std::string usage;
    std::string counts;
};

/// Page cache in a group's usage: the kernel reclaims it when programs need memory. Without this, a group with much I/O
/// would look full. Source: Linux Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst.
std::uint64_t reclaimable_in(std::string const& folder, Hierarchy const& hierarchy) {
    std::istringstream text(read_text_file(folder + "/memory.stat").value_or(""));
    std::uint64_t sum = 0;
    std::string key;
    for (std::uint64_t number = 0; text >> key >> number;) {
        if (key == hierarchy.counts + "inactive_file" || key == hierarchy.counts + "active_file") {
            sum += number;
        }
    }
    return sum;
}

/// The part of its limit that a control group has free.
std::optional<std::uint64_t> left_in(std::string const& folder, Hierarchy const& hierarchy) {
    auto const most = number_in(folder + "/" + hierarchy.limit);
    auto const used = number_in(folder + "/" + hierarchy.usage);
    // Version 1 writes "no limit" as a very large number.
    if (!most || !used || *most > std::numeric_limits<std::uint64_t>::max() / 4) {
        return {};
    }
    auto const held = *used - std::min(*used, reclaimable_in(folder, hierarchy));
    return *most > held ? *most - held : 0;
}

std::optional<std::uint64_t> lesser(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
    return a && b ? std::min(a, b) : a ? a : b;
}

/// The minimum over a group and its ancestors: a job's limit is above the group of its step or task. Folders that do
/// not exist are skipped: a container may see its own group as the root, but read the host's path.
std::optional<std::uint64_t> left_up_to_root(std::string group, Hierarchy const& hierarchy) {
    std::optional<std::uint64_t> least;
    while (true) {
        least = lesser(least, left_in(hierarchy.mount + group, hierarchy));
        auto const slash = group.rfind('/');
        if (slash == std::string::npos) {
            return least;
        }
        group.resize(slash);
    }
}

/// One line of /proc/self/cgroup, "4:memory,hugetlb:/job"; version 2 has no controllers. The path may contain colons.
struct Membership {
    std::string controllers;
    std::string group;
};

Membership parse_membership(std::string const& line) {
    auto const first = line.find(':');
    auto const second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) {
        return {"none", ""};
    }
    return {line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

bool names_memory(std::string const& controllers) {
    return ("," + controllers + ",").find(",memory,") != std::string::npos;
}

/// Free memory within control-group limits: version 2 or 1, as mounted for this process.
std::optional<std::uint64_t> left_in_control_groups(std::string const& root) {
    Hierarchy const version2{root + "/sys/fs/cgroup", "memory.max", "memory.current", ""};
    Hierarchy const version1{root + "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                             "total_"};
    std::optional<std::uint64_t> least;
    std::istringstream lines(read_text_file(root + "/proc/self/cgroup").value_or(""));
    for (std::string line; std::getline(lines, line);) {
        auto const [controllers, group] = parse_membership(line);
        if (controllers.empty()) {
            least = lesser(least, left_up_to_root(group, version2));
        } else if (names_memory(controllers)) {
            least = lesser(least, left_up_to_root(group, version1));
        }
    }
    return least;
}

std::optional<Bytes> of_meminfo(std::string const& root, std::string const& key) {
    auto const text = read_text_file(root + "/proc/meminfo");
    auto const kib = text ? number_of_line(*text, key) : std::nullopt;
    return kib ? std::optional(Bytes{*kib * 1024}) : std::nullopt;
}

/// The list of CPUs in a task's `status`; empty if unknown.
std::string allowed_in(std::string const& path) {
    std::istringstream lines(read_text_file(path).value_or(""));
    constexpr std::string_view key = "Cpus_allowed_list:\t";
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(key)) {
            return line.substr(key.size());
        }
    }
    return "";
}

}  // namespace

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

std::optional<Seconds> busy_core_time(std::string const& root) {
    std::istringstream text(read_text_file(root + "/proc/stat").value_or(""));
    std::string name;
    // The next field is steal, which is not work of this machine: its host gave that time to others.
    std::array<double, 7> ticks{};  // user nice system idle iowait irq softirq
    text >> name;
    for (auto& value : ticks) {
        text >> value;
    }
    if (!text || name != "cpu") {
        return {};
    }
    auto const busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6];
    return Seconds{busy / static_cast<double>(sysconf(_SC_CLK_TCK))};
}

std::optional<char> process_state(std::int64_t process, std::string const& root) {
    auto const text = read_text_file(fmt::format("{}/proc/{}/stat", root, process)).value_or("");
    // The program's name may hold anything, a parenthesis too.
    auto const end_of_name = text.rfind(')');
    return end_of_name != std::string::npos && end_of_name + 2 < text.size() ? std::optional(text[end_of_name + 2])
                                                                             : std::nullopt;
}

std::string kernel_function(std::int64_t process, std::string const& root) {
    auto const text = read_text_file(fmt::format("{}/proc/{}/wchan", root, process)).value_or("");
    return text == "0" ? "" : text;
}

std::optional<Bytes> storage_bytes(std::int64_t process, std::string const& root) {
    auto const text = read_text_file(fmt::format("{}/proc/{}/io", root, process));
    auto const read = text ? number_of_line(*text, "read_bytes") : std::nullopt;
    auto const written = text ? number_of_line(*text, "write_bytes") : std::nullopt;
    return read && written ? std::optional(Bytes{*read + *written}) : std::nullopt;
}

std::optional<Bytes> bytes_read_from_devices() {
    auto const text = read_text_file("/proc/self/io");
    auto const bytes = text ? number_of_line(*text, "read_bytes") : std::nullopt;
    return bytes ? std::optional(Bytes{*bytes}) : std::nullopt;
}

std::optional<Bytes> available_memory(std::string const& root) {
    auto const machine = of_meminfo(root, "MemAvailable");
    return machine
               ? std::optional(Bytes{std::min(machine->value, left_in_control_groups(root).value_or(machine->value))})
               : std::nullopt;
}

std::optional<Bytes> address_space_left() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return {};
    }
    auto const pages = std::strtoull(read_text_file("/proc/self/statm").value_or("").c_str(), nullptr, 10);
    auto const mapped = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return Bytes{limit.rlim_cur - std::min<std::uint64_t>(mapped, limit.rlim_cur)};
}

std::optional<Bytes> total_memory(std::string const& root) { return of_meminfo(root, "MemTotal"); }

std::optional<Bytes> last_cache(std::string const& root) {
    std::optional<Bytes> last;
    std::uint64_t highest = 0;
    for (int index = 0;; ++index) {
        auto const folder = fmt::format("{}/sys/devices/system/cpu/cpu0/cache/index{}", root, index);
        std::istringstream level(read_text_file(folder + "/level").value_or(""));
        std::istringstream size(read_text_file(folder + "/size").value_or(""));
        std::uint64_t at = 0;
        std::uint64_t kib = 0;
        if (!(level >> at)) {
            return last;
        }
        if (size >> kib && at >= highest) {  // "266240K"
            highest = at;
            last = Bytes{kib * 1024};
        }
    }
}

std::string allowed_cpus() { return allowed_in("/proc/self/status"); }

std::string bindable_cpus() {
    std::string cpus;
    try {
        // In a thread of its own: the binding of this one stays.
        std::async(std::launch::async, [&cpus] {
            cpu_set_t all;
            std::memset(&all, 0xff, sizeof(all));
            if (pthread_setaffinity_np(pthread_self(), sizeof(all), &all) == 0) {  // the kernel leaves out the others
                cpus = allowed_in("/proc/thread-self/status");
            }
        }).get();
    } catch (std::system_error const&) {
        return "";
    }
    return cpus;
}

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::string utc_time() {
    auto const now = std::chrono::system_clock::now();
    auto const ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    auto const seconds = std::chrono::system_clock::to_time_t(now);
    std::tm broken_down{};
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &broken_down));
    return fmt::format("{}.{:03}Z", text.data(), ms);
}

}  // namespace weir
