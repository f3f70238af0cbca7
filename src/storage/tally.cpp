#include "storage/tally.hpp"

#include "comm/sum_as_text.hpp"
#include "core/enum_names.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

using Sizes = std::map<std::uint64_t, std::uint64_t>;

void add(Sizes& to, Sizes const& from) {
    for (auto const& [bytes, count] : from) {
        to[bytes] += count;
    }
}

std::string packed(Tally const& tally) {
    auto calls = Json::array();
    for (auto const& c : tally.calls) {
        calls.push_back({c.count, c.bytes, c.time_s});
    }
    return json_text({calls, tally.read_sizes, tally.write_sizes, tally.waiting_s});
}

Tally unpacked(std::string const& text) {
    auto const json = parse_json(text);
    Tally tally;
    for (std::size_t i = 0; i < tally.calls.size(); ++i) {
        tally.calls[i] = {json[0][i][0].get<std::uint64_t>(), json[0][i][1].get<std::uint64_t>(),
                          json[0][i][2].get<double>()};
    }
    json[1].get_to(tally.read_sizes);
    json[2].get_to(tally.write_sizes);
    json[3].get_to(tally.waiting_s);
    return tally;
}

}  // namespace

void Tally::add(Tally const& other) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
        calls[i].count += other.calls[i].count;
        calls[i].bytes += other.calls[i].bytes;
        calls[i].time_s += other.calls[i].time_s;
    }
    waiting_s += other.waiting_s;
    weir::add(read_sizes, other.read_sizes);
    weir::add(write_sizes, other.write_sizes);
}

void CallCounter::note(IoCall call, Moved const& moved, double time_s) {
    auto& calls = tally_[call];
    calls.count += moved.calls;
    calls.bytes += moved.bytes;
    calls.time_s += time_s;
    if (clock_ != nullptr && moved.bytes > 0) {
        ++(call == IoCall::read ? tally_.read_sizes : tally_.write_sizes)[moved.bytes];
    }
}

void CallCounter::note_messages(std::uint64_t count, double time_s, double waiting_s) {
    auto& messages = tally_[IoCall::communication];
    messages.count += count;
    messages.time_s += time_s;
    tally_.waiting_s += waiting_s;
}

Json calls_json(Tally const& made) {
    Json json;
    for (std::size_t i = 0; i < made.calls.size(); ++i) {
        auto const& calls = made.calls[i];
        if (calls.count > 0) {
            auto const is_known = static_cast<IoCall>(i) != IoCall::communication;  // messages are counted only
            json[std::string(enum_names(IoCall{})[i])] = {{"count", calls.count},
                                                          {"bytes", is_known ? Json(calls.bytes) : Json()}};
        }
    }
    return json;
}

Tally sum_over_ranks(Tally const& mine, Communicator const& comm) { return sum_as_text(comm, mine, packed, unpacked); }

}  // namespace weir
