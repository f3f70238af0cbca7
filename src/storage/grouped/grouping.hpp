#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

#include "comm/communicator.hpp"
#include "storage/backend.hpp"

namespace weir {

/// Which ranks are a group: consecutive ones, or those of a node.
enum class GroupBy { count, node };
constexpr std::array<std::string_view, 2> enum_names(GroupBy) { return {"count", "node"}; }

/// The requests that the root of a group makes for an access to an array.
enum class GroupRequests {
    member,   ///< one for the part of each member
    combined  ///< one for all their parts; a back-end that cannot do that makes one for each
};
constexpr std::array<std::string_view, 2> enum_names(GroupRequests) { return {"member", "combined"}; }

/// I/O groups: the first rank of each opens the file and makes the requests, and its members' data pass between them in
/// messages, as in PFLOTRAN (Sripathi et al. 2009). Groups differ for reading and writing.
struct Grouping {
    std::uint64_t read = 1;  ///< ranks of a group, the last one's maybe fewer; 1: each makes its own requests
    std::uint64_t write = 1;
    GroupBy by = GroupBy::count;  ///< node: whatever the sizes are
    GroupRequests requests = GroupRequests::member;
};

/// One rank's group.
struct Group {
    Communicator members;       ///< rank 0 is its root
    Communicator roots;         ///< of all groups; only for roots
    std::uint64_t largest = 1;  ///< ranks of the largest group
};

/// Groups of these ranks by number or node. Collective.
Group group_of(Communicator const&, std::uint64_t size, GroupBy);

/// A back-end that makes another one's requests in groups, for files of arrays. Its files are the same bytes.
class GroupedBackend final : public Backend {
  public:
    GroupedBackend(std::shared_ptr<Backend> inner, Grouping const& grouping)
        : inner_(std::move(inner)), grouping_(grouping) {}

    void check_files(Pattern const& files) const override;
    void prepare(std::span<std::byte> buffer) override { inner_->prepare(buffer); }
    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t buffer_bytes) const override;
    std::unique_ptr<OpenFile> open(OpenRequest const&) override;
    void remove(std::filesystem::path const& path) override { inner_->remove(path); }
    void rename(std::filesystem::path const& from, std::filesystem::path const& to) override {
        inner_->rename(from, to);
    }
    [[nodiscard]] std::string avoids_caches() const override { return inner_->avoids_caches(); }

  private:
    /// Made once for the same ranks.
    Group const& group_for(Communicator const&, std::uint64_t size);

    struct Known {
        Communicator ranks;
        std::uint64_t size;
        Group group;
    };
    std::shared_ptr<Backend> inner_;
    Grouping grouping_;
    std::vector<std::unique_ptr<Known>> known_;
};

}  // namespace weir
