#include "apps/cloud/dump/io_log.hpp"

#include "core/json.hpp"

namespace weir::cloud {
namespace {

using Sizes = std::map<std::uint64_t, std::uint64_t>;

std::uint64_t bytes_of(Sizes const& sizes) {
    std::uint64_t sum = 0;
    for (auto const& [bytes, count] : sizes) {
        sum += bytes * count;
    }
    return sum;
}

void add(Sizes& to, Sizes const& from) {
    for (auto const& [bytes, count] : from) {
        to[bytes] += count;
    }
}

std::string packed(IoLog const& log) {
    auto calls = Json::array();
    for (auto const& c : log.calls) {
        calls.push_back({c.count, c.time_s});
    }
    return Json::array({calls, log.read_sizes, log.write_sizes, log.waiting_s}).dump();
}

IoLog unpacked(std::string const& text) {
    auto const json = Json::parse(text);
    IoLog log;
    for (std::size_t i = 0; i < log.calls.size(); ++i) {
        log.calls[i] = {json[0][i][0].get<std::uint64_t>(), json[0][i][1].get<double>()};
    }
    json[1].get_to(log.read_sizes);
    json[2].get_to(log.write_sizes);
    json[3].get_to(log.waiting_s);
    return log;
}

}  // namespace

std::uint64_t IoLog::bytes_read() const { return bytes_of(read_sizes); }
std::uint64_t IoLog::bytes_written() const { return bytes_of(write_sizes); }

void IoLog::add(IoLog const& other) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
        calls[i].count += other.calls[i].count;
        calls[i].time_s += other.calls[i].time_s;
    }
    waiting_s += other.waiting_s;
    cloud::add(read_sizes, other.read_sizes);
    cloud::add(write_sizes, other.write_sizes);
}

IoLog sum_over_ranks(IoLog const& mine, Communicator const& comm) {
    IoLog sum;
    for (auto const& one : comm.all_gather(packed(mine))) {
        sum.add(unpacked(one));
    }
    return sum;
}

std::uint64_t communication_of_the_paper(Triple const& ranks, std::uint64_t arrays, std::uint64_t headers_read) {
    auto const all = static_cast<std::uint64_t>(volume(ranks));
    auto const alike = static_cast<std::uint64_t>(ranks[0] * ranks[1]);
    return all * arrays * (all + alike - 2) + all * headers_read;
}

}  // namespace weir::cloud
