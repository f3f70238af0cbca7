#include "bench/same_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

#include "comm/collective_error.hpp"
#include "core/proc.hpp"
#include "core/rank_progress.hpp"

namespace weir {
namespace {

std::filesystem::path token_of(std::filesystem::path const& directory, std::uint64_t rank) {
    return directory / fmt::format(".weir-node-{}", rank);
}

/// Opening the directory has a client ask its server for what it holds.
void renew_knowledge_of(std::filesystem::path const& directory) {
    std::error_code unknown;
    std::filesystem::directory_iterator const ignored(directory, unknown);
}

bool sees(std::filesystem::path const& path, std::chrono::milliseconds patience) {
    using std::chrono::milliseconds;
    struct stat facts {};
    milliseconds waited(0);
    for (milliseconds nap(5);; nap = std::min(2 * nap, milliseconds(500))) {
        if (::lstat(path.c_str(), &facts) == 0) {
            return true;
        }
        if (waited >= patience) {
            return false;
        }
        std::this_thread::sleep_for(nap);
        waited += nap;
        weir::note_step();
        renew_knowledge_of(path.parent_path());
    }
}

void put_token(std::filesystem::path const& path) {
    constexpr mode_t mine = 0600;
    auto const file = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mine);
    if (file < 0) {
        throw file_error("make the file", path, errno);
    }
    ::close(file);
}

}  // namespace

std::optional<ApartNodes> judge_sight(std::span<NodeSight const> nodes) {
    std::optional<ApartNodes> found;
    std::uint64_t count = 0;
    auto const note = [&](std::string const& maker, NodeSight const& looker) {
        ++count;
        found = found ? found : ApartNodes{maker, looker.host, looker.rank, 0};
    };
    for (auto const& node : nodes) {
        if (!node.first) {
            note(nodes.front().host, node);
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto const& next = nodes[(i + 1) % nodes.size()];
        // Where the next node has another directory, its own line says so.
        if (nodes[i].first && next.first && !nodes[i].next) {
            note(next.host, nodes[i]);
        }
    }
    if (found) {
        found->others = count - 1;
    }
    return found;
}

std::optional<ApartNodes> find_apart_nodes(std::filesystem::path const& made, Communicator const& comm,
                                           Communicator const& node, std::chrono::milliseconds patience) {
    auto const firsts = comm.split(node.is_root() ? 0 : 1);
    auto const leads = comm.all_gather(std::uint64_t{node.is_root() ? 1U : 0U});
    if (comm.max(node.is_root() ? firsts.size() : 0) == 1) {
        return {};
    }
    auto const looks = node.is_root();
    auto const first = looks && sees(made, patience);
    auto const mine = token_of(made, firsts.rank());
    std::optional<Diagnosis> failure;
    if (first) {
        keep_failure(failure, [&] { put_token(mine); });
    }
    comm.quiet_barrier();  // of ranks that wait for a patient one
    agree(comm, failure);
    auto const next = first && sees(token_of(made, (firsts.rank() + 1) % firsts.size()), patience);
    auto const hosts = comm.all_gather(host_name());
    auto const saw_first = comm.all_gather(std::uint64_t{first ? 1U : 0U});
    auto const saw_next = comm.all_gather(std::uint64_t{next ? 1U : 0U});
    if (first) {
        ::unlink(mine.c_str());
    }
    std::vector<NodeSight> nodes;
    for (std::size_t rank = 0; rank < leads.size(); ++rank) {
        if (leads[rank] == 1) {
            nodes.push_back({rank, hosts[rank], saw_first[rank] == 1, saw_next[rank] == 1});
        }
    }
    return judge_sight(nodes);
}

Warning own_disks(std::filesystem::path const& directory, ApartNodes const& apart) {
    return {"own-disks", fmt::format("each node has a '{}' of its own", directory.string()),
            fmt::format("{} does not see what {} makes there", apart.looker, apart.maker),
            "Bandwidths are those of all nodes' disks together; name a shared directory to measure that."};
}

Error not_shared(std::filesystem::path const& directory, ApartNodes const& apart) {
    auto const others =
        apart.others == 0 ? "" : fmt::format("; {} nodes in all miss what others made", apart.others + 1);
    return Error({fmt::format("'{}' is not one directory for all nodes", directory.string()),
                  fmt::format("{} does not see what {} makes there{}", apart.looker, apart.maker, others),
                  "Name a directory of a file system that all nodes have mounted.", ExitCode::cannot_run,
                  apart.looker_rank});
}

}  // namespace weir
