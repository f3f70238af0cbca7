#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/clock.hpp"

namespace weir::testing {

/// Calls of MPI that this program makes, by wrappers in watched_calls_mpi_test.cpp around those of the library. While
/// one of these exists, each call is noted, takes a known time on a manual clock, and may be changed by a fault.
class WatchedMpi {
  public:
    struct Made {
        std::string name;  ///< without MPI_
        std::uint64_t sent_bytes = 0;
        int root = -1;  ///< the root, or the other rank; -1: none
    };

    /// Instead of the call, or around it: `make` makes it; what it leaves for this rank is in `received`.
    using Fault = std::function<int(std::function<int()> const& make, std::span<std::byte> received)>;

    WatchedMpi() { current() = this; }
    ~WatchedMpi() { current() = nullptr; }
    WatchedMpi(WatchedMpi const&) = delete;
    WatchedMpi& operator=(WatchedMpi const&) = delete;

    /// Makes a call take so long.
    void takes(std::string const& name, double time_s) { takes_s_[name] = time_s; }
    void has_fault(std::string const& name, Fault fault) { faults_[name] = std::move(fault); }

    [[nodiscard]] std::uint64_t count(std::string const& name) const {
        std::uint64_t count = 0;
        for (auto const& call : made) {
            count += call.name == name ? 1 : 0;
        }
        return count;
    }

    std::vector<Made> made;
    ManualClock clock;

    /// For the wrappers.
    static int call(Made const& made, std::span<std::byte> received, std::function<int()> const& make) {
        auto* const watch = current();
        if (watch == nullptr) {
            return make();
        }
        watch->made.push_back(made);
        auto const fault = watch->faults_.find(made.name);
        auto const status = fault == watch->faults_.end() ? make() : fault->second(make, received);
        auto const takes = watch->takes_s_.find(made.name);
        watch->clock.advance(Seconds(takes == watch->takes_s_.end() ? 0 : takes->second));
        return status;
    }

  private:
    static WatchedMpi*& current() {
        static WatchedMpi* watch = nullptr;
        return watch;
    }

    std::map<std::string, double> takes_s_;
    std::map<std::string, Fault> faults_;
};

}  // namespace weir::testing
