#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace weir {

/// Of the file systems of these directories: free for this user, or all, also what others have; nothing where they do
/// not tell. Local.
enum class RoomOf { free, whole };
std::optional<std::uint64_t> room_in(std::vector<std::filesystem::path> const& directories, RoomOf);

/// Throws Error (cannot_run) if so many bytes of new files do not fit there. Local.
void refuse_more_room(std::vector<std::filesystem::path> const& directories, std::uint64_t bytes, RoomOf);

}  // namespace weir
