#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace weir::sim {

/// Flows of bytes that share links max-min fairly: no flow can have more unless one that has no more than it gets less
/// (Bertsekas, Gallager: Data Networks, 1992, section 6.5.2). What changes concerns only flows that are connected by
/// links. All times are those of the calls, which never go back.
class Flows {
  public:
    using Link = std::uint32_t;
    static constexpr std::size_t most_links = 4;

    /// A link with that many bytes/s; it may be unlimited.
    Link add_link(double bytes_per_s);

    /// Begins a flow of that many bytes over these different links, with `most` bytes/s at most. `what` tells it apart.
    void begin(double now, std::span<Link const> path, double bytes, double most, std::uint32_t what);

    /// Have flows begun or ended at this time, whose rates are not yet computed? Then others may come at the same time.
    [[nodiscard]] bool changes_at(double time) const {
        return now_ == time && taken_ == ended_.size() && (!changed_.empty() || !alone_.empty());
    }

    /// When the next flow ends; infinity if there is none.
    double next();

    /// Takes the next one that ends: its `what`. There must be one.
    std::uint32_t take();

    /// Bytes that have passed a link.
    [[nodiscard]] double passed(Link link) const { return links_[link].passed; }
    [[nodiscard]] double capacity(Link link) const { return links_[link].capacity; }

  private:
    using FlowId = std::uint32_t;
    struct LinkState {
        double capacity;
        double passed = 0;
        std::vector<FlowId> flows{};
        double left = 0;         ///< while rates are computed
        std::uint32_t open = 0;  ///< its flows without a rate yet
        double share = 0;        ///< of each of them
        double least = 0;        ///< that one of them may have
        bool changed = false;
        bool seen = false;
    };
    struct Flow {
        std::array<Link, most_links> path{};
        std::array<std::uint32_t, most_links> place{};  ///< in LinkState::flows
        std::uint32_t links = 0;
        std::uint32_t what = 0;
        double left = 0;  ///< bytes, at `since`
        double rate = 0;
        double since = 0;
        double most = 0;
        double may = 0;                ///< have, while rates are computed: the least share of its links
        double ends = 0;               ///< when, if its rate stays
        std::uint32_t slot = no_slot;  ///< in ends_
        bool open = false;
    };
    static constexpr std::uint32_t no_slot = std::numeric_limits<std::uint32_t>::max();

    void share();
    void collect();
    void fill();
    void fill_bottlenecks();
    void fill_in_order();
    void settle(FlowId id, double rate);
    void give(FlowId id, double rate);
    void finish(FlowId id);
    void mark(Link link);
    void sort_limited();
    [[nodiscard]] bool ends_before(FlowId one, FlowId other) const;
    void move_end(std::uint32_t slot, FlowId id);
    void settle_end(FlowId id);
    void remove_end(FlowId id);

    std::vector<LinkState> links_;
    std::vector<Flow> flows_;
    std::vector<FlowId> unused_;
    std::vector<Link> changed_;
    std::vector<FlowId> alone_;     ///< flows that share no link with others
    std::vector<Link> part_links_;  ///< of the connected part
    std::vector<FlowId> part_flows_;
    std::vector<FlowId> limited_;                  ///< the same, those with the least of their own limits first
    std::vector<std::pair<double, Link>> shares_;  ///< a heap, while rates are computed
    std::vector<FlowId> ends_;                     ///< those that have a rate; a heap, in which each has its slot
    std::vector<std::uint32_t> ended_;             ///< not yet taken
    std::size_t taken_ = 0;
    double now_ = 0;
};

}  // namespace weir::sim
