#include "bench/metadata/file_phases.hpp"

#include <vector>

#include "core/latency.hpp"

namespace weir {
namespace {

/// One rank's values of a phase, exchanged with the others.
struct FileTimesOfRank {
    double start_s = 0;
    double end_s = 0;
    std::array<double, calls_known> totals_s{};
    std::array<double, calls_known> slowest_s{};
};

FileTimesOfRank of_this_rank(MetadataPhase const& phase) {
    FileTimesOfRank mine{phase.start_s, phase.end_s, phase.times.totals_s(), {}};
    for (std::size_t call = 0; call < calls_known; ++call) {
        mine.slowest_s[call] = phase.times.latency(static_cast<MetadataCall>(call)).max_s();
    }
    return mine;
}

template <class Value>
std::vector<double> each(std::vector<FileTimesOfRank> const& ranks, Value value) {
    std::vector<double> values;
    values.reserve(ranks.size());
    for (auto const& rank : ranks) {
        values.push_back(value(rank));
    }
    return values;
}

Json times_of(std::vector<FileTimesOfRank> const& ranks, std::size_t call) {
    auto const s = spread(each(ranks, [&](FileTimesOfRank const& r) { return r.totals_s[call]; }));
    return {{"min_s", s.min}, {"mean_s", s.mean}, {"max_s", s.max}, {"slowest_rank", s.argmax}};
}

Json latency_of(LatencySketch const& all, std::vector<FileTimesOfRank> const& ranks, std::size_t call) {
    auto json = all.to_json();
    json["slowest_rank"] = spread(each(ranks, [&](FileTimesOfRank const& r) { return r.slowest_s[call]; })).argmax;
    return json;
}

}  // namespace

Json to_json(MetadataPhase const& mine, Communicator const& comm) {
    auto const ranks = comm.all_gather(of_this_rank(mine));
    auto const starts = spread(each(ranks, [](FileTimesOfRank const& r) { return r.start_s; }));
    auto const ends = spread(each(ranks, [](FileTimesOfRank const& r) { return r.end_s; }));
    auto const operations = comm.sum(mine.operations);
    auto const written = comm.sum(mine.bytes_written);
    auto const read = comm.sum(mine.bytes_read);
    auto const elapsed = mine.slowest_s.value_or(ends.max - starts.min);
    auto times = Json::object();
    auto latency = Json::object();
    for (std::size_t call = 0; call < calls_known; ++call) {
        auto const all = comm.add_up(mine.times.latency(static_cast<MetadataCall>(call)));
        if (all.count() > 0) {
            auto const name = std::string(to_text(static_cast<MetadataCall>(call)));
            times[name] = times_of(ranks, call);
            latency[name] = latency_of(all, ranks, call);
        }
    }
    Json json{{"phase", to_text(mine.phase)},
              {"started_at", mine.started_at},
              {"ranks", ranks.size()},
              {"bytes", written + read},
              {"bytes_read", read},
              {"bytes_written", written},
              {"operations", operations},
              {"elapsed_s", elapsed},
              {"first_done_s", mine.slowest_s ? Json() : Json(ends.min - starts.min)},
              {"last_done_s", mine.slowest_s ? Json() : Json(elapsed)},
              {"times", std::move(times)},
              {"latency", std::move(latency)},
              {"cache", nullptr},
              {"verification", nullptr}};
    json.update(to_json(mine.hints));
    return json;
}

}  // namespace weir
