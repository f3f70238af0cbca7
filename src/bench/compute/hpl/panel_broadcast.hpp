#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"

namespace weir {

/// How a panel goes from its column of the grid to all others, in each row: along one ring, along two, or in pieces
/// that are spread and then go round ("long"). With `modified`, the rank after the root has it first and passes nothing
/// on: it factors the next panel. These are HPL's six.
enum class PanelRoute { ring, ring_modified, two_rings, two_rings_modified, pieces, pieces_modified };
constexpr std::array<std::string_view, 6> enum_names(PanelRoute) {
    return {"1ring", "1ringM", "2ring", "2ringM", "long", "longM"};
}

/// One message of a route: to or from a rank of the row, a part of the numbers.
struct RouteStep {
    bool receives = false;
    std::uint64_t peer = 0;
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
};

/// The messages of one rank, in their order; each may need those before it. Pure.
std::vector<RouteStep> route_steps(PanelRoute, std::uint64_t ranks, std::uint64_t rank, std::uint64_t root,
                                   std::uint64_t count);

/// A panel on its way. Begins when it is asked to, goes on when `progress` is called, and ends in `finish`.
class PanelBroadcast {
  public:
    PanelBroadcast(Communicator row, PanelRoute route) : row_(std::move(row)), route_(route) {}

    /// `numbers` must stay until finish(). Broadcasts of one communicator must begin in the same order on all ranks,
    /// with tags that differ while they overlap.
    void begin(std::span<double> numbers, std::uint64_t root, int tag);

    /// Passes on what has come; local.
    void progress();

    /// Waits until this rank has all numbers.
    void receive();

    /// Waits until they may be overwritten.
    void finish();

  private:
    void advance(bool wait);

    Communicator row_;
    PanelRoute route_;
    std::span<double> numbers_;
    int tag_ = 0;
    std::vector<RouteStep> steps_;
    std::size_t next_ = 0;
    MPI_Request receiving_ = MPI_REQUEST_NULL;
    std::vector<MPI_Request> sending_;
};

}  // namespace weir
