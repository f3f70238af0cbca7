#include "storage/array_times.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "comm/sum_as_text.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

constexpr std::array causes{&ArrayTimes::create, &ArrayTimes::attribute, &ArrayTimes::pack, &ArrayTimes::write,
                            &ArrayTimes::request};

std::string name_of(Array const& array) {
    auto const& owner = array.attribute_of.value_or("");
    return owner.empty() ? array.name : owner + "/" + array.name;
}

/// The array with this name, at the same place as in the other's times unless dumps differ.
ArrayTimes& same(std::vector<ArrayTimes>& arrays, std::size_t place, std::string const& name) {
    if (place < arrays.size() && arrays[place].name == name) {
        return arrays[place];
    }
    auto const found = std::ranges::find(arrays, name, &ArrayTimes::name);
    return found != arrays.end() ? *found : arrays.emplace_back(ArrayTimes{name});
}

std::string text_of(DumpCosts const& costs) {
    auto files = Json::array();
    for (auto const& file : costs.files) {
        auto arrays = Json::array();
        for (auto const& array : file.arrays) {
            Json one{array.name, array.bytes};
            for (auto const cause : causes) {
                one.push_back((array.*cause).count);
                one.push_back((array.*cause).time_s);
            }
            arrays.push_back(std::move(one));
        }
        files.push_back({file.name, file.open_s, file.sync_s, file.close_s, arrays});
    }
    return json_text({costs.elapsed_s, files});
}

DumpCosts costs_in(std::string const& text) {
    auto const json = parse_json(text);
    DumpCosts costs{json[0].get<double>()};
    for (auto const& file : json[1]) {
        auto& times = costs.files.emplace_back();
        times.name = file[0].get<std::string>();
        times.open_s = file[1].get<double>();
        times.sync_s = file[2].get<double>();
        times.close_s = file[3].get<double>();
        for (auto const& one : file[4]) {
            auto& array = times.arrays.emplace_back(ArrayTimes{one[0].get<std::string>()});
            array.bytes = one[1].get<std::uint64_t>();
            std::size_t at = 2;
            for (auto const cause : causes) {
                (array.*cause).count = one[at++].get<std::uint64_t>();
                (array.*cause).time_s = one[at++].get<double>();
            }
        }
    }
    return costs;
}

/// The arrays of a file, a list for each number.
Json columns(std::vector<ArrayTimes> const& arrays, bool has_library) {
    auto const column = [&](auto get) {
        auto values = Json::array();
        for (auto const& array : arrays) {
            values.push_back(get(array));
        }
        return values;
    };
    auto const requests = [&](ArrayTimes const& array) -> Spent const& {
        return has_library ? array.request : array.write;
    };
    return {
        {"name", column([](auto const& a) { return a.name; })},
        {"bytes", column([](auto const& a) { return a.bytes; })},
        {"creates", column([](auto const& a) { return a.create.count; })},
        {"create_s", column([](auto const& a) { return a.create.time_s; })},
        {"attributes", column([](auto const& a) { return a.attribute.count; })},
        {"attribute_s", column([](auto const& a) { return a.attribute.time_s; })},
        {"packs", column([](auto const& a) { return a.pack.count; })},
        {"pack_s", column([](auto const& a) { return a.pack.time_s; })},
        {"writes", has_library ? column([](auto const& a) { return a.write.count; }) : Json()},
        {"library_s", has_library ? column([](auto const& a) { return a.write.time_s - a.request.time_s; }) : Json()},
        {"requests", column([&](auto const& a) { return requests(a).count; })},
        {"request_s", column([&](auto const& a) { return requests(a).time_s; })}};
}

}  // namespace

void FileTimes::begin(std::string file, std::vector<Array> const& with, Clock const& by) {
    name = std::move(file);
    clock = &by;
    if (!arrays.empty()) {
        return;
    }
    for (auto const& array : with) {
        arrays.push_back({name_of(array)});
    }
}

void FileTimes::add(FileTimes const& other) {
    name = other.name.empty() ? name : other.name;
    open_s += other.open_s;
    sync_s += other.sync_s;
    close_s += other.close_s;
    for (std::size_t i = 0; i < other.arrays.size(); ++i) {
        auto& array = same(arrays, i, other.arrays[i].name);
        array.bytes += other.arrays[i].bytes;
        for (auto const cause : causes) {
            (array.*cause).add(other.arrays[i].*cause);
        }
    }
}

double FileTimes::creating_s() const {
    return std::accumulate(arrays.begin(), arrays.end(), 0.0, [](double sum, ArrayTimes const& array) {
        return sum + array.create.time_s + array.attribute.time_s;
    });
}

void DumpCosts::add(DumpCosts const& other) {
    elapsed_s += other.elapsed_s;
    files.resize(std::max(files.size(), other.files.size()));
    for (std::size_t i = 0; i < other.files.size(); ++i) {
        files[i].add(other.files[i]);
    }
}

double DumpCosts::known_s() const {
    double sum = 0;
    for (auto const& file : files) {
        sum += file.open_s + file.sync_s + file.close_s + file.creating_s();
        for (auto const& array : file.arrays) {
            sum += array.pack.time_s + array.write.time_s;
        }
    }
    return sum;
}

DumpCosts sum_over_ranks(DumpCosts const& mine, Communicator const& comm) {
    return sum_as_text(comm, mine, text_of, costs_in);
}

Json to_json(DumpCosts const& costs, bool has_library) {
    auto files = Json::array();
    for (auto const& file : costs.files) {
        if (file.name.empty()) {
            continue;  // it was not opened
        }
        files.push_back({{"file", file.name},
                         {"open_s", file.open_s},
                         {"sync_s", file.sync_s},
                         {"close_s", file.close_s},
                         {"arrays", columns(file.arrays, has_library)}});
    }
    if (files.empty()) {
        return {};
    }
    return {{"ranks_s", costs.elapsed_s}, {"other_s", costs.elapsed_s - costs.known_s()}, {"files", files}};
}

}  // namespace weir
