#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "comm/communicator.hpp"
#include "comm/launch_check.hpp"
#include "core/error.hpp"

namespace weir {

/// What a node saw of a directory that the first rank had made: that directory, and what the next node put into it.
struct NodeSight {
    std::uint64_t rank = 0;  ///< its first one
    std::string host;
    bool first = false;
    bool next = false;  ///< the next of the last node is the first one
};

/// Two nodes whose directories of one name are not the same.
struct ApartNodes {
    std::string maker;
    std::string looker;  ///< which does not see what the maker made
    std::uint64_t looker_rank = 0;
    std::uint64_t others = 0;  ///< further nodes that miss something
};

/// Two nodes that are apart, if there are any. Pure.
std::optional<ApartNodes> judge_sight(std::span<NodeSight const>);

/// Looks whether all nodes see one directory, which the first rank has made under a name that nothing had before. Each
/// node's first rank puts a file into it, and removes it again; the others look for it, again and again for that long,
/// since a client of a network's file system may have old knowledge. Nothing for a single node. Error, the same on all
/// ranks, if a node cannot make its file. Collective.
std::optional<ApartNodes> find_apart_nodes(std::filesystem::path const& made, Communicator const&,
                                           Communicator const& node, std::chrono::milliseconds patience);

/// What is to be known of numbers that nodes measured each on a disk of its own.
Warning own_disks(std::filesystem::path const& directory, ApartNodes const&);

/// The refusal of a directory, with the name that the user gave it (cannot_run).
Error not_shared(std::filesystem::path const& directory, ApartNodes const&);

}  // namespace weir
