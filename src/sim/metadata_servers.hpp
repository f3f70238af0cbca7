#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/machine.hpp"
#include "sim/service_queue.hpp"

namespace weir::sim {

/// Metadata servers; files are spread over them.
class MetadataServers {
  public:
    explicit MetadataServers(Metadata const& rules)
        : rules_(rules),
          servers_(rules.servers, ServiceQueue(rules.at_once)),
          closes_(rules.servers, ServiceQueue(rules.at_once)) {}

    /// When an operation on a file ends that takes its server so long.
    double serve(double now, std::uint64_t file, double service_s) {
        return servers_[file % servers_.size()].serve(now + rules_.base / 2, service_s) + rules_.base / 2;
    }

    /// Closes do not wait for other operations.
    double close(double now, std::uint64_t file, double service_s) {
        return closes_[file % closes_.size()].serve(now + rules_.base / 2, service_s) + rules_.base / 2;
    }

    /// The same for many opens or closes of one file, without `base`.
    Span open_many(Span asked, std::uint64_t file, std::uint64_t many) {
        return servers_[file % servers_.size()].serve_many(asked, many, rules_.open);
    }
    Span close_many(Span asked, std::uint64_t file, std::uint64_t many) {
        return closes_[file % closes_.size()].serve_many(asked, many, rules_.close);
    }

    /// The levels of a binary tree of ranks, at least one.
    static double levels(std::uint64_t ranks) {
        return ranks <= 2 ? 1 : std::ceil(std::log2(static_cast<double>(ranks)));
    }

    [[nodiscard]] Metadata const& rules() const { return rules_; }
    [[nodiscard]] std::vector<ServiceQueue> const& servers() const { return servers_; }
    [[nodiscard]] std::vector<ServiceQueue> const& closes() const { return closes_; }

  private:
    Metadata rules_;
    std::vector<ServiceQueue> servers_;
    std::vector<ServiceQueue> closes_;
};

}  // namespace weir::sim
