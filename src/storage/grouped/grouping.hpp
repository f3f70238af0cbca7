#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "comm/communicator.hpp"
#include "core/memory.hpp"
#include "pattern/combined_parts.hpp"
#include "pattern/grouping.hpp"
#include "storage/backend.hpp"

namespace weir {

/// Of a root: what is kept from file to file, since each takes longer to make than a file to write.
struct GroupMemory {
    static constexpr std::size_t most_plans = 16;
    std::uint64_t bytes = 0;         ///< of all members in one access so far; known to all members
    std::optional<Buffer> room;      ///< for the data of all members
    std::optional<Buffer> in_order;  ///< the same in the file's order
    std::deque<CombinedParts> plans;
};

/// One rank's group.
struct Group {
    Communicator members;                  ///< rank 0 is its root
    Communicator roots;                    ///< of all groups; only for roots
    std::uint64_t largest = 1;             ///< ranks of the largest group
    std::vector<std::uint64_t> numbers{};  ///< of the members among all ranks
    std::unique_ptr<GroupMemory> memory = std::make_unique<GroupMemory>();
};

/// Groups of these ranks by number or node. Collective.
Group group_of(Communicator const&, std::uint64_t size, GroupBy);

/// A back-end that makes another one's requests in groups, for files of arrays. Its files are the same bytes.
class GroupedBackend final : public Backend {
  public:
    GroupedBackend(std::shared_ptr<Backend> inner, Grouping const& grouping)
        : inner_(std::move(inner)), grouping_(grouping) {}

    void check_files(Pattern const& files) const override;
    [[nodiscard]] bool decides_places() const override { return inner_->decides_places(); }
    void prepare(std::span<std::byte> buffer) override { inner_->prepare(buffer); }
    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t buffer_bytes) const override;
    std::unique_ptr<OpenFile> open(OpenRequest const&) override;
    void remove(std::filesystem::path const& path) override { inner_->remove(path); }
    void rename(std::filesystem::path const& from, std::filesystem::path const& to) override {
        inner_->rename(from, to);
    }
    [[nodiscard]] std::optional<CacheAvoidance> avoids_caches() const override { return inner_->avoids_caches(); }

  private:
    /// Made once for the same ranks.
    Group& group_for(Communicator const&, std::uint64_t size);

    struct KnownGroup {
        Communicator ranks;
        std::uint64_t size;
        Group group;
    };
    std::shared_ptr<Backend> inner_;
    Grouping grouping_;
    std::vector<std::unique_ptr<KnownGroup>> known_;
};

}  // namespace weir
