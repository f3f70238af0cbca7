#include "apps/common/run/run_figures.hpp"

#include <algorithm>
#include <map>

#include "core/enum_names.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

Json sizes(std::map<std::uint64_t, std::uint64_t> const& counts) {
    auto json = Json::array();
    for (auto const& [bytes, count] : counts) {
        json.push_back({bytes, count});
    }
    return json;
}

Json calls(Tally const& all, bool by_library) {
    auto json = Json::object();
    for (std::size_t i = 0; i < all.calls.size(); ++i) {
        auto const call = static_cast<IoCall>(i);
        auto const seen = by_library || (call != IoCall::seek && call != IoCall::communication);
        auto const timed = seen && call != IoCall::seek;
        json[std::string(to_text(call))] = {{"count", seen ? Json(all[call].count) : Json()},
                                            {"total_s", timed ? Json(all[call].time_s) : Json()}};
    }
    json[std::string(to_text(IoCall::communication))]["waiting_s"] = by_library ? Json(all.waiting_s) : Json();
    return json;
}

/// Tables 2, 4, 6 and 8 of the paper: bytes of all ranks by a rank's average time.
Json bandwidth_of_the_paper(Tally::Calls const& calls, std::uint64_t ranks) {
    return calls.time_s > 0 ? Json(static_cast<double>(calls.bytes) * static_cast<double>(ranks) / calls.time_s)
                            : Json();
}

/// The slowest rank's time in those of restart and dumps in which bytes moved that way: all of it, since ranks that
/// take turns are in no call of their own while another one's is running.
Json elapsed_with(IoCall call, RunFigures const& run) {
    auto const read_s = run.read[call].bytes > 0 ? run.read_s : 0;
    auto const write_s = run.written[call].bytes > 0 ? run.write_s : 0;
    return read_s + write_s > 0 ? Json(read_s + write_s) : Json();
}

}  // namespace

RunFigures of_all_ranks(RunFigures mine, Communicator const& comm) {
    for (auto* time : {&mine.elapsed_s, &mine.read_s, &mine.write_s, &mine.compute_s}) {
        *time = comm.max(*time);
    }
    mine.read = sum_over_ranks(mine.read, comm);
    mine.written = sum_over_ranks(mine.written, comm);
    for (auto* parts : {&mine.parts, &mine.read_parts}) {
        for (auto& part : *parts) {
            part.made = sum_over_ranks(part.made, comm);
            part.costs = sum_over_ranks(part.costs, comm);
        }
    }
    mine.costs = sum_over_ranks(mine.costs, comm);
    return mine;
}

Json account_of_files(RunFigures const& run) {
    auto all = run.read;
    all.add(run.written);
    if (run.backend.empty() || std::ranges::all_of(all.calls, [](auto const& calls) { return calls.count == 0; })) {
        return {};
    }
    auto const& read = all[IoCall::read];
    auto const& written = all[IoCall::write];
    return {{"calls", calls(all, run.library.has_value())},
            {"read_sizes", sizes(all.read_sizes)},
            {"write_sizes", sizes(all.write_sizes)},
            {"bytes_read", read.bytes},
            {"bytes_written", written.bytes},
            {"read_elapsed_s", elapsed_with(IoCall::read, run)},
            {"write_elapsed_s", elapsed_with(IoCall::write, run)},
            {"read_bandwidth_bytes_per_s", bandwidth_of_the_paper(read, run.ranks)},
            {"write_bandwidth_bytes_per_s", bandwidth_of_the_paper(written, run.ranks)}};
}

std::vector<Metric> cell_updates(double updates, RunFigures const& run) {
    return {{"compute_s", run.compute_s, "s", "time computing", Better::lower},
            {"cell_updates_per_s", updates > 0 ? per_second(updates, run.compute_s) : std::nullopt, "1/s",
             "rate of computing"}};
}

}  // namespace weir
