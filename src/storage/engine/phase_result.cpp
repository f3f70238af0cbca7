#include "storage/engine/phase_result.hpp"

#include <numeric>
#include <tuple>

#include "core/enum_names.hpp"
#include "core/latency.hpp"

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
        std::tie(file, owner, offset, expected, found, first_is_missing, placed) = std::tie(
            other.file, other.owner, other.offset, other.expected, other.found, other.first_is_missing, other.placed);
    }
    checked += other.checked;
    wrong += other.wrong;
    missing += other.missing;
    unmatched += other.unmatched;
}

bool PhaseResult::was_cut() const {
    return std::any_of(ranks.begin(), ranks.end(),
                       [](RankTimes const& rank) { return rank.limit_reached != 0 || rank.tail_cut != 0; });
}

namespace {

template <class T>
Json or_null(std::optional<T> const& value) {
    return value ? Json(*value) : Json();
}

std::vector<double> of_ranks(std::vector<RankTimes> const& ranks, double RankTimes::*member) {
    std::vector<double> values;
    values.reserve(ranks.size());
    for (auto const& times : ranks) {
        values.push_back(times.*member);
    }
    return values;
}

Json spread_of(std::vector<RankTimes> const& ranks, double RankTimes::*member) {
    auto const s = spread(of_ranks(ranks, member));
    return {{"min_s", s.min}, {"mean_s", s.mean}, {"max_s", s.max}, {"slowest_rank", s.argmax}};
}

Json times(PhaseResult const& result) {
    Json json{{"open", spread_of(result.ranks, &RankTimes::open_s)},
              {"transfer", spread_of(result.ranks, &RankTimes::transfer_s)},
              {"sync", spread_of(result.ranks, &RankTimes::sync_s)},
              {"close", spread_of(result.ranks, &RankTimes::close_s)}};
    if (spread(of_ranks(result.ranks, &RankTimes::stamp_s)).max > 0) {
        json["stamp"] = spread_of(result.ranks, &RankTimes::stamp_s);
    }
    if (spread(of_ranks(result.ranks, &RankTimes::pause_s)).max > 0) {
        json["pause"] = spread_of(result.ranks, &RankTimes::pause_s);
    }
    return json;
}

Json latency(PhaseResult const& result) {
    Json json;
    for (auto const direction : {Direction::write, Direction::read}) {
        auto one = result.latency[static_cast<std::size_t>(direction)].to_json();
        if (!one.is_null()) {
            auto const slowest =
                direction == Direction::write ? &RankTimes::slowest_write_s : &RankTimes::slowest_read_s;
            one["slowest_rank"] = spread_of(result.ranks, slowest)["slowest_rank"];
            json[to_text(direction)] = std::move(one);
        }
    }
    return json;
}

Json timeline(PhaseResult const& result) {
    auto const bytes = result.timeline.bytes();
    return bytes.empty() ? Json() : Json{{"interval_s", result.timeline.interval_s()}, {"bytes", bytes}};
}

/// Sums over ranks, and the number of ranks that contributed.
Json system(std::vector<ProcessCounts> const& counts) {
    if (counts.empty()) {
        return {};
    }
    auto const sum = [&](auto member) {
        std::remove_cvref_t<decltype(counts.front().*member)> total{};
        for (auto const& one : counts) {
            total += one.*member;
        }
        return total;
    };
    // A rank that only communicates moves a few bytes too.
    auto const active = [&](auto member) {
        std::uint64_t most = 0;
        for (auto const& one : counts) {
            most = std::max(most, one.*member);
        }
        constexpr std::uint64_t hundred = 100;
        constexpr std::uint64_t noise = 512;
        return std::count_if(counts.begin(), counts.end(),
                             [&](auto const& one) { return one.*member >= std::max(most / hundred, noise); });
    };
    return {{"read_calls", sum(&ProcessCounts::read_calls)},
            {"write_calls", sum(&ProcessCounts::write_calls)},
            {"read_call_bytes", sum(&ProcessCounts::read_call_bytes)},
            {"write_call_bytes", sum(&ProcessCounts::write_call_bytes)},
            {"reading_ranks", active(&ProcessCounts::read_call_bytes)},
            {"writing_ranks", active(&ProcessCounts::write_call_bytes)},
            {"voluntary_switches", sum(&ProcessCounts::voluntary_switches)},
            {"involuntary_switches", sum(&ProcessCounts::involuntary_switches)},
            {"user_s", sum(&ProcessCounts::user_s)},
            {"system_s", sum(&ProcessCounts::system_s)}};
}

/// For a time-limited phase: the work done at the time limit, by which such runs are compared, and the tail.
Json limit(PhaseResult const& result, double elapsed_s) {
    auto const limit_s = result.time_limit.value;
    if (limit_s <= 0) {
        return {};
    }
    std::uint64_t bytes = 0;
    auto fewest = result.ranks.front().requests_at_limit;
    auto most = fewest;
    auto reached = false;
    auto cut = false;
    for (auto const& rank : result.ranks) {
        bytes += rank.bytes_at_limit;
        fewest = std::min(fewest, rank.requests_at_limit);
        most = std::max(most, rank.requests_at_limit);
        reached = reached || rank.limit_reached != 0;
        cut = cut || rank.tail_cut != 0;
    }
    return {{"time_s", limit_s},
            {"reached", reached},
            {"bytes", bytes},
            {"bandwidth_bytes_per_s", reached ? Json(static_cast<double>(bytes) / limit_s) : Json()},
            {"fewest_requests", fewest},
            {"most_requests", most},
            {"tail_s", reached ? Json(std::max(0.0, elapsed_s - limit_s)) : Json()},
            {"tail_cut", cut}};
}

Json cache(PhaseResult const& result) {
    if (!result.reads) {
        return {};
    }
    return {{"methods", result.cache_methods},
            {"resident_before_share", or_null(result.evidence.resident_share)},
            {"device_bytes", or_null(result.evidence.device_bytes)},
            {"suspect", or_null(result.cache.suspect)},
            {"why", result.cache.why}};
}

}  // namespace

Json ranks_to_json(PhaseResult const& result) {
    auto const first = spread(of_ranks(result.ranks, &RankTimes::start_s)).min;
    auto json = Json::array();
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        auto const& times = result.ranks[rank];
        auto const timed = times.slowest_s() > 0;
        json.push_back({{"rank", rank},
                        {"start_s", times.start_s - first},
                        {"end_s", times.end_s - first},
                        {"open_s", times.open_s},
                        {"transfer_s", times.transfer_s},
                        {"sync_s", times.sync_s},
                        {"close_s", times.close_s},
                        {"bytes", times.bytes()},
                        {"operations", times.requests},
                        {"p50_s", timed ? Json(times.median_s) : Json()},
                        {"max_s", timed ? Json(times.slowest_s()) : Json()}});
    }
    return json;
}

Json records_to_json(PhaseResult const& result, std::uint64_t rank) {
    auto const column = [&](auto get) {
        auto values = Json::array();
        for (auto const& record : result.records) {
            values.push_back(get(record));
        }
        return values;
    };
    return {{"phase", result.name},
            {"rank", rank},
            {"complete", result.records.size() == result.ranks.at(rank).requests},
            {"start_s", column([](auto const& r) { return r.start_s; })},
            {"duration_s", column([](auto const& r) { return r.duration_s; })},
            {"offset", column([](auto const& r) { return r.offset; })},
            {"length", column([](auto const& r) { return r.length; })},
            {"direction", column([](auto const& r) { return to_text(r.direction); })}};
}

Json to_json(PhaseResult const& result) {
    auto const starts = spread(of_ranks(result.ranks, &RankTimes::start_s));
    auto const ends = spread(of_ranks(result.ranks, &RankTimes::end_s));
    auto const sum_of = [&](auto member) {
        return std::accumulate(result.ranks.begin(), result.ranks.end(), std::uint64_t{0},
                               [&](std::uint64_t sum, RankTimes const& rank) { return sum + rank.*member; });
    };
    auto const written = sum_of(&RankTimes::bytes_written);
    auto const read = sum_of(&RankTimes::bytes_read);
    auto const bytes = written + read;
    auto const requests = sum_of(&RankTimes::requests);
    auto const elapsed = result.elapsed_s;
    auto const verified = result.words.checked > 0;
    Json json{
        {"phase", result.name},
        {"started_at", result.started_at},
        {"ranks", result.ranks.size()},
        {"bytes", bytes},
        {"bytes_written", written},
        {"bytes_read", read},
        {"operations", requests},
        {"elapsed_s", elapsed},
        {"first_done_s", result.runs == 1 ? Json(ends.min - starts.min) : Json()},
        {"last_done_s", result.runs == 1 ? Json(elapsed) : Json()},
        {"times", times(result)},
        {"latency", latency(result)},
        {"timeline", timeline(result)},
        {"calls", calls_json(result.calls)},
        {"system", system(result.counts)},
        {"limit", limit(result, elapsed)},
        {"cache", cache(result)},
        {"verification", verified ? Json{{"words", result.words.checked}, {"wrong", result.words.wrong}} : Json()}};
    json.update(to_json(result.hints));
    return json;
}

}  // namespace weir
