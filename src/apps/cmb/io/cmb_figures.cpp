#include "apps/cmb/io/cmb_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/json.hpp"
#include "core/latency.hpp"

namespace weir::cmb {
namespace {

/// Seconds by direction.
using ByDirection = std::array<double, 2>;

double& in(ByDirection& seconds, Direction direction) { return seconds[static_cast<std::size_t>(direction)]; }

ByDirection own_time(std::vector<RequestRecord> const& records) {
    ByDirection sum{};
    for (auto const& record : records) {
        in(sum, record.direction) += record.duration_s;
    }
    return sum;
}

/// Each rank of a gang makes one request a matrix, and all in the same order.
ByDirection time_of_gang(PhaseResult const& result, Communicator const& all, Communicator const& gang) {
    constexpr double ns = 1e-9;
    auto first_s = std::numeric_limits<double>::max();
    for (auto const& rank : result.ranks) {
        first_s = std::min(first_s, rank.start_s);
    }
    auto const own_s = result.ranks.at(all.rank()).start_s - first_s;
    constexpr auto far = std::numeric_limits<std::uint64_t>::max() / 4;
    std::vector<std::uint64_t> starts, ends;  // in ns; starts counted backwards, since the least is wanted
    for (auto const& record : result.records) {
        auto const start = static_cast<std::uint64_t>(std::llround((own_s + record.start_s) / ns));
        starts.push_back(far - start);
        ends.push_back(start + static_cast<std::uint64_t>(std::llround(record.duration_s / ns)));
    }
    gang.max(std::span(starts));
    gang.max(std::span(ends));
    ByDirection sum{};
    for (std::size_t i = 0; i < ends.size(); ++i) {
        in(sum, result.records[i].direction) += static_cast<double>(ends[i] - (far - starts[i])) * ns;
    }
    return sum;
}

Metric seconds(std::string key, std::optional<double> value, std::string noun) {
    return {std::move(key), value, "s", std::move(noun), Better::lower};
}

std::optional<double> rate(std::uint64_t bytes, std::optional<double> took_s) {
    return took_s ? per_second(static_cast<double>(bytes), *took_s) : std::nullopt;
}

double slowest(std::vector<RankFigures> const& ranks, double RankFigures::*member) {
    double most = 0;
    for (auto const& rank : ranks) {
        most = std::max(most, rank.*member);
    }
    return most;
}

Json spread_of(std::vector<RankFigures> const& ranks, double RankFigures::*member) {
    std::vector<double> values;
    for (auto const& rank : ranks) {
        values.push_back(rank.*member);
    }
    auto const s = spread(values);
    return {{"mean_s", s.mean}, {"min_s", s.min}, {"max_s", s.max}};
}

std::optional<double> sum_of(std::optional<double> a, std::optional<double> b) {
    return a && b ? std::optional(*a + *b) : std::nullopt;
}

}  // namespace

void Figures::add(Figures const& other) {
    elapsed_s += other.elapsed_s;
    bytes_read += other.bytes_read;
    bytes_written += other.bytes_written;
    read_s = sum_of(read_s, other.read_s);
    write_s = sum_of(write_s, other.write_s);
    io_s = sum_of(io_s, other.io_s);
    moving_s += other.moving_s;
    ranks.resize(other.ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        ranks[i].computing_s += other.ranks[i].computing_s;
        ranks[i].read_s += other.ranks[i].read_s;
        ranks[i].write_s += other.ranks[i].write_s;
        ranks[i].moving_s += other.ranks[i].moving_s;
    }
}

Figures figures_of(PhaseResult const& result, Course const& course, double computing_s, Communicator const& all,
                   Communicator const& gang) {
    Figures found{.elapsed_s = result.elapsed_s};
    auto const sync_s = result.ranks.at(all.rank()).sync_s;
    for (auto const& rank : result.ranks) {
        found.bytes_read += rank.bytes_read;
        found.bytes_written += rank.bytes_written;
    }
    RankFigures mine{.computing_s = computing_s};
    if (course.asynchronous) {
        mine.moving_s = result.ranks.at(all.rank()).transfer_s + sync_s;
        found.moving_s = all.max(mine.moving_s);
    } else {
        auto own = own_time(result.records);
        mine.read_s = in(own, Direction::read);
        mine.write_s = in(own, Direction::write) + sync_s;
        mine.moving_s = mine.read_s + mine.write_s;
        auto together = time_of_gang(result, all, gang);
        found.read_s = all.max(in(together, Direction::read));
        found.write_s = all.max(in(together, Direction::write) + gang.max(sync_s));
        found.moving_s = *found.read_s + *found.write_s;
        found.io_s = found.moving_s;
    }
    found.ranks = all.all_gather(mine);
    return found;
}

void result_first(std::vector<Metric>& metrics, std::string_view key) {
    std::ranges::stable_partition(metrics, [&](Metric const& metric) { return metric.key == key; });
}

std::vector<Metric> metrics_of(Figures const& f, Mode mode) {
    std::vector<Metric> metrics;
    auto const bytes = f.bytes_read + f.bytes_written;
    if (bytes > 0) {
        metrics.push_back({"bandwidth_bytes_per_s", rate(bytes, f.io_s), "B/s", "bandwidth"});
    }
    if (f.bytes_read > 0) {
        metrics.push_back({"read_bandwidth_bytes_per_s", rate(f.bytes_read, f.read_s), "B/s", "bandwidth of reads"});
    }
    if (f.bytes_written > 0) {
        metrics.push_back(
            {"write_bandwidth_bytes_per_s", rate(f.bytes_written, f.write_s), "B/s", "bandwidth of writes"});
    }
    auto const computing_s = slowest(f.ranks, &RankFigures::computing_s);
    metrics.push_back(elapsed_time(f.elapsed_s));
    metrics.push_back(seconds("compute_s", mode == Mode::compute ? computing_s : 0, "time computing"));
    metrics.push_back(seconds("busy_s", mode == Mode::io ? computing_s : 0, "time of busy work"));
    if (bytes > 0) {
        metrics.push_back(
            seconds("moving_s", f.moving_s, f.io_s ? "time in reads, writes and syncs" : "time in I/O calls"));
    }
    if (f.bytes_read > 0) {
        metrics.push_back(seconds("read_s", f.read_s, "time in reads"));
    }
    if (f.bytes_written > 0) {
        metrics.push_back(seconds("write_s", f.write_s, "time in writes and syncs"));
    }
    if (bytes > 0 && !f.io_s) {
        result_first(metrics, "elapsed_s");
    }
    return metrics;
}

Json times_of(Figures const& f, Course const& course) {
    Json times{{course.mode == Mode::compute ? "compute" : "busy", spread_of(f.ranks, &RankFigures::computing_s)}};
    if (f.bytes_read + f.bytes_written == 0) {
        return times;
    }
    times["moving"] = spread_of(f.ranks, &RankFigures::moving_s);
    if (!course.asynchronous) {
        times["read"] = spread_of(f.ranks, &RankFigures::read_s);
        times["write"] = spread_of(f.ranks, &RankFigures::write_s);
    }
    return times;
}

}  // namespace weir::cmb
