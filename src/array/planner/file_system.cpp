#include "array/planner/file_system.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace weir::array {
namespace {

struct Known {
    std::uint64_t type;
    char const* name;
    Storage storage;
};

/// From statfs(2) and the file systems' own headers.
constexpr std::array known{
    Known{0xEF53, "ext4", Storage::local},        Known{0x58465342, "xfs", Storage::local},
    Known{0x9123683E, "btrfs", Storage::local},   Known{0x2FC12FC1, "zfs", Storage::local},
    Known{0xF2F52010, "f2fs", Storage::local},    Known{0x794C7630, "overlayfs", Storage::local},
    Known{0x01021994, "tmpfs", Storage::memory},  Known{0x858458F6, "ramfs", Storage::memory},
    Known{0x6969, "nfs", Storage::server},        Known{0xFE534D42, "smb", Storage::server},
    Known{0xFF534D42, "cifs", Storage::server},   Known{0x0BD00BD0, "lustre", Storage::parallel},
    Known{0x47504653, "gpfs", Storage::parallel}, Known{0x19830326, "beegfs", Storage::parallel},
    Known{0x00C36400, "ceph", Storage::parallel}, Known{0xAAD7AAEA, "panfs", Storage::parallel},
    Known{0x65735546, "fuse", Storage::unknown},
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
    auto const* const found = std::ranges::find(known, type, &Known::type);
    return type == 0 ? "" : found == known.end() ? fmt::format("{:#x}", type) : found->name;
}

FileSystem file_system_of(std::uint64_t type) {
    auto const* const found = std::ranges::find(known, type, &Known::type);
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

}  // namespace weir::array
