#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "sim/block_cache.hpp"
#include "sim/machine.hpp"
#include "sim/service_queue.hpp"
#include "sim/striping.hpp"

namespace weir::sim {

/// Servers and their targets: links and targets serve one request after another.
class StorageServers {
  public:
    explicit StorageServers(Storage const& storage);

    /// A write that arrives at its server: when the server has accepted it.
    double write(double now, std::uint64_t file, Chunk const& chunk);

    /// A read that arrives at its server: when it has been read, from memory if the file is kept there.
    double read(double now, std::uint64_t file, Chunk const& chunk, bool kept);

    /// Many reads of the same that arrive evenly, each of several requests to one target, with so many places to go
    /// to, if the server has not `kept` them in memory: when the first and the last one have left their server.
    Span read_many(Span arrive, std::uint64_t many, Chunk const& all, std::uint64_t requests, std::uint64_t places,
                   bool kept);

    /// The way of read data out of the server: when it has left.
    double send(double now, Chunk const& chunk);

    /// When its targets have written what they have accepted of a file, if a sync asks for it now.
    double written(std::uint64_t file, Striping const& striping, double now);

    /// Bytes of a file that have been accepted, and wait for a sync.
    [[nodiscard]] double owed(std::uint64_t file) const;

    /// These bytes have been written in a time that does not count.
    void forget(std::uint64_t file);

    [[nodiscard]] std::vector<ServiceQueue> const& targets() const { return targets_; }
    [[nodiscard]] std::vector<ServiceQueue> const& links_in() const { return in_; }
    [[nodiscard]] std::vector<ServiceQueue> const& links_out() const { return out_; }

  private:
    struct Position {
        std::uint64_t file = ~std::uint64_t{0};
        std::uint64_t offset = 0;
    };

    /// What a target has accepted and not yet written, oldest first.
    struct Accepted {
        double written;        ///< when
        std::uint64_t before;  ///< bytes of the target until then, with these
    };
    struct Cache {
        std::deque<Accepted> accepted;
        std::uint64_t bytes = 0;                 ///< ever accepted
        std::map<std::uint64_t, double> owed{};  ///< bytes of files that wait for a sync
        double all_owed = 0;
    };

    double accept(double here, double end, Chunk const& chunk);
    double hold(double here, std::uint64_t file, Chunk const& chunk);
    /// Writes so many bytes that a target has held.
    double drain(std::uint64_t target, double bytes, double now);
    [[nodiscard]] std::uint64_t server_of(std::uint64_t target) const { return target % in_.size(); }
    /// Seconds of a server for so many bytes, in so many requests.
    [[nodiscard]] double moved(double bytes, double requests = 1) const;
    /// How many stripes of a chunk are not in memory; all of them if nothing is kept.
    std::uint64_t missing(std::uint64_t file, Chunk const& chunk);
    double positioning(std::uint64_t file, Chunk const& chunk);

    Storage storage_;
    std::vector<ServiceQueue> targets_;
    std::vector<ServiceQueue> in_;
    std::vector<ServiceQueue> out_;
    std::vector<Cache> caches_;
    std::vector<BlockCache> blocks_;   ///< that servers keep of each target's; none: they keep none
    std::vector<Position> positions_;  ///< where each target's last request ended
};

}  // namespace weir::sim
