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
    if (order.kind == OrderKind::random) {
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

Json step_to_json(Access const& access) {
    Json const ranks{{"first", access.ranks.first}, {"count", access.ranks.count}, {"step", access.ranks.step}};
    return {{"access",
             {{"verb", to_text(access.verb)},
              {"file", access.file},
              {"ranks", ranks},
              {"rank_levels", to_json(access.rank_levels)},
              {"extent", to_json(access.extent)},
              {"order", to_json(access.order)},
              {"sync_each", access.sync_each}}}};
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
    return {{"name", phase.name},
            {"collective", phase.collective},
            {"reorder", to_json(phase.reorder)},
            {"time_limit_s", phase.time_limit.value},
            {"wear_out", phase.wear_out},
            {"limited_by", phase.limited_by},
            {"steps", std::move(steps)}};
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
