#include "boost/ways.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>

namespace weir::boost {
namespace {

/// Calls by a way before its quickest is believed.
constexpr std::uint64_t enough = 2;
/// Of the time of all calls, for trying.
constexpr double share_to_try = 0.02;
/// How many times as long as the best a way may take that is tried.
constexpr double as_long = 4;
/// Pieces of this length are quick by themselves, also where they lie between those of other ranks of the same node.
constexpr std::uint64_t long_piece = 32 << 10;
/// Of shorter ones, the usual way is many times as quick as others, or others many times as slow.
constexpr std::uint64_t piece_to_try = 4 << 10;

/// Shapes are alike whose sizes are within a factor of two.
std::uint64_t kind_of(Shape const& shape) {
    auto const width = [](std::uint64_t bytes) { return static_cast<std::uint64_t>(std::bit_width(bytes)); };
    return (width(shape.bytes_a_rank) << 8 | width(shape.piece)) << 3 | (shape.writes ? 4U : 0U) |
           (shape.interleaved ? 2U : 0U) | (shape.one_piece ? 1U : 0U);
}

/// Pieces so far apart are moved one by one in any case.
constexpr std::uint64_t wide_gap = 64 << 10;

bool is_direct_quick(Shape const& shape) {
    if (shape.gap >= shape.piece + wide_gap) {
        return true;
    }
    bool const is_long = shape.piece >= long_piece;
    return shape.interleaved ? is_long && shape.one_node : is_long || shape.one_piece;
}

/// Ranks that only move their own pieces are beaten by an exchange where it saves many short requests.
bool saves_much(Shape const& shape) {
    constexpr std::uint64_t short_piece = 512;
    auto const least = shape.writes ? 65 * shape.piece : std::uint64_t{64 << 10};
    return shape.interleaved && shape.piece <= short_piece && shape.bytes_a_rank >= least;
}

}  // namespace

/// As measured with 2 to 8 ranks of one node into memory, for pieces of 8 bytes to 1 MiB and 64 bytes to 16 MiB a rank.
Way Ways::usual(Shape const& shape) const {
    bool const romio_sieves = mpi_io_ == MpiIo::romio && !shape.interleaved;
    if (romio_sieves || (mpi_io_ == MpiIo::ompio_few && !saves_much(shape))) {
        return Way::mpi;
    }
    return is_direct_quick(shape) ? Way::direct : Way::exchange;
}

std::optional<Way> Ways::to_try(Shape const& shape, Records const& records, Way best) const {
    auto const expected = records[static_cast<std::size_t>(best)].seconds_a_byte * static_cast<double>(shape.bytes);
    if (shape.piece < piece_to_try || tried_s_ + as_long * expected > share_to_try * all_s_) {
        return std::nullopt;
    }
    for (auto const way : {Way::mpi, Way::exchange, Way::direct}) {
        if (records[static_cast<std::size_t>(way)].calls < enough) {
            return way;
        }
    }
    return std::nullopt;
}

Way Ways::choose(Shape const& shape) {
    auto& records = known_[kind_of(shape)];
    auto best = usual(shape);
    trial_ = false;
    if (records[static_cast<std::size_t>(best)].calls >= enough) {
        for (std::size_t i = 0; i < records.size(); ++i) {
            auto const& least = records[static_cast<std::size_t>(best)];
            if (records[i].calls >= enough && records[i].seconds_a_byte < least.seconds_a_byte) {
                best = static_cast<Way>(i);
            }
        }
        if (auto const other = to_try(shape, records, best)) {
            best = *other;
            trial_ = true;
        }
    }
    last_ = &records[static_cast<std::size_t>(best)];
    last_bytes_ = std::max<std::uint64_t>(shape.bytes, 1);
    return best;
}

void Ways::took(double seconds) {
    if (last_ == nullptr) {
        return;
    }
    auto const each = seconds / static_cast<double>(last_bytes_);
    last_->seconds_a_byte = last_->calls == 0 ? each : std::min(last_->seconds_a_byte, each);
    ++last_->calls;
    all_s_ += seconds;
    tried_s_ += trial_ ? seconds : 0;
    last_ = nullptr;
}

}  // namespace weir::boost
