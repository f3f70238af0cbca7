#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "boost/mpi_io.hpp"

namespace weir::boost {

/// How a collective call can be carried out.
enum class Way : std::uint8_t {
    mpi,
    exchange,  ///< by aggregators
    direct,    ///< each rank moves its own bytes
    count
};

/// What of a call decides how quick each way is; the same on all ranks.
struct Shape {
    bool writes;
    bool interleaved;  ///< ranks' parts lie within each other
    std::uint64_t bytes;
    std::uint64_t bytes_a_rank;
    std::uint64_t piece;  ///< bytes of a contiguous one, on average
    std::uint64_t gap;    ///< bytes of the file from one piece to the next, on average
    bool one_piece;       ///< of each rank at most
    bool one_node;        ///< all ranks are on it
};

/// Chooses a way: first by what was measured once and for all, then by what calls of this program's took. Trying a way
/// of which little is known costs at most 2 % of the time that calls took so far. Each rank must tell the same. Local.
class Ways {
  public:
    explicit Ways(MpiIo mpi_io) : mpi_io_(mpi_io) {}

    [[nodiscard]] Way choose(Shape const& shape);

    /// What the last chosen way took.
    void took(double seconds);

  private:
    struct Record {
        std::uint64_t calls = 0;
        double seconds_a_byte = 0;  ///< the least
    };
    using Records = std::array<Record, static_cast<std::size_t>(Way::count)>;

    [[nodiscard]] Way usual(Shape const& shape) const;
    [[nodiscard]] std::optional<Way> to_try(Shape const& shape, Records const& records, Way best) const;

    MpiIo mpi_io_;
    std::map<std::uint64_t, Records> known_;  ///< by the kind of shape
    Record* last_ = nullptr;
    std::uint64_t last_bytes_ = 0;
    bool trial_ = false;
    double all_s_ = 0;
    double tried_s_ = 0;
};

}  // namespace weir::boost
