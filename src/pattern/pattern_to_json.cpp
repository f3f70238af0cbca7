#include "core/enum_names.hpp"
#include "pattern/pattern_json.hpp"

namespace weir {
namespace {

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

/// What the pieces are: lists, where they are, or a nest.
void add_pieces(Json& json, Access const& access) {
    if (access.lists.empty()) {
        json["rank_levels"] = to_json(access.rank_levels);
        json["extent"] = to_json(access.extent);
    } else if (!access.lists.file_name().empty()) {
        json["lists_file"] = access.lists.file_name();
    } else {
        json["lists"] = to_json(access.lists);
    }
}

Json step_to_json(Access const& access) {
    Json const ranks{{"first", access.ranks.first}, {"count", access.ranks.count}, {"step", access.ranks.step}};
    Json json{{"verb", to_text(access.verb)}, {"file", access.file}, {"ranks", ranks}};
    add_pieces(json, access);
    json["order"] = to_json(access.order);
    json["sync_each"] = access.sync_each;
    // What is seldom asked for stands there only where it is.
    if (access.together) {
        json["together"] = true;
    }
    if (access.verb == Verb::mixed) {
        json["read_percent"] = access.read_percent;
    }
    if (access.pace.is_set()) {
        json["pace"] = {{"think_s", access.pace.think.value}, {"most_bytes_per_s", access.pace.most_per_second.value}};
    }
    return {{"access", std::move(json)}};
}

Json step_to_json(Open const& open) { return {{"open", {{"file", open.file}, {"mode", to_text(open.mode)}}}}; }
Json step_to_json(Preallocate const& p) { return {{"preallocate", {{"file", p.file}, {"bytes", p.bytes}}}}; }
Json step_to_json(Sync const& sync) { return {{"sync", {{"file", sync.file}}}}; }
Json step_to_json(Close const& close) { return {{"close", {{"file", close.file}}}}; }
Json step_to_json(Compute const& compute) { return {{"compute", {{"time_s", compute.time.value}}}}; }

Json to_json(Phase const& phase) {
    auto steps = Json::array();
    for (auto const& step : phase.steps) {
        steps.push_back(std::visit([](auto const& s) { return step_to_json(s); }, step));
    }
    Json json{{"name", phase.name},
              {"collective", phase.collective},
              {"reorder", to_json(phase.reorder)},
              {"time_limit_s", phase.time_limit.value},
              {"wear_out", phase.wear_out}};
    if (phase.tail_limit.value > 0) {
        json["tail_limit_s"] = phase.tail_limit.value;
    }
    json["limited_by"] = phase.limited_by;
    json["steps"] = std::move(steps);
    return json;
}

Json to_json(File const& file) {
    Json json{{"name", file.name}, {"per_rank", file.per_rank}};
    if (file.dataset_bytes > 0) {
        json["dataset_bytes"] = file.dataset_bytes;
    }
    return json;
}

}  // namespace

Json to_json(Pattern const& pattern) {
    auto files = Json::array();
    for (auto const& file : pattern.files) {
        files.push_back(to_json(file));
    }
    auto phases = Json::array();
    for (auto const& phase : pattern.phases) {
        phases.push_back(to_json(phase));
    }
    return {{"weir_pattern", pattern_version},
            {"name", pattern.name},
            {"ranks", pattern.ranks},
            {"files", std::move(files)},
            {"phases", std::move(phases)}};
}

}  // namespace weir
