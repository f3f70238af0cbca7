#include "storage/phase_result.hpp"

#include <tuple>

namespace weir {

void RankTimes::add(Meter const& meter) {
    auto timed = meter.latency(Direction::write);
    timed.add(meter.latency(Direction::read));
    requests = meter.requests(Direction::write) + meter.requests(Direction::read);
    bytes_written = meter.bytes(Direction::write);
    bytes_read = meter.bytes(Direction::read);
    median_s = timed.percentile_s(0.5).value_or(0);
    slowest_write_s = meter.latency(Direction::write).max_s();
    slowest_read_s = meter.latency(Direction::read).max_s();
}

void WrongWords::add(WrongWords const& other) {
    auto const place = [](WrongWords const& w) { return std::tie(w.file, w.owner, w.offset); };
    if (other.wrong > 0 && (wrong == 0 || place(other) < place(*this))) {
        std::tie(file, owner, offset, expected, found, first_is_missing) =
            std::tie(other.file, other.owner, other.offset, other.expected, other.found, other.first_is_missing);
    }
    checked += other.checked;
    wrong += other.wrong;
    missing += other.missing;
}

bool PhaseResult::was_cut() const {
    return std::any_of(ranks.begin(), ranks.end(),
                       [](RankTimes const& rank) { return rank.limit_reached != 0 || rank.tail_cut != 0; });
}

}  // namespace weir
