#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace weir::array {

/// Where a dump is written before it replaces the last one.
std::filesystem::path aside(std::filesystem::path const&);

/// Puts a file that is on the device in the place of another, and that on the device too. Throws Failure. Local.
void move_into_place(std::filesystem::path const& from, std::filesystem::path const& to);

/// Makes a file at least so long; what is new reads as zeros. `sync`: on the device. Throws Failure. Local.
void make_reach(std::filesystem::path const&, std::uint64_t end, bool sync);

/// Replaces a file by this text, so that an interruption leaves the one or the other. Throws Failure. Local.
void replace_file(std::filesystem::path const&, std::string const& text);

}  // namespace weir::array
