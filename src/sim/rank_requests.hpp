#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pattern/operations.hpp"

namespace weir::sim {

/// What a rank asks for in an access, one after the other: its requests, or of a list I/O request the pieces in file
/// order, adjacent ones joined, as `weir-core expand` prints them.
class RankRequests {
  public:
    /// The access must outlive this. Throws Error (usage) if the pieces of one request overlap.
    RankRequests(Access const& access, Rank rank) : operations_(access, rank), joins_(access.list_io) {
        sorts_ = joins_ && access.ranks.contains(rank) && !is_in_file_order(access);
        if (sorts_) {
            pieces_ = list_io_pieces(access, rank);
        } else if (joins_) {
            has_ahead_ = operations_.next(ahead_);
        }
    }

    /// Sets the next one; false if there are no more.
    bool next(Operation& operation) {
        if (!joins_) {
            return operations_.next(operation);
        }
        if (sorts_) {
            bool const more = made_ < pieces_.size();
            operation = more ? Operation{pieces_[made_].offset, pieces_[made_].length, made_} : operation;
            ++made_;
            return more;
        }
        if (!has_ahead_) {
            return false;
        }
        operation = ahead_;
        while ((has_ahead_ = operations_.next(ahead_)) && ahead_.offset == operation.offset + operation.length) {
            operation.length += ahead_.length;
        }
        return true;
    }

  private:
    /// Does each piece begin where those before it have ended, or behind? Parts of arrays do.
    static bool is_in_file_order(Access const& access) {
        if (access.part) {
            return true;
        }
        auto least = static_cast<std::int64_t>(access.extent.length);
        auto const& levels = access.extent.levels;
        for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
            if (level->count > 1 && level->stride < least) {
                return false;
            }
            least += static_cast<std::int64_t>(level->count - 1) * level->stride;
        }
        return access.lists.empty();
    }

    Operations operations_;
    bool joins_;
    bool sorts_ = false;
    bool has_ahead_ = false;
    Operation ahead_;
    std::vector<Piece> pieces_;
    std::size_t made_ = 0;
};

}  // namespace weir::sim
