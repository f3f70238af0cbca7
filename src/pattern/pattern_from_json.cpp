#include <fmt/format.h>

#include <map>

#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "pattern/loops.hpp"
#include "pattern/pattern_json.hpp"

namespace weir {
namespace {

using Where = std::string const&;

template <class Read>
auto read_array(Json const& array, Where where, Read read) {
    std::vector<decltype(read(array, where))> result;
    result.reserve(array.size());
    for (std::size_t i = 0; i < array.size(); ++i) {
        result.push_back(read(array[i], fmt::format("{}[{}]", where, i)));
    }
    return result;
}

Level read_level(Json const& json, Where where) {
    StrictObject const object(json, where, {"count", "stride"});
    return {object.count("count"), object.integer("stride")};
}

std::vector<Level> read_levels(StrictObject const& object, std::string_view key) {
    return read_array(object.array(key), object.place(key), read_level);
}

Extent read_extent(Json const& json, Where where) {
    StrictObject const object(json, where, {"start", "levels", "length"});
    return {object.count("start"), read_levels(object, "levels"), object.count("length")};
}

RankSet read_ranks(Json const& json, Where where) {
    StrictObject const object(json, where, {"first", "count", "step"});
    return {object.count("first"), object.count("count"), object.count("step")};
}

/// All ranks if the key is absent, else one set or an array of them.
Ranks read_some_ranks(StrictObject const& object) {
    if (!object.has("ranks")) {
        return {};
    }
    auto const place = object.place("ranks");
    auto const& json = object.at("ranks");
    validate(!json.is_array() || !json.empty(), fmt::format("{} is empty", place), "nobody would make the step",
             "Leave it out for all ranks.");
    return json.is_array() ? read_array(json, place, read_ranks) : Ranks{read_ranks(json, place)};
}

/// Displacement per iteration of the enclosing repeats; nothing if absent.
std::vector<std::int64_t> read_advance(StrictObject const& object, std::string_view key) {
    if (!object.has(key)) {
        return {};
    }
    return read_array(object.array(key), object.place(key), [](Json const& json, Where where) {
        validate(json.is_number_integer() &&
                     (!json.is_number_unsigned() || json.get<std::uint64_t>() <= std::uint64_t{INT64_MAX}),
                 fmt::format("{} is not a whole number", where), fmt::format("it is {}", json_text(json)),
                 "Correct it.");
        return json.get<std::int64_t>();
    });
}

std::vector<std::int64_t> read_file_advance(StrictObject const& object) { return read_advance(object, "file_advance"); }

Order read_order(Json const& json, Where where) {
    StrictObject const object(json, where, {"kind", "seed", "draws"});
    Order order{from_text<OrderKind>(object.text("kind"), object.place("kind")), 0, 0};
    order.seed = order.kind == OrderKind::sequential ? 0 : object.count("seed");
    order.draws = draws(order.kind) ? object.count("draws") : 0;
    return order;
}

Reorder read_reorder(Json const& json, Where where) {
    StrictObject const object(json, where, {"kind", "shift", "seed"});
    Reorder reorder{from_text<ReorderKind>(object.text("kind"), object.place("kind")), 0, 0};
    reorder.shift = reorder.kind == ReorderKind::shift ? object.count("shift") : 0;
    reorder.seed = reorder.kind == ReorderKind::shuffle ? object.count("seed") : 0;
    return reorder;
}

bool is_count(Json const& json) {
    return json.is_number_unsigned() || (json.is_number_integer() && json.get<std::int64_t>() >= 0);
}

/// Alternating offsets and lengths, for each rank that takes part.
std::vector<Piece> read_list(Json const& json, Where where) {
    validate(json.is_array() && json.size() % 2 == 0, fmt::format("{} is no list of pieces", where),
             "it must hold offset, length, offset, length, ...", "Write for example [0, 4096, 65536, 512].");
    std::vector<Piece> pieces;
    pieces.reserve(json.size() / 2);
    for (std::size_t i = 0; i < json.size(); i += 2) {
        validate(is_count(json[i]) && is_count(json[i + 1]), fmt::format("{}[{}] is no piece", where, i),
                 "offset and length must be whole numbers from 0", "Write for example [0, 4096, 65536, 512].");
        pieces.push_back({json[i].get<std::uint64_t>(), json[i + 1].get<std::uint64_t>()});
    }
    return pieces;
}

PieceLists read_lists(StrictObject const& object, std::filesystem::path const& folder) {
    if (object.has("lists_file")) {
        auto name = object.text("lists_file");
        auto const path = folder / name;
        return PieceLists::map_file(path, std::move(name));
    }
    return object.has("lists") ? PieceLists(read_array(object.array("lists"), object.place("lists"), read_list))
                               : PieceLists();
}

Pace read_pace(Json const& json, Where where) {
    StrictObject const object(json, where, {"think_s", "most_bytes_per_s"});
    return {Seconds{object.number("think_s")}, Bytes{object.count("most_bytes_per_s")}};
}

/// The keys of an access other than its pieces.
void read_manner(StrictObject const& object, Access& access) {
    access.verb = from_text<Verb>(object.text("verb"), object.place("verb"));
    access.file = object.count("file");
    access.collective = object.has("collective") && object.flag("collective");
    access.asynchronous = object.has("asynchronous") && object.flag("asynchronous");
    access.seeks = object.has("seeks") && object.flag("seeks");
    access.file_advance = read_file_advance(object);
}

/// An access to a part of an array; resolve() fills in the array and partition.
Access read_array_access(Json const& json, Where where) {
    StrictObject const object(json, where,
                              {"verb", "file", "ranks", "array", "partition", "ranks_per_group", "member", "collective",
                               "asynchronous", "seeks", "file_advance"});
    Access access;
    read_manner(object, access);
    access.ranks = read_ranks(object.at("ranks"), object.place("ranks"));
    access.part = {.array = object.count("array"), .partition = object.count("partition")};
    access.part->ranks_per_group = object.count_or("ranks_per_group", 0);
    if (object.has("member")) {
        access.part->member = object.count("member");
    }
    access.list_io = true;
    return access;
}

Access read_access(Json const& json, Where where, std::filesystem::path const& folder) {
    if (json.is_object() && json.contains("array")) {
        return read_array_access(json, where);
    }
    StrictObject const object(
        json, where,
        {"verb", "file", "ranks", "rank_levels", "extent", "order", "sync_each", "lists", "lists_file", "together",
         "collective", "asynchronous", "seeks", "read_percent", "pace", "advance", "file_advance"});
    Access access;
    read_manner(object, access);
    access.ranks = read_ranks(object.at("ranks"), object.place("ranks"));
    access.lists = read_lists(object, folder);
    if (access.lists.empty()) {
        access.rank_levels = read_levels(object, "rank_levels");
        access.extent = read_extent(object.at("extent"), object.place("extent"));
    } else {
        validate(!object.has("extent") && !object.has("rank_levels"), fmt::format("{} has lists and an extent", where),
                 "lists say it all", "Leave extent and rank_levels out, or the lists.");
    }
    access.order = read_order(object.at("order"), object.place("order"));
    access.sync_each = object.flag("sync_each");
    access.list_io = object.has("together") && object.flag("together");
    access.read_percent = access.verb == Verb::mixed ? object.count("read_percent") : 0;
    access.advance = read_advance(object, "advance");
    access.pace = object.has("pace") ? read_pace(object.at("pace"), object.place("pace")) : Pace{};
    return access;
}

std::vector<std::uint64_t> read_counts(StrictObject const& object, std::string_view key) {
    if (!object.has(key)) {
        return {};
    }
    return read_array(object.array(key), object.place(key), [](Json const& json, Where where) {
        validate(is_count(json), fmt::format("{} is not a whole number from 0", where),
                 fmt::format("it is {}", json_text(json)), "Correct it.");
        return json.get<std::uint64_t>();
    });
}

/// The first index, and their number.
std::optional<IndexRange> read_index_range(StrictObject const& object, char const* key) {
    if (!object.has(key)) {
        return {};
    }
    auto const numbers = read_counts(object, key);
    validate(numbers.size() == 2, object.place(key) + " is no range of indices",
             fmt::format("it has {} numbers", numbers.size()), "Give the first index and their number.");
    return IndexRange{numbers[0], numbers[1]};
}

Open read_open(Json const& json, Where where) {
    StrictObject const object(json, where, {"file", "mode", "ranks", "file_advance", "collective", "makes"});
    return {object.count("file"),
            from_text<OpenMode>(object.text("mode"), object.place("mode")),
            read_some_ranks(object),
            read_file_advance(object),
            object.has("collective") && object.flag("collective"),
            read_index_range(object, "makes")};
}

Preallocate read_preallocate(Json const& json, Where where) {
    StrictObject const object(json, where, {"file", "bytes", "ranks", "file_advance"});
    return {object.count("file"), object.count("bytes"), read_some_ranks(object), read_file_advance(object)};
}

/// A wait, a sync or a close.
template <class OnFile>
OnFile read_on_file(Json const& json, Where where) {
    StrictObject const object(json, where, {"file", "ranks", "file_advance"});
    return {object.count("file"), read_some_ranks(object), read_file_advance(object)};
}

Compute read_compute(Json const& json, Where where) {
    StrictObject const object(json, where, {"time_s", "ranks"});
    return {Seconds{object.number("time_s")}, read_some_ranks(object)};
}

Seek read_seek(Json const& json, Where where) {
    StrictObject const object(json, where, {"file", "to", "ranks", "advance", "file_advance"});
    return {object.count("file"), object.count("to"), read_some_ranks(object), read_advance(object, "advance"),
            read_file_advance(object)};
}

Rename read_rename(Json const& json, Where where) {
    StrictObject const object(json, where, {"file", "to", "file_advance", "to_advance"});
    return {object.count("file"), object.count("to"), read_file_advance(object), read_advance(object, "to_advance")};
}

Remove read_remove(Json const& json, Where where) {
    StrictObject const object(json, where, {"file", "file_advance"});
    return {object.count("file"), read_file_advance(object)};
}

Broadcast read_broadcast(Json const& json, Where where) {
    StrictObject const object(json, where, {"bytes", "root", "ranks"});
    return {object.count("bytes"), object.count("root"), read_some_ranks(object)};
}

Send read_send(Json const& json, Where where) {
    StrictObject const object(json, where, {"from", "to", "bytes"});
    return {read_ranks(object.at("from"), object.place("from")), read_ranks(object.at("to"), object.place("to")),
            object.count("bytes")};
}

InGroups read_in_groups(Json const& json, Where where) {
    StrictObject const object(json, where, {"kind", "file", "array", "partition", "ranks_per_group"});
    return {from_text<InGroups::Kind>(object.text("kind"), object.place("kind")), object.count("file"),
            object.count("array"), object.count("partition"), object.count("ranks_per_group")};
}

Move read_move(Json const& json, Where where) {
    StrictObject const object(json, where, {"file", "array", "from", "to"});
    auto const optional = [&](char const* key) {
        return object.has(key) ? std::optional(object.count(key)) : std::nullopt;
    };
    return {object.count("file"), object.count("array"), optional("from"), optional("to")};
}

using Folder = std::filesystem::path const&;

Repeat read_repeat(Json const& json, Where where, Folder folder, std::size_t depth);

using ReadStep = Step (*)(Json const&, Where, Folder, std::size_t depth);

/// A reader for a step without nested steps or further files.
template <auto read>
Step plain(Json const& json, Where where, Folder, std::size_t) {
    return read(json, where);
}

Barrier read_barrier(Json const& json, Where where) { return {read_some_ranks(StrictObject(json, where, {"ranks"}))}; }

Step access_step(Json const& json, Where where, Folder folder, std::size_t) { return read_access(json, where, folder); }

Step repeat_step(Json const& json, Where where, Folder folder, std::size_t depth) {
    return read_repeat(json, where, folder, depth + 1);
}

/// The reader for each step's key.
std::map<std::string_view, ReadStep> const& step_readers() {
    static std::map<std::string_view, ReadStep> const readers{{"open", plain<read_open>},
                                                              {"preallocate", plain<read_preallocate>},
                                                              {"access", access_step},
                                                              {"wait", plain<read_on_file<Wait>>},
                                                              {"sync", plain<read_on_file<Sync>>},
                                                              {"close", plain<read_on_file<Close>>},
                                                              {"compute", plain<read_compute>},
                                                              {"barrier", plain<read_barrier>},
                                                              {"repeat", repeat_step},
                                                              {"seek", plain<read_seek>},
                                                              {"rename", plain<read_rename>},
                                                              {"remove", plain<read_remove>},
                                                              {"broadcast", plain<read_broadcast>},
                                                              {"move", plain<read_move>},
                                                              {"send", plain<read_send>},
                                                              {"in_groups", plain<read_in_groups>}};
    return readers;
}

/// A step is an object with one key, its kind.
Step read_step(Json const& json, Where where, Folder folder, std::size_t depth) {
    validate(json.is_object() && json.size() == 1, fmt::format("{} is not one step", where),
             fmt::format("it has {} keys", json.size()), "Write one object a step.");
    auto const& kind = json.begin().key();
    auto const reader = step_readers().find(kind);
    if (reader == step_readers().end()) {
        static_cast<void>(StrictObject(json, where, {}));  // refuses the key
    }
    return reader->second(json.begin().value(), fmt::format("{}.{}", where, kind), folder, depth);
}

Repeat read_repeat(Json const& json, Where where, Folder folder, std::size_t depth) {
    validate(depth <= deepest_repeat, fmt::format("{} is nested too deep", where),
             fmt::format("repeats may be nested {} deep", deepest_repeat), "Make one repeat of two.");
    StrictObject const object(json, where, {"count", "steps"});
    auto const read = [&](Json const& step, Where place) { return read_step(step, place, folder, depth); };
    return {object.count("count"), read_array(object.array("steps"), object.place("steps"), read)};
}

Phase read_phase(Json const& json, Where where, std::filesystem::path const& folder) {
    StrictObject const object(
        json, where,
        {"name", "collective", "reorder", "time_limit_s", "wear_out", "tail_limit_s", "timed", "limited_by", "steps"});
    auto const read = [&](Json const& step, Where place) { return read_step(step, place, folder, 0); };
    return {object.text("name"),
            object.flag("collective"),
            read_reorder(object.at("reorder"), object.place("reorder")),
            Seconds{object.number("time_limit_s")},
            object.flag("wear_out"),
            object.text("limited_by"),
            read_array(object.array("steps"), object.place("steps"), read),
            Seconds{object.has("tail_limit_s") ? object.number("tail_limit_s") : 0},
            !object.has("timed") || object.flag("timed")};
}

Member read_member(Json const& json, Where where) {
    StrictObject const object(json, where, {"name", "element", "offset"});
    return {object.text("name"), element_from_text(object.text("element"), object.place("element")),
            object.count("offset")};
}

/// A text, or the object of a compound.
Element read_element(StrictObject const& object) {
    auto const place = object.place("element");
    auto const& json = object.at("element");
    if (!json.is_object()) {
        return element_from_text(object.text("element"), place);
    }
    StrictObject const compound(json, place, {"bytes", "members"});
    return {Element::Kind::compound, compound.count("bytes"),
            read_array(compound.array("members"), compound.place("members"), read_member)};
}

Array read_one_array(Json const& json, Where where) {
    StrictObject const object(json, where, {"name", "element", "shape", "offset", "attribute_of"});
    Array array{object.text("name"), read_element(object), read_counts(object, "shape")};
    if (object.has("offset")) {
        array.offset = object.count("offset");
    }
    if (object.has("attribute_of")) {
        array.attribute_of = object.text("attribute_of");
    }
    return array;
}

Partition read_partition(Json const& json, Where where) {
    StrictObject const object(json, where, {"grid", "block", "counts", "cycle", "first_fastest", "same"});
    auto const flag = [&](char const* key) { return object.has(key) && object.flag(key); };
    Partition by{read_counts(object, "grid"), read_counts(object, "block"), read_counts(object, "counts"),
                 flag("cycle"), flag("first_fastest")};
    by.same = read_index_range(object, "same");
    return by;
}

File read_file(Json const& json, Where where) {
    StrictObject const object(json, where, {"name", "per_rank", "dataset_bytes", "arrays"});
    File file{object.text("name"), object.flag("per_rank"), object.count_or("dataset_bytes", 0)};
    if (object.has("arrays")) {
        file.arrays = read_array(object.array("arrays"), object.place("arrays"), read_one_array);
    }
    return file;
}

DataMemory read_memory(Json const& json, Where where) {
    StrictObject const object(json, where, {"bytes", "in_page"});
    DataMemory const memory{object.count_or("bytes", 0), object.count_or("in_page", 0)};
    validate(memory.in_page < DataMemory::page, fmt::format("{} is {}", object.place("in_page"), memory.in_page),
             "a page has 4096 bytes", "Give a number below that.");
    return memory;
}

std::string read_reason(Json const& json, Where where) {
    validate(json.is_string(), fmt::format("{} is no text", where), fmt::format("it is {}", json_text(json)),
             "Write why the pattern is not exact, or leave `inexact` out.");
    return json.get<std::string>();
}

}  // namespace

Pattern pattern_from_json(Json const& json, std::filesystem::path const& folder) {
    StrictObject const object(
        json, "the pattern",
        {"weir_pattern", "name", "ranks", "inexact", "scales", "memory", "files", "partitions", "phases"});
    auto const version = object.count("weir_pattern");
    validate(version == pattern_version, fmt::format("the pattern has version {}", version),
             fmt::format("this Weir reads version {}", pattern_version), "Make it again with this Weir.");
    auto const read = [&](Json const& phase, Where place) { return read_phase(phase, place, folder); };
    Pattern pattern{object.text("name"), object.count("ranks"), read_array(object.array("files"), "files", read_file),
                    read_array(object.array("phases"), "phases", read)};
    if (object.has("inexact")) {
        pattern.inexact = read_array(object.array("inexact"), object.place("inexact"), read_reason);
    }
    if (object.has("memory")) {
        pattern.memory = read_memory(object.at("memory"), object.place("memory"));
    }
    if (object.has("scales")) {
        pattern.scales = from_text<Scaling>(object.text("scales"), object.place("scales"));
    }
    if (object.has("partitions")) {
        pattern.partitions = read_array(object.array("partitions"), "partitions", read_partition);
    }
    resolve(pattern);
    validate_pattern(pattern);
    return pattern;
}

}  // namespace weir
