#include "array/planner/machine_profile.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "comm/collective_error_c.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace weir::array {
namespace {

struct KnownFileSystem {
    std::uint64_t type;
    char const* name;
    Storage storage;
};

/// From statfs(2) and the file systems' own headers.
constexpr std::array known{
    KnownFileSystem{0xEF53, "ext4", Storage::local},        KnownFileSystem{0x58465342, "xfs", Storage::local},
    KnownFileSystem{0x9123683E, "btrfs", Storage::local},   KnownFileSystem{0x2FC12FC1, "zfs", Storage::local},
    KnownFileSystem{0xF2F52010, "f2fs", Storage::local},    KnownFileSystem{0x794C7630, "overlayfs", Storage::local},
    KnownFileSystem{0x01021994, "tmpfs", Storage::memory},  KnownFileSystem{0x858458F6, "ramfs", Storage::memory},
    KnownFileSystem{0x6969, "nfs", Storage::server},        KnownFileSystem{0xFE534D42, "smb", Storage::server},
    KnownFileSystem{0xFF534D42, "cifs", Storage::server},   KnownFileSystem{0x0BD00BD0, "lustre", Storage::parallel},
    KnownFileSystem{0x47504653, "gpfs", Storage::parallel}, KnownFileSystem{0x19830326, "beegfs", Storage::parallel},
    KnownFileSystem{0x00C36400, "ceph", Storage::parallel}, KnownFileSystem{0xAAD7AAEA, "panfs", Storage::parallel},
    KnownFileSystem{0x65735546, "fuse", Storage::unknown},
};

/// A number in native byte order at this offset of a kernel structure; 0 past its end.
template <class Number>
Number number_at(std::span<std::byte const> bytes, std::size_t offset) {
    Number number = 0;
    if (offset + sizeof number <= bytes.size()) {
        std::memcpy(&number, bytes.data() + offset, sizeof number);
    }
    return number;
}

}  // namespace

std::string FileSystem::name() const {
    auto const* const found = std::ranges::find(known, type, &KnownFileSystem::type);
    return type == 0 ? "" : found == known.end() ? fmt::format("{:#x}", type) : found->name;
}

FileSystem file_system_of(std::uint64_t type) {
    auto const* const found = std::ranges::find(known, type, &KnownFileSystem::type);
    return {type, found == known.end() ? Storage::unknown : found->storage};
}

void read_lustre_layout(std::span<std::byte const> attribute, FileSystem& system) {
    // struct lov_user_md_v1 or _v3, alone or in a struct lov_comp_md_v1 with entries of 48 bytes.
    constexpr std::uint32_t composite = 0x0BD60BD0;
    constexpr std::uint32_t version_1 = 0x0BD10BD0;
    constexpr std::uint32_t version_3 = 0x0BD30BD0;
    if (number_at<std::uint32_t>(attribute, 0) == composite) {
        auto const entries = number_at<std::uint16_t>(attribute, 14);
        auto const offset = number_at<std::uint32_t>(attribute, entries == 0 ? 0 : 32 + (entries - 1) * 48 + 24);
        attribute = attribute.subspan(std::min<std::size_t>(offset, attribute.size()));
    }
    auto const magic = number_at<std::uint32_t>(attribute, 0);
    if (magic == version_1 || magic == version_3) {
        auto const all_servers = std::uint16_t{0xffff};
        auto const count = number_at<std::uint16_t>(attribute, 28);
        system.stripe_bytes = number_at<std::uint32_t>(attribute, 24);
        system.stripes = count == all_servers ? 0 : count;
    }
}

FileSystem look_at(std::string const& directory) {
    struct statfs status {};
    if (::statfs(directory.c_str(), &status) != 0) {
        FileSystem none;
        none.error_number = errno;
        return none;
    }
    auto system = file_system_of(static_cast<std::uint32_t>(status.f_type));
    struct stat attributes {};
    if (system.remote() && ::stat(directory.c_str(), &attributes) == 0) {
        system.stripe_bytes = static_cast<std::uint64_t>(attributes.st_blksize);
    }
    if (system.name() == "lustre") {
        std::array<std::byte, 16384> layout;
        auto const length = ::getxattr(directory.c_str(), "lustre.lov", layout.data(), layout.size());
        read_lustre_layout({layout.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))}, system);
    }
    return system;
}

namespace {

constexpr std::size_t shown = 60;  // characters of what is wrong

void take(StrictObject const& object, char const* key, double& number) {
    if (!object.has(key)) {
        return;
    }
    auto const value = object.number(key);
    validate(value > 0, fmt::format("{} is {}", object.place(key), value), "it must be greater than 0",
             "Leave out what is not known.");
    number = value;
}

void take(StrictObject const& profile, char const* key, FileSpeed& speed) {
    if (profile.has(key)) {
        StrictObject const object(profile.at(key), profile.place(key),
                                  {"one_bytes_per_s", "all_bytes_per_s", "request_s"});
        take(object, "one_bytes_per_s", speed.one_bytes_per_s);
        take(object, "all_bytes_per_s", speed.all_bytes_per_s);
        take(object, "request_s", speed.request_s);
    }
}

/// A number of the model; unknown ones are null, and a line fitted to sizes far from 0 may start below 0.
void take_known(Json const& range, char const* key, double& number) {
    auto const value = range.is_object() ? range.value(key, Json()) : Json();
    validate(value.is_null() || value.is_number(), fmt::format("network.paths.ranges.{} is not a number", key),
             fmt::format("it is {}", json_text(value).substr(0, shown)), "Correct it.");
    if (value.is_number() && value.get<double>() > 0) {
        number = value.get<double>();
    }
}

/// Takes latency and bandwidth from the model of messages between the ranks that are farthest apart: a network's, where
/// one was measured.
void take_network(StrictObject const& network, MachineProfile& profile) {
    constexpr std::array near_to_far{"core", "cache", "package", "node", "nodes"};
    std::ptrdiff_t farthest = -1;
    for (auto const& path : network.array("paths")) {
        auto const distance = path.is_object() ? path.value("distance", Json()) : Json();
        auto const place = std::ranges::find(near_to_far, distance) - near_to_far.begin();
        auto const ranges = path.is_object() ? path.value("ranges", Json()) : Json();
        validate(place < std::ssize(near_to_far) && ranges.is_array() && !ranges.empty(),
                 fmt::format("a path of {} is {}", network.place("paths"), json_text(path).substr(0, shown)),
                 "it has a distance (core, cache, package, node or nodes) and ranges",
                 "make it again by `weir network model --into`.");
        if (place > farthest) {
            farthest = place;
            take_known(ranges.front(), "start_s", profile.message_s);
            take_known(ranges.back(), "bytes_per_s", profile.network_bytes_per_s);
        }
    }
}

void take(Json const& json, MachineProfile& profile) {
    validate(json.is_object() && json.contains("weir_profile") && (json.contains("array") || json.contains("network")),
             "it is no machine profile", "it is no object with the keys weir_profile and array or network",
             "docs/reference/machine-profile.md shows one.");
    validate(json.at("weir_profile") == 1, fmt::format("it is of version {}", json_text(json.at("weir_profile"))),
             "this library knows version 1", "Make it again, or take a newer library.");
    if (json.contains("network")) {
        take_network(StrictObject(json.at("network"), "network", {"source", "paths"}), profile);
    }
    if (json.contains("array")) {
        StrictObject const array(json.at("array"), "array",
                                 {"write", "read", "copy_bytes_per_s", "message_s", "network_bytes_per_s"});
        take(array, "write", profile.write);
        take(array, "read", profile.read);
        take(array, "copy_bytes_per_s", profile.copy_bytes_per_s);
        take(array, "message_s", profile.message_s);
        take(array, "network_bytes_per_s", profile.network_bytes_per_s);
    }
}

}  // namespace

MachineProfile usual_profile(FileSystem const& system, std::uint64_t nodes) {
    // Measured on a virtual machine of two cores; the values of network file systems are assumptions.
    constexpr double usual_copy = 8e9;
    constexpr double usual_message = 2e-6;
    constexpr double usual_network = 10e9;
    MachineProfile profile{{}, {}, usual_copy, usual_message, usual_network, "usual numbers"};
    auto storage = system.storage;
    if (storage == Storage::unknown) {
        storage = nodes == 1 ? Storage::local : Storage::parallel;
    }
    auto const n = static_cast<double>(nodes);
    switch (storage) {
        case Storage::memory:
            profile.write = {2e9, 5e9, 1e-6};
            profile.read = {4.4e9, 8e9, 1e-6};
            break;
        case Storage::server:
            profile.write = {0.5e9, 1.1e9, 100e-6};
            profile.read = {0.5e9, 1.1e9, 100e-6};
            break;
        case Storage::parallel:
            profile.write = {1e9, 4e9 * n, 50e-6};
            profile.read = {1e9, 4e9 * n, 50e-6};
            break;
        default:
            profile.write = {4.9e9, 3.3e9, 4e-6};
            profile.read = {5e9, 10e9, 1e-6};
    }
    return profile;
}

void read_profile(std::string const& text, std::string const& name, MachineProfile& profile) {
    try {
        auto const json = parse_json(text);
        validate(!json.is_discarded(), "it is no machine profile", "it is no JSON",
                 "docs/reference/machine-profile.md shows one.");
        take(json, profile);
    } catch (Error const& error) {
        auto const& d = error.diagnosis();
        fail(WEIR_BAD_ARGUMENT, fmt::format("{} cannot be used: {}", name, d.problem), d.reason, d.suggestion);
    }
    profile.source = name;
}

}  // namespace weir::array
