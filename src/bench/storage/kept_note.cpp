#include "bench/storage/kept_note.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

constexpr std::uint64_t note_schema = 1;
constexpr std::size_t longest = 64 << 10;

}  // namespace

std::filesystem::path note_of(std::filesystem::path const& file) {
    return file.parent_path() / fmt::format(".{}.kept", file.filename().string());
}

std::string to_text(KeptNote const& note) {
    Json const json{
        {"weir_kept", note_schema},
        {"data", note.stamps ? "stamps" : "fixed"},
        {"finished", note.finished},
        {"seed", note.seed},
        {"stamp_file", note.stamp_file},
        {"bytes", note.bytes},
        {"format", note.format},
        {"shape", note.shape},
        {"file", {{"inode", note.file.inode}, {"bytes", note.file.bytes}, {"modified_ns", note.file.modified_ns}}}};
    return json_text(json, 1) + "\n";
}

std::optional<KeptNote> kept_note_from(std::string const& text) {
    auto const json = parse_json(text);
    if (json.is_discarded()) {
        return {};
    }
    try {
        StrictObject const keys(
            json, "note", {"weir_kept", "data", "finished", "seed", "stamp_file", "bytes", "format", "shape", "file"});
        StrictObject const file(keys.at("file"), "note.file", {"inode", "bytes", "modified_ns"});
        if (keys.count("weir_kept") != note_schema) {
            return {};
        }
        return KeptNote{.stamps = keys.text("data") == "stamps",
                        .finished = keys.flag("finished"),
                        .seed = keys.count("seed"),
                        .stamp_file = keys.count("stamp_file"),
                        .bytes = keys.count("bytes"),
                        .format = keys.text("format"),
                        .shape = keys.text("shape"),
                        .file = {file.count("inode"), file.count("bytes"), file.integer("modified_ns")}};
    } catch (Error const&) {
        return {};
    }
}

std::optional<std::string> read_note(std::filesystem::path const& file) {
    return read_short_file(note_of(file), longest);
}

void require_kept(std::filesystem::path const& file) {
    auto const refuse = [&](std::string why) {
        throw Error({fmt::format("'{}' already exists, and is not touched", file.string()), std::move(why),
                     "Move it away, or name another directory with dir.", ExitCode::cannot_run});
    };
    auto const here = open_own_file(file);
    if (!is_there(note_of(file))) {
        refuse("no note next to it says that Weir has made it");
    }
    static_cast<void>(open_own_file(note_of(file)));
    auto const note = kept_note_from(read_note(file).value_or(""));
    if (!note) {
        refuse(fmt::format("the note '{}' next to it is none that Weir has made", note_of(file).string()));
    }
    if (note->file != here.identity()) {
        refuse("it has been changed or replaced since Weir kept it");
    }
}

}  // namespace weir
