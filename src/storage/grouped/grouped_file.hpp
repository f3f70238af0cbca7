#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/grouped/grouping.hpp"

namespace weir {

/// A file that the roots of groups have open. All ranks that opened it take part in every access to an array of it.
class GroupedFile final : public OpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all. Back-end and group must
    /// outlive this.
    GroupedFile(Backend& inner, OpenRequest const&, Group&, GroupRequests);

    void set_collective(bool collective) override;

    /// Refused (Error, usage): only arrays are divided among ranks.
    void write(Operation const&, std::span<std::byte const>) override { refuse(); }
    std::size_t read(Operation const&, std::span<std::byte>) override { refuse(); }

    [[nodiscard]] bool takes_parts() const override { return true; }
    [[nodiscard]] bool moves_together(Array const&) const override { return true; }
    void begin_part(PartRequest const&) override {}
    void write_part(PartRequest const&, std::span<std::byte const> data) override;
    std::size_t read_part(PartRequest const&, std::span<std::byte> data) override;

    void preallocate(std::uint64_t bytes) override;
    void sync() override;
    [[nodiscard]] bool syncs_together() const override { return inner_syncs_together_; }
    void close() override;
    [[nodiscard]] Hints hints() const override;

  private:
    /// The parts of a group in one access, the same on all its ranks.
    struct Parts {
        std::vector<std::optional<Section>> of_member;
        std::vector<std::uint64_t> from;  ///< where each member's data begin among those of all
        std::uint64_t bytes = 0;

        [[nodiscard]] std::uint64_t bytes_of(std::size_t member) const {
            return of_member[member] ? of_member[member]->bytes() : 0;
        }
    };
    /// What a rank sends and receives in one exchange; nothing empty.
    struct Messages {
        std::vector<Communicator::Outgoing> outgoing;
        std::vector<Communicator::Incoming> incoming;

        void send(std::uint64_t to, std::span<std::byte const> data) {
            if (!data.empty()) {
                outgoing.push_back({to, data});
            }
        }
        void receive(std::uint64_t from, std::span<std::byte> data) {
            if (!data.empty()) {
                incoming.push_back({from, data});
            }
        }
    };
    [[noreturn]] void refuse() const;
    [[nodiscard]] Parts parts_of(PartRequest const&) const;
    [[nodiscard]] std::vector<std::optional<Section>> gathered(PartRequest const&) const;
    static Parts without_data(Parts);
    [[nodiscard]] bool makes_one(PartRequest const&) const;
    std::optional<Diagnosis> make_room(Parts const&);
    [[nodiscard]] std::span<std::byte> room(Parts const&);
    void collect(Parts const&, std::span<std::byte const> mine, std::span<std::byte> all) const;
    void distribute(Parts const&, std::span<std::byte const> all, std::span<std::byte> mine) const;
    template <class Visit>
    void each_partner(Parts const&, Visit visit) const;
    void exchange(Messages const&) const;
    void broadcast(std::span<std::byte> data) const;
    bool move_all(PartRequest const&, Parts const&, std::span<std::byte> data);
    bool move_part(PartRequest const&, std::optional<Section> const&, std::span<std::byte> data);
    bool move_packed(PartRequest const&, CombinedParts const&, std::span<std::byte> data);
    bool move_combined(PartRequest const&, CombinedParts const&, std::span<std::byte> data);
    bool move(PartRequest const&, std::span<std::byte> data);
    CombinedParts const& combined(Parts const&);
    [[nodiscard]] bool is_root() const { return group_.members.is_root(); }

    std::string path_;
    Group& group_;
    GroupRequests requests_;
    CallCounter* counter_;
    bool collective_;
    bool inner_syncs_together_ = false;
    bool may_end_early_ = true;        ///< may a read find less than it asks for?
    std::unique_ptr<OpenFile> inner_;  ///< null on other members
};

}  // namespace weir
