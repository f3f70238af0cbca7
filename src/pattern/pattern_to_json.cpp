#include "core/enum_names.hpp"
#include "core/json.hpp"
#include "pattern/pattern_json.hpp"

namespace weir {
namespace {

Json to_json(IndexRange const& range) { return {range.first, range.count}; }

Json to_json(std::vector<Level> const& levels) {
    auto json = Json::array();
    for (auto const& level : levels) {
        json.push_back({{"count", level.count}, {"stride", level.stride}});
    }
    return json;
}

Json to_json(Extent const& extent) {
    return {{"start", extent.start}, {"levels", to_json(extent.levels)}, {"length", extent.length}};
}

Json to_json(Order const& order) {
    Json json{{"kind", to_text(order.kind)}};
    if (order.kind != OrderKind::sequential) {
        json["seed"] = order.seed;
    }
    if (draws(order.kind)) {
        json["draws"] = order.draws;
    }
    return json;
}

Json to_json(Reorder const& reorder) {
    Json json{{"kind", to_text(reorder.kind)}};
    if (reorder.kind == ReorderKind::shift) {
        json["shift"] = reorder.shift;
    }
    if (reorder.kind == ReorderKind::shuffle) {
        json["seed"] = reorder.seed;
    }
    return json;
}

Json to_json(RankSet const& ranks) { return {{"first", ranks.first}, {"count", ranks.count}, {"step", ranks.step}}; }

/// Keys that only some steps have: ranks, if not all, and displacement in repeats.
template <class Body>
Json with_rest(Json json, Body const& body) {
    if constexpr (requires { body.ranks.empty(); }) {
        if (body.ranks.size() == 1) {
            json["ranks"] = to_json(body.ranks.front());
        }
        for (std::size_t i = 0; body.ranks.size() > 1 && i < body.ranks.size(); ++i) {
            json["ranks"].push_back(to_json(body.ranks[i]));
        }
    }
    if constexpr (requires { body.advance; }) {
        if (!body.advance.empty()) {
            json["advance"] = body.advance;
        }
    }
    if constexpr (requires { body.file_advance; }) {
        if (!body.file_advance.empty()) {
            json["file_advance"] = body.file_advance;
        }
    }
    return json;
}

Json to_json(PieceLists const& lists) {
    auto json = Json::array();
    for (std::uint64_t position = 0; position < lists.ranks(); ++position) {
        auto list = Json::array();
        for (auto const& piece : lists.of(position)) {
            list.push_back(piece.offset);
            list.push_back(piece.length);
        }
        json.push_back(std::move(list));
    }
    return json;
}

/// The pieces: a part of an array, lists, if any, or nested strides.
void add_pieces(Json& json, Access const& access) {
    if (access.part) {
        json["array"] = access.part->array;
        json["partition"] = access.part->partition;
        if (access.part->ranks_per_group > 0) {
            json["ranks_per_group"] = access.part->ranks_per_group;
        }
        if (access.part->member) {
            json["member"] = *access.part->member;
        }
    } else if (access.lists.empty()) {
        json["rank_levels"] = to_json(access.rank_levels);
        json["extent"] = to_json(access.extent);
    } else if (!access.lists.file_name().empty()) {
        json["lists_file"] = access.lists.file_name();
    } else {
        json["lists"] = to_json(access.lists);
    }
}

Json step_to_json(Access const& access) {
    Json json{{"verb", to_text(access.verb)}, {"file", access.file}, {"ranks", to_json(access.ranks)}};
    add_pieces(json, access);
    if (!access.part) {
        json["order"] = to_json(access.order);
        json["sync_each"] = access.sync_each;
    }
    // Rare keys are written only if set.
    if (access.list_io && !access.part) {
        json["together"] = true;
    }
    if (access.collective) {
        json["collective"] = true;
    }
    if (access.asynchronous) {
        json["asynchronous"] = true;
    }
    if (access.seeks) {
        json["seeks"] = true;
    }
    if (access.verb == Verb::mixed) {
        json["read_percent"] = access.read_percent;
    }
    if (access.pace.is_set()) {
        json["pace"] = {{"think_s", access.pace.think.value}, {"most_bytes_per_s", access.pace.most_per_second.value}};
    }
    return {{"access", with_rest(std::move(json), access)}};
}

Json step_to_json(Open const& open) {
    Json json{{"file", open.file}, {"mode", to_text(open.mode)}};
    if (open.collective) {
        json["collective"] = true;
    }
    if (open.makes) {
        json["makes"] = to_json(*open.makes);
    }
    return {{"open", with_rest(std::move(json), open)}};
}
Json step_to_json(Preallocate const& reserve) {
    return {{"preallocate", with_rest({{"file", reserve.file}, {"bytes", reserve.bytes}}, reserve)}};
}
Json step_to_json(Wait const& wait) { return {{"wait", with_rest({{"file", wait.file}}, wait)}}; }
Json step_to_json(Sync const& sync) { return {{"sync", with_rest({{"file", sync.file}}, sync)}}; }
Json step_to_json(Close const& close) { return {{"close", with_rest({{"file", close.file}}, close)}}; }
Json step_to_json(Compute const& compute) {
    return {{"compute", with_rest({{"time_s", compute.time.value}}, compute)}};
}
Json step_to_json(Barrier const& barrier) { return {{"barrier", with_rest(Json::object(), barrier)}}; }

Json step_to_json(Seek const& seek) { return {{"seek", with_rest({{"file", seek.file}, {"to", seek.to}}, seek)}}; }
Json step_to_json(Rename const& rename) {
    auto json = with_rest({{"file", rename.file}, {"to", rename.to}}, rename);
    if (!rename.to_advance.empty()) {
        json["to_advance"] = rename.to_advance;
    }
    return {{"rename", std::move(json)}};
}
Json step_to_json(Remove const& remove) { return {{"remove", with_rest({{"file", remove.file}}, remove)}}; }
Json step_to_json(Broadcast const& broadcast) {
    return {{"broadcast", with_rest({{"bytes", broadcast.bytes}, {"root", broadcast.root}}, broadcast)}};
}
Json step_to_json(Send const& send) {
    return {{"send", {{"from", to_json(send.from)}, {"to", to_json(send.to)}, {"bytes", send.bytes}}}};
}

Json step_to_json(InGroups const& messages) {
    return {{"in_groups",
             {{"kind", to_text(messages.kind)},
              {"file", messages.file},
              {"array", messages.array},
              {"partition", messages.partition},
              {"ranks_per_group", messages.ranks_per_group}}}};
}

Json step_to_json(Move const& move) {
    Json json{{"file", move.file}, {"array", move.array}};
    if (move.from) {
        json["from"] = *move.from;
    }
    if (move.to) {
        json["to"] = *move.to;
    }
    return {{"move", std::move(json)}};
}

Json to_json(std::vector<Step> const& steps);

Json step_to_json(Repeat const& repeat) {
    return {{"repeat", {{"count", repeat.count}, {"steps", to_json(repeat.steps)}}}};
}

Json to_json(std::vector<Step> const& steps) {
    auto json = Json::array();
    for (auto const& step : steps) {
        json.push_back(std::visit([](auto const& s) { return step_to_json(s); }, step));
    }
    return json;
}

Json to_json(Phase const& phase) {
    Json json{{"name", phase.name},
              {"collective", phase.collective},
              {"reorder", to_json(phase.reorder)},
              {"time_limit_s", phase.time_limit.value},
              {"wear_out", phase.wear_out}};
    if (phase.tail_limit.value > 0) {
        json["tail_limit_s"] = phase.tail_limit.value;
    }
    if (!phase.timed) {
        json["timed"] = false;
    }
    json["limited_by"] = phase.limited_by;
    json["steps"] = to_json(phase.steps);
    return json;
}

Json to_json(Element const& element) {
    if (element.kind != Element::Kind::compound) {
        return to_text(element);
    }
    auto members = Json::array();
    for (auto const& member : element.members) {
        members.push_back({{"name", member.name}, {"element", to_text(member.element)}, {"offset", member.offset}});
    }
    return {{"bytes", element.bytes}, {"members", std::move(members)}};
}

Json to_json(Array const& array) {
    Json json{{"name", array.name}, {"element", to_json(array.element)}, {"shape", array.shape}};
    if (array.offset) {
        json["offset"] = *array.offset;
    }
    if (array.attribute_of) {
        json["attribute_of"] = *array.attribute_of;
    }
    return json;
}

Json to_json(Partition const& by) {
    auto json = Json::object();
    auto const add = [&](char const* key, std::vector<std::uint64_t> const& values) {
        if (!values.empty()) {
            json[key] = values;
        }
    };
    add("grid", by.grid);
    add("block", by.block);
    add("counts", by.counts);
    if (by.cycle) {
        json["cycle"] = true;
    }
    if (by.first_fastest) {
        json["first_fastest"] = true;
    }
    if (by.same) {
        json["same"] = to_json(*by.same);
    }
    return json;
}

Json to_json(File const&);

template <class Part>
Json all_to_json(std::vector<Part> const& parts) {
    auto json = Json::array();
    for (auto const& part : parts) {
        json.push_back(to_json(part));
    }
    return json;
}

Json to_json(File const& file) {
    Json json{{"name", file.name}, {"per_rank", file.per_rank}};
    if (file.dataset_bytes > 0) {
        json["dataset_bytes"] = file.dataset_bytes;
    }
    if (!file.arrays.empty()) {
        json["arrays"] = all_to_json(file.arrays);
    }
    return json;
}

}  // namespace

Json to_json(Totals const& totals) {
    return {{"bytes_written", totals.bytes_written},
            {"bytes_read", totals.bytes_read},
            {"operations", totals.operations},
            {"files", totals.files},
            {"bytes_on_disk", totals.bytes_on_disk}};
}

Json to_json(Pattern const& pattern) {
    Json json{{"weir_pattern", pattern_version}, {"name", pattern.name}, {"ranks", pattern.ranks}};
    if (!pattern.inexact.empty()) {
        json["inexact"] = pattern.inexact;
    }
    if (pattern.scales != Scaling::none) {
        json["scales"] = to_text(pattern.scales);
    }
    if (pattern.memory != DataMemory()) {
        json["memory"] = {{"bytes", pattern.memory.bytes}, {"in_page", pattern.memory.in_page}};
    }
    json["files"] = all_to_json(pattern.files);
    if (!pattern.partitions.empty()) {
        json["partitions"] = all_to_json(pattern.partitions);
    }
    json["phases"] = all_to_json(pattern.phases);
    return json;
}

}  // namespace weir
