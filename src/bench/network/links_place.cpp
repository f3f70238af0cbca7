#include "bench/network/links_place.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "core/text_file.hpp"

namespace weir {
namespace {

/// The first and the last CPU of each range of a list; what is no list gives none.
std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges(std::string_view list) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
    auto const* at = list.data();
    auto const* const end = at + list.size();
    while (at < end) {
        std::uint64_t first = 0;
        auto read = std::from_chars(at, end, first);
        auto last = first;
        if (read.ec == std::errc{} && read.ptr < end && *read.ptr == '-') {
            read = std::from_chars(read.ptr + 1, end, last);
        }
        if (read.ec != std::errc{}) {
            return {};
        }
        found.emplace_back(first, last);
        at = read.ptr + 1;
    }
    return found;
}

std::optional<std::string> word_of_file(std::string const& path) {
    auto text = read_text_file(path);
    if (text && text->ends_with('\n')) {
        text->pop_back();
    }
    return text && !text->empty() ? text : std::nullopt;
}

/// The CPUs that share the cache of the highest level with this one.
std::optional<std::string> sharers_of_last_cache(std::string const& cpu) {
    std::optional<std::string> sharers;
    std::string highest;
    for (int index = 0;; ++index) {
        auto const cache = fmt::format("{}/cache/index{}", cpu, index);
        auto const level = word_of_file(cache + "/level");
        if (!level) {
            return sharers;
        }
        if (*level >= highest) {
            highest = *level;
            sharers = word_of_file(cache + "/shared_cpu_list");
        }
    }
}

LinkPlace place_of_cpu(std::string const& cpu) {
    return {word_of_file(cpu + "/topology/thread_siblings_list"), sharers_of_last_cache(cpu),
            word_of_file(cpu + "/topology/physical_package_id")};
}

/// What both have in common.
void keep_common(std::optional<std::string>& common, std::optional<std::string> const& other) {
    if (common != other) {
        common.reset();
    }
}

}  // namespace

LinkPlace link_place(std::string const& cpus, std::string const& root) {
    std::optional<LinkPlace> common;
    for (auto const& [first, last] : ranges(cpus)) {
        for (auto cpu = first; cpu <= last; ++cpu) {
            auto const place = place_of_cpu(fmt::format("{}/sys/devices/system/cpu/cpu{}", root, cpu));
            if (!common) {
                common = place;
                continue;
            }
            keep_common(common->core, place.core);
            keep_common(common->cache, place.cache);
            keep_common(common->package, place.package);
            if (!common->core && !common->cache && !common->package) {
                return {};
            }
        }
    }
    return common.value_or(LinkPlace{});
}

Json to_json(LinkPlace const& place) {
    auto const or_null = [](std::optional<std::string> const& name) { return name ? Json(*name) : Json(); };
    return {{"core", or_null(place.core)}, {"cache", or_null(place.cache)}, {"package", or_null(place.package)}};
}

}  // namespace weir
