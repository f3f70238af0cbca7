#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/latency.hpp"
#include "pattern/operations.hpp"

namespace weir {

/// Which requests are timed individually: all from 64 KiB on and one in 13 of the smaller ones, all, or none.
enum class Latencies { sampled, all, none };
constexpr std::array<std::string_view, 3> enum_names(Latencies) { return {"sampled", "all", "none"}; }

enum class Direction { write, read };
constexpr std::array<std::string_view, 2> enum_names(Direction) { return {"write", "read"}; }

/// One request, if every one is recorded.
struct RequestRecord {
    double start_s = 0;  ///< since the phase's start
    double duration_s = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    Direction direction{};
};

/// One rank's measurements of its requests in one phase, in constant memory: their number, their bytes, the durations
/// of the timed ones, and bytes over time.
class Meter {
  public:
    struct Settings {
        Latencies latencies = Latencies::sampled;
        std::size_t most_records = 0;  ///< requests recorded individually; then all are timed
    };

    /// Touches all its memory now, so that page faults are not measured.
    Meter(Clock const& clock, Settings const& settings);

    /// Sets the start of the phase, on the clock.
    void start(double start_s) { start_s_ = start_s; }

    /// Before an access whose requests are of this length.
    void begin_access(std::uint64_t length);

    /// Before a request: its start time if it is timed; to be passed to end().
    [[nodiscard]] double begin() {
        if (--until_timed_ != 0) {
            return not_timed;
        }
        until_timed_ = every_;
        return clock_.now_s();
    }

    /// After that request.
    void end(double began_s, Direction direction, Operation const& operation) {
        ++made_;
        auto const side = static_cast<std::size_t>(direction);
        ++requests_[side];
        bytes_[side] += operation.length;
        if (began_s != not_timed) {
            note(began_s, direction, operation);
        }
    }

    /// Requests, and their bytes, since begin_access().
    [[nodiscard]] std::uint64_t made() const { return made_; }
    [[nodiscard]] std::uint64_t access_bytes() const { return bytes_[0] + bytes_[1] - bytes_before_; }

    [[nodiscard]] std::uint64_t requests(Direction d) const { return requests_[static_cast<std::size_t>(d)]; }
    [[nodiscard]] std::uint64_t bytes(Direction d) const { return bytes_[static_cast<std::size_t>(d)]; }
    [[nodiscard]] LatencySketch const& latency(Direction d) const { return latency_[static_cast<std::size_t>(d)]; }
    [[nodiscard]] Timeline const& timeline() const { return timeline_; }
    [[nodiscard]] std::vector<RequestRecord> const& records() const { return records_; }

    /// After the last request of an access: adds the bytes of untimed requests to the timeline.
    void end_access();

  private:
    static constexpr double not_timed = -1;

    void note(double began_s, Direction, Operation const&);
    void place(double now_s);

    Clock const& clock_;
    Settings settings_;
    double start_s_ = 0;
    std::uint64_t every_ = 1;
    std::uint64_t until_timed_ = 1;
    std::uint64_t made_ = 0;
    std::uint64_t bytes_before_ = 0;
    std::uint64_t placed_ = 0;  ///< bytes added to the timeline
    std::array<std::uint64_t, 2> requests_{};
    std::array<std::uint64_t, 2> bytes_{};
    std::array<LatencySketch, 2> latency_;
    Timeline timeline_;
    std::vector<RequestRecord> records_;
};

}  // namespace weir
